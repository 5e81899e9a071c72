"""The store: tables and their logs in SQLite or PostgreSQL, with the same statements. An entry is stored for good, or not at all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from sqlalchemy import Row, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from branchline.server.store.changes import Change, Summary
from branchline.server.store.committing import Committer
from branchline.server.store.databases import Database, open_database
from branchline.server.store.entries import PLAYING, WAITING, Entry, Header
from branchline.server.store.migrating import DatabaseError, migrate
from branchline.server.store.schema import blocked, entries, sitters, tables
from branchline.server.store.statements import CHANNEL

TRY_AGAIN = 2.0  # seconds between tries to reach a database at the start
log = structlog.get_logger()
MIGRATING = 20_260_000  # the lock that server processes take to migrate one after the other


News = tuple[str, int] | None


@dataclass(frozen=True)
class Blocked:
    """An address or network that the operator does not let in."""

    network: str
    since: float
    reason: str


class Store:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._committer = Committer(database.writer.write)

    @staticmethod
    async def open(url: str, wait: float = 0.0, check: bool = False) -> Store:
        """Open and migrate a database, after a check of the whole file if asked for; if it does not answer yet, wait that many seconds."""
        store = Store(open_database(url))
        try:
            if check:
                await asyncio.to_thread(store._database.check)
            await store._migrate(wait)
        except BaseException:
            await store.close()
            raise
        return store

    async def _migrate(self, wait: float) -> None:
        end = time.monotonic() + wait
        while True:
            try:
                async with self._database.migrator.begin() as connection:
                    if not self._database.is_file:
                        await connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
                    await connection.run_sync(migrate)
                return
            except (SQLAlchemyError, OSError) as error:
                reason = getattr(error, "orig", None) or error
                left = end - time.monotonic()
                if left <= 0 or not self._database.is_away(reason):
                    raise self._database.explained(reason) from None
            log.warning("waiting for the database", seconds_left=round(left), error=type(reason).__name__)
            await asyncio.sleep(min(left, TRY_AGAIN))

    async def probe(self) -> None:
        """Write something, as an entry is written."""
        await self._committer.commit(Change(probes=[(1, time.time())]))

    async def blocked(self) -> list[Blocked]:
        """Addresses and networks that the operator has blocked."""
        async with self._database.reader.connect() as connection:
            return [Blocked(*row) for row in await connection.execute(select(blocked).order_by(blocked.c.network))]

    async def block(self, network: str, at: float, reason: str) -> None:
        await self._committer.commit(Change(blocked=[(network, at, reason)]))

    async def unblock(self, network: str) -> None:
        await self._committer.commit(Change(unblocked=[(network,)]))

    async def close(self) -> None:
        await self._committer.finish()
        await self._database.close()

    async def create(self, header: Header, log: Sequence[Entry], summary: Summary) -> None:
        change = Change()
        change.open(header, log, summary)
        if not await self._committer.commit(change):
            raise DatabaseError("there is already a table with this id")

    async def append(self, table: str, entry: Entry, summary: Summary, also: tuple[Header, Sequence[Entry], Summary] | None = None) -> bool:
        """Commit an entry, together with a new table if there is one. False if another entry took this place first, or it was sent before."""
        change = Change()
        change.append(table, entry, summary)
        if also is not None:
            change.open(*also)
        return await self._committer.commit(change)

    async def correct(self, table: str, last_entry: int, summary: Summary) -> None:
        """Correct a row that does not match the table. If another entry was written since, its row is right and stays."""
        change = Change()
        change.correct(table, last_entry, summary)
        await self._committer.commit(change)

    async def put_off(self, table: str, until: float | None) -> None:
        """Nothing can be done at the table now: check again later, or never."""
        await self._committer.commit(Change(put_off=[(until, table)]))

    async def header(self, table: str) -> Header | None:
        async with self._database.reader.connect() as connection:
            row = (await connection.execute(select(tables).where(tables.c.id == table))).one_or_none()
        return header_of(row) if row is not None else None

    async def log(self, table: str, after: int = 0) -> list[Entry]:
        asked = select(entries).where(entries.c.table_id == table, entries.c.sequence > after).order_by(entries.c.sequence)
        async with self._database.reader.connect() as connection:
            return [entry_of(row) for row in await connection.execute(asked)]

    async def listed(self, most: int) -> list[str]:
        """Open tables with a free seat, newest first."""
        return await self._ids(select(tables.c.id).where(tables.c.listed == 1).order_by(tables.c.created_at.desc()).limit(most))

    async def tables_of(self, key: str, most: int) -> list[str]:
        """The tables where a guest has a seat or is the host, newest first."""
        sits = select(sitters.c.table_id).where(sitters.c.key == key)
        asked = select(tables.c.id).where((tables.c.host == key) | tables.c.id.in_(sits)).order_by(tables.c.created_at.desc()).limit(most)
        return await self._ids(asked)

    async def due(self, now: float, most: int) -> list[str]:
        """Tables where something is due."""
        return await self._ids(select(tables.c.id).where(tables.c.wake_at <= now).order_by(tables.c.wake_at).limit(most))

    async def _ids(self, asked: Any) -> list[str]:
        async with self._database.reader.connect() as connection:
            return [row.id for row in await connection.execute(asked)]

    async def unfinished(self, key: str) -> int:
        """How many unfinished tables a host has."""
        asked = select(func.count()).select_from(tables).where(tables.c.host == key, tables.c.status.in_((WAITING, PLAYING)))
        async with self._database.reader.connect() as connection:
            return int((await connection.execute(asked)).scalar_one())

    async def changes(self) -> AsyncIterator[News]:
        """Tables that a server process has added an entry to, and which one; None means that any may have changed."""
        async for what in self._database.changes(CHANNEL):
            if what is None:
                yield None
            else:
                table, sequence = what.split()
                yield table, int(sequence)


def header_of(row: Row[Any]) -> Header:
    fields: dict[str, Any] = {name: getattr(row, name) for name in Header.__dataclass_fields__}
    return Header(**fields | {"plan": tuple(row.plan)})


def entry_of(row: Row[Any]) -> Entry:
    return Entry(row.sequence, row.kind, row.at, row.seat, row.body, row.author, row.client_id)
