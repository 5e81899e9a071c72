"""Run a simulation: a crew plays chunk after chunk, and whatever is finished is counted and shown."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import NamedTuple, Protocol

from rich.console import Console

from branchline.batch.games import Games
from branchline.batch.threads import cores
from branchline.simulation.columns import seat_columns
from branchline.simulation.output import Output
from branchline.simulation.pace import Pace, Stop
from branchline.simulation.plan import Plan
from branchline.simulation.players import PlaysGames
from branchline.simulation.shown import Shown
from branchline.simulation.summary import Summary, Sums, sums_of

KEEPERS = 4  # the most threads: many cores, or a GPU, play faster than one core makes tables


class Done(NamedTuple):
    """A chunk that is played and stored."""

    chunk: range
    sums: Sums
    worker: str = ""  # who played it, if there are several


class Crew(Protocol):
    """Whoever plays: this machine, or the workers of a cluster."""

    def play(self, missing: list[range], stop: Stop) -> Generator[Done]:
        """Play and store games, in chunks that may finish in any order. Once a stop is asked for, begin no other."""
        ...

    def close(self) -> None: ...


def play_rest(plan: Plan, games: int, output: Output, crew: Crew, summary: Summary, console: Console) -> None:
    """Play whatever is missing up to this many games. Ctrl-C ends it after the chunks under way, which are kept too."""
    said = f"{plan.game.board.name}, {plan.players} seats"
    with Stop() as stop, Shown(console, said, games, output.done) as shown, closing(crew.play(output.missing(games), stop)) as stream:
        for done in stream:
            output.add(done.chunk)
            summary.add(done.sums)
            shown.add(len(done.chunk), done.worker)
    shown.tell_workers()


def chunks(missing: list[range], size: Callable[[range], int], stop: Stop) -> Iterator[range]:
    """Chunk after chunk; `size` says how large one is that begins where the rest does."""
    for games in missing:
        first = games.start
        while first < games.stop and not stop.asked:
            number = size(range(first, games.stop))
            yield range(first, first + number)
            first += number


class Here:
    """This machine: one player on all cores or a GPU, and threads that store what it has played."""

    def __init__(self, plan: Plan, output: Output, player: PlaysGames, pace: Pace) -> None:
        self._plan, self._output, self._player, self._pace = plan, output, player, pace

    def play(self, missing: list[range], stop: Stop) -> Generator[Done]:
        with closing(Keeper(self._plan, self._output)) as keeper:
            for chunk in chunks(missing, lambda rest: self._pace.next(len(rest)), stop):
                started = time.perf_counter()
                some = self._player.play(len(chunk), self._plan.seed, chunk.start)
                self._pace.took(len(chunk), time.perf_counter() - started)
                yield from keeper.keep(some)
            yield from keeper.wait(0)

    def close(self) -> None:
        self._player.close()


class Keeper:
    """Stores chunks in threads of its own while others are played. No more chunks wait than there are threads, so memory stays bounded."""

    def __init__(self, plan: Plan, output: Output) -> None:
        self._plan, self._output = plan, output
        self._threads = min(KEEPERS, 1 + cores() // 4)
        self._pool = ThreadPoolExecutor(self._threads)
        self._waiting: deque[Future[Done]] = deque()

    def keep(self, games: Games) -> Iterator[Done]:
        yield from self.wait(self._threads - 1)
        self._waiting.append(self._pool.submit(stored, self._plan, self._output, games))

    def wait(self, most: int) -> Iterator[Done]:
        """Wait until at most this many are not stored yet. Errors while storing are raised here."""
        while len(self._waiting) > most:
            yield self._waiting.popleft().result()

    def close(self) -> None:
        self._pool.shutdown()


class Writes(Protocol):
    def write(self, games: Games, columns: dict[str, object]) -> None: ...


def stored(plan: Plan, output: Writes, games: Games) -> Done:
    """Store a chunk, and sum it up."""
    columns = seat_columns(plan, games)
    output.write(games, columns)
    return Done(range(games.first, games.first + len(games.states)), sums_of(plan, columns))
