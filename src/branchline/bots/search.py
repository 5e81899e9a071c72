"""Search: plays imagined games from each candidate decision, and takes the one that wins most.

It never sees more than `imagine(view)`. It deals worlds that are consistent with the view, and tries every candidate in each. Where there is a
network, it proposes the candidates, plays on for some turns, and says what that is worth (foresight.py). Otherwise, or if asked, quick
planners play the game to its end (playouts.py). Candidates that fall behind are dropped (trials.py), so that time goes where it matters.
"""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from branchline.bots.base import BotOptionError, RecordBot, keys_of
from branchline.bots.compiled.candidates import MOST
from branchline.bots.compiled.foresight import begin_learned, foresee
from branchline.bots.compiled.playouts import begin, try_candidates
from branchline.bots.compiled.thoughts import THOUGHTS
from branchline.bots.explaining import explain_plan
from branchline.bots.networks import has_network
from branchline.bots.trials import CAUTION, MOST_WORLDS, Trials
from branchline.bots.weights import weights_for
from branchline.play.games import View
from branchline.rules.log import new_log
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import MASK_WORDS, SEATS
from branchline.rules.state import NOT_ANNOUNCED, STATE
from branchline.rules.work import WORK

PATIENCE = 8  # own turns for which planners in play-outs keep a plan: hardly weaker, and several times as fast
TURNS = 8  # of all seats, that the network plays after the one that is decided about before its value counts; every seat has at least one
SURE = 1.5  # standard errors by which another decision must be better than the network's: it is seldom wrong
STEP = 4  # worlds dealt before the candidates are compared again; against the clock, per core
USAGE = (
    "write search@0.3s (seconds a decision), search@500 (play-outs a decision), with cores: search@1s,4cores, "
    "or with planners instead of the network: search@0.3s,planner"
)


class Budget(NamedTuple):
    """How much search may think about a decision: seconds, or play-outs (then the same seed gives the same decision).

    Every candidate is tried at least once, and worlds are always finished, so there may be a few more play-outs.
    """

    seconds: float | None = 0.3
    playouts: int | None = None
    cores: int = 1
    planner: bool = False  # even where there is a network


def read_budget(options: str | None) -> Budget:
    """`0.3s`, `500`, `1s,4cores`, `0.3s,planner`."""
    budget = Budget()
    for part in options.split(",") if options is not None else ():
        if found := re.fullmatch(r"(\d+(?:\.\d+)?)s", part):
            budget = budget._replace(seconds=float(found[1]), playouts=None)
        elif found := re.fullmatch(r"\d+", part):
            budget = budget._replace(seconds=None, playouts=int(part))
        elif found := re.fullmatch(r"(\d+)cores?", part):
            budget = budget._replace(cores=int(found[1]))
        elif part == "planner":
            budget = budget._replace(planner=True)
        else:
            raise BotOptionError(f"search does not know the option {part!r}: {USAGE}")
    if budget.seconds == 0 or budget.playouts == 0 or budget.cores == 0:
        raise BotOptionError(f"search needs some time to think: {USAGE}")
    return budget


class Room:
    """The arrays with which one core plays imagined games."""

    def __init__(self) -> None:
        self.records: tuple[Any, ...] = (np.zeros(1, STATE), np.zeros(1, STATE), new_log(0), np.zeros(MASK_WORDS, np.uint64))
        self.counting: tuple[Any, ...] = (np.zeros(1, WORK), np.zeros(2, RESULT))
        self.thoughts: Any = np.zeros(SEATS, THOUGHTS)
        self.dice: Any = np.zeros(3, np.uint64)
        self.game = ("", 0)

    def take_up(self, game: str, players: int) -> None:
        """Weights of its own, with room of its own for the network to think in."""
        if (game, players) != self.game:
            self.game, self.weights = (game, players), weights_for(game, players)
            self.thoughts["weights"] = self.weights


class SearchBot(RecordBot):
    """Information-set Monte Carlo search, with a network or planners."""

    def __init__(self, budget: Budget = Budget(), seed: int = 0) -> None:  # noqa: B008  # a named tuple does not change
        super().__init__("search", seed)
        self.budget = budget
        self._rooms = [Room() for _ in range(budget.cores)]
        self._pool = ThreadPoolExecutor(budget.cores) if budget.cores > 1 else None
        self._fresh: Any = np.zeros(SEATS, THOUGHTS)
        self.decisions = 0  # made in play-outs
        self.seconds = 0.0  # spent on them
        self._last: tuple[bytes, Any, Trials | None] | None = None
        self._learned = False  # does the network look ahead?

    def _choose(self, view: View) -> int:
        started = time.perf_counter()
        self._learned = self._may_foresee(view)
        candidates, trials = self._candidates(view), None
        if len(candidates) > 1:
            trials = Trials(len(candidates), SURE if self._learned else CAUTION)
            self._prepare(view)
            self._think(view, candidates, trials, started)
            self.seconds += time.perf_counter() - started
        self._last = (view.records.tobytes(), candidates, trials)
        return int(candidates[trials.choice() if trials else 0])

    def _may_foresee(self, view: View) -> bool:
        """In the last turns planners play to the end: it is near, and their margins say which of several wins is the clearest."""
        is_near = view.record.last_turns != NOT_ANNOUNCED
        return not self.budget.planner and not is_near and has_network(view.game.name, view.game.players)

    def _candidates(self, view: View) -> Any:
        """The planner's; before them, those of the network. Where the planner sees nothing to look at, as in payments, the network alone decides."""
        seen, chosen = (view.game.board.records, view.records, view.mask, self._thoughts), np.zeros(MOST, np.int64)
        planned = chosen[: int(begin(*seen, self._dice, chosen))].tolist()
        if not self._learned:
            return np.array(planned)
        proposed = chosen[: int(begin_learned(*seen, chosen))].tolist()
        return np.array(list(dict.fromkeys(proposed + planned))[:MOST] if len(planned) > 1 else proposed[:1])

    def _prepare(self, view: View) -> None:
        """Every play-out begins with these thoughts: our own plan, and none for the others."""
        self._fresh["weights"] = self._thoughts["weights"]
        self._fresh["planned"] = 0
        self._fresh[view.seat] = self._thoughts[0]
        self._fresh["patience"] = PATIENCE
        for room in self._rooms:
            room.take_up(view.game.name, view.game.players)  # beliefs come before the first play-out

    def _think(self, view: View, candidates: Any, trials: Trials, started: float) -> None:
        keys = keys_of(view, self._seed)
        while True:
            last, first_look = min(trials.worlds + self._step(trials, started), MOST_WORLDS), trials.worlds == 0
            self._try(view, candidates, trials, keys, last)
            trials.advance(last)
            if first_look:
                trials.look_at_few(self._affordable(trials, started))
            trials.give_up_the_worse()
            if trials.decided or self._spent(trials, started):
                return

    def _step(self, trials: Trials, started: float) -> int:
        """Worlds to deal next: few enough to stay within the time. Without a clock, the number of cores makes no difference."""
        if self.budget.seconds is None:
            left = (self.budget.playouts or 0) - int(trials.tried.sum())
            return max(1, min(STEP, left // int(trials.active.sum()))) if trials.worlds else 1
        if trials.worlds == 0:
            return self.budget.cores
        elapsed = time.perf_counter() - started
        affordable = int((self.budget.seconds - elapsed) * trials.worlds / elapsed)
        return max(self.budget.cores, min(STEP * self.budget.cores, affordable))

    def _affordable(self, trials: Trials, started: float) -> float:
        """How many play-outs there is time for."""
        if self.budget.seconds is None:
            return float(self.budget.playouts or 0)
        return self.budget.seconds * float(trials.tried.sum()) / (time.perf_counter() - started)

    def _spent(self, trials: Trials, started: float) -> bool:
        if self.budget.seconds is not None:
            return time.perf_counter() - started >= self.budget.seconds
        return int(trials.tried.sum()) >= (self.budget.playouts or 0)

    def _try(self, view: View, candidates: Any, trials: Trials, keys: Any, last: int) -> None:
        """Share the worlds among the cores. Each writes into its own columns, so it makes no difference which core plays which world."""
        edges = np.linspace(trials.worlds, last, self.budget.cores + 1).astype(int)
        shares = [(room, int(first), int(end)) for room, first, end in zip(self._rooms, edges[:-1], edges[1:], strict=True)]
        play = self._pool.map if self._pool else map
        self.decisions += sum(play(lambda share: self._play(view, candidates, trials, keys, *share), shares))

    def _play(self, view: View, candidates: Any, trials: Trials, keys: Any, room: Room, first: int, end: int) -> int:
        table = (view.game.board.records, view.records, *room.records, *room.counting, candidates, trials.active)
        if self._learned:
            return int(foresee(*table, room.thoughts, *keys, first, end, max(1, TURNS // view.game.players), trials.wins))
        return int(try_candidates(*table, room.thoughts, self._fresh, room.dice, *keys, first, end, trials.wins, trials.margins))

    def explain(self, view: View) -> dict[str, Any]:
        """What each candidate is worth, best first, and planners' plan. Thinks again unless it has just decided on this view."""
        if self._last is None or self._last[0] != view.records.tobytes():
            self.decide(view)
        assert self._last is not None
        _, candidates, trials = self._last
        reports = [{"decision": view.game.text(int(one)), **(trials.report(place) if trials else {})} for place, one in enumerate(candidates)]
        best = trials.choice() if trials else 0
        reports.sort(key=lambda one: (one["decision"] != view.game.text(int(candidates[best])), -one.get("worlds", 0), -one.get("wins", 0)))
        plan = {} if self._learned else {"plan": explain_plan(view, self._thoughts[0])}
        return {"bot": self.name, "decision": reports[0]["decision"], "candidates": reports, **plan}
