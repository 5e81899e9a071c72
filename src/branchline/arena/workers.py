"""Playing on several cores: processes that are handed chunks of games. Which of them plays a game makes no difference to it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from branchline.arena.plan import Arena, ArenaError, PlannedGame
from branchline.bots.aside import all_back
from branchline.bots.base import in_short
from branchline.errors import BranchlineError

PATIENCE = 0.2  # seconds after which the caller gets a turn to look at the clock, even if no game has finished
LEAVING = 1.0  # seconds that processes have to leave by themselves
ONE_THREAD = dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


Kept = TypeVar("Kept")  # what is kept of a game
Play = Callable[[Arena, PlannedGame], Kept]


class ProcessDied(ArenaError):
    """A process ended in the middle of a game."""


def played_here(arena: Arena, chunks: Iterator[list[PlannedGame]], play: Play[Kept]) -> Iterator[list[Kept]]:
    for chunk in chunks:
        yield [play(arena, planned) for planned in chunk]


def played_by_processes(arena: Arena, chunks: Iterator[list[PlannedGame]], jobs: int, play: Play[Kept]) -> Iterator[list[Kept]]:
    """Yield games as they finish. A bot that does not return keeps its process busy, so all processes are replaced once their games are done."""
    while first := list(islice(chunks, jobs)):
        with process_pool(jobs) as pool:
            waiting = {submitted(pool, arena, chunk, play) for chunk in first}
            fresh = True
            while waiting:
                yield []
                done, waiting = wait(waiting, PATIENCE, FIRST_COMPLETED)
                for future in done:
                    games, returned = outcome_of(future)
                    yield games
                    fresh = fresh and returned
                    waiting |= {submitted(pool, arena, chunk, play) for chunk in islice(chunks, int(fresh))}


def submitted(pool: ProcessPoolExecutor, arena: Arena, chunk: list[PlannedGame], play: Play[Kept]) -> Future[tuple[list[Kept], bool]]:
    """Hand out a chunk. If no process is idle, the pool starts another here."""
    with one_thread_each(), without_ctrl_c():
        return pool.submit(play_chunk, arena, chunk, play)


def play_chunk(arena: Arena, chunk: list[PlannedGame], play: Play[Kept]) -> tuple[list[Kept], bool]:
    """What a process does: the games, and whether all their bots have returned."""
    try:
        return [play(arena, planned) for planned in chunk], all_back()
    except Exception as error:  # in words: not every error can be sent to another process
        raise ArenaError(str(error) if isinstance(error, BranchlineError) else in_short(error)) from None


def outcome_of(future: Future[tuple[list[Kept], bool]]) -> tuple[list[Kept], bool]:
    try:
        return future.result()
    except BrokenProcessPool:
        raise ProcessDied(
            "a process of the arena died. To see why, use a single process and no time limit (--jobs 1 without --limit). "
            'A script that starts an arena with several processes needs `if __name__ == "__main__":` around it'
        ) from None


@contextmanager
def process_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with this block, or with this program, however it ends: they all notice when our end of a pipe closes."""
    context = Spawning()
    theirs, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, context, initializer=settle, initargs=(theirs,))
    try:
        yield pool
    finally:
        ours.close()
        end(context.started)
        pool.shutdown(cancel_futures=True)
        theirs.close()


class Spawning(SpawnContext):
    """Starts processes the same way on every system, safely whatever threads there are, and knows which it has started."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[BaseProcess] = []

    def Process(self, *arguments: Any, **named: Any) -> BaseProcess:  # type: ignore[override]  # noqa: N802  # the name that pools call
        self.started.append(super().Process(*arguments, **named))
        return self.started[-1]


def end(processes: list[BaseProcess]) -> None:
    """Wait a moment for processes that are leaving. A bot in C code can keep its process from noticing that it should, so the rest are killed."""
    deadline = time.monotonic() + LEAVING
    for process in processes:
        if process.pid and not connection.wait([process.sentinel], max(0.0, deadline - time.monotonic())):
            process.kill()


def settle(line: Connection) -> None:
    """A process leaves Ctrl-C to its parent, and listens for the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=leave_after, args=(line,), daemon=True).start()


def leave_after(line: Connection) -> None:
    with suppress(EOFError, OSError):
        line.recv()
    os._exit(0)


@contextmanager
def without_ctrl_c() -> Iterator[None]:
    """Processes started in here leave Ctrl-C to their parent: a signal that is ignored stays ignored in what a process starts."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may choose what a signal does
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def one_thread_each() -> Iterator[None]:
    """Processes started in here do not use several cores each."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
