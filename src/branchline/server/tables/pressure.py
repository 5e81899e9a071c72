"""How much waits to be done. When it is more than can be done soon, new requests are refused: better at once than after half a minute."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from branchline.server.protocol.refusals import Refused

FEW = 64  # requests that may always wait: a single slow one does not close the server to everybody else


class Pressure:
    """The wait to expect is what waits, divided by what was done per second lately."""

    def __init__(self, most: int, longest: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._longest, self._clock = most, longest, clock
        self._since: dict[object, float] = {}  # what waits, and since when, the oldest first
        self.lag = 0.0  # seconds by which the event loop was late when last measured: how long requests wait before anybody reads them
        self._second, self._done, self._done_before = 0, 0, 0  # this second, what was done in it, and in the one before

    @contextmanager
    def wait(self) -> Iterator[None]:
        """Something waits to be done, and then is."""
        asked = object()
        self._since[asked] = self._clock()
        try:
            yield
        finally:
            del self._since[asked]
            self._turn()
            self._done += 1

    @property
    def is_high(self) -> bool:
        """Is the queue long enough for less urgent work to be put off?"""
        return len(self._since) >= FEW

    def must_have_room(self) -> None:
        waiting = len(self._since)
        if self.lag > self._longest or waiting >= self._most or (waiting >= FEW and self._is_long(waiting)):
            raise Refused("busy")

    def _is_long(self, waiting: int) -> bool:
        """Is the wait to expect too long, and has somebody waited for a while? A server with nothing to do may be asked for much at once."""
        oldest = next(iter(self._since.values()))
        return waiting > self._longest * self._rate() and self._clock() - oldest > self._longest / 2

    def _rate(self) -> float:
        """What was done per second, in this one and the one before."""
        self._turn()
        return (self._done_before + self._done) / (1 + self._clock() % 1)

    def _turn(self) -> None:
        second = int(self._clock())
        if second != self._second:
            self._done_before = self._done if second == self._second + 1 else 0
            self._second, self._done = second, 0
