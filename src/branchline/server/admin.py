"""`branchline admin`: what operators do to the tables of a server, running or not. Everything goes through the database, so all processes follow."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path

from branchline.errors import BranchlineError, UsageError
from branchline.server.metrics import Metrics
from branchline.server.protocol.refusals import Refused
from branchline.server.settings import DAY, Settings
from branchline.server.store import entries as kinds
from branchline.server.store.checking import check_presence, check_whole
from branchline.server.store.databases import file_of
from branchline.server.store.entries import ABANDONED, FINISHED, PLAYING, WAITING, Entry
from branchline.server.store.migrating import DatabaseError
from branchline.server.store.store import Blocked, Found, Store
from branchline.server.tables.commands import entry
from branchline.server.tables.downloads import record_for
from branchline.server.tables.housekeeping import archive_ended, drop_old
from branchline.server.tables.loaded import LoadedTables
from branchline.server.tables.table import Table

STATUSES = (WAITING, PLAYING, FINISHED, ABANDONED)


class AdminError(BranchlineError):
    """What the operator asked for cannot be done."""


@dataclass(frozen=True)
class Where:
    """The database, and the key of its seeds."""

    database_url: str
    key_file: str


def must_exist(where: Where) -> None:
    """Only a server makes a new database: here, a file that is not there means that its name is wrong."""
    file = file_of(where.database_url)
    if file is None or file.exists():
        return
    check_presence(file)
    raise DatabaseError(f"there is no database {file}: say where the server's is with --database-url, or in BRANCHLINE_DATABASE_URL")


@asynccontextmanager
async def opened(where: Where) -> AsyncIterator[Store]:
    must_exist(where)
    store = await Store.open(where.database_url, where.key_file)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def loaded(where: Where) -> AsyncIterator[LoadedTables]:
    async with opened(where) as store:
        yield LoadedTables(store, Settings(database_url=where.database_url, key_file=where.key_file), Metrics())


async def the_table(tables: LoadedTables, name: str) -> Table:
    """A table by its name, or by its link."""
    try:
        return await tables.table(name.rstrip("/").rsplit("/", 1)[-1])
    except Refused as refused:
        raise AdminError(refused.message.rstrip(".")) from None


# tables


@dataclass(frozen=True)
class Listed:
    found: Found
    names: list[str]
    entries: int
    changed_at: float


async def list_tables(where: Where, status: str | None, game: str | None, player: str | None, most: int) -> list[Listed]:
    """The newest tables, of one status or game only, or with somebody of that name."""
    listed: list[Listed] = []
    async with opened(where) as store:
        async for found in store.every(status, game):
            log = await store.log(found.id)
            names = list(dict.fromkeys(one.body["name"] for one in log if one.kind == kinds.SIT))
            if player is None or any(player.casefold() in name.casefold() for name in names):
                listed.append(Listed(found, names, len(log), log[-1].at if log else found.created_at))
            if len(listed) == most:
                break
    return listed


async def close_table(where: Where, name: str) -> None:
    """End a table for everybody, whatever its people want."""

    def closed(table: Table) -> Entry | None:
        return entry(table, kinds.ABANDON, tables.clock(), gives_up=True) if table.status in (WAITING, PLAYING) else None

    async with loaded(where) as tables:
        table = await the_table(tables, name)
        if table.status not in (WAITING, PLAYING):
            raise AdminError(f"the table is {table.status} already")
        for _ in range(10):  # while others write, too
            if await tables.fire(table.header.id, closed) is not None:
                return
    raise AdminError("the table changes all the time: try again")


async def export_table(where: Where, name: str) -> str:
    """The record of a table's game: in full once it is over, before that as a spectator may know it."""
    async with loaded(where) as tables:
        try:
            return record_for(await the_table(tables, name), None).to_json()
        except Refused as refused:
            raise AdminError(refused.message.rstrip(".")) from None


async def archive(where: Where, after: float, keep: float, keep_abandoned: float) -> tuple[int, int]:
    """How many games were stored compactly, and how many dropped; all times in days."""
    async with opened(where) as store:
        tables = LoadedTables(store, Settings(archive_after=after * DAY, keep=keep, keep_abandoned=keep_abandoned), Metrics())
        return await archive_ended(tables), await drop_old(tables)


# addresses


def network(text: str) -> str:
    try:
        return str(ip_network(text.strip(), strict=False))
    except ValueError:
        raise UsageError(f"{text!r} is neither an address nor a network such as 203.0.113.0/24") from None


async def block(where: Where, address: str, reason: str) -> str:
    chosen = network(address)
    async with opened(where) as store:
        await store.block(chosen, time.time(), reason)
    return chosen


async def unblock(where: Where, address: str) -> str:
    chosen = network(address)
    async with opened(where) as store:
        if chosen not in [one.network for one in await store.blocked()]:
            raise AdminError(f"{chosen} is not blocked; `branchline admin blocked` lists what is")
        await store.unblock(chosen)
    return chosen


async def blocked(where: Where) -> list[Blocked]:
    async with opened(where) as store:
        return await store.blocked()


# backups


@dataclass
class Checked:
    """What a database holds, and what is wrong with it."""

    tables: int
    entries: int
    problems: list[str]


async def check_backup(where: Where) -> Checked:
    """Is everything in a database there, and does every table play again by its rules? A file is copied first, and not changed."""
    file = file_of(where.database_url)
    if file is None:
        return await check_tables(where)
    if not file.exists():
        raise DatabaseError(f"{file} does not exist")
    check_presence(file)
    key = Path(where.key_file or f"{file}.key")
    with tempfile.TemporaryDirectory(prefix="branchline-") as folder:
        copy = Path(folder) / "copy.db"
        copied_key = copy.with_name("copy.db.key")
        for one, its_copy in ((file, copy), (Path(f"{file}-wal"), copy.with_name("copy.db-wal")), (key, copied_key)):
            if one.exists():
                shutil.copy(one, its_copy)
        with saying({copied_key: key, copy: file}):
            check_whole(copy)
            return await check_tables(Where(f"sqlite:///{copy}", str(copied_key)))


@contextmanager
def saying(names: dict[Path, Path]) -> Iterator[None]:
    """What is wrong with a copy is said of the original, under its name."""
    try:
        yield
    except DatabaseError as error:
        text = str(error)
        for copy, original in names.items():
            text = text.replace(str(copy), str(original))
        raise DatabaseError(text) from None


async def check_tables(where: Where) -> Checked:
    checked = Checked(0, 0, [])
    async with loaded(where) as tables:
        async for found in tables.store.every():
            checked.tables += 1
            try:
                table = await tables.table(found.id)
            except Exception as error:  # whatever is wrong with a table, the others are looked at, too
                checked.problems.append(f"{found.id}: cannot be played again ({getattr(error, 'message', None) or type(error).__name__})")
                continue
            checked.entries += table.last_entry
            if table.status != found.status:
                checked.problems.append(f"{found.id}: is {found.status} in the list, and {table.status} by its log")
    return checked
