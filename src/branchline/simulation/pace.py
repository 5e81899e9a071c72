"""How many games a chunk has, and when to stop: a chunk takes about a second, so Ctrl-C is answered within a second."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

SECONDS = 1.0
FIRST, GROWTH = 1 / 1024, 8  # the first chunk as a share of the largest, and how many times larger the next may be


class Pace:
    """The size of the next chunk, by the speed of the last: a power of two, so that memory for a chunk can be reused."""

    def __init__(self, most: int) -> None:
        self._most, self._next = most, max(1, int(most * FIRST))

    def next(self, left: int) -> int:
        return min(self._next, left)

    def took(self, games: int, seconds: float) -> None:
        in_time = min(int(games * SECONDS / max(seconds, 1e-9)), GROWTH * games)
        self._next = min(1 << max(in_time, 1).bit_length() - 1, self._most)


class Stop:
    """Ctrl-C asks for an end after the current chunk, which is kept; a second one ends at once."""

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> Stop:
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            signal.default_int_handler(number, frame)
        self.asked = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
