"""How each database writes the changes of many callers in one transaction. If one of them fails, the others are stored all the same."""

from __future__ import annotations

import asyncio
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any

from branchline.server.store.changes import Change, together
from branchline.server.store.committing import Outcome
from branchline.server.store.statements import MANY_ENTRIES, MANY_SUMMARIES, NOTIFY, STATEMENTS

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000")
ANSWER_WITHIN = 10  # seconds, after which PostgreSQL counts as gone


class Writer(ABC):
    @abstractmethod
    async def write(self, changes: Sequence[Change]) -> list[Outcome]:
        """Returns when they are on disk. Raises if nothing could be stored."""

    @abstractmethod
    async def close(self) -> None: ...


# SQLite

FOR_SQLITE = {name: statement.replace("$", "?") for name, statement in STATEMENTS.items()}
OF_ONE_CHANGE = (sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.ProgrammingError, sqlite3.DataError, OverflowError, UnicodeError)
MANY = {"entries": (MANY_ENTRIES, 8), "summaries": (MANY_SUMMARIES, 5)}


class SqliteWriter(Writer):
    """A connection of its own in a thread of its own: statements go to SQLite as they are."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="database")
        self._opened: sqlite3.Connection | None = None

    async def write(self, changes: Sequence[Change]) -> list[Outcome]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._write, changes)

    async def version(self) -> int:
        """Changes whenever another connection commits; only the one that writes can ask without hearing of itself."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._version)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            self._opened = sqlite3.connect(self._file, isolation_level=None, cached_statements=1024)
            prepare_sqlite(self._opened)
        return self._opened

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()
        self._opened = None

    def _version(self) -> int:
        [[version]] = self._connection().execute("PRAGMA data_version").fetchall()
        return int(version)

    def _write(self, changes: Sequence[Change]) -> list[Outcome]:
        try:
            with begun(self._connection()) as connection:
                carry_out(connection, together(changes))
            return [True] * len(changes)
        except OF_ONE_CHANGE as error:
            return self._one_by_one(changes) if len(changes) > 1 else [outcome_of(error)]
        except sqlite3.Error:  # the file cannot be written: begin afresh next time
            with suppress(sqlite3.Error):
                self._close()
            raise

    def _one_by_one(self, changes: Sequence[Change]) -> list[Outcome]:
        """Still in one transaction, but each change can fail alone."""
        outcomes: list[Outcome] = []
        with begun(self._connection()) as connection:
            for change in changes:
                connection.execute("SAVEPOINT one")
                try:
                    carry_out(connection, change)
                    outcomes.append(True)
                except OF_ONE_CHANGE as error:
                    connection.execute("ROLLBACK TO one")
                    outcomes.append(outcome_of(error))
                connection.execute("RELEASE one")
        return outcomes


def prepare_sqlite(connection: Any, _: Any = None) -> None:
    connection.isolation_level = None  # we begin transactions ourselves
    for pragma in PRAGMAS:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA {pragma}")
        cursor.close()


@contextmanager
def begun(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def outcome_of(error: Exception) -> Outcome:
    return False if isinstance(error, sqlite3.IntegrityError) else error


def carry_out(connection: sqlite3.Connection, change: Change) -> None:
    for name, statement in FOR_SQLITE.items():
        rows = change.rows_of(name)
        if len(rows) == 1:
            connection.execute(statement, rows[0])
        elif rows and name in MANY:
            connection.execute(for_many(*MANY[name], len(rows)), [value for row in rows for value in row])
        elif rows:
            connection.executemany(statement, rows)


@lru_cache(maxsize=1024)
def for_many(statement: str, columns: int, rows: int) -> str:
    return statement.format(rows=", ".join([f"({', '.join('?' * columns)})"] * rows))


# PostgreSQL


class PostgresWriter(Writer):
    def __init__(self, address: dict[str, Any]) -> None:
        self._address = address
        self._opened: Any = None

    async def write(self, changes: Sequence[Change]) -> list[Outcome]:
        import asyncpg

        connection = await self._connection()
        of_one_change = (asyncpg.IntegrityConstraintViolationError, asyncpg.DataError, asyncpg.exceptions.DataError, asyncpg.TransactionRollbackError)
        try:
            try:
                async with connection.transaction():
                    await self._carry_out(connection, together(changes))
                return [True] * len(changes)
            except of_one_change as error:
                if len(changes) == 1 and not isinstance(error, asyncpg.TransactionRollbackError):
                    return [self._outcome_of(error)]
                return await self._one_by_one(connection, changes, of_one_change)
        except BaseException:  # what became of the transaction is unknown: begin afresh next time
            self._opened = None
            connection.terminate()
            raise

    async def _one_by_one(self, connection: Any, changes: Sequence[Change], of_one_change: tuple[type[Exception], ...]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        async with connection.transaction():
            for change in changes:
                try:
                    async with connection.transaction():  # a savepoint
                        await self._carry_out(connection, change)
                    outcomes.append(True)
                except of_one_change as error:
                    outcomes.append(self._outcome_of(error))
        return outcomes

    async def _carry_out(self, connection: Any, change: Change) -> None:
        for name, statement in (*STATEMENTS.items(), ("news", NOTIFY)):
            rows = change.rows_of(name)
            if len(rows) == 1:
                await connection.execute(statement, *rows[0])
            elif rows:
                await connection.executemany(statement, rows)

    def _outcome_of(self, error: Exception) -> Outcome:
        import asyncpg

        return False if isinstance(error, asyncpg.IntegrityConstraintViolationError) else error

    async def _connection(self) -> Any:
        import asyncpg

        if self._opened is None or self._opened.is_closed():
            self._opened = await asyncpg.connect(**self._address, timeout=ANSWER_WITHIN, command_timeout=ANSWER_WITHIN)
        return self._opened

    async def close(self) -> None:
        if self._opened is not None:
            with suppress(Exception):
                await asyncio.wait_for(self._opened.close(), 2)
