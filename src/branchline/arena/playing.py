"""Playing one game of an arena: by the compiled loop where every bot is a compiled policy, otherwise decision by decision with every bot guarded."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

from branchline.arena.plan import Arena, PlannedGame, bot_seeds, is_quick, seating
from branchline.batch.matches import Match
from branchline.boards.folders import also_forgotten
from branchline.bots import GuardedBot, Witness, make_bot
from branchline.play.games import Game, State, View

TIMED = 50  # the compiled loop measures no times, so one seed in this many is replayed decision by decision


@dataclass
class Played:
    """A finished game. Lists are by seat: `seconds` is the time that `timed` decisions took; `decisions` counts those of all seats."""

    game: str
    lineup: tuple[str, ...]
    number: int
    rotation: int
    seed: str
    seats: list[str]
    winners: list[int]
    totals: list[int]
    completed: list[int]
    failed: list[int]
    turns: int
    decisions: int
    seconds: list[float]
    timed: list[int]
    faults: list[dict[str, Any]] = field(default_factory=list)

    @property
    def planned(self) -> PlannedGame:
        return PlannedGame(self.game, self.lineup, self.number, self.rotation)

    def won(self, seat: int) -> float:
        """The seat's share of the victory."""
        return 1 / len(self.winners) if seat in self.winners else 0.0

    def margin(self, seat: int) -> int:
        """Points ahead of the best other seat."""
        return self.totals[seat] - max(total for other, total in enumerate(self.totals) if other != seat)

    def places(self) -> list[int]:
        """How many seats are ahead of each: winners first, the others by points."""
        ranked = [(seat not in self.winners, 0 if seat in self.winners else -total) for seat, total in enumerate(self.totals)]
        return [sum(other < own for other in ranked) for own in ranked]

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))


class Clock:
    """Seconds and decisions of each seat."""

    def __init__(self, players: int) -> None:
        self.seconds, self.decisions = [0.0] * players, [0] * players

    def timed(self, seat: int, decide: Callable[[View], int], view: View) -> int:
        started = time.perf_counter()
        decision = decide(view)
        self.seconds[seat] += time.perf_counter() - started
        self.decisions[seat] += 1
        return decision


def play(arena: Arena, planned: PlannedGame) -> Played:
    """One game of the plan."""
    return play_kept(arena, planned)[0]


def play_kept(arena: Arena, planned: PlannedGame) -> tuple[Played, State]:
    """One game of the plan, and how it ended."""
    seats, game_seed = seating(planned), arena.game_seed(planned.number)
    seeds = bot_seeds(planned.lineup, game_seed)
    played = play_quick if is_quick(planned.lineup) else play_guarded
    return played(arena, planned, [planned.lineup[place] for place in seats], [seeds[place] for place in seats], game_seed)


@also_forgotten
@lru_cache(maxsize=64)
def match_of(game: str, bots: tuple[str, ...]) -> Match:
    return Match(Game(game, len(bots)), list(bots))


def play_quick(arena: Arena, planned: PlannedGame, bots: list[str], seeds: list[int], game_seed: int) -> tuple[Played, State]:
    state = match_of(planned.game, tuple(bots)).play(game_seed, seeds)
    clock = Clock(arena.players)
    if planned.number % TIMED == 0:
        time_again(state, bots, seeds, clock)
    return outcome(planned, state, bots, clock, []), state


def time_again(state: State, bots: list[str], seeds: list[int], clock: Clock) -> None:
    """Replay a finished game, and time each decision."""
    again = state.game.start(state.seed)
    thinkers = [make_bot(bot, seed) for bot, seed in zip(bots, seeds, strict=True)]
    make_bot(bots[again.seat or 0]).decide(again.view(again.seat))  # the first call in a process only loads the code
    for decision in state.history:
        seat = int(again.record.seat)
        view = again.view(seat)
        view.mask  # noqa: B018  # what is legal is the rules' business, not the bot's
        clock.timed(seat, thinkers[seat].decide, view)
        again.apply(decision)


def play_guarded(arena: Arena, planned: PlannedGame, bots: list[str], seeds: list[int], game_seed: int) -> tuple[Played, State]:
    game, clock = Game(planned.game, arena.players), Clock(arena.players)
    guarded = [GuardedBot(make_bot(bot, seed), arena.limit, name=bot) for bot, seed in zip(bots, seeds, strict=True)]
    state = game.start(game_seed)
    try:
        play_out(state, guarded, clock)
    finally:
        for bot in guarded:
            bot.close()
    faults = [asdict(fault) | {"bot": bot.name} for bot in guarded for fault in bot.faults]
    return outcome(planned, state, bots, clock, faults), state


def play_out(state: State, bots: list[GuardedBot], clock: Clock) -> None:
    witnesses = [Witness(bot, seat) for seat, bot in enumerate(bots)]
    for seat, bot in enumerate(bots):
        bot.new_game(state.game, seat)
    while not state.is_over:
        seat = int(state.record.seat)
        witnesses[seat].tell(state)
        state.apply(clock.timed(seat, bots[seat].decide, state.view(seat)))


def outcome(planned: PlannedGame, state: State, bots: list[str], clock: Clock, faults: list[dict[str, Any]]) -> Played:
    result = state.result
    return Played(
        *planned,
        seed=f"{state.seed:032x}",
        seats=bots,
        winners=result["winners"],
        totals=[score["total"] for score in result["scores"]],
        completed=[len(score["completed"]) for score in result["scores"]],
        failed=[len(score["failed"]) for score in result["scores"]],
        turns=int(state.record.turn),
        decisions=len(state.history),
        seconds=[round(seconds, 6) for seconds in clock.seconds],
        timed=clock.decisions,
        faults=faults,
    )
