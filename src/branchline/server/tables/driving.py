"""Drives what happens by itself: bots act, seats are taken over, tables expire. Each is an entry like any other, so it happens once."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import structlog

from branchline.play.events import Event, redact
from branchline.play.games import View
from branchline.server.logs import where
from branchline.server.protocol.keys import logged
from branchline.server.protocol.live_replies import THINKS_LESS
from branchline.server.protocol.refusals import Refused
from branchline.server.store import entries as kinds
from branchline.server.store.entries import Entry
from branchline.server.store.store import Stored
from branchline.server.tables.commands import entry, must_be_legal
from branchline.server.tables.due import BOT, TIME, Due, next_due
from branchline.server.tables.fair_queue import Asker
from branchline.server.tables.loaded import LEFT_BY_OTHERS, SOON, LoadedTables
from branchline.server.tables.table import Table
from branchline.server.tables.thinking import Thinkers

log = structlog.get_logger()
T = TypeVar("T")
ALONE_AT_ONCE = 4  # tables without people where bots act at the same moment: nobody waits for them, and others do
BELATED_AT_ONCE = 25  # tables that are looked after at the same moment because something is overdue there
JUST_NOW, LATELY = 5.0, 30.0  # seconds: what has been overdue for longer does not hold up what became due since
JUST_STARTED = 60.0  # seconds in which this process also takes care of what is due soon: whoever did before is gone
FAR = 3600.0  # anything due later is found by the watch
TICK = 0.002  # seconds by which a timer may fire early: uvloop counts in milliseconds
NOT_HERE = 3600.0  # seconds before looking again at a table that this process cannot play
AGAIN = 30.0  # seconds before retrying something that failed
TOLD_AGAIN = 30.0  # seconds before people are told again that a bot thinks less


@dataclass(frozen=True)
class Question:
    """A question for a bot. If the table has moved on in the meantime, the answer is dropped."""

    seat: int
    question: int
    view: View
    level: str
    seed: int


class Driver:
    def __init__(self, tables: LoadedTables, thinkers: Thinkers) -> None:
        self.tables, self.thinkers = tables, thinkers
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._alone = asyncio.Semaphore(ALONE_AT_ONCE)
        self._long: set[str] = set()  # tables where a bot thinks for long, or waits for its turn to
        self._left_to_others: set[str] = set()  # tables that this process has read, but not changed
        self._held: dict[str, float] = {}  # tables where something must not happen yet, and when to look again, by the monotonic clock
        self._told_level: dict[tuple[str, int], float] = {}  # tables and seats of bots that think less than their level, and when people were told
        self._started = tables.clock.monotonic()
        tables.on_change, tables.on_load = self.look_at, self.look_at_loaded

    def look_at(self, table: Table) -> None:
        """This process has changed the table: from now on it does what is due there, and wakes up when the next thing is."""
        self._left_to_others.discard(table.header.id)
        self._set_timer(table)

    def look_at_loaded(self, table: Table) -> None:
        """Somebody wants to see this table: what is overdue here need not wait for the watch. A process that looks after it already comes first."""
        self._left_to_others.add(table.header.id)
        self._set_timer(table)

    def _set_timer(self, table: Table) -> None:
        name = table.header.id
        if name in self._busy:
            return  # it checks again when it is done
        if name in self._timers:
            self._timers.pop(name).cancel()
        due = self._next_due(table)
        wait = FAR if due is None else self._when(name, due) - self.tables.time_at(table)
        if wait < FAR:
            self._timers[name] = asyncio.get_running_loop().call_later(wait + TICK if wait > 0 else 0.0, self._wake, name)
        else:
            self._left_to_others.discard(name)

    def _when(self, name: str, due: Due) -> float:
        """When this process does it: in time, or a little later where another one should."""
        if name not in self._left_to_others:
            return due.at
        return due.at + (SOON if self._has_just_started else LEFT_BY_OTHERS.get(due.what, SOON))

    @property
    def _has_just_started(self) -> bool:
        return self.tables.clock.monotonic() - self._started < JUST_STARTED

    def _next_due(self, table: Table) -> Due | None:
        """While the time may be wrong, nothing expires, and nobody runs out of time."""
        clock = self.tables.clock
        return next_due(table, self.tables.settings, (kinds.EXPIRE, TIME) if clock.has_jumped else () if clock.is_calm else (kinds.EXPIRE,))

    def _wake(self, name: str) -> None:
        if name in self._timers:
            self._timers.pop(name).cancel()  # what it was set for may no longer apply
        if name not in self._busy:
            self._busy[name] = asyncio.create_task(self._act(name))

    async def _act(self, name: str) -> None:
        table = await self._tried(name, self.do_due(name))
        del self._busy[name]
        if table is not None:
            self._set_timer(table)

    async def _tried(self, name: str, work: Coroutine[Any, Any, Table]) -> Table | None:
        """The table after the work; None if that is impossible: the watch tries again later, or never."""
        try:
            return await work
        except Refused:  # this table cannot be played here: perhaps another process knows its rules
            self._held[name] = self.tables.clock.monotonic() + NOT_HERE
            return None
        except Exception as error:
            self.tables.metrics.failures.inc()
            log.error("driving failed", table=logged(name), **where(error))
            later = self.tables.clock() + AGAIN
        with suppress(Exception):
            await self.tables.store.put_off(name, later)
        return None

    async def do_due(self, name: str) -> Table:
        """Do whatever is due by now, one thing after the other."""
        while True:
            table = await self.tables.table(name)
            due = self._next_due(table)
            if due is None or self._when(name, due) > self.tables.time_at(table):
                return table
            if due.what == BOT:
                await self._let_bot_decide(table, due)
            else:
                await self.tables.fire(name, partial(self._still_due, due))

    def _still_due(self, due: Due, table: Table) -> Entry | None:
        if self._next_due(table) != due:
            return None
        body = {} if due.reason is None else {"reason": due.reason}
        return entry(table, due.what, self.tables.time_at(table), due.seat, **body)

    async def _let_bot_decide(self, table: Table, due: Due) -> None:
        question = bot_question(table, due)
        is_long, name = self.thinkers.is_long(question.level), table.header.id
        waits_for_nobody = not is_long and not any(seat.is_here for seat in table.seats)
        async with self._alone if waits_for_nobody else nullcontext():
            if is_long:
                self._long.add(name)
            try:
                await self._decide(table, question)
            finally:
                self._long.discard(name)

    async def _decide(self, table: Table, question: Question) -> None:
        began = time.perf_counter()
        asker = Asker(table.header.host, self.thinkers.addresses.of(table.header.host), any(seat.is_here for seat in table.seats))
        past = past_of(table, question.seat) if question.level in self.thinkers.further else []
        thought = await self.thinkers.decide(question.view, question.level, question.seed, asker, past)
        self.tables.metrics.bot_seconds.labels(thought.level).observe(time.perf_counter() - began)
        self._tell_level(table.header.id, question, thought.level)
        await self.tables.fire(table.header.id, lambda now: bot_entry(now, question, thought.decision, self.tables.time_at(now)))

    def _tell_level(self, name: str, question: Question, level: str) -> None:
        """Tell people at the table when a bot thinks less than they asked for, now and then. It is not part of the game, so it is not in the log."""
        now, seat = self.tables.clock.monotonic(), (name, question.seat)
        if level == question.level or now - self._told_level.get(seat, -TOLD_AGAIN) < TOLD_AGAIN:
            return
        self._told_level = {one: when for one, when in self._told_level.items() if now - when < TOLD_AGAIN} | {seat: now}
        self.tables.publisher.notify(name, {"notice": THINKS_LESS, "seat": question.seat, "level": level})

    async def watch(self) -> None:
        """Keep looking for overdue things that nobody has done, after a restart or because another process is gone."""
        ahead = JUST_STARTED
        while True:
            try:
                await self._look_for_overdue(ahead)
                ahead = 0.0
            except Exception as error:
                self.tables.metrics.failures.inc()
                log.error("looking for what is due failed", **where(error))
            await asyncio.sleep(self.tables.settings.watch_every)

    async def _look_for_overdue(self, ahead: float) -> None:
        """Read each table once and set its timer, page by page: nothing waits for all of them to be read, nor for a bot that thinks for long.

        What became due just now or becomes due soon alternates with what has been overdue for longer, so that it happens in time however much
        that is: after a short restart, thousands may have become due lately.
        """
        then, overdue = self.tables.clock(), self.tables.store.overdue
        just_now, soon = overdue(then, since=then - JUST_NOW), overdue(then + ahead, since=then)
        long_ago, lately = overdue(then - LATELY), overdue(then - JUST_NOW, since=then - LATELY)
        async for names in by_turns(just_now, soon, lately, long_ago):
            now = self.tables.clock.monotonic()
            wanted = [name for name in names if name not in self._busy and self._held.get(name, 0.0) <= now]
            stored = await self.tables.store.several([name for name in wanted if not self.tables.knows(name)])
            for first in range(0, len(wanted), BELATED_AT_ONCE):
                await asyncio.gather(*(self.find(name, stored.get(name)) for name in wanted[first : first + BELATED_AT_ONCE]))
                await self._have_time()

    async def _have_time(self) -> None:
        """Catching up gives way to what is due now and to people: it goes on when little is being done. Bots that think for long do not count."""
        await asyncio.sleep(0)
        while len(self._busy) - len(self._long) > BELATED_AT_ONCE:
            await asyncio.sleep(0.01)

    async def find(self, name: str, stored: Stored | None = None) -> None:
        """The store says that something is due at this table. If it is wrong about that, correct it."""
        table = await self._tried(name, self.tables.table(name, stored) if stored is not None else self.tables.fresh(name))
        if table is None:
            return
        due = next_due(table, self.tables.settings)
        self._held.pop(name, None)
        if due is None or due.at > self.tables.time_at(table) + JUST_STARTED:
            await self._tried(name, self._correct(table))
        elif due != self._next_due(table):
            self._held[name] = self.tables.clock.monotonic() + AGAIN
        self._set_timer(table)

    async def _correct(self, table: Table) -> Table:
        await self.tables.store.correct(table.header.id, table.last_entry, self.tables.summary(table))
        return table

    async def follow(self) -> None:
        """Keep reading what other server processes write."""
        while True:
            try:
                async for news in self.tables.store.changes():
                    await self.tables.refresh(news)
            except Exception as error:
                log.error("following other processes failed", **where(error))
            await asyncio.sleep(1)

    async def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        for task in list(self._busy.values()):
            task.cancel()
        await asyncio.gather(*self._busy.values(), return_exceptions=True)
        self.thinkers.close()


async def by_turns(*sources: AsyncIterator[T]) -> AsyncIterator[T]:
    """One from each source, until all are empty."""
    left = list(sources)
    while left:
        for source in tuple(left):
            try:
                yield await anext(source)
            except StopAsyncIteration:
                left.remove(source)


def bot_question(table: Table, due: Due) -> Question:
    assert due.seat is not None
    assert table.state is not None
    seat = table.seats[due.seat]
    level = table.header.settings["stand_in"] if seat.is_person else seat.plan
    seed = bot_seed(table, due.seat)
    return Question(due.seat, table.questions[due.seat], table.state.view(due.seat), level, seed)


def past_of(table: Table, seat: int) -> list[Event]:
    """What has happened in the game, as the seat may know it."""
    assert table.state is not None
    return [redact(event, seat) for event in table.state.events]


def bot_seed(table: Table, seat: int) -> int:
    """As secret as the game's seed until the game is over, and no help in finding it."""
    return int.from_bytes(hashlib.sha256(f"{table.seed} bot {seat}".encode()).digest()[:7])


def bot_entry(table: Table, question: Question, decision: int, at: float) -> Entry | None:
    """The decision, if the question is still open and a bot still plays there."""
    if table.questions.get(question.seat) != question.question or not table.seats[question.seat].bot_plays:
        return None
    must_be_legal(table.state, question.seat, decision)
    return entry(table, kinds.DECIDE, at, question.seat, decision=decision)
