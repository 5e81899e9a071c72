"""Many clients do everything at a few tables while servers are killed and stopped, their clocks jump, the database is cut off or its disk is full:
every answer must have been right at some moment, and nothing that was acknowledged is lost. See histories.py."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import resource
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import make_url

from branchline.server.protocol import messages as m
from branchline.server.store.store import Store
from tests.conftest import LONG, SOAK
from tests.left_out import leave_out
from tests.server.histories import READ, Operation, check
from tests.server.hosts import Host, can_make_hosts, hosts
from tests.server.ledgers import ask_over_http
from tests.server.running import ServerProcess, has_postgres, new_database, new_key, running_postgres
from tests.server.tables_only import ANN, BOB, two_play, with_tables

FAULTS, DECISIONS = (100, 3_000) if LONG else (12, 300) if SOAK else (4, 12)  # both at least, and each kind of fault once
TABLES, CLIENTS = (12, 4) if SOAK else (3, 3)  # clients per table
MOST = 1_500.0 if SOAK else 90.0  # seconds
LONGEST = 4.0  # seconds that a client waits for an answer
FAULT = (0.3, 2.0)  # seconds that a fault lasts
AFTERWARDS = 120.0  # seconds until the servers must be well again
JUMPS = (-3_600, 3_600, 61 * 86_400)  # seconds
FULL = 1  # bytes that files may have when the disk is full

pytestmark = pytest.mark.timeout(3_000 if SOAK else 240)


@dataclass
class World:
    """Servers, a few tables, and what everybody asked and heard."""

    servers: list[ServerProcess]
    http: httpx.AsyncClient
    least_faults: int = FAULTS
    rng: random.Random = field(default_factory=lambda: random.Random(12))
    history: list[Operation] = field(default_factory=list)
    decided: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.monotonic)
    created: float = field(default_factory=time.time)

    @property
    def is_over(self) -> bool:
        enough = self.faults.total() >= self.least_faults and self.decided >= DECISIONS
        return enough or time.monotonic() > self.began + MOST

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
            await asyncio.sleep(self.rng.uniform(0, 0.02))

    def verb(self) -> str:
        if self.seen.get("status", "waiting") == "waiting":
            return self.rng.choice((READ,) * 8 + ("join",) * 8 + ("leave",))
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
                fault = self.faults[self.world.faults.total() % len(self.faults)]
                fault(rng)
                self.world.faults[fault.__name__] += 1
                time.sleep(rng.uniform(0.3, 1.0))
        except BaseException as error:
            self.error = error
            raise


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


async def live_through(servers: list[ServerProcess], faults: list[Fault], least: int = FAULTS) -> World:
    async with httpx.AsyncClient(timeout=LONGEST, limits=httpx.Limits(max_connections=None)) as http:
        world = World(servers, http, least)
        keys = [[new_key() for _ in range(CLIENTS)] for _ in range(TABLES)]
        tables = [await world.open(hosts[0], turn_seconds=None if number % 2 else 10) for number, hosts in enumerate(keys)]
        attack = Attack(world, faults)
        attack.start()
        people = [Client(world, table, key, number) for table, hosts in zip(tables, keys, strict=True) for number, key in enumerate(hosts)]
        await asyncio.gather(*(person.live() for person in people))
        await asyncio.to_thread(attack.join)
        assert attack.error is None
        for server in servers:
            await asyncio.to_thread(server.wait_until_ready)
        await see_all(world, people)
    return world


async def see_all(world: World, people: list[Client]) -> None:
    """In the end everybody looks once more, through every server."""
    for server in world.servers:
        world.servers = [server]
        for person in people:
            end = time.monotonic() + AFTERWARDS
            while await world.ask(Operation(person.table, person.key, READ, {}, time.monotonic())) is None:
                assert time.monotonic() < end, "the server does not recover"


async def hold(url: str, world: World) -> Counter[str]:
    """Check every table's history against its log."""
    store = await Store.open(url)
    by_table: dict[str, list[Operation]] = {}
    for one in world.history:
        by_table.setdefault(one.table, []).append(one)
    for table, history in by_table.items():
        header = await store.header(table)
        assert header is not None
        log = await store.log(table)
        check(header, log, history)
        assert all(world.created - 2 < one.at < time.time() + 2 for one in log), "an entry has the time of a clock that had jumped"
    await store.close()
    return Counter(f"{one.verb} {'done' if one.is_done else one.code or 'without answer'}" for one in world.history)


def check_lively(told: Counter[str], world: World, kinds: int = 3) -> None:
    """A test in which nothing happens shows nothing."""
    assert len(world.faults) == kinds, world.faults
    assert told["decide done"] >= DECISIONS, told
    assert len(told) > 12, told


@pytest.mark.soak("test_kills.py kills a server on SQLite")
def test_on_one_server_with_kills_and_a_full_disk(tmp_path: Path) -> None:
    server = ServerProcess(f"sqlite:///{tmp_path / 'games.db'}", tmp_path).start()
    try:
        world = asyncio.run(live_through([server], [fill_disk([server]), kill([server]), stop([server])]))
    finally:
        server.kill()
    check_lively(asyncio.run(hold(server.database_url, world)), world)


@contextmanager
def cut_off_servers(url: str, folder: Path, number: int) -> Iterator[tuple[list[ServerProcess], list[Relay], list[Path]]]:
    """Servers on one PostgreSQL, each with a way to it that can be cut, and a clock that can jump."""
    address = make_url(url)
    relays = [Relay((str(address.host), int(address.port or 5432))) for _ in range(number)]
    urls = [address.set(port=relay.port).render_as_string(hide_password=False) for relay in relays]
    clocks = [folder / f"clock-{relay.port}" for relay in relays]
    for clock in clocks:
        clock.write_text("0")
    servers = [ServerProcess(one, folder, clock=clock) for one, clock in zip(urls, clocks, strict=True)]
    try:
        for server in servers:
            server.start(wait=False)
        for server in servers:
            server.wait_until_ready()
        yield servers, relays, clocks
    finally:
        for server in servers:
            server.kill()
        for relay in relays:
            relay.listening.close()


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_on_several_servers_with_kills_jumping_clocks_and_cuts_to_the_database(database_url: str, tmp_path: Path) -> None:
    with cut_off_servers(database_url, tmp_path, 4 if SOAK else 2) as (servers, relays, clocks):
        world = asyncio.run(live_through(servers, [jump(clocks), cut(relays), kill(servers), stop(servers)]))
        told = asyncio.run(hold(database_url, world))
    check_lively(told, world, 4)
    assert any("has jumped" in server.log.read_text() for server in servers)


PARTITION = 30.0  # seconds


def part(database: Host) -> Callable[[list[ServerProcess]], Fault]:
    def of(servers: list[ServerProcess]) -> Fault:
        def parted(rng: random.Random) -> None:
            host = rng.choice(servers).host
            assert host is not None
            host.cut(database)
            time.sleep(PARTITION)
            host.join(database)

        return parted

    return of


def restart_all(servers: list[ServerProcess]) -> Fault:
    """One server after the other is stopped in an orderly way and started again."""

    def restarted(_: random.Random) -> None:
        for server in servers:
            server.stop()
            server.start()

    return restarted


@pytest.mark.soak("four servers on hosts of their own take minutes; two are tested above")
def test_four_hosts_with_one_database_through_partitions_and_rolling_restarts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (can_make_hosts() and has_postgres()):
        leave_out("PostgreSQL" if can_make_hosts() else "the right to make network namespaces")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with hosts(5) as (database, *others), running_postgres(database) as address:
        url = new_database(address, "games")
        servers = [ServerProcess(url, tmp_path, host=host) for host in others]
        try:
            for server in servers:
                server.start()
            world = asyncio.run(live_through(servers, [part(database)(servers), kill(servers), restart_all(servers)], 12))
            told = asyncio.run(hold(url, world))
        finally:
            for server in servers:
                server.kill()
    check_lively(told, world)


# the check itself: it finds what is wrong


@with_tables()
async def test_the_check_finds_every_kind_of_wrong_answer(server):
    table = await two_play(server)
    now = itertools.count(1.0)

    async def say(name: str) -> Operation:
        await server.ask(table, ANN, m.Say(id=name, phrase="hello"))
        return Operation(table, ANN, "say", {"id": name, "phrase": "hello"}, next(now), next(now), {"type": "done"})

    async def see() -> Operation:
        return Operation(table, BOB, READ, {}, next(now), next(now), {"type": "done"} | json.loads(json.dumps(await server.see(table, BOB))))

    history = [await say("a"), await see(), await say("b"), await see()]
    log, header = await server.tables.store.log(table), (await server.table(table)).header
    never = Operation(table, ANN, "say", {"id": "c", "phrase": "hello"}, 2.5)
    too_early = Operation(table, BOB, "undo", {"id": "u", "question": 0}, 0.1, 0.2, {"type": "refused", "code": "over"})
    assert check(header, log, [*history, never]) == len(history)
    wrong = {
        "acknowledged, and lost": [*history, replace(never, ended=3.5, answer={"type": "done"})],
        "refused, and done": [replace(history[0], answer={"type": "refused", "code": "over"}), *history[1:]],
        "out of order": [replace(history[0], began=9.0, ended=9.5), *history[1:]],
        "nobody could see this": [*history[:3], replace(history[1], began=20.0, ended=21.0)],
        "refuses so": [*history, too_early],
        "not done between": [*history, Operation(table, BOB, "leave", {}, 30.0, 31.0, {"type": "done"})],
    }
    for reason, told in wrong.items():
        with pytest.raises(AssertionError, match=reason):
            check(header, log, told)
    with pytest.raises(AssertionError, match="gap"):
        check(header, [*log[:3], *log[4:]], history)
    with pytest.raises(AssertionError, match="twice"):
        check(header, [*log, replace(log[-1], sequence=len(log) + 1)], history)
