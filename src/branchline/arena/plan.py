"""The plan of an arena: which games are played, in which order, and who sits where."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from branchline import __version__
from branchline.arena.lineups import Lineup, not_full, rotations
from branchline.batch.matches import game_seeds
from branchline.batch.warm import RECORDED, for_bots
from branchline.boards import load_board
from branchline.bots import is_policy, make_bot
from branchline.compiling.sources import play_hash
from branchline.errors import BranchlineError, GameOptionError
from branchline.play.games import Game

FORMAT = "branchline/arena/1"
CHUNK = 64  # quick games handed to a process at a time


class ArenaError(BranchlineError):
    """The arena cannot continue: the results file of another arena, or a process that died."""


class PlannedGame(NamedTuple):
    """One game: the number of its seed, and how far the line-up is rotated."""

    game: str
    lineup: Lineup
    number: int
    rotation: int


@dataclass(frozen=True)
class Arena:
    """Everything that determines the games: the same arena gives the same games, however many are asked for."""

    lineups: tuple[Lineup, ...]
    games: tuple[str, ...]
    players: int
    seed: int = 1
    limit: float | None = None  # seconds per decision for bots that are not compiled

    def __post_init__(self) -> None:
        next(game_seeds(self.seed, 1))
        for name in self.games:
            Game(name, self.players)
        if len(set(self.games)) != len(self.games):
            raise GameOptionError("a game is named twice: name each once")
        for lineup in self.lineups:
            if len(lineup) != self.players:
                raise not_full(lineup, self.players)
        for bot in self.bots:
            make_bot(bot)  # find missing bots before the first game

    @property
    def bots(self) -> tuple[str, ...]:
        """Every bot once, in the order of the line-ups."""
        return tuple(dict.fromkeys(bot for lineup in self.lineups for bot in lineup))

    @property
    def needs(self) -> tuple[str, ...]:
        """What is to be compiled for it (`batch/warm.py`)."""
        recorded = RECORDED if any(map(is_quick, self.lineups)) else ()
        guarded = [bot for lineup in self.lineups if not is_quick(lineup) for bot in lineup]
        return tuple(dict.fromkeys((*recorded, *(for_bots(guarded) if guarded else ()))))

    @property
    def header(self) -> dict[str, Any]:
        """What must agree for two runs to be one arena."""
        marks = {name: mark for name in self.games if (mark := load_board(name).mark)}
        own = {"boards": [f"{name} {mark}" for name, mark in marks.items()]} if marks else {}
        return {"format": FORMAT, "branchline": __version__, "code": play_hash(), "bots": self.bots, **own, **asdict(self)}

    def plan(self, games: int) -> Iterator[PlannedGame]:
        """At least this many games per line-up and board. Seed by seed: wherever it stops, all line-ups have got equally far."""
        turns = {lineup: len(rotations(lineup)) for lineup in self.lineups}
        for number in range(-(-games // min(turns.values()))):
            for name in self.games:
                for lineup, count in turns.items():
                    if number * count < games:
                        yield from (PlannedGame(name, lineup, number, rotation) for rotation in range(count))

    def game_seed(self, number: int) -> int:
        """Game i of a seed, as in `branchline simulate`."""
        return (self.seed << 64) + number


def seating(planned: PlannedGame) -> tuple[int, ...]:
    """For each seat, the place in the line-up of the bot that sits there."""
    return rotations(planned.lineup)[planned.rotation]


def bot_seeds(lineup: Lineup, game_seed: int) -> list[int]:
    """A seed for each place of the line-up. It depends on the game's seed and the bot, not on the seat: a bot brings its dice along."""
    keys = [f"{game_seed:032x} {bot} {lineup[:place].count(bot)}" for place, bot in enumerate(lineup)]
    return [int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") for key in keys]


def is_quick(lineup: Sequence[str]) -> bool:
    """Can the compiled loop play it?"""
    return all(map(is_policy, lineup))


def chunks(planned: Iterable[PlannedGame]) -> Iterator[list[PlannedGame]]:
    """Games to be played one after the other by one process: many quick ones, or one that may take long."""
    quick: list[PlannedGame] = []
    for one in planned:
        if not is_quick(one.lineup):
            yield [one]
            continue
        quick.append(one)
        if len(quick) == CHUNK:
            yield quick
            quick = []
    if quick:
        yield quick
