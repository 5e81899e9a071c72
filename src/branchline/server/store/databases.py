"""The two databases: SQLite, a file on the server's machine, and PostgreSQL, for several server processes."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import URL, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from branchline.errors import from_extra
from branchline.server.store.checking import check_presence, check_whole, explained
from branchline.server.store.migrating import DatabaseError, DatabaseUrlError
from branchline.server.store.writing import ANSWER_WITHIN, PostgresWriter, SqliteWriter, Writer, prepare_sqlite

LOOK_EVERY = 0.25  # seconds between checks of whether another process has written to an SQLite file
STARTING = "57P03"  # PostgreSQL's cannot_connect_now
QUIET = 30  # seconds of silence after which the connection is tested
log = structlog.get_logger()


class Database(ABC):
    reader: AsyncEngine
    migrator: AsyncEngine
    writer: Writer
    is_file: bool

    def check(self) -> None:
        """Look at the whole of it, if that is for the server to do."""
        return

    def explained(self, error: BaseException) -> DatabaseError:
        return DatabaseError(f"the database cannot be used: {error}")

    @abstractmethod
    def is_away(self, error: BaseException) -> bool:
        """Does this mean that it may answer later?"""

    @abstractmethod
    def changes(self, channel: str, /) -> AsyncIterator[str | None]: ...

    async def close(self) -> None:
        await self.writer.close()
        await self.migrator.dispose()
        await self.reader.dispose()


def url_of(address: str) -> URL:
    try:
        return make_url(address)
    except ArgumentError:
        raise DatabaseUrlError("--database-url is like sqlite:///games.db or postgresql://user@host/name") from None


def file_of(address: str) -> Path | None:
    """Where an SQLite database is."""
    url = url_of(address)
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def open_database(address: str) -> Database:
    url = url_of(address)
    if url.get_backend_name() == "sqlite":
        return SqliteFile(url.set(drivername="sqlite+aiosqlite"))
    if url.get_backend_name() == "postgresql":
        return Postgres(url.set(drivername="postgresql+asyncpg"))
    raise DatabaseUrlError(f"Branchline stores its games in SQLite or PostgreSQL, not {url.get_backend_name()}")


class SqliteFile(Database):
    """With a write-ahead log, readers and the writer do not wait for each other; an acknowledged write is on disk, whatever happens."""

    is_file = True

    def __init__(self, url: URL) -> None:
        if not url.database or url.database == ":memory:":
            raise DatabaseUrlError("an SQLite database is a file: sqlite:///games.db")
        self.file = Path(url.database)
        check_presence(self.file)
        try:
            sqlite3.connect(url.database).close()
        except sqlite3.Error as error:
            raise explained(self.file, error) from None
        self.migrator = create_async_engine(url, poolclass=NullPool, hide_parameters=True)
        self.reader = create_async_engine(url, pool_size=4, max_overflow=0, hide_parameters=True)
        self.writer: SqliteWriter = SqliteWriter(url.database)
        for engine in (self.migrator, self.reader):
            event.listen(engine.sync_engine, "connect", prepare_sqlite)
        event.listen(self.migrator.sync_engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))

    def check(self) -> None:
        began = time.monotonic()
        check_whole(self.file)
        log.info("checked the database", seconds=round(time.monotonic() - began, 1))

    def explained(self, error: BaseException) -> DatabaseError:
        return explained(self.file, error)

    def is_away(self, _: BaseException) -> bool:
        return False

    async def changes(self, _: str) -> AsyncIterator[str | None]:
        """A connection can ask the file about commits by others; in this process only the writer commits."""
        known = await self.writer.version()
        yield None
        while True:
            await asyncio.sleep(LOOK_EVERY)
            now = await self.writer.version()
            if now != known:
                known = now
                yield None


class Postgres(Database):
    is_file = False

    def __init__(self, url: URL) -> None:
        with from_extra("postgresql", "PostgreSQL"):
            self.migrator = self.reader = create_async_engine(url, pool_size=8, max_overflow=4, pool_pre_ping=True, hide_parameters=True)
        named: dict[str, Any] = {"host": url.host, "port": url.port, "user": url.username, "password": url.password, "database": url.database}
        self._address = {name: value for name, value in named.items() if value is not None} | dict(url.query)
        self.writer = PostgresWriter(self._address)

    def is_away(self, error: BaseException) -> bool:
        """It is not there, or starting, or its name is not known yet."""
        return isinstance(error, OSError) or getattr(error, "sqlstate", None) == STARTING

    async def changes(self, channel: str) -> AsyncIterator[str | None]:
        """What the database announces. If the connection was lost, anything may have been missed."""
        import asyncpg

        while True:
            heard: asyncio.Queue[str | None] = asyncio.Queue()
            try:
                connection = await asyncpg.connect(**self._address, timeout=ANSWER_WITHIN)
            except (OSError, asyncpg.PostgresError, TimeoutError) as error:
                log.warning("no connection for news from other processes", error=type(error).__name__)
                await asyncio.sleep(1)
                continue
            try:
                connection.add_termination_listener(lambda _, heard=heard: heard.put_nowait(None))
                await connection.add_listener(channel, lambda _c, _p, _ch, what, heard=heard: heard.put_nowait(what))
                yield None
                while not connection.is_closed():
                    try:
                        yield await asyncio.wait_for(heard.get(), QUIET)
                    except TimeoutError:  # is it still there?
                        await connection.execute("SELECT 1", timeout=ANSWER_WITHIN)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as error:
                log.warning("the connection for news from other processes is lost", error=type(error).__name__)
            finally:
                with suppress(Exception):
                    await asyncio.wait_for(connection.close(), 2)
