"""Check a bot against the bot contract, on every board and with every number of seats."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from branchline.boards import available_boards, load_board
from branchline.bots import verdicts
from branchline.bots.aside import Aside, Late, all_back
from branchline.bots.base import Bot, ExplainingBot, PolicyBot, PunctualBot, WatchingBot, Witness, begin_game, can_explain, dismiss, in_short
from branchline.bots.guard import IllegalAnswer, checked
from branchline.bots.registry import make_bot, summoned
from branchline.bots.verdicts import CounterExample, Report
from branchline.errors import GameOptionError
from branchline.play.games import Game, State, View
from branchline.play.positions import copy_of
from branchline.rules.state import STATE, TABLE_OPTIONS

LIMIT = 10.0  # seconds per decision, by default

Maker = Callable[[int], Bot]


class Stuck(Exception):
    """The bot may think for ever: the game cannot continue."""


def check(
    bot: str | Callable[..., Bot],
    games: Sequence[str] | None = None,
    players: Sequence[int] | None = None,
    rounds: int = 1,
    limit: float = LIMIT,
    deterministic: bool = True,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Report:
    """Check a bot, given by name or class, playing each table `rounds` times."""
    name = bot if isinstance(bot, str) else getattr(bot, "__name__", str(bot))
    make: Maker = partial(make_bot, bot) if isinstance(bot, str) else partial(summoned, name, bot)
    make(0)
    report, rest = Report(name, limit), [(table, seed) for seed in range(1, rounds + 1) for table in tables(games, players)]
    try:
        for done, (game, seed) in enumerate(rest):
            progress(done, len(rest))
            check_game(make, report, game, seed, deterministic)
            if not all_back(limit):  # it would keep a core busy, and make the rest late too
                report.stopped = report.stuck = True
                break
    except KeyboardInterrupt:
        report.stopped = True
    return report


def tables(games: Sequence[str] | None, players: Sequence[int] | None) -> list[Game]:
    """Every board with every number of seats, or only those asked for; and with each option that the rules know, where a board has it."""
    found = []
    for name in games or available_boards():
        board = load_board(name)
        least, most = board.players
        for seats in range(least, most + 1):
            if players is None or seats in players:
                found += [Game(name, seats), *(Game(name, seats, **{option: True}) for option in board.options if TABLE_OPTIONS[option])]
    if not found:
        raise GameOptionError(f"no board among {', '.join(games or available_boards())} is for {', '.join(map(str, players or ()))} players")
    return found


def check_game(make: Maker, report: Report, game: Game, seed: int, deterministic: bool) -> None:
    """Play one game against greedy, with a twin next to the bot, and again with a new bot with the same seed."""
    try:
        first = Trial(make, report, game, seed, with_twin=deterministic).play()
        if deterministic:
            Trial(make, report, game, seed, expected=first).play()
    except Stuck:
        pass
    report.games += 1


@dataclass
class Seated:
    """A bot at the table, the thread in which it thinks, and what it is told."""

    bot: Bot
    aside: Aside
    witness: Witness

    @staticmethod
    def on(seat: int, bot: Bot, limit: float) -> Seated:
        if isinstance(bot, PunctualBot):
            bot.limit = limit
        return Seated(bot, Aside(), Witness(bot, seat))

    def ask(self, think: Callable[[], Any], limit: float) -> Any:
        return think() if isinstance(self.bot, PunctualBot) else self.aside.ask(think, limit)


class Trial:
    """A game in which every decision of the bot is checked."""

    def __init__(self, make: Maker, report: Report, game: Game, seed: int, with_twin: bool = False, expected: list[Any] | None = None) -> None:
        self.report, self.game, self.seed = report, game, seed
        self.seat = (seed - 1) % game.players
        self.bot = Seated.on(self.seat, make(seed), report.limit)
        self.twin = Seated.on(self.seat, make(seed), report.limit) if with_twin else None
        self.expected = expected
        self.state = game.start(seed)
        self.answers: list[int | None] = []
        self.fallback = PolicyBot("greedy")

    def play(self) -> list[int | None]:
        """The bot's answers, None where it gave no legal one."""
        seats = [self.bot, self.twin] if self.twin else [self.bot]
        try:
            for seated in seats:
                self._ask(seated, partial(begin_game, seated.bot, self.game, self.seat))
            while not self.state.is_over and not self._has_gone_astray():
                self._next_decision()
            for seated in seats:
                self._ask(seated, partial(dismiss, seated.bot))
        finally:
            for seated in seats:
                if isinstance(seated.bot, PunctualBot):  # its process is free for another game, however this one ended
                    dismiss(seated.bot)
        return self.answers

    def _next_decision(self) -> None:
        if self.state.seat != self.seat:
            self.state.apply(self.fallback.decide(self.state.view(self.state.seat)))
            return
        answer = self._decision()
        self.answers.append(answer)
        if self.twin is not None:
            self._compare_with_twin(self.twin, answer)
        self._compare_with_expected()
        self.state.apply(self.fallback.decide(self.state.view(self.seat)) if answer is None else answer)

    def _decision(self) -> int | None:
        """Ask the bot, and check how it answers."""
        view = self.state.view(self.seat)
        before, started = bytes_of(view), time.perf_counter()
        self.report.phases[view.phase] += 1
        self._tell(self.bot)
        answer: int | None = self._ask(self.bot, partial(decide_in, self.state, self.bot.bot, view))
        self.report.seconds.append(time.perf_counter() - started)
        self._explanation(self.bot, view)
        self._note(verdicts.HANDS_OFF, bytes_of(view) == before, lambda: f"it changes {', '.join(changed_fields(before, bytes_of(view)))}")
        return answer

    def _tell(self, seated: Seated) -> None:
        """What the bot may know has happened: the same in every world that agrees with its view."""
        if isinstance(seated.bot, WatchingBot):
            self._ask(seated, partial(seated.witness.tell, self.state))

    def _explanation(self, seated: Seated, view: View) -> None:
        bot = seated.bot
        if isinstance(bot, ExplainingBot) and can_explain(bot):
            text = self._ask(seated, partial(explain_in_json, bot, view))
            if text is not None:
                self._note(verdicts.EXPLAINS, not text, lambda: text)

    def _compare_with_twin(self, twin: Seated, answer: int | None) -> None:
        """In a world that differs only in what is hidden, a bot with the same seed has the same information."""
        world = self.state.view(self.seat).imagine(self.seed + len(self.state.history))
        view = world.view(self.seat)
        self._tell(twin)
        twins = self._ask(twin, partial(decide_in, world, twin.bot, view))
        self._explanation(twin, view)
        self._note(verdicts.VIEW_ALONE, answer == twins, lambda: f"{self._in_words(answer)}; with other hidden cards: {self._in_words(twins)}")

    def _compare_with_expected(self) -> None:
        if self.expected is not None:
            before, now = self.expected[len(self.answers) - 1], self.answers[-1]
            self._note(verdicts.REPEATABLE, now == before, lambda: f"{self._in_words(before)}; the second time: {self._in_words(now)}")

    def _has_gone_astray(self) -> bool:
        """Once a game differs from the one before, comparing makes no sense."""
        return self.expected is not None and self.answers != self.expected[: len(self.answers)]

    def _ask(self, seated: Seated, think: Callable[[], Any]) -> Any:
        """What the bot answers, None if it fails."""
        answer, failed, text = None, None, ""
        try:
            answer = seated.ask(think, self.report.limit)
        except Late as error:
            failed, text = verdicts.TIMELY, str(error)
        except IllegalAnswer as error:
            failed, text = verdicts.LEGAL, str(error)
        except (Exception, SystemExit) as error:
            failed, text = verdicts.SOUND, in_short(error)
        for number in (verdicts.SOUND, verdicts.LEGAL, verdicts.TIMELY):
            self._note(number, number != failed, lambda: text)
        if failed == verdicts.TIMELY:
            raise Stuck
        return answer

    def _note(self, number: int, passed: bool, text: Callable[[], str]) -> None:
        looked_at = self.report.checks[number]
        looked_at.tried += 1
        if not passed:
            looked_at.failures += 1
            game = " with ".join([self.game.name, *self.game.options])
            looked_at.first = looked_at.first or CounterExample(game, self.game.players, self.seed, len(self.state.history) + 1, text())

    def _in_words(self, answer: int | None) -> str:
        return "no legal answer" if answer is None else f"'{self.game.text(answer)}'"


def decide_in(world: State, bot: Bot, view: View) -> int:
    """A bot's decision. Only one world is within reach: a bot that looks behind the view finds something else than its twin."""
    return checked(View(world.game, copy_of(view.records)), bot.decide(view))


def bytes_of(view: View) -> tuple[bytes, bytes]:
    """Everything a view holds: its record and its mask."""
    return view.records.tobytes(), view.mask.tobytes()


def changed_fields(before: tuple[bytes, bytes], after: tuple[bytes, bytes]) -> list[str]:
    """The fields of the view's record that have changed."""
    old, new = (np.frombuffer(record, STATE) for record, _ in (before, after))
    fields = [name for name in STATE.names or () if old[name].tobytes() != new[name].tobytes()]
    return fields + ["mask"] * (before[1] != after[1])


def explain_in_json(bot: ExplainingBot, view: View) -> str:
    """What is wrong with an explanation; empty if nothing is."""
    reason = bot.explain(view)
    if not isinstance(reason, dict):
        return f"explain returns a {type(reason).__name__}, not a dict"
    try:
        json.dumps(reason, allow_nan=False)
    except (TypeError, ValueError) as error:
        return f"explain returns something that does not fit into JSON: {error}"
    return ""
