"""Playing on several cores: processes that are handed chunks of games. Which of them plays a game makes no difference to it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from branchline.arena.plan import Arena, ArenaError, PlannedGame
from branchline.arena.playing import Played, play
from branchline.bots.base import in_short
from branchline.errors import BranchlineError

PATIENCE = 0.2  # seconds after which whoever waits is told that nothing has come yet, to look at the clock
ONE_THREAD = dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def work(connection: Connection, arena: Arena) -> None:
    """What a process does: play what it is handed, until there is nothing more. Ctrl-C is its parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, BrokenPipeError):  # its parent was killed
        for chunk in iter(connection.recv, None):
            connection.send(played_or_why_not(arena, chunk))


def played_or_why_not(arena: Arena, chunk: list[PlannedGame]) -> list[Played] | str:
    try:
        return [play(arena, planned) for planned in chunk]
    except Exception as error:
        return str(error) if isinstance(error, BranchlineError) else in_short(error)


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


def played_here(arena: Arena, chunks: Iterator[list[PlannedGame]]) -> Iterator[list[Played]]:
    for chunk in chunks:
        yield [play(arena, planned) for planned in chunk]


def played_by_processes(arena: Arena, chunks: Iterator[list[PlannedGame]], jobs: int) -> Iterator[list[Played]]:
    """The games as they are done. Whoever stops early ends the processes."""
    workers: dict[Any, BaseProcess] = {}
    try:
        with one_thread_each():
            for _, chunk in zip(range(jobs), chunks, strict=False):
                hand_over(start(arena, workers), chunk)
        while workers:
            yield []
            for connection in wait(list(workers), PATIENCE):
                games = received(connection, workers)
                hand_on(connection, chunks, workers)
                yield games
    finally:
        for process in workers.values():
            process.terminate()
            process.join()


def start(arena: Arena, workers: dict[Any, BaseProcess]) -> Connection:
    context = get_context("spawn")  # the same on every system, and safe whatever threads there are
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, arena), daemon=True)
    process.start()
    theirs.close()  # so that the end of the process is the end of the line
    workers[ours] = process
    return ours


def hand_over(connection: Any, chunk: list[PlannedGame] | None) -> None:
    with suppress(OSError):  # it has died, which is found when its answer is waited for
        connection.send(chunk)


def hand_on(connection: Any, chunks: Iterator[list[PlannedGame]], workers: dict[Any, BaseProcess]) -> None:
    """The next chunk, or leave to go."""
    chunk = next(chunks, None)
    hand_over(connection, chunk)
    if chunk is None:
        workers.pop(connection).join()
        connection.close()


def received(connection: Any, workers: dict[Any, BaseProcess]) -> list[Played]:
    try:
        answer = connection.recv()
    except EOFError:
        workers[connection].join()
        raise ArenaError(
            f"a process of the arena ended with exit code {workers[connection].exitcode}: use one (--jobs 1) to see why. "
            'A script that starts an arena with several needs `if __name__ == "__main__":` around it'
        ) from None
    if isinstance(answer, str):
        raise ArenaError(answer)
    return answer  # type: ignore[no-any-return]  # what `work` sends
