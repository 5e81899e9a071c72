"""Compiled work on all cores, in threads: compiled code does not hold Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def slices(number: int, parts: int) -> list[slice]:
    """Split 0 to `number` - 1 into parts of nearly equal size, without empty ones."""
    ends = [number * part // parts for part in range(parts + 1)]
    return [slice(first, end) for first, end in pairwise(ends) if end > first]


class Threads:
    """A pool that works on slices of arrays."""

    def __init__(self, number: int | None = None) -> None:
        self.number = number or cores()
        self._pool = ThreadPoolExecutor(self.number) if self.number > 1 else None

    def run(self, work: Callable[[int, slice], object], number: int) -> None:
        """Call `work(thread, slice)` for all slices in parallel, and wait for all; raises the first error."""
        parts = slices(number, self.number)
        if self._pool is None or len(parts) < 2:
            for thread, part in enumerate(parts):
                work(thread, part)
            return
        jobs = [self._pool.submit(work, thread, part) for thread, part in enumerate(parts)]
        try:
            for job in jobs:
                job.result()
        finally:
            wait(jobs)  # none may still be working when the next call uses the arrays

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
