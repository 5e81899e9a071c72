"""Tell everybody at a table what they may see, and how many watch. Each reader has its own queue, so a slow one holds up nobody.

Those who are asked something are told at once, the others as soon as nothing more urgent waits. On a busy server several things may have happened at
their table by then; they are told in one message. How far somebody's tickets are, the most expensive part of a message, then waits for that as well.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from pydantic_core import to_json

from branchline.play.patches import Json, difference
from branchline.server.tables.snapshots import Common, snapshot, state_for
from branchline.server.tables.table import Table, Viewer


@dataclass(eq=False)
class Reader:
    """One open connection and what waits to be sent on it."""

    table: str
    key: str | None  # the hash of its key
    viewer: Viewer
    most: int  # the most messages that may wait
    queue: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)
    let_go: Callable[[], object] = lambda: None  # called when too many wait, or when it may no longer watch
    is_lost: bool = False

    def send(self, message: bytes) -> None:
        if self.is_lost:
            return
        if self.queue.qsize() < self.most:
            self.queue.put_nowait(message)
            return
        self.lose()

    def lose(self) -> None:
        self.is_lost = True
        self.queue = asyncio.Queue()
        self.let_go()


@dataclass
class Told:
    """What the readers of one viewer were told last."""

    cursor: int
    state: Json
    is_late: bool = False  # how far the tickets are is from before


Later = Callable[[Callable[[], None]], object]  # calls a function, now or a little later
LONGEST_WAIT = 0.5  # seconds until those who are not asked are told, whatever else there is to do
AT_A_TIME = 8  # of the tables that wait, one in eight is told at each turn of the event loop
A_MOMENT, A_WHILE = 0.004, 0.05  # seconds that telling those who wait may take at a turn, at least and at most


class Publisher:
    """The readers of all tables, by table and viewer.

    How many watch is known to this process alone, and only while they do: it belongs to no stream and is written nowhere. `later` says when
    a change of it is told, once for all who came and went meanwhile. `soon` says when readers who are not asked are told, and `is_busy` whether
    they should wait for as long as they may.
    """

    def __init__(self, later: Later = lambda tell: tell(), soon: Later = lambda tell: tell(), is_busy: Callable[[], bool] = lambda: False) -> None:
        self._readers: dict[str, dict[Viewer, set[Reader]]] = defaultdict(lambda: defaultdict(set))
        self._told: dict[tuple[str, Viewer], Told] = {}
        self._later, self._soon, self._is_busy = later, soon, is_busy
        self._latest: dict[str, tuple[Table, Common]] = {}  # the tables with readers as they were last published
        self._waiting: dict[str, tuple[float, Table, Common]] = {}  # tables with readers to be told, and since when, the oldest first
        self._lacking: dict[tuple[str, Viewer], float] = {}  # who was asked without how far the tickets are, and since when, the oldest first
        self._paused_at = 0.0  # when those who wait were last told, by the monotonic clock
        self._counted: dict[str, int] = {}  # the spectators that a table's readers were told of
        self._recounting: set[str] = set()  # tables that are counted again before long

    def has_readers(self, table: str) -> bool:
        return table in self._readers

    def subscribe(self, table: Table, reader: Reader, after: int | None) -> None:
        """Bring a reader up to date with a snapshot, or with what came after its cursor; from then on it hears about everything."""
        common, viewer = self._common(table), reader.viewer
        self._tell(table, common, self._readers.get(table.header.id, {}).keys())
        told = self._told.get((table.header.id, viewer))
        if told is None:
            told = self._told[table.header.id, viewer] = Told(len(table.streams[viewer]), state_for(table, viewer, common))
        self._readers[table.header.id][viewer].add(reader)
        if after is None or after > told.cursor:
            reader.send(to_json({"type": "snapshot"} | snapshot(table, viewer)))
        else:
            reader.send(to_json({"type": "update"} | catch_up(table, viewer, after)))
        if count := self.spectators(reader.table):
            reader.send(spectators_message(count))
        self._recount(reader.table)

    def unsubscribe(self, reader: Reader) -> None:
        viewers = self._readers.get(reader.table)
        if viewers is None:
            return
        viewers[reader.viewer].discard(reader)
        if not viewers[reader.viewer]:
            del viewers[reader.viewer]
            self._told.pop((reader.table, reader.viewer), None)
            self._lacking.pop((reader.table, reader.viewer), None)
        if not viewers:
            del self._readers[reader.table]
            self._latest.pop(reader.table, None)
        self._recount(reader.table)

    def let_go(self, table: str) -> None:
        """Close all connections to a table that this process can no longer show."""
        for readers in self._readers.get(table, {}).values():
            for reader in tuple(readers):
                reader.lose()

    def spectators(self, table: str) -> int:
        """How many people without a seat watch a table here. Somebody who watches in two windows is one."""
        return len({reader.key or reader for reader in self._readers.get(table, {}).get(None, ())})

    def _recount(self, table: str) -> None:
        if self.spectators(table) != self._counted.get(table, 0) and table not in self._recounting:
            self._recounting.add(table)
            self._later(lambda: self._tell_count(table))

    def _tell_count(self, table: str) -> None:
        """To everybody at the table, if it is still another count than the last."""
        self._recounting.discard(table)
        count = self.spectators(table)
        if count == self._counted.get(table, 0):
            return
        self._counted[table] = count
        if not count:
            del self._counted[table]
        for reader in self._all(table):
            reader.send(spectators_message(count))

    def publish(self, table: Table) -> None:
        """Tell every reader what is new: events, and how its state changes."""
        others = [one for one in self._all(table.header.id) if not table.may_look(one.key) or table.seat_of(one.key) != one.viewer]
        for reader in others:  # first of all: news on their old seat may belong to somebody else
            self.unsubscribe(reader)
        self._tell_asked(table)
        for reader in others:
            if table.may_look(reader.key):
                reader.viewer = table.seat_of(reader.key)
                self.subscribe(table, reader, None)
            else:
                reader.lose()

    def notify(self, table: str, notice: Json) -> None:
        """Tell every reader something that is not part of the game."""
        message = to_json({"type": "notice"} | notice)
        for reader in self._all(table):
            reader.send(message)

    def _all(self, table: str) -> list[Reader]:
        return [reader for readers in self._readers.get(table, {}).values() for reader in readers]

    def _common(self, table: Table) -> Common:
        _, earlier = self._latest.get(table.header.id, (table, None))
        common = Common(table, earlier)
        self._latest[table.header.id] = table, common
        return common

    def _tell_asked(self, table: Table) -> None:
        """Those who are asked now, the others soon."""
        name = table.header.id
        viewers = self._readers.get(name, {}).keys()
        if not viewers:
            return
        common = self._common(table)
        is_busy, was_idle, now = self._is_busy(), not self._waiting and not self._lacking, time.monotonic()
        if asked := viewers & table.questions.keys():
            self._tell(table, common, asked, with_tickets=not is_busy)
        for viewer in asked if is_busy else ():
            self._lacking.setdefault((name, viewer), now)
        if viewers - asked:
            since = self._waiting[name][0] if name in self._waiting else now
            self._waiting[name] = since, table, common
        if was_idle and (self._waiting or self._lacking):
            self._soon(self._tell_waiting)

    def _tell_waiting(self) -> None:
        """Some of those who wait, and whoever has waited for long."""
        now, share = time.monotonic(), 0 if self._is_busy() else 1 / AT_A_TIME
        late, room = now - LONGEST_WAIT, self._room_for_telling(now)
        tables, viewers = ceil(share * len(self._waiting)), ceil(share * len(self._lacking))
        for number, (name, (since, table, common)) in enumerate(list(self._waiting.items())):
            if (since > late and number >= tables) or (number and time.monotonic() > now + room / 2):
                break
            del self._waiting[name]
            self._tell(table, common)
        for number, ((name, viewer), since) in enumerate(list(self._lacking.items())):
            if (since > late and number >= viewers) or (number and time.monotonic() > now + room):
                break
            self._lacking.pop((name, viewer), None)
            if name in self._latest:
                self._tell(*self._latest[name], (viewer,))
        self._paused_at = time.monotonic()
        if self._waiting or self._lacking:
            self._soon(self._tell_waiting)

    def _room_for_telling(self, now: float) -> float:
        """As long as everything else took since the last time: if hundreds have waited for too long, requests are still answered in between."""
        return min(max(now - self._paused_at, A_MOMENT), A_WHILE)

    def keep_back(self, table: str) -> None:
        """Tell nobody what still waits to be told: the table is damaged, and will be read again."""
        self._waiting.pop(table, None)
        self._latest.pop(table, None)

    def _tell(self, table: Table, common: Common, only: Container[Viewer] | None = None, with_tickets: bool = True) -> None:
        """Tell all readers of a table what is new to them; or only those of some viewers, and what they lack."""
        for viewer, readers in self._readers.get(table.header.id, {}).items():
            if only is not None and viewer not in only:
                continue
            told = self._told[table.header.id, viewer]
            cursor = len(table.streams[viewer])
            if cursor <= told.cursor and (only is None or not (told.is_late and with_tickets)):
                continue
            if with_tickets:
                self._lacking.pop((table.header.id, viewer), None)
            state = state_for(table, viewer, common, None if with_tickets else told.state)
            update: dict[str, Any] = {
                "type": "update",
                "after": told.cursor,
                "cursor": cursor,
                "events": table.events_for(viewer, told.cursor),
                "patch": difference(told.state, state),
            }
            self._told[table.header.id, viewer] = Told(cursor, state, is_late=not with_tickets)
            if cursor > told.cursor or update["patch"]:
                message = to_json(update)
                for reader in tuple(readers):
                    reader.send(message)


def spectators_message(count: int) -> bytes:
    return to_json({"type": "spectators", "count": count})


def catch_up(table: Table, viewer: Viewer, after: int) -> Json:
    """What came after a cursor: its events, and the state as it is now."""
    return {
        "after": after,
        "cursor": len(table.streams[viewer]),
        "events": table.events_for(viewer, after),
        "state": state_for(table, viewer),
    }
