"""The time for entries and for what is due. It goes at the pace of the monotonic clock: a wall clock that jumps makes nothing due or late."""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog

SLACK = 2.0  # seconds: smaller differences are followed at once, as when a time server slows the clock down or hurries it up
BELIEVED_AFTER = 600.0  # seconds for which a clock that has jumped must go on evenly before the server follows it
CALM = 300.0  # seconds after the start or a jump in which nothing expires
log = structlog.get_logger()


class SteadyClock:
    def __init__(self, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wall, self.monotonic = wall, monotonic
        self._ahead = wall() - monotonic()  # of the monotonic clock
        self._calm_since = monotonic()
        self._jump: tuple[float, float] | None = None  # by how many seconds the wall clock differs, and since when
        self._jumped_before = False

    def __call__(self) -> float:
        """Seconds since 1970."""
        self._look()
        return round(self.monotonic() + self._ahead, 6)

    @property
    def is_calm(self) -> bool:
        """May something expire that has waited for days? Not while the time could be wrong."""
        self._look()
        return self._jump is None and self.monotonic() - self._calm_since >= CALM

    @property
    def has_jumped(self) -> bool:
        """Has the wall clock jumped in the last minutes? Then no turn runs out of time either."""
        self._look()
        return self._jump is not None or (self._jumped_before and self.monotonic() - self._calm_since < CALM)

    def _look(self) -> None:
        now = self.monotonic()
        off = self._wall() - now - self._ahead
        if abs(off) <= SLACK:
            self._ahead += off
            if self._jump is not None:
                self._jump, self._calm_since = None, now
        elif self._jump is None or abs(off - self._jump[0]) > SLACK:
            log.warning("the clock of this machine has jumped", seconds=round(off))
            self._jump, self._jumped_before = (off, now), True
        elif now - self._jump[1] >= BELIEVED_AFTER:
            self._ahead += off
            self._jump, self._calm_since = None, now
