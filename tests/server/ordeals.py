"""Many clients do everything at a few tables while faults befall the servers: what everybody asked and heard, to be held against the logs.

See histories.py.
"""

from __future__ import annotations

import asyncio
import random
import resource
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import WebSocketException

from branchline.server.store.entries import TAKE_OVER
from branchline.server.store.store import Store
from branchline.server.tables.due import TIME
from tests.conftest import LONG, SOAK
from tests.server.histories import READ, SAME_KINDS, Operation, check
from tests.server.ledgers import ask_over_http
from tests.server.proxies import Proxy
from tests.server.running import Guest, ServerProcess, new_key

FAULTS, DECISIONS = (100, 3_000) if LONG else (12, 300) if SOAK else (0, 8)  # both at least, and each kind of fault once
TABLES, CLIENTS = (12, 4) if SOAK else (3, 3)  # clients per table
PAUSE = (0.0, 0.02) if SOAK else (0.2, 0.5)  # seconds between an answer and the next request
MOST = 1_500.0 if SOAK else 90.0  # seconds
LONGEST = 4.0  # seconds that a client waits for an answer
FAULT = (0.3, 2.0)  # seconds that a fault lasts
AFTERWARDS = 120.0  # seconds until the servers must be well again
JUMPS = (-3_600, 3_600, 61 * 86_400)  # seconds
FULL = 1  # bytes that files may have when the disk is full
TURN = 10  # seconds for a turn where they are limited, the fewest that a table may have
AGAIN = 0.5  # seconds until a page that has lost its connection tries again
LOST = (OSError, WebSocketException)


@dataclass
class World:
    """Servers, a few tables, and what everybody asked and heard."""

    servers: list[ServerProcess]
    http: httpx.AsyncClient
    least_faults: int
    waits_for_time: bool  # does it go on until somebody's time has run out?
    rng: random.Random = field(default_factory=lambda: random.Random(12))
    history: list[Operation] = field(default_factory=list)
    decided: int = 0
    reconnected: int = 0  # pages that have lost their connection and found another
    ran_out: int = 0  # how often a client has seen that its time had run out
    written: Counter[str] = field(default_factory=Counter)  # the logs' entries by kind, and by reason if there is one
    faults: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.monotonic)
    created: float = field(default_factory=time.time)

    @property
    def is_over(self) -> bool:
        enough = self.faults.total() >= self.least_faults and self.decided >= DECISIONS
        return (enough and (self.ran_out > 0 or not self.waits_for_time)) or time.monotonic() > self.began + MOST

    async def ask(self, one: Operation) -> dict[str, Any] | None:
        """Send it to one of the servers; what gets no answer may be sent once more, word for word, to another."""
        self.history.append(one)
        for _ in range(self.rng.choice((1, 1, 2)) if "id" in one.body else 1):
            server = self.rng.choice(self.servers)
            path = f"{server.url}/api/tables/{one.table}"
            with suppress(OSError, httpx.HTTPError):
                is_read = one.verb == READ
                body = None if is_read else one.body
                method, url = ("GET", path) if is_read else ("POST", f"{path}/{one.verb}")
                response = await self.http.request(method, url, json=body, headers={"authorization": f"Bearer {one.key}"})
                one.answer = {"type": "refused" if response.is_error else "done"} | response.json()
                one.ended = time.monotonic()
                self.decided += one.verb == "decide" and one.is_done
                return one.answer
        return None

    async def open(self, host: str, **settings: Any) -> str:
        body = {"game": "london", "seats": ["person"] * CLIENTS, "name": "Ada", "pace": 0, "open": True, "grace_seconds": 0} | settings
        return str((await ask_over_http(self.http, "POST", f"{self.servers[0].url}/api/tables", host, body))["table"])


class Client:
    """Somebody who does anything at one table, and looks at it often."""

    pause = PAUSE

    def __init__(self, world: World, table: str, key: str, number: int) -> None:
        self.world, self.table, self.key = world, table, key
        self.rng = random.Random(f"{table} {number}")
        self.seen: dict[str, Any] = {}

    async def live(self) -> None:
        while not self.world.is_over:
            verb = self.verb()
            answer = await self.world.ask(Operation(self.table, self.key, verb, self.body(verb), time.monotonic()))
            if verb == READ and answer is not None and answer["type"] == "done":
                self.seen = answer["state"]
            await asyncio.sleep(self.rng.uniform(*self.pause))

    def verb(self) -> str:
        if self.seen.get("status", "waiting") == "waiting":
            sitting = sum("name" in seat for seat in self.seen.get("seats", {}).values())
            return self.rng.choice((READ,) * 8 + ("join",) * 8 + ("leave",) * (sitting > 1))  # a table that all have left is over
        asked = "question" in self.seen.get("position", {})
        often = ("decide",) * 8 if asked else (READ,) * 4
        return self.rng.choice((READ, READ, READ, *often, "undo", "say", "leave", "return", "return", "return", "mute", "abandon"))

    def body(self, verb: str) -> dict[str, Any]:
        position, name = self.seen.get("position", {}), new_key()[:20]
        question = {"id": name, "question": position.get("question", 0)}
        bodies: dict[str, dict[str, Any]] = {
            "join": {"name": "Ben"},
            "decide": question | {"decision": self.rng.choice(position.get("legal", ["draw"]))},
            "undo": question,
            "say": {"id": name, "phrase": "hello"},
            "mute": {"seat": self.rng.randrange(CLIENTS), "muted": self.rng.random() < 0.5},
            "abandon": {"gives_up": False},
        }
        return bodies.get(verb, {})


class Silent(Client):
    """Somebody who never decides, and comes back whenever a bot has taken over because the time was up. As the host, it has a seat from the start."""

    pause = (0.2, 0.4)

    def verb(self) -> str:
        if "stand_in" not in self.seen.get("seats", {}).get(str(self.seen.get("you")), {}):
            return READ
        self.seen = {}  # until it looks again
        self.world.ran_out += 1
        return "return"


class Onlooker:
    """Somebody's page, on a live connection through the proxy: whenever it loses that, it connects again by itself, and goes on where it was."""

    def __init__(self, person: Client, proxy: Proxy) -> None:
        self.world, self.guest, self.connections = person.world, Guest(proxy.url, person.table, person.key, proxy.trust), 0
        self.watching = asyncio.create_task(self.watch())

    async def watch(self) -> None:
        while True:
            with suppress(*LOST):
                await self.guest.connect()
                self.connections += 1
                await self.listen()
            await self.hang_up()
            await asyncio.sleep(AGAIN)

    async def hang_up(self) -> None:
        if self.guest.socket is not None:
            with suppress(*LOST):
                await self.guest.close()

    async def listen(self) -> None:
        while True:
            with suppress(TimeoutError):
                await self.guest.hear()

    async def catch_up(self) -> None:
        """In the end it shows what anybody sees who looks now: it has heard of every entry, since `Guest` allows no gap."""
        end = time.monotonic() + AFTERWARDS
        while not await self.is_up_to_date():
            assert not self.watching.done(), self.watching.exception()
            assert time.monotonic() < end, f"a page does not catch up with its table, and stays at {self.guest.cursor}"
            await asyncio.sleep(AGAIN)
        self.watching.cancel()
        await asyncio.gather(self.watching, return_exceptions=True)
        await self.hang_up()

    async def is_up_to_date(self) -> bool:
        assert self.guest.key is not None
        fresh = await self.world.ask(Operation(self.guest.table, self.guest.key, READ, {}, time.monotonic()))
        return fresh is not None and (fresh.get("cursor"), fresh.get("state")) == (self.guest.cursor, self.guest.state)


Fault = Callable[[random.Random], None]


class Attack(threading.Thread):
    """One fault after the other, each for a moment, in a thread of its own."""

    def __init__(self, world: World, faults: list[Fault]) -> None:
        super().__init__(daemon=True)
        self.world, self.faults = world, faults
        self.error: BaseException | None = None

    def run(self) -> None:
        rng = random.Random(1)
        try:
            while not self.world.is_over:
                if SOAK or self.world.faults.total() < self.world.least_faults:
                    self.strike(rng)
                time.sleep(rng.uniform(0.3, 1.0))
        except BaseException as error:
            self.error = error
            raise

    def strike(self, rng: random.Random) -> None:
        fault = self.faults[self.world.faults.total() % len(self.faults)]
        fault(rng)
        self.world.faults[fault.__name__] += 1


def kill(servers: list[ServerProcess]) -> Fault:
    def killed(rng: random.Random) -> None:
        server = rng.choice(servers)
        server.kill()
        server.start()

    return killed


def stop(servers: list[ServerProcess]) -> Fault:
    def stopped(rng: random.Random) -> None:
        process = rng.choice(servers).process
        assert process is not None
        process.send_signal(signal.SIGSTOP)
        time.sleep(rng.uniform(*FAULT))
        process.send_signal(signal.SIGCONT)

    return stopped


def fill_disk(servers: list[ServerProcess]) -> Fault:
    """No file may grow: what the server writes to its database fails as on a full disk."""

    def full(rng: random.Random) -> None:
        process = rng.choice(servers).process
        assert process is not None
        before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (FULL, before[1]))
        time.sleep(rng.uniform(*FAULT))
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, before)

    return full


def jump(clocks: list[Path]) -> Fault:
    """The wall clock of a server is wrong for a moment, by an hour or by two months."""

    def jumped(rng: random.Random) -> None:
        clock = rng.choice(clocks)
        clock.write_text(str(rng.choice(JUMPS)))
        time.sleep(rng.uniform(*FAULT))
        clock.write_text("0")

    return jumped


class Relay:
    """The way from a server to the database, which can be cut: then nothing gets through, and nobody is told."""

    def __init__(self, target: tuple[str, int]) -> None:
        self.target, self.open = target, threading.Event()
        self.open.set()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self.listening.accept()
                far = socket.create_connection(self.target)
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65_536):
                self.open.wait()
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


def cut(relays: list[Relay]) -> Fault:
    def cut_off(rng: random.Random) -> None:
        relay = rng.choice(relays)
        relay.open.clear()
        time.sleep(rng.uniform(*FAULT))
        relay.open.set()

    return cut_off


async def live_through(
    servers: list[ServerProcess], faults: list[Fault], least: int = FAULTS, proxy: Proxy | None = None, waits_for_time: bool = True
) -> World:
    """At every other table there is a limit on turns, and at the first one the host lets it run out."""
    async with httpx.AsyncClient(timeout=LONGEST, limits=httpx.Limits(max_connections=None)) as http:
        world = World(servers, http, max(least, len(faults)), waits_for_time)
        keys = [[new_key() for _ in range(CLIENTS)] for _ in range(TABLES)]
        tables = [await world.open(hosts[0], turn_seconds=None if number % 2 else TURN) for number, hosts in enumerate(keys)]
        attack = Attack(world, faults)
        attack.start()
        people = [Client(world, table, key, number) for table, hosts in zip(tables, keys, strict=True) for number, key in enumerate(hosts)]
        if waits_for_time or SOAK:
            people[0] = Silent(world, tables[0], keys[0][0], 0)
        onlookers = [] if proxy is None else [Onlooker(person, proxy) for person in people[::CLIENTS]]
        await asyncio.gather(*(person.live() for person in people))
        await asyncio.to_thread(attack.join)
        assert attack.error is None
        for server in servers:
            await asyncio.to_thread(server.wait_until_ready)
        await see_all(world, people)
        await asyncio.gather(*(one.catch_up() for one in onlookers))
        world.reconnected = sum(one.connections > 1 for one in onlookers)
    return world


async def see_all(world: World, people: list[Client]) -> None:
    """In the end everybody looks once more, through every server."""
    for server in world.servers:
        world.servers = [server]
        for person in people:
            end = time.monotonic() + AFTERWARDS
            while await world.ask(Operation(person.table, person.key, READ, {}, time.monotonic())) is None:
                assert time.monotonic() < end, "the server does not recover"


async def hold(url: str, world: World, kinds_here: Mapping[str, str] = SAME_KINDS) -> Counter[str]:
    """Check every table's history against its log."""
    store = await Store.open(url)
    by_table: dict[str, list[Operation]] = {}
    for one in world.history:
        by_table.setdefault(one.table, []).append(one)
    for table, history in by_table.items():
        header = await store.header(table)
        assert header is not None
        log = await store.log(table)
        check(header, log, history, kinds_here)
        assert all(world.created - 2 < one.at < time.time() + 2 for one in log), "an entry has the time of a clock that had jumped"
        world.written.update(f"{one.kind} {one.body.get('reason', '')}".rstrip() for one in log)
    await store.close()
    return Counter(f"{one.verb} {'done' if one.is_done else one.code or 'without answer'}" for one in world.history)


def check_lively(told: Counter[str], world: World, kinds: int = 3) -> None:
    """A test in which nothing happens shows nothing."""
    assert len(world.faults) == kinds, world.faults
    assert told["decide done"] >= DECISIONS, told
    assert len(told) > 12, told
    assert world.written[f"{TAKE_OVER} {TIME}"] or not world.waits_for_time, world.written
