"""Fill a database while no server runs: with tables at which a bot is due, and one with a long log. Run with the server's own version.

Most bots were due ten seconds ago, that of the last table is due now. At the table with the long log somebody has muted somebody else without end,
which version 0.1 allowed. Prints the names of these two tables.
"""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import replace
from typing import Any

from branchline.server.protocol.keys import new_table_id
from branchline.server.store import store as stores
from branchline.server.store.entries import MUTE, PLAYING, Entry

AT_ONCE = 500
MUTED = 20_000


async def fill(database_url: str, name: str, many: int) -> tuple[str, str]:
    """With tables like this one."""
    store = await stores.Store.open(database_url)
    header, log = await store.header(name), (await store.log(name))[:2]
    assert header is not None

    async def create(due: float, more: tuple[Any, ...] = ()) -> str:
        new = replace(header, id=new_table_id())
        await store.create(new, [*log, *more], stores.Summary(PLAYING, False, due))
        return str(new.id)

    for _ in range(0, many, AT_ONCE):
        await asyncio.gather(*(create(time.time() - 10) for _ in range(AT_ONCE)))
    muted = (Entry(3 + number, MUTE, time.time(), 0, {"other": 1, "muted": number % 2 == 0}) for number in range(MUTED))
    long = await create(time.time() + 86_400, tuple(muted))
    last = await create(time.time())
    await store.close()
    return last, long


if __name__ == "__main__":
    print(*asyncio.run(fill(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
