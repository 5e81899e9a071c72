"""Replays and counts are worked out beside the event loop, address by address in turn, and kept for a while. Tables come first.

Now and then one is worked out in a thread. When requests queue up, processes of low priority start, and take over when they have loaded the rules.
"""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from branchline.server.fair_turns import FairTurns, NoTurn
from branchline.server.protocol.refusals import Refused
from branchline.server.tables.thinking import give_way

WAITING, WAITING_EACH = 60, 10  # requests
KEPT = 16_000_000  # bytes of answers
Work = Callable[[], bytes]


class Replayers:
    def __init__(self, workers: int) -> None:
        self._turns = FairTurns(workers, WAITING, WAITING_EACH)
        self._workers = workers
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="replays")
        self._processes: ProcessPoolExecutor | None = None
        self._is_warm: Future[None] | None = None
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._size = 0

    async def work_out(self, asker: str, work: Work, name: Hashable | None = None) -> bytes:
        """The answer, kept under its name if it has one. `work` has to be something that another process can do."""
        try:
            async with self._turns.turn(asker):
                known = self._kept.get(name) if name is not None else None
                if known is None:
                    known = await self._run(work)
                if name is not None:
                    self._keep(name, known)
                return known
        except NoTurn as no:
            raise Refused("too_many" if no.is_own else "busy") from None

    async def _run(self, work: Work) -> bytes:
        loop, executor = asyncio.get_running_loop(), self._executor()
        try:
            return await loop.run_in_executor(executor, work)
        except BrokenProcessPool:  # a worker was killed: others start when they are needed
            if self._processes is executor:
                self._processes = self._is_warm = None
            return await loop.run_in_executor(self._threads, work)

    def _executor(self) -> Executor:
        if self._processes is None and self._turns.waiting:
            self._processes = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"), initializer=give_way, initargs=(os.getpid(),))
            self._is_warm = self._processes.submit(load)
        if self._processes is not None and self._is_warm is not None and self._is_warm.done() and self._is_warm.exception() is None:
            return self._processes
        return self._threads

    def _keep(self, name: Hashable, answer: bytes) -> None:
        if name not in self._kept:
            self._kept[name] = answer
            self._size += len(answer)
        self._kept.move_to_end(name)
        while self._size > KEPT:
            self._size -= len(self._kept.popitem(last=False)[1])

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            for process in list((self._processes._processes or {}).values()):
                process.terminate()
            self._processes.shutdown(wait=False, cancel_futures=True)


def load() -> None:
    """Import what replays need, in a worker."""
    from branchline.server.tables import replays  # noqa: F401
