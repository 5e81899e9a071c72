"""Is the database well? Checks of an SQLite file before anything is written to it, and a pulse while the server runs."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path

import structlog

from branchline.server.store.migrating import DatabaseError

log = structlog.get_logger()
IN_THE_MAKING = 2.0  # seconds for which another process may just be creating the file
PROBE_AGAIN, PROBE_WITHIN = 5.0, 3.0  # seconds for which an answer holds, and after which a write takes too long
DAMAGED = ("malformed", "not a database", "corrupt")
WHAT_TO_DO = "Keep the file, and put a backup in its place (docs/operating.md, Backups)"


def check_presence(file: Path) -> None:
    """A server does not start over where a database was: an empty file, or only its write-ahead log, means that something went wrong."""
    if not file.exists():
        beside = file.with_name(f"{file.name}-wal")
        if beside.exists() and beside.stat().st_size:
            raise DatabaseError(
                f"{file} is missing, but its write-ahead log {beside.name} is there: put a backup in its place, or remove {beside.name}"
            )
        return
    end = time.monotonic() + IN_THE_MAKING
    while file.stat().st_size == 0:
        if time.monotonic() > end:
            raise DatabaseError(
                f"{file} is empty. If there were games in it, put a backup in its place; to begin with a new database, remove the file"
            )
        time.sleep(0.05)


def check_whole(file: Path) -> None:
    """SQLite's own check of the whole file."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            found = connection.execute("PRAGMA quick_check(3)").fetchall()
    except sqlite3.DatabaseError as error:
        raise explained(file, error) from None
    if found != [("ok",)]:
        raise damaged(file, str(found[0][0]))


def explained(file: Path, error: BaseException) -> DatabaseError:
    text = str(error)
    return damaged(file, text) if any(word in text for word in DAMAGED) else DatabaseError(f"the database cannot be used: {file}: {text}")


def damaged(file: Path, detail: str) -> DatabaseError:
    return DatabaseError(f"{file} is damaged ({detail.strip().splitlines()[-1]}). {WHAT_TO_DO}")


class Pulse:
    """Whether the database takes writes. One write answers everybody who asks in the same moments, and nobody waits long for it."""

    def __init__(self, write: Callable[[], Awaitable[None]], clock: Callable[[], float] = time.monotonic) -> None:
        self._write, self._clock = write, clock
        self._writing: asyncio.Task[None] | None = None
        self._known: tuple[float, bool] | None = None  # when, and whether it went well

    async def beats(self) -> bool:
        if self._known is not None and self._clock() - self._known[0] < PROBE_AGAIN:
            return self._known[1]
        if self._writing is None:
            self._writing = asyncio.create_task(self._probe())
        await asyncio.wait([self._writing], timeout=PROBE_WITHIN)  # not cancelled: a write in progress ends by itself
        return self._writing is None and self._known is not None and self._known[1]

    async def _probe(self) -> None:
        well = False
        try:
            await self._write()
            well = True
        except Exception as error:
            log.error("the database takes no writes", error=type(getattr(error, "orig", None) or error).__name__)
        finally:
            self._known, self._writing = (self._clock(), well), None

    async def stop(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            with suppress(asyncio.CancelledError):
                await self._writing
