"""The time for entries and for what is due. It goes at the pace of the monotonic clock: a wall clock that jumps makes nothing due or late."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

SLACK = 2.0  # seconds: smaller differences are followed at once, as when a time server slows the clock down or hurries it up
BELIEVED_AFTER = 600.0  # seconds for which a clock that has jumped must go on evenly before the server follows it
CALM = 300.0  # seconds after the start or a jump in which nothing expires
BEHIND = 60.0  # seconds by which the clocks of several machines may differ
AWAY = 86_400.0  # seconds for which a server may have been away without any doubt about the time
log = structlog.get_logger()


@dataclass(frozen=True)
class Doubt:
    """The time at the start is not what the database makes one expect."""

    known: float  # the latest time that is known for certain
    since: float  # by the monotonic clock
    lasting: float  # seconds

    def is_plausible(self, wall: float, now: float) -> bool:
        return self.known - BEHIND <= wall <= self.known + AWAY + now - self.since

    def is_over(self, wall: float, now: float) -> bool:
        """Somebody has set the clock; or nobody has for long, so it must be right."""
        return self.is_plausible(wall, now) or now - self.since >= self.lasting


class SteadyClock:
    def __init__(self, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wall, self.monotonic = wall, monotonic
        self._ahead = wall() - monotonic()  # of the monotonic clock
        self._calm_since = monotonic()
        self._jump: tuple[float, float] | None = None  # by how many seconds the wall clock differs, and since when
        self._jumped_before = False
        self._doubt: Doubt | None = None

    def __call__(self) -> float:
        """Seconds since 1970."""
        self._look()
        return round(self.monotonic() + self._ahead, 6)

    def compare(self, known: float | None, lasting: float) -> None:
        """Doubt the time at the start, for as many seconds, if it is before the latest time that is known for certain, or much later."""
        if known is None or not lasting:
            return
        doubt = Doubt(known, self.monotonic(), lasting)
        if not doubt.is_plausible(self(), self.monotonic()):
            log.warning("the clock of this machine may be wrong: nothing expires for now", seconds_since_last_seen=round(self() - known))
            self._doubt, self._jumped_before = doubt, True

    @property
    def is_calm(self) -> bool:
        """May something expire that has waited for days? Not while the time could be wrong."""
        self._look()
        return self._jump is None and self._doubt is None and self.monotonic() - self._calm_since >= CALM

    @property
    def has_jumped(self) -> bool:
        """Has the wall clock jumped in the last minutes? Then no turn runs out of time either."""
        self._look()
        return self._jump is not None or (self._jumped_before and self.monotonic() - self._calm_since < CALM)

    def _look(self) -> None:
        now, wall = self.monotonic(), self._wall()
        off = wall - now - self._ahead
        if self._doubt is not None and self._doubt.is_over(wall, now):
            log.info("the clock of this machine is believed again", moved=round(off))
            self._ahead += off
            self._doubt, self._jump, self._calm_since = None, None, now
        elif abs(off) <= SLACK:
            self._ahead += off
            if self._jump is not None:
                self._jump, self._calm_since = None, now
        elif self._jump is None or abs(off - self._jump[0]) > SLACK:
            log.warning("the clock of this machine has jumped", seconds=round(off))
            self._jump, self._jumped_before = (off, now), True
        elif now - self._jump[1] >= BELIEVED_AFTER:
            self._ahead += off
            self._jump, self._calm_since = None, now
