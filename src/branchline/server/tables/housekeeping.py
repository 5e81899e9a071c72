"""Games that are over become compact, and go when the operator's time for them is up."""

from __future__ import annotations

import asyncio

import structlog

from branchline.server.logs import where
from branchline.server.settings import DAY
from branchline.server.store.entries import ABANDONED, FINISHED
from branchline.server.tables.loaded import LoadedTables

AT_A_TIME = 50  # tables
EVERY = 600.0  # seconds
log = structlog.get_logger()


async def keep_house(tables: LoadedTables) -> None:
    while True:
        try:
            if tables.clock.is_calm:  # not while the time could be wrong
                await tables.store.note_time(tables.clock())
                archived, dropped = await archive_ended(tables), await drop_old(tables)
                log.info("kept house", archived=archived, dropped=dropped)
        except Exception as error:
            tables.metrics.failures.inc()
            log.error("keeping house failed", **where(error))
        await asyncio.sleep(EVERY)


async def archive_ended(tables: LoadedTables) -> int:
    """How many games have become compact. One after the other, so that nobody's move waits for them."""
    done = 0
    while names := await tables.store.to_archive(tables.clock() - tables.settings.archive_after, AT_A_TIME):
        logs = [(name, await tables.store.log(name)) for name in names]
        stored = [await tables.store.archive(name, log) for name, log in logs if log]  # another process may have dropped it
        done += sum(stored)
        if not any(stored):  # another process is at it
            break
    return done


async def drop_old(tables: LoadedTables) -> int:
    done = 0
    for status, days in ((FINISHED, tables.settings.keep), (ABANDONED, tables.settings.keep_abandoned)):
        while days and (names := await tables.store.ended(status, tables.clock() - days * DAY, AT_A_TIME)):
            if not await tables.store.drop(names):
                break
            tables.forget(names)
            done += len(names)
    return done
