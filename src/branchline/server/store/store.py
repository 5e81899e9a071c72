"""The store: tables and their logs in SQLite or PostgreSQL, with the same statements. An entry is stored for good, or not at all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import structlog
from sqlalchemy import Connection, CursorResult, Row, String, cast, func, insert, make_url, select, text, tuple_, update
from sqlalchemy.exc import SQLAlchemyError

from branchline.server.protocol.messages import PERSON
from branchline.server.store.archiving import packed, unpacked
from branchline.server.store.changes import Change, Summary
from branchline.server.store.committing import Committer
from branchline.server.store.databases import Database, open_database
from branchline.server.store.entries import FINISHED, PLAYING, WAITING, Entry, Header
from branchline.server.store.migrating import DatabaseError, migrate
from branchline.server.store.schema import archives, blocked, entries, probes, seals, sitters, tables
from branchline.server.store.sealing import SEALED, Seal, key_file, read_seal
from branchline.server.store.statements import CHANNEL

PAGE = 100  # tables read at a time
MANY = 500  # names in one query
DECODED_AT_ONCE = 500  # entries, in some milliseconds
TRY_AGAIN = 2.0  # seconds between tries to reach a database at the start
log = structlog.get_logger()
PROBE, KNOWN_TIME = 1, 2  # the rows of `probes`
MIGRATING = 20_260_000  # the lock that server processes take to migrate one after the other


News = tuple[str, int] | None


class Stored(NamedTuple):
    header: Header
    log: list[Entry]


@dataclass(frozen=True)
class Blocked:
    """An address or network that the operator does not let in."""

    network: str
    since: float
    reason: str


@dataclass(frozen=True)
class Found:
    """A table in the list of all."""

    id: str
    created_at: float
    game: str
    status: str


class Store:
    def __init__(self, database: Database, key: Path) -> None:
        self._database, self._key = database, key
        self._committer = Committer(database.writer.write)

    @staticmethod
    async def open(url: str, key: str = "", wait: float = 0.0, check: bool = False) -> Store:
        """Open and migrate a database, after a check of the whole file if asked for; if it does not answer yet, wait that many seconds."""
        database = open_database(url)
        if check:
            await asyncio.to_thread(database.check)
        store = Store(database, Path(key) if key else key_file(make_url(url)))
        try:
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
                    self._seal = await connection.run_sync(seal_seeds, self._key)
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
        await self._committer.commit(Change(probes=[(PROBE, time.time())]))

    async def note_time(self, now: float) -> None:
        """The time is known for certain."""
        await self._committer.commit(Change(probes=[(KNOWN_TIME, now)]))

    async def known_time(self) -> float | None:
        """The latest time that was known for certain; before any was noted, when the last table was opened or ended."""
        noted = select(probes.c.at).where(probes.c.id == KNOWN_TIME)
        async with self._database.reader.connect() as connection:
            if (known := (await connection.execute(noted)).scalar_one_or_none()) is not None:
                return float(known)
            times = (await connection.execute(select(func.max(tables.c.created_at), func.max(tables.c.ended_at)))).one()
        return max((float(one) for one in times if one is not None), default=None)

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
        change.open(self._sealed(header), log, summary)
        if not await self._committer.commit(change):
            raise DatabaseError("there is already a table with this id")

    async def append(self, header: Header, entry: Entry, summary: Summary, also: tuple[Header, Sequence[Entry], Summary] | None = None) -> bool:
        """Commit an entry, together with a new table if there is one. False if another entry took this place first, or it was sent before."""
        change = Change()
        change.append(header.id, entry, summary)
        if summary.status == FINISHED:
            change.seeds.append((header.seed, header.id))
        if also is not None:
            change.open(self._sealed(also[0]), *also[1:])
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
        return None if row is None else self._header(row)

    def _header(self, row: Row[Any]) -> Header:
        header = header_of(row)
        return replace(header, seed=self._seal.open(header.id, header.seed))

    def _sealed(self, header: Header) -> Header:
        return replace(header, seed=self._seal.close(header.id, header.seed))

    async def log(self, table: str, after: int = 0) -> list[Entry]:
        """What happened at a table, also if it is archived."""
        asked = select(entries).where(entries.c.table_id == table, entries.c.sequence > after).order_by(entries.c.sequence)
        async with self._database.reader.connect() as connection:
            log = [entry_of(row) async for row in by_and_by(await connection.execute(asked))]
            if log and log[0].sequence == after + 1:
                return log
            archived = select(archives.c.log).where(archives.c.table_id == table, archives.c.last_entry > after)
            archive = (await connection.execute(archived)).scalar_one_or_none()
        return log if archive is None else [*(await asyncio.to_thread(unpacked, archive))[after:], *log]

    async def last_entries(self, names: Sequence[str]) -> list[tuple[str, int]]:
        """Each table's last entry that has a row of its own, in one look at the index for each: they need not be read to see whether any is new."""
        last = select(func.max(entries.c.sequence)).where(entries.c.table_id == tables.c.id).scalar_subquery()
        found: list[tuple[str, int]] = []
        async with self._database.reader.connect() as connection:
            for first in range(0, len(names), MANY):
                asked = select(tables.c.id, func.coalesce(last, 0)).where(tables.c.id.in_(names[first : first + MANY]))
                found += [(row[0], row[1]) for row in await connection.execute(asked)]
        return found

    async def archive(self, table: str, log: Sequence[Entry]) -> bool:
        """Keep the whole log of a table as one row. False if that has been done, or more has happened."""
        archive = await asyncio.to_thread(packed, log)
        change = Change(archives=[(table, log[-1].sequence, archive)], archived=[(table, log[-1].sequence)])
        return await self._committer.commit(change)

    async def drop(self, names: Sequence[str]) -> bool:
        """Keep nothing of these tables. False if that is impossible now."""
        return await self._committer.commit(Change(dropped=[(name,) for name in names]))

    async def ended(self, status: str, before: float, most: int) -> list[str]:
        """Tables that ended like this before a time, longest ago first."""
        asked = select(tables.c.id).where(tables.c.status == status, tables.c.ended_at < before).order_by(tables.c.ended_at).limit(most)
        return await self._ids(asked)

    async def to_archive(self, before: float, most: int) -> list[str]:
        """Tables that ended before a time and still have a row for every entry."""
        in_rows = select(entries.c.table_id).where(entries.c.table_id == tables.c.id, entries.c.sequence == 1).exists()
        return await self._ids(select(tables.c.id).where(tables.c.ended_at < before, in_rows).order_by(tables.c.ended_at).limit(most))

    async def several(self, names: Sequence[str]) -> dict[str, Stored]:
        """The headers and logs of several tables, in two queries."""
        headers = select(tables).where(tables.c.id.in_(names))
        logs = select(entries).where(entries.c.table_id.in_(names)).order_by(entries.c.table_id, entries.c.sequence)
        async with self._database.reader.connect() as connection:
            found = {row.id: Stored(self._header(row), []) for row in await connection.execute(headers)}
            async for row in by_and_by(await connection.execute(logs)):
                found[row.table_id].log.append(entry_of(row))
        return found

    async def listed(self, most: int) -> list[str]:
        """Open tables with a free seat, newest first."""
        return await self._ids(select(tables.c.id).where(tables.c.listed == 1).order_by(tables.c.created_at.desc()).limit(most))

    async def tables_of(self, key: str, most: int) -> list[str]:
        """The tables where a guest has a seat or is the host, newest first."""
        sits = select(sitters.c.table_id).where(sitters.c.key == key)
        asked = select(tables.c.id).where((tables.c.host == key) | tables.c.id.in_(sits)).order_by(tables.c.created_at.desc()).limit(most)
        return await self._ids(asked)

    async def overdue(self, now: float, since: float | None = None) -> AsyncIterator[list[str]]:
        """Tables where something is due, or has become due since then, the longest first, page by page."""
        asked = select(tables.c.wake_at, tables.c.id).where(tables.c.wake_at <= now).order_by(tables.c.wake_at, tables.c.id).limit(PAGE)
        further = asked = asked if since is None else asked.where(tables.c.wake_at > since)
        while True:
            async with self._database.reader.connect() as connection:
                page = (await connection.execute(further)).all()
            if page:
                yield [row.id for row in page]
            if len(page) < PAGE:
                return
            further = asked.where(tuple_(tables.c.wake_at, tables.c.id) > tuple_(*page[-1]))

    async def every(self, status: str | None = None, game: str | None = None) -> AsyncIterator[Found]:
        """All tables, newest first, read page by page; of one status or game if asked for."""
        place = tables.c.created_at, tables.c.id
        asked = select(tables.c.id, tables.c.created_at, tables.c.game, tables.c.status).order_by(*(column.desc() for column in place)).limit(PAGE)
        if status is not None:
            asked = asked.where(tables.c.status == status)
        if game is not None:
            asked = asked.where(tables.c.game == game)
        last: Found | None = None
        while True:
            further = asked if last is None else asked.where(tuple_(*place) < tuple_(last.created_at, last.id))
            async with self._database.reader.connect() as connection:
                page = [Found(*row) for row in await connection.execute(further)]
            for one in page:
                yield one
            if len(page) < PAGE:
                return
            last = page[-1]

    async def _ids(self, asked: Any) -> list[str]:
        async with self._database.reader.connect() as connection:
            return [row.id for row in await connection.execute(asked)]

    async def unfinished(self, key: str) -> int:
        """How many unfinished tables a host has."""
        asked = select(func.count()).select_from(tables).where(tables.c.host == key, tables.c.status.in_((WAITING, PLAYING)))
        async with self._database.reader.connect() as connection:
            return int((await connection.execute(asked)).scalar_one())

    async def bot_tables(self, key: str) -> tuple[int, int]:
        """How many unfinished tables without a seat for a person a host has, and how many there are; something is always due at those."""
        alone = tables.c.wake_at.is_not(None), ~cast(tables.c.plan, String).contains(f'"{PERSON}"')
        of_all = select(func.count()).select_from(tables).where(*alone)
        async with self._database.reader.connect() as connection:
            counts = [(await connection.execute(asked)).scalar_one() for asked in (of_all.where(tables.c.host == key), of_all)]
        return int(counts[0]), int(counts[1])

    async def changes(self) -> AsyncIterator[News]:
        """Tables that a server process has added an entry to, and which one; None means that any may have changed."""
        async for what in self._database.changes(CHANNEL):
            if what is None:
                yield None
            else:
                table, sequence = what.split()
                yield table, int(sequence)


def seal_seeds(connection: Connection, key: Path) -> Seal:
    """Remember the key by its fingerprint; seal what version 0.1 stored as it was."""
    known = connection.execute(select(seals.c.fingerprint)).scalar_one_or_none()
    seal = read_seal(key, known)
    if known is None:
        connection.execute(insert(seals).values(fingerprint=seal.fingerprint))
    running = tables.c.status.in_((WAITING, PLAYING)), tables.c.seed.not_like(f"{SEALED}%")
    for table, seed in connection.execute(select(tables.c.id, tables.c.seed).where(*running)).all():
        connection.execute(update(tables).where(tables.c.id == table).values(seed=seal.close(table, seed)))
    return seal


async def by_and_by(result: CursorResult[Any]) -> AsyncIterator[Row[Any]]:
    """Rows, decoded some at a time: nobody else has to wait for a long log."""
    while rows := result.fetchmany(DECODED_AT_ONCE):
        for row in rows:
            yield row
        if len(rows) == DECODED_AT_ONCE:
            await asyncio.sleep(0)


def header_of(row: Row[Any]) -> Header:
    fields: dict[str, Any] = {name: getattr(row, name) for name in Header.__dataclass_fields__}
    return Header(**fields | {"plan": tuple(row.plan)})


def entry_of(row: Row[Any]) -> Entry:
    return Entry(row.sequence, row.kind, row.at, row.seat, row.body, row.author, row.client_id)
