"""Taking turns at what is scarce. Whoever waits is served address by address, so that nobody waits for all of another's requests."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

Waiting = deque[asyncio.Future[None]]


class NoTurn(Exception):
    """Too many are waiting: of this asker, or in all."""

    def __init__(self, is_own: bool) -> None:
        self.is_own = is_own


class FairTurns:
    def __init__(self, at_once: int, most_waiting: int, most_each: int) -> None:
        self.at_once, self.most_waiting, self.most_each = at_once, most_waiting, most_each
        self._running = 0
        self._waiting: OrderedDict[str, Waiting] = OrderedDict()  # by asker; the first one is next

    @property
    def waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, asker: str) -> AsyncIterator[None]:
        if self._running < self.at_once:
            self._running += 1
        else:
            await self._wait(asker)
        try:
            yield
        finally:
            self._hand_on()

    async def _wait(self, asker: str) -> None:
        if len(self._waiting.get(asker, ())) >= self.most_each:
            raise NoTurn(is_own=True)
        if self.waiting >= self.most_waiting:
            raise NoTurn(is_own=False)
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(asker, deque()).append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():  # the turn came at the same moment
                self._hand_on()
            else:
                self._forget(asker, mine)
            raise

    def _forget(self, asker: str, mine: asyncio.Future[None]) -> None:
        self._waiting[asker].remove(mine)
        if not self._waiting[asker]:
            del self._waiting[asker]

    def _hand_on(self) -> None:
        """The next asker's first request; then this asker goes to the end of the line."""
        if not self._waiting:
            self._running -= 1
            return
        asker, requests = self._waiting.popitem(last=False)
        requests.popleft().set_result(None)
        if requests:
            self._waiting[asker] = requests
