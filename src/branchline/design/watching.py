"""What is wrong with a board, as figures that grow while games are played: for the report, and for whoever wants to show them meanwhile.

for figures in watch(Question(load_board("./my_board"), players=(2, 3, 4), games=10_000)):
    show(figures)   # plain data, ready for JSON
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from branchline.boards import Board
from branchline.design.blocks import BLOCKS
from branchline.design.figures import figures_of
from branchline.design.findings import findings_of
from branchline.design.playing import DEVICES, Table
from branchline.design.strategies import StyleSums, play_styles, strategy_figures
from branchline.design.styles import line_ups
from branchline.design.sums import Sums
from branchline.errors import GameOptionError, UsageError
from branchline.simulation.pace import Pace
from branchline.simulation.plan import seat_bots
from branchline.simulation.players import has_gpu

ON_CPU, ON_GPU = 8_192, 131_072  # games of a chunk at most
WORTH_A_GPU = 100_000  # games; for fewer, building a board's kernels, half a minute once for each board, takes longer than the games on a CPU
SECONDS_PER_TURN = 30.0
Figures = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """What to play: a board, with these numbers of players (by default all it allows), that many games each."""

    board: Board
    players: tuple[int, ...] = ()
    bots: str = "planner"
    games: int = 10_000
    styles: int | None = None  # games between strategies; None: half as many
    seed: int = 1
    threads: int | None = None
    device: str = "auto"
    seconds_per_turn: float = SECONDS_PER_TURN

    @property
    def numbers(self) -> tuple[int, ...]:
        low, high = self.board.players
        return self.players or tuple(range(low, high + 1))

    @property
    def deals(self) -> int:
        """Games of each line-up of styles, which there are only with routes."""
        wanted = self.games // 2 if self.styles is None else self.styles
        return wanted if self.board.routes else 0

    @property
    def plays_on(self) -> str:
        """`cpu` or `cuda`. With `auto` a GPU plays if there is one, if the bots can think there, and if that saves time."""
        if self.device != "auto":
            return self.device
        is_worth_it = len(self.numbers) * self.games >= WORTH_A_GPU and "learned" not in self.bots
        return "cuda" if is_worth_it and has_gpu() else "cpu"

    def check(self) -> None:
        low, high = self.board.players
        for number in self.numbers:
            if not low <= number <= high:
                raise GameOptionError(f"{self.board.name} is for {low} to {high} players, not {number}")
            seat_bots(self.bots, number)
        if self.games < 1 or (self.styles or 0) < 0:
            raise UsageError("--games is at least 1, and --styles at least 0")
        if self.device not in DEVICES:
            raise UsageError(f"--device is one of {', '.join(DEVICES)}, not {self.device!r}")
        if self.seconds_per_turn <= 0:
            raise UsageError("--seconds-per-turn is more than 0")


class Watch:
    """The games of a question, played bit by bit, and what they show so far."""

    def __init__(self, question: Question) -> None:
        question.check()
        self.question, self._device = question, question.plays_on
        self.sums = {number: Sums(question.board, number) for number in question.numbers}
        self.styles = {number: StyleSums(question.board, number) for number in question.numbers if question.deals}
        self._known: dict[int, Figures] = {}
        self._begun = time.monotonic()

    @property
    def asked(self) -> int:
        """All games to play, in the end."""
        return len(self.sums) * self.question.games + sum(self._games_of_styles(number) for number in self.styles)

    @property
    def done(self) -> int:
        return sum(sums.games for sums in self.sums.values()) + sum(sums.games for sums in self.styles.values())

    def _games_of_styles(self, number: int) -> int:
        tables = len(list(line_ups(number)))
        return tables * self._deals(tables)

    def _deals(self, tables: int) -> int:
        return max(self.question.deals // tables, 1)

    def play(self) -> Iterator[None]:
        """Play a chunk of games with each number of players in turn, then the styles; each time something is known, say so."""
        yield from self._play_bots()
        for number, sums in self.styles.items():
            tables = len(list(line_ups(number)))
            for games, courses, table in play_styles(self.question.board, number, self._deals(tables), self.question.seed, self.question.threads):
                sums.add(games, courses, table)
                yield

    def _play_bots(self) -> Iterator[None]:
        question = self.question
        tables = {number: self._table(number) for number in self.sums}
        most = ON_CPU if self._device == "cpu" else ON_GPU
        paces = {number: Pace(most) for number in tables}
        try:
            while left := [number for number, sums in self.sums.items() if sums.games < question.games]:
                number = min(left, key=lambda one: self.sums[one].games)
                self._play_chunk(tables[number], number, paces[number])
                yield
        finally:
            for table in tables.values():
                table.close()

    def _table(self, number: int) -> Table:
        return Table(self.question.board, seat_bots(self.question.bots, number), self.question.threads, self._device)

    def _play_chunk(self, table: Table, number: int, pace: Pace) -> None:
        sums, started = self.sums[number], time.perf_counter()
        games = min(max(pace.next(self.question.games), BLOCKS), self.question.games - sums.games)
        sums.add(*table.play(games, self.question.seed, sums.games))
        pace.took(games, time.perf_counter() - started)
        self._known.pop(number, None)

    def figures(self) -> Figures:
        """What is known so far."""
        for number, sums in self.sums.items():
            if sums.games and number not in self._known:
                self._known[number] = figures_of(sums, self.question.seconds_per_turn)
        board = self.question.board
        found: Figures = {
            "game": board.game,
            "name": board.name,
            "fingerprint": board.fingerprint,
            "bots": self.question.bots,
            "seed": self.question.seed,
            "games": self.done,
            "asked": self.asked,
            "seconds": round(time.monotonic() - self._begun, 3),
            "tables": [self._known[number] for number in self.sums if number in self._known],
            "strategies": [strategy_figures(sums) for sums in self.styles.values() if sums.games],
        }
        return {**found, "findings": findings_of(board, found)}


def watch(question: Question, every: float = 1.0) -> Iterator[Figures]:
    """The figures every few seconds, and all of them at the end."""
    watched, told = Watch(question), time.monotonic()
    for _ in watched.play():
        if watched.done < watched.asked and time.monotonic() - told >= every:
            yield watched.figures()
            told = time.monotonic()
    yield watched.figures()
