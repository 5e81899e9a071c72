"""What HTTP and WebSockets share: who asks, what they may see, and what each request means."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from starlette.websockets import WebSocket

from branchline.bots.levels import LEVELS
from branchline.design.editor.edited import EditedBoard, opened_board
from branchline.design.editor.reports import Reports
from branchline.play.patches import Json
from branchline.server.limits import Limiter, Networks
from branchline.server.metrics import Metrics
from branchline.server.protocol import messages as m
from branchline.server.protocol.refusals import Refused
from branchline.server.settings import Settings
from branchline.server.store.checking import Pulse
from branchline.server.store.entries import FINISHED
from branchline.server.store.store import Store
from branchline.server.tables.commands import must_play
from branchline.server.tables.driving import Driver
from branchline.server.tables.further_bots import FurtherBots, introduced, shown
from branchline.server.tables.loaded import Done, LoadedTables
from branchline.server.tables.replayers import Replayers
from branchline.server.tables.table import Table, Viewer
from branchline.server.tables.thinking import Thinkers

A_GAME = 250  # entries: what the bots of most games write; five of them on the largest board write up to 600
POLICY = 1008  # the code with which a socket is closed that may not be here


@dataclass
class Service:
    """One server process at work."""

    settings: Settings
    metrics: Metrics
    tables: LoadedTables
    driver: Driver
    new_tables: Limiter
    chat: Limiter
    entries: Limiter
    replays: Limiter
    hints: Limiter
    replayers: Replayers
    counters: Replayers  # they take a moment, and do not wait for replays
    pulse: Pulse
    bots: list[Json]  # that the operator has added, as people are shown them
    editor: EditedBoard | None  # the board that people may change
    ready: asyncio.Event = field(default_factory=asyncio.Event)  # the rules are compiled
    open_sockets: dict[WebSocket, str] = field(default_factory=dict)  # and their exact addresses
    sockets: Counter[str] = field(default_factory=Counter)  # open ones, by address
    editing: asyncio.Lock = field(default_factory=asyncio.Lock)  # one thing at a time is done to the edited board
    reports: Reports = field(default_factory=Reports)  # what games show about it

    @staticmethod
    async def open(settings: Settings, metrics: Metrics) -> Service:
        store = await Store.open(settings.database_url, settings.key_file, settings.database_wait)
        tables = LoadedTables(store, settings, metrics)
        tables.clock.compare(await store.known_time(), settings.doubt_clock_for)
        metrics.tables.set_function(lambda: tables.loaded)
        further = await asyncio.to_thread(introduced, settings.bot_names)
        bots = FurtherBots(further, settings.bot_workers, settings.bot_limit)
        driver = Driver(tables, Thinkers(settings.bot_workers, settings.longest_bot_wait, bots))
        new_tables, chat = Limiter(settings.new_tables_per_minute), Limiter(settings.chat_per_minute)
        entries = Limiter(settings.entries_per_hour, seconds=3600.0)
        replays, hints = Limiter(settings.replays_per_minute), Limiter(settings.hints_per_minute)
        workers = Replayers(settings.replay_workers), Replayers(1)
        editor = opened_board(settings.editor) if settings.editor else None
        pulse = Pulse(tables.store.probe)
        return Service(settings, metrics, tables, driver, new_tables, chat, entries, replays, hints, *workers, pulse, shown(further), editor)

    async def close(self) -> None:
        await self.reports.stop()
        self.replayers.close()
        self.counters.close()
        await self.pulse.stop()
        await self.driver.close()
        await self.tables.finish()
        await self.tables.store.close()

    def note_address(self, key: str | None, address: str) -> None:
        """Long thinking is shared fairly among addresses, so somebody with many keys gets no more of it."""
        if key is not None:
            self.driver.thinkers.addresses.note(key, address)

    async def close_sockets(self, blocked: Networks) -> None:
        """Close those that came from there, through a proxy or not."""
        for socket, address in list(self.open_sockets.items()):
            if blocked.has(address):
                with suppress(Exception):
                    await socket.close(POLICY, "blocked")

    def must_be_ready(self) -> None:
        if not self.ready.is_set():
            raise Refused("preparing")

    def must_know_bots(self, plans: list[str]) -> None:
        """Are all of these people, levels or bots of this server?"""
        known = {m.PERSON, *LEVELS, *(bot["id"] for bot in self.bots)}
        if not known.issuperset(plans):
            raise Refused("no_such_bot")

    async def table(self, name: str) -> Table:
        self.must_be_ready()
        return await self.tables.fresh(name)

    def must_leave_room(self, address: str, command: m.Message) -> None:
        """Limit what one address has stored. Leaving a table and ending a game are never refused."""
        many = A_GAME if isinstance(command, m.CreateTable | m.Rematch) else 1
        if not isinstance(command, m.Leave | m.Abandon) and not self.entries.take(address, many):
            raise Refused("too_many")

    async def ask(self, name: str, key: str | None, command: m.Message, address: str, acknowledge: Callable[[int], None] | None = None) -> Done:
        self.must_be_ready()
        self.must_leave_room(address, command)
        if isinstance(command, m.Say) and key is not None and not self.chat.take(key):
            raise Refused("too_many")
        return await self.tables.ask(name, key, command, acknowledge)


def viewer_of(table: Table, key: str | None) -> Viewer:
    """Seats come from keys. People without one watch, if the table lets them."""
    if not table.may_look(key):
        raise Refused("not_watched")
    return table.seat_of(key)


def seat_at(table: Table, key: str | None) -> int:
    """The seat of a player who asks about their own game, while it is in progress."""
    seat = table.seat_of(key)
    if seat is None:
        raise Refused("not_seated")
    must_play(table)
    return seat


def listed(table: Table, key: str | None) -> Json:
    """A table in a list: nothing of the game, except how it ended."""
    seat = table.seat_of(key)
    shown: Json = {
        "table": table.header.id,
        "game": table.header.game,
        "status": table.status,
        "seats": [one.public() for one in table.seats],
        "settings": {name: value for name, value in table.header.settings.items() if value is not None},
        "created_at": table.header.created_at,
        "changed_at": table.noticed[seat],
        "your_turn": seat is not None and seat in table.questions and table.seats[seat].is_here,
    }
    if table.status == FINISHED and table.state is not None:
        result = table.state.result
        shown["outcome"] = {"winners": result["winners"], "points": [score["total"] for score in result["scores"]]}
    return shown if seat is None else shown | {"you": seat}
