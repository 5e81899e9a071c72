"""Group commit: whatever waits while one transaction is written to disk is written in the next, so many tables share the wait for the disk."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from branchline.server.store.changes import Change

AT_ONCE = 256  # changes in a transaction
Outcome = bool | Exception  # stored; not, because something else was there first; or an error
Write = Callable[[Sequence[Change]], Awaitable[list[Outcome]]]


class Committer:
    def __init__(self, write: Write) -> None:
        self._write = write
        self._waiting: deque[tuple[Change, asyncio.Future[bool]]] = deque()
        self._work: asyncio.Task[None] | None = None

    async def commit(self, change: Change) -> bool:
        """True once the change is on disk; False if it cannot be stored because something else was there first."""
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((change, stored))
        if self._work is None:
            self._work = asyncio.create_task(self._commit_all())
        return await stored

    async def finish(self) -> None:
        while self._work is not None:
            await asyncio.wait([self._work])

    async def _commit_all(self) -> None:
        try:
            while self._waiting:
                await self._commit_group([self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))])
        finally:
            self._work = None

    async def _commit_group(self, group: list[tuple[Change, asyncio.Future[bool]]]) -> None:
        outcomes: Sequence[Outcome]
        try:
            outcomes = await self._write([change for change, _ in group])
        except Exception as error:
            outcomes = [error] * len(group)
        for (_, stored), outcome in zip(group, outcomes, strict=True):
            if stored.done():
                continue  # nobody waits for it any more
            if isinstance(outcome, Exception):
                stored.set_exception(outcome)
            else:
                stored.set_result(outcome)
