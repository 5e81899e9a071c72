"""Run a simulation: chunk after chunk is played, and stored while the next one is played."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing

from rich.console import Console

from branchline.batch.games import Games
from branchline.batch.progress import progress_bar
from branchline.batch.threads import cores
from branchline.simulation.columns import seat_columns
from branchline.simulation.output import Output
from branchline.simulation.pace import Pace, Stop
from branchline.simulation.plan import Plan
from branchline.simulation.players import PlaysGames
from branchline.simulation.summary import Summary

KEEPERS = 4  # the most threads: many cores, or a GPU, play faster than one core makes tables


def play_rest(plan: Plan, games: int, output: Output, player: PlaysGames, pace: Pace, summary: Summary, console: Console) -> None:
    """Play whatever is missing up to this many games. Ctrl-C ends it after the current chunk, which is kept too."""
    with Stop() as stop, progress_bar(console) as progress, closing(Keeper(plan, output, summary)) as keeper:
        task = progress.add_task(f"{plan.game.board.name}, {plan.players} seats", total=games, completed=output.done, speed="")
        begun, played = time.monotonic(), 0
        for chunk in chunks(output.missing(games), pace, stop):
            started = time.perf_counter()
            some = player.play(len(chunk), plan.seed, chunk.start)
            pace.took(len(chunk), time.perf_counter() - started)
            keeper.keep(some)
            played += len(chunk)
            progress.update(task, advance=len(chunk), speed=f"{played / (time.monotonic() - begun + 1e-9):,.0f} games/s")
        keeper.wait(0)


class Keeper:
    """Stores chunks in threads of its own while others are played. No more chunks wait than there are threads, so memory stays bounded."""

    def __init__(self, plan: Plan, output: Output, summary: Summary) -> None:
        self._plan, self._output, self._summary = plan, output, summary
        self._threads = min(KEEPERS, 1 + cores() // 4)
        self._pool, self._lock = ThreadPoolExecutor(self._threads), threading.Lock()
        self._waiting: deque[Future[None]] = deque()

    def keep(self, games: Games) -> None:
        self.wait(self._threads - 1)
        self._waiting.append(self._pool.submit(self._keep, games))

    def wait(self, most: int) -> None:
        """Wait until at most this many are not stored yet. Errors while storing are raised here."""
        while len(self._waiting) > most:
            self._waiting.popleft().result()

    def _keep(self, games: Games) -> None:
        columns = seat_columns(self._plan, games)
        self._output.write(games, columns)
        with self._lock:
            self._output.add(range(games.first, games.first + len(games.states)))
            self._summary.add(columns)

    def close(self) -> None:
        self._pool.shutdown()


def chunks(missing: list[range], pace: Pace, stop: Stop) -> Iterator[range]:
    for games in missing:
        first = games.start
        while first < games.stop and not stop.asked:
            number = pace.next(games.stop - first)
            yield range(first, first + number)
            first += number
