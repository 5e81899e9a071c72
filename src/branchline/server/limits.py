"""Limits on how much one address, socket or seat may request."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

MOST_KNOWN = 50_000  # addresses or keys remembered


class Bucket:
    """A token bucket: this many at once, refilled at a rate."""

    def __init__(self, size: float, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._size, self._rate, self._clock = size, per_second, clock
        self._left, self._at = size, clock()

    def take(self) -> bool:
        now = self._clock()
        self._left = min(self._size, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Limiter:
    """One bucket per address or key."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute, self._clock = per_minute, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, asker: str) -> bool:
        if asker not in self._buckets:
            self._buckets[asker] = Bucket(self._per_minute, self._per_minute / 60, self._clock)
        self._buckets.move_to_end(asker)
        while len(self._buckets) > MOST_KNOWN:
            self._buckets.popitem(last=False)
        return self._buckets[asker].take()
