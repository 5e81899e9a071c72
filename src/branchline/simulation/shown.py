"""How far a simulation has come: a bar, with a line for each worker if there are several."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.progress import TaskID
from rich.table import Table

from branchline.batch.progress import progress_bar

LINES = 16  # workers shown while games are played; the table at the end has all of them


class Shown:
    def __init__(self, console: Console, said: str, games: int, done: int) -> None:
        self._console, self._progress = console, progress_bar(console)
        self._all = self._progress.add_task(said, total=games, completed=done, speed="")
        self._began, self._workers = time.monotonic(), dict[str, int]()
        self._lines: dict[str, TaskID] = {}

    def __enter__(self) -> Shown:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._progress.stop()

    def add(self, games: int, worker: str) -> None:
        self._workers[worker] = self._workers.get(worker, 0) + games
        self._progress.update(self._all, advance=games, speed=self._speed(sum(self._workers.values())))
        if worker and (worker in self._lines or len(self._lines) < LINES):
            if worker not in self._lines:
                self._lines[worker] = self._progress.add_task(f"  {worker}", total=None, speed="")
            self._progress.update(self._lines[worker], completed=self._workers[worker], speed=self._speed(self._workers[worker]))

    def _speed(self, games: int) -> str:
        return f"{games / (time.monotonic() - self._began + 1e-9):,.0f} games/s"

    def tell_workers(self) -> None:
        """Who has played how much."""
        if set(self._workers) <= {""}:
            return
        table = Table()
        for heading in ("worker", "games", "share"):
            table.add_column(heading, justify="left" if heading == "worker" else "right")
        total = sum(self._workers.values())
        for worker, games in sorted(self._workers.items()):
            table.add_row(worker, f"{games:,}", f"{games / total:.1%}")
        self._console.print(table)
