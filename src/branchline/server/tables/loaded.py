"""All tables of this server process. Everything that happens at a table goes through here: it is asked for, committed, acknowledged, broadcast."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

from branchline.boards.loader import UnknownVersion, load_board
from branchline.boards.model import UnknownBoard
from branchline.server.metrics import Metrics
from branchline.server.protocol import messages as m
from branchline.server.protocol.messages import PERSON
from branchline.server.protocol.refusals import Refused
from branchline.server.settings import Settings
from branchline.server.steady_clock import SteadyClock
from branchline.server.store.changes import Summary
from branchline.server.store.entries import WAITING, Entry, Header
from branchline.server.store.store import News, Store, Stored
from branchline.server.tables.commands import Already, Asked, answer, entry
from branchline.server.tables.due import BOT, beginning, next_due
from branchline.server.tables.opening import Opening, new_table, rematch
from branchline.server.tables.pressure import Pressure
from branchline.server.tables.publishing import Publisher
from branchline.server.tables.table import Table

QUICKLY_READ = 100  # entries; longer logs are read in a thread, so that other tables do not have to wait
TRIES = 50  # at writing an entry while others write; each failure means that another one succeeded
COUNTED_AFTER = 0.5  # seconds after which spectators who come and go are counted again: a reload is not worth telling
TOLD_AFTER = 0.01  # seconds after which a busy server checks whether those who are not asked have waited for too long
LEFT_BY_OTHERS = {BOT: 5.0}  # seconds after which a process does what another one should have done
SOON = 0.5  # for everything else


class LoadedTables:
    def __init__(self, store: Store, settings: Settings, metrics: Metrics, clock: SteadyClock | None = None) -> None:
        self.store, self.settings, self.metrics, self.clock = store, settings, metrics, clock or SteadyClock()
        self.publisher = Publisher(
            later=lambda tell: asyncio.get_running_loop().call_later(COUNTED_AFTER, tell),
            soon=lambda tell: asyncio.get_running_loop().call_later(TOLD_AFTER if self.pressure.is_high else 0.0, tell),
            is_busy=lambda: self.pressure.is_high,
        )
        self.pressure = Pressure(settings.most_waiting, settings.longest_wait)
        self.on_change: Callable[[Table], None] = lambda _: None  # called with every table that this process changes
        self.on_load: Callable[[Table], None] = lambda _: None  # called with every table that it reads from the store
        self._seen: dict[str, tuple[int, float]] = {}  # the last entry of each table, and when this process first saw it, by the monotonic clock
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # of tables in use
        self._at_work: set[asyncio.Task[Done]] = set()

    # finding tables

    async def table(self, name: str, stored: Stored | None = None) -> Table:
        """A table as this process knows it, or as the store has it; it may have been read already."""
        if name in self._tables:
            self._tables.move_to_end(name)
            return self._tables[name]
        async with self.lock(name):
            return await self._load(name, stored)

    def knows(self, name: str) -> bool:
        return name in self._tables

    def lock(self, name: str) -> asyncio.Lock:
        """Only one task at a time changes a table in this process."""
        lock = self._locks.get(name)
        if lock is None:
            lock = self._locks[name] = asyncio.Lock()
        return lock

    async def _load(self, name: str, stored: Stored | None = None) -> Table:
        if name not in self._tables:
            header = stored.header if stored is not None else await self.store.header(name)
            if header is None:
                raise Refused("no_table")
            check_board(header)
            is_whole = stored is not None and bool(stored.log) and stored.log[0].sequence == 1  # otherwise a part of it is archived
            log = stored.log if stored is not None and is_whole else await self.store.log(name)
            self._tables[name] = await asyncio.to_thread(rebuilt, header, log) if len(log) > QUICKLY_READ else rebuilt(header, log)
            self._make_room()
            self.on_load(self._tables[name])
        self._tables.move_to_end(name)
        return self._tables[name]

    def _make_room(self) -> None:
        """Forget tables that have not been used for long and nobody is watching: the store has everything."""
        if len(self._tables) <= self.settings.most_tables:
            return
        for name in list(self._tables):
            if name not in self._locks and not self.publisher.has_readers(name):
                del self._tables[name]
                self._seen.pop(name, None)
            if len(self._tables) <= self.settings.most_tables:
                return

    def forget(self, names: Iterable[str]) -> None:
        """These are no longer stored."""
        for name in names:
            self._tables.pop(name, None)
            self._seen.pop(name, None)

    def forget_game(self, game: str) -> None:
        """The board of this game has changed: its tables are read again, and refused if they were played on the board as it was."""
        names = [name for name, table in self._tables.items() if table.header.game == game]
        self.forget(names)
        for name in names:
            self.publisher.keep_back(name)
            self.publisher.let_go(name)

    @property
    def loaded(self) -> int:
        return len(self._tables)

    async def refresh(self, news: News) -> None:
        """Another process has written: read what it wrote, and tell this process's readers. None means that any table may have changed."""
        written = await self.store.last_entries(list(self._tables)) if news is None else [news]
        for name, last_entry in written:
            if name in self._tables and self._tables[name].last_entry < last_entry:
                with suppress(Refused):  # it can no longer be shown here
                    await self._catch_up(name)

    async def fresh(self, name: str) -> Table:
        """A table as the store has it now, whoever wrote last."""
        if name not in self._tables:
            return await self.table(name)
        await self._catch_up(name)
        return await self.table(name)

    def time_at(self, table: Table) -> float:
        """The time at a table: never before its last entry, and going on from there even if the clock of the process that wrote it was ahead."""
        name, now = table.header.id, self.clock.monotonic()
        if self._seen.get(name, (0,))[0] != table.last_entry:
            self._seen[name] = (table.last_entry, now)
        return max(self.clock(), round(table.changed_at + now - self._seen[name][1], 6))

    async def _catch_up(self, name: str) -> None:
        async with self.lock(name):
            table = self._tables.get(name)
            if table is not None and await self._read_on(table):
                self.publisher.publish(table)

    async def _read_on(self, table: Table) -> bool:
        news = await self.store.log(table.header.id, table.last_entry)
        try:
            for one in news:
                table.apply(one)
        except BaseException as error:
            self._tables.pop(table.header.id, None)  # half changed: it has to be read again
            self.publisher.keep_back(table.header.id)
            if isinstance(error, Refused):
                self.publisher.let_go(table.header.id)  # people there connect again, and reach a process that knows more
            raise
        return bool(news)

    # changing tables

    async def create(self, key: str, asked: m.CreateTable) -> Table:
        self.pressure.must_have_room()
        with self.pressure.wait():
            return await self._create(key, asked)

    async def _create(self, key: str, asked: m.CreateTable) -> Table:
        if await self.store.unfinished(key) >= self.settings.tables_per_guest:
            raise Refused("too_many_tables")
        if PERSON not in asked.seats and not await self._has_room_for_bots(key):
            raise Refused("too_many_tables")
        new = new_table(key, asked, self.clock())
        await self.store.create(new.table.header, new.log, self.summary(new.table))
        self._take_in(new.table)
        return new.table

    async def _has_room_for_bots(self, key: str) -> bool:
        """Tables of bots alone never wait for anybody, so they take as much of the machine as they get."""
        of_host, of_all = await self.store.bot_tables(key)
        return of_host < self.settings.bot_tables_per_guest and of_all < self.settings.bot_tables

    def _take_in(self, table: Table) -> None:
        self._tables[table.header.id] = table
        self._make_room()
        self.on_change(table)

    async def ask(self, name: str, key: str | None, command: Any, acknowledge: Callable[[int], None] | None = None) -> Done:
        """Do what somebody asks for: commit, acknowledge, tell everybody. Once begun, it is finished even if the sender has gone."""
        self.pressure.must_have_room()
        work = asyncio.create_task(self._ask(name, key, command, acknowledge))
        self._at_work.add(work)
        work.add_done_callback(self._at_end)
        return await asyncio.shield(work)

    def _at_end(self, work: asyncio.Task[Done]) -> None:
        """If the sender has gone, nobody else sees an error, and asyncio would log its text."""
        self._at_work.discard(work)
        if not work.cancelled():
            work.exception()

    async def finish(self) -> None:
        """Wait for everything in progress."""
        await asyncio.gather(*self._at_work, return_exceptions=True)

    async def _ask(self, name: str, key: str | None, command: Any, acknowledge: Callable[[int], None] | None) -> Done:
        received = time.perf_counter()
        with self.pressure.wait():
            return await self._in_turn(name, key, command, acknowledge, received)

    async def _in_turn(self, name: str, key: str | None, command: Any, acknowledge: Callable[[int], None] | None, received: float) -> Done:
        async with self.lock(name):
            table, cursor = await self._carry_out(name, Asked(key, command, self.clock()))
            if acknowledge is not None:
                acknowledge(cursor)
            self._tell(table, received)
        if table.status == WAITING and not table.free_seats:  # if this fails, it is done when due
            await self.fire(name, lambda now: next_step(now, self.clock()))
        return Done(self._tables.get(name, table), table.seat_of(key), cursor)

    async def _carry_out(self, name: str, asked: Asked) -> tuple[Table, int]:
        for _ in range(TRIES):
            table = await self._load(name)
            try:
                answered, also = rematch(table, asked) if isinstance(asked.command, m.Rematch) else (answer(table, asked), None)
            except Refused:
                if not await self._read_on(table):
                    raise
                self._tell(table)  # another process has written in the meantime: try again
                continue
            if isinstance(answered, Already):
                if await self._read_on(table):  # it may have been undone through another process
                    self._tell(table)
                    continue
                return table, answered.cursor
            known = table.last_entry
            after = await self._write(table, answered, also)
            if after is not None:
                return after, len(after.streams[after.seat_of(asked.key)])
            if await self.store.header(name) is None:  # dropped by another process
                self.forget([name])
                raise Refused("no_table")
            if table.last_entry == known:  # nobody was faster: the store knows this message, from long ago
                return table, len(table.streams[table.seat_of(asked.key)])
        raise Refused("stale")

    async def _write(self, table: Table, new: Entry, also: Opening | None = None) -> Table | None:
        """Commit an entry; only then does the table change. None means that another entry was first, and the table now includes it."""
        after = table.after(new)
        began = time.perf_counter()
        name = table.header.id
        opened = None if also is None else (also.table.header, also.log, self.summary(also.table))
        if not await self.store.append(after.header, new, self.summary(after), opened):
            self.metrics.lost_races.inc()
            if await self._read_on(table):
                self._tell(table)
            return None
        self.metrics.committed(new.kind, time.perf_counter() - began)
        self._tables[name] = after
        if also is not None:
            self._take_in(also.table)
        return after

    def _tell(self, table: Table, received: float | None = None) -> None:
        self.publisher.publish(table)
        if received is not None:
            self.metrics.told_seconds.observe(time.perf_counter() - received)
        self.on_change(table)

    async def fire(self, name: str, build: Callable[[Table], Entry | None]) -> Table | None:
        """Write something that is due, if it still is: `build` looks at the table as it is now."""
        async with self.lock(name):
            table = await self._load(name)
            new = build(table)
            after = await self._write(table, new) if new is not None else None
            if after is not None:
                self._tell(after)
            return after

    def summary(self, table: Table) -> Summary:
        """When to look after the table. The process that wrote last does so in time; if it has gone, another one does a little later."""
        due = next_due(table, self.settings)
        listed = table.status == WAITING and bool(table.header.settings["open"]) and any(seat.is_free_for(None) for seat in table.seats)
        wake_at = None if due is None else due.at + LEFT_BY_OTHERS.get(due.what, SOON)
        return Summary(table.status, listed, wake_at, table.ended_at)


def check_board(header: Header) -> None:
    """Refuse a table whose rules or board this server does not have."""
    try:
        board = load_board(header.game, header.rules_version)
    except UnknownVersion:
        raise Refused("other_rules") from None
    except UnknownBoard:
        raise Refused("other_board") from None
    if board.mark != header.settings.get("board"):
        raise Refused("other_board")


def next_step(table: Table, at: float) -> Entry | None:
    """The last seat is taken, or the last number is there: ask for the numbers, or begin the game."""
    due = beginning(table) if table.status == WAITING else None
    return entry(table, due.what, at) if due is not None and due.at <= max(at, table.changed_at) else None


def rebuilt(header: Header, log: list[Entry]) -> Table:
    table = Table(header)
    for one in log:
        table.apply(one)
    return table


@dataclass(frozen=True)
class Done:
    """The result of a request: the table, the sender's seat, and the cursor of its stream."""

    table: Table
    seat: int | None
    cursor: int
