"""Load on a game server, all on this machine: many people at many tables, long thinkers, and one who never reads.

The server is a real `branchline serve`; the people are sockets in a process of their own, timed there. What is sent follows a schedule, however
long the answers take, so that a slow server does not get less to do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import websockets
from rich.console import Console
from rich.table import Table

SEATS = 4
LONG_THINKERS = 8
QUIET_RATE = 20  # decisions a second while bots think, or while one does not read
LET_GO_WITHIN = 180  # seconds after which we no longer wait for the server to let go of who does not read
TALK = "x" * 300
LIMITS = {"sockets-per-address": 100_000, "requests-per-minute": 10_000_000, "new-tables-per-minute": 10_000_000}
LIMITS |= {"tables-per-guest": 1_000_000, "chat-per-minute": 10_000_000}
console = Console(width=120)


# the people, in their own process


@dataclass(eq=False)
class Person:
    """One socket. Of what it hears it keeps what it is asked, and nothing else."""

    table: Place
    key: str
    socket: Any = None
    question: int | None = None
    legal: list[str] = field(default_factory=list)

    async def come(self, url: str, at_once: asyncio.Semaphore) -> None:
        async with at_once:
            address = f"{url.replace('http', 'ws', 1)}/api/tables/{self.table.name}/live"
            self.socket = await websockets.connect(address, compression=None, max_size=None, ping_interval=None)
            await self.socket.send(json.dumps({"type": "hello", "key": self.key}))
            self.take_in(json.loads(await self.socket.recv())["state"])

    async def listen(self) -> None:
        while True:
            message = await self.socket.recv(decode=False)
            now = time.perf_counter()
            if message.startswith(b'{"type":"update"'):
                if b'"event":"say"' not in message:
                    self.table.heard(now)
                if b'"position"' in message:
                    self.take_in(json.loads(message)["patch"])
            elif b'"id":"talk-' not in message:
                self.table.answered(now, message)

    def take_in(self, shown: dict[str, Any]) -> None:
        position = shown.get("position", {})
        self.question = position.get("question", self.question)
        self.legal = position.get("legal", self.legal)


@dataclass(eq=False)
class Sent:
    at: float
    acknowledged: float | None = None
    told: float | None = None  # the last of the table's sockets
    sockets: int = 0


@dataclass(eq=False)
class Place:
    """A table, with at most one decision under way."""

    name: str
    people: list[Person] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    waiting: bool = False
    free: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def asked(self) -> Person | None:
        return next((person for person in self.people if person.question is not None), None)

    async def decide(self) -> bool:
        """False: nobody is asked, or the last answer is still missing."""
        person = self.asked
        if self.waiting or person is None:
            return False
        message = {"type": "decide", "id": secrets.token_hex(8), "number": person.question, "decision": random.choice(person.legal)}
        self.waiting = True
        self.free.clear()
        self.sent.append(Sent(time.perf_counter()))
        await person.socket.send(json.dumps(message))
        return True

    def heard(self, now: float) -> None:
        if self.sent:
            self.sent[-1].told = now
            self.sent[-1].sockets += 1

    def answered(self, now: float, message: bytes) -> None:
        if message.startswith(b'{"type":"done"'):
            self.sent[-1].acknowledged = now
        else:
            self.refused[json.loads(message)["code"]] += 1
        self.waiting = False
        self.free.set()


class People:
    """Everybody, at all tables."""

    def __init__(self, url: str, tables: list[tuple[str, list[str]]]) -> None:
        self.url = url
        self.places = [Place(name) for name, _ in tables]
        for place, (_, keys) in zip(self.places, tables, strict=True):
            place.people = [Person(place, key) for key in keys]
        self.listening: list[asyncio.Task[None]] = []

    async def come(self) -> float:
        """All sockets; returns the seconds that took."""
        began, at_once = time.perf_counter(), asyncio.Semaphore(50)
        people = [person for place in self.places for person in place.people]
        await asyncio.gather(*(person.come(self.url, at_once) for person in people))
        self.listening = [asyncio.create_task(person.listen()) for person in people]
        return time.perf_counter() - began

    async def play_openings(self, decisions: int) -> float:
        """As fast as it goes, each table waiting for its answers only; returns decisions a second."""
        began = time.perf_counter()
        await asyncio.gather(*(self.play_on(place, decisions) for place in self.places))
        return sum(len(place.sent) for place in self.places) / (time.perf_counter() - began)

    async def play_on(self, place: Place, decisions: int) -> None:
        while len(place.sent) < decisions:
            if await place.decide():
                await place.free.wait()
            else:
                await asyncio.sleep(0.005)

    async def play(self, tables: slice, rate: float, seconds: float, talk: bool = False) -> dict[str, Any]:
        """Decisions by a schedule, tables in turn; `talk`: with each somebody also says something."""
        places = self.places[tables]
        for place in self.places:
            place.sent, place.refused = [], Counter()
        began, late, missed = time.perf_counter(), [], 0
        for number in range(round(rate * seconds)):
            due = began + number / rate
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            late.append(max(0.0, time.perf_counter() - due))
            place = places[number % len(places)]
            missed += not await place.decide()
            if talk:
                await self.say(place, number)
        await asyncio.sleep(1)
        return report(places, late, missed)

    async def say(self, place: Place, number: int) -> None:
        """By a name that tells its answers from those to decisions."""
        talker = place.people[number % len(place.people)]
        await talker.socket.send(json.dumps({"type": "say", "id": f"talk-{secrets.token_hex(6)}", "text": TALK}))

    async def go(self) -> None:
        for task in self.listening:
            task.cancel()
        await asyncio.gather(*self.listening, return_exceptions=True)
        await asyncio.gather(*(person.socket.close() for place in self.places for person in place.people))


def report(places: list[Place], late: list[float], missed: int) -> dict[str, Any]:
    sent = [one for place in places for one in place.sent]
    done = [one for one in sent if one.acknowledged is not None]
    return {
        "decided": len(done),
        "missed": missed,
        "unanswered": len(sent) - len(done),
        "refused": dict(sum((place.refused for place in places), Counter())),
        "sockets told": sum(one.sockets for one in done) / max(1, len(done)),
        "acknowledged": spread(one.acknowledged - one.at for one in done if one.acknowledged),
        "all told": spread(one.told - one.at for one in done if one.told),
        "sent late": spread(late),
    }


def spread(times: Iterable[float]) -> dict[str, float]:
    """In milliseconds."""
    ordered = sorted(1000 * one for one in times) or [0.0]
    return {f"p{part}": ordered[min(len(ordered) - 1, len(ordered) * part // 100)] for part in (50, 95, 99)} | {"max": ordered[-1]}


def be_people(pipe: Connection, url: str, tables: list[tuple[str, list[str]]]) -> None:
    """What the process does: whatever it is told to, until that is to go."""
    try:
        import uvloop as loops
    except ModuleNotFoundError:
        loops = asyncio  # type: ignore[assignment]

    async def obey() -> None:
        people, name = People(url, tables), ""
        while name != "go":
            name, arguments = await asyncio.to_thread(pipe.recv)
            pipe.send(await getattr(people, name)(*arguments))

    loops.run(obey())


class PeopleElsewhere:
    """The people's process, seen from here."""

    def __init__(self, url: str, tables: list[tuple[str, list[str]]]) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=be_people, args=(theirs, url, tables), daemon=True)
        self._process.start()
        theirs.close()

    def do(self, name: str, *arguments: Any) -> Any:
        self._pipe.send((name, arguments))
        return self._pipe.recv()


# the server


class Server:
    """`branchline serve` in its own process, and what it says of itself."""

    def __init__(self, url: str, folder: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        limits = [word for name, value in LIMITS.items() for word in (f"--{name}", str(value))]
        command = [sys.executable, "-m", "branchline.cli", "serve", "--port", str(self.port), "--database-url", url, "--log-level", "warning"]
        with (Path(folder) / "server.log").open("wb") as log:
            self.process = subprocess.Popen([*command, *limits], stdout=log, stderr=log)

    def wait(self) -> None:
        end = time.monotonic() + 120
        while time.monotonic() < end and self.process.poll() is None:
            with suppress(OSError):
                if json.loads(self.ask("GET", "/health"))["status"] == "ok":
                    return
            time.sleep(0.1)
        raise SystemExit("the server does not start")

    def ask(self, method: str, path: str, key: str | None = None, body: dict[str, Any] | None = None) -> bytes:
        headers = {"content-type": "application/json"} | ({} if key is None else {"authorization": f"Bearer {key}"})
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            answer = response.read()
        if response.status >= 400:
            raise SystemExit(f"{method} {path}: {answer.decode()}")
        return answer

    def open_table(self, seats: list[str]) -> tuple[str, list[str]]:
        keys = [secrets.token_urlsafe(32) for _ in range(max(1, seats.count("person")))]
        name = json.loads(self.ask("POST", "/api/tables", keys[0], {"game": "europe", "seats": seats, "name": "Ada", "pace": 0}))["table"]
        for key in keys[1:]:
            self.ask("POST", f"/api/tables/{name}/join", key, {"name": "Ben"})
        return name, keys

    def figures(self) -> dict[str, float]:
        lines = self.ask("GET", "/metrics").decode().splitlines()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}

    def memory(self) -> float:
        """The process's own, in MiB."""
        status = Path(f"/proc/{self.process.pid}/status")
        if status.exists():
            return int(re.findall(r"VmRSS:\s+(\d+)", status.read_text())[0]) / 1024
        return int(subprocess.check_output(["ps", "-o", "rss=", "-p", str(self.process.pid)])) / 1024

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextmanager
def running_server(database_url: str | None) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(database_url or f"sqlite:///{folder}/games.db", folder)
        try:
            server.wait()
            yield server
        finally:
            server.stop()


def histogram(before: dict[str, float], after: dict[str, float], name: str) -> dict[str, float]:
    """What was counted between two looks, in milliseconds; of a percentile the edge of its bucket that is not less."""
    edges = re.compile(rf'{name}_bucket{{(?:.*,)?le="(.+)"}}')
    counts = sorted((float(found[1]), after[key] - before.get(key, 0)) for key in after if (found := edges.fullmatch(key)))
    total = counts[-1][1] if counts else 0
    if not total:
        return {}
    mean = 1000 * (after[f"{name}_sum"] - before.get(f"{name}_sum", 0)) / total
    ends = {f"p{part}": 1000 * next(edge for edge, count in counts if count >= total * part / 100) for part in (50, 95, 99)}
    return {"count": total, "mean": mean} | ends | {"max": 1000 * next(edge for edge, count in counts if count >= total)}


OWN_FIGURES = {
    "told_seconds": "from receipt until all queues have it",
    "commit_seconds": "commit",
    "loop_lag_seconds": "lag of the event loop",
}


def own_figures(before: dict[str, float], after: dict[str, float]) -> dict[str, dict[str, float]]:
    return {words: histogram(before, after, f"branchline_{name}") for name, words in OWN_FIGURES.items()}


class SilentSocket:
    """Someone who looks on at a table, and never reads a word."""

    def __init__(self, server: Server, table: str) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.connect(("127.0.0.1", server.port))
        lines = (f"GET /api/tables/{table}/live HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket", "Connection: Upgrade")
        lines += ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", "")
        self._socket.sendall("\r\n".join(lines).encode())
        self._socket.recv(4096)
        hello = b'{"type":"hello"}'
        self._socket.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)  # one text frame, its mask all zeros

    def close(self) -> None:
        self._socket.close()


# what is measured


@dataclass
class Bench:
    server: Server
    tables: int
    rate: float
    seconds: float
    results: dict[str, Any] = field(default_factory=dict)

    def run(self) -> None:
        memory = {"at the start": self.server.memory()}
        began = time.perf_counter()
        tables = [self.server.open_table(["person"] * SEATS) for _ in range(self.tables)]
        self.results["tables opened a second"] = self.tables / (time.perf_counter() - began)
        memory[f"{self.tables} tables open"] = self.server.memory()
        people = PeopleElsewhere(self.server.url, tables)
        self.results["sockets opened a second"] = SEATS * self.tables / people.do("come")
        memory[f"{SEATS * self.tables} sockets open"] = self.server.memory()
        self.results["decisions a second, as fast as it goes"] = people.do("play_openings", 5 * SEATS)
        self.measured("people decide", people, slice(None), self.rate, self.seconds)
        memory["games under way"] = self.server.memory()
        self.results["memory, MiB"] = memory
        self.bots_think(people)
        self.one_does_not_read(people, tables[-1][0])
        people.do("go")

    def measured(self, title: str, people: PeopleElsewhere, tables: slice, rate: float, seconds: float, talk: bool = False) -> None:
        """One run by the schedule, with the server's own figures of the same time."""
        before = self.server.figures()
        report = people.do("play", tables, rate, seconds, talk)
        self.results[title] = report | {"server": own_figures(before, self.server.figures())}
        show_run(title, self.results[title])

    def bots_think(self, people: PeopleElsewhere) -> None:
        """Long thinkers at tables of their own, all thinking all the time."""
        seconds = min(self.seconds, 15)
        self.measured("people decide, no bots", people, slice(None), QUIET_RATE, seconds)
        hosted = [self.server.open_table(["expert", "expert"]) for _ in range(LONG_THINKERS)]
        time.sleep(min(5, seconds))  # their processes start
        before = self.server.figures()
        title = f"people decide, {LONG_THINKERS} expert bots think"
        self.measured(title, people, slice(None), QUIET_RATE, seconds)
        thought = 'branchline_bot_seconds_count{level="expert"}'
        self.results[title]["decisions of bots"] = self.server.figures().get(thought, 0) - before.get(thought, 0)
        for name, keys in hosted:
            self.server.ask("POST", f"/api/tables/{name}/abandon", keys[0], {})

    def one_does_not_read(self, people: PeopleElsewhere, table: str) -> None:
        """The last two tables play and talk: at one all read, at the other a spectator does not."""
        seconds = min(self.seconds, 15)
        self.measured("one table plays and talks, all read", people, slice(-2, -1), QUIET_RATE, seconds, True)
        memory = self.server.memory()
        silent = SilentSocket(self.server, table)
        time.sleep(0.5)
        began, sockets = time.monotonic(), self.server.figures()["branchline_sockets"]
        self.measured("one table plays and talks, one does not read", people, slice(-1, None), QUIET_RATE, seconds, True)
        while (there := self.server.figures()["branchline_sockets"] >= sockets) and time.monotonic() - began < LET_GO_WITHIN:
            people.do("play", slice(-1, None), QUIET_RATE, 1, True)
        self.results["who does not read"] = {
            "let go after, s": None if there else time.monotonic() - began,
            "memory, MiB": self.server.memory() - memory,
        }
        silent.close()


def show_run(title: str, run: dict[str, Any]) -> None:
    told = f"{run['decided']} decisions, {run['sockets told']:.1f} sockets told of each"
    odd = {name: run[name] for name in ("missed", "unanswered", "refused") if run[name]}
    table = Table(title=f"{title}: {told}{f', {odd}' if odd else ''}")
    table.add_column("ms")
    for heading in ("p50", "p95", "p99", "max"):
        table.add_column(heading, justify="right")
    for name, words in (("acknowledged", "until acknowledged"), ("all told", "until the last socket is told"), ("sent late", "sent later than due")):
        table.add_row(words, *(f"{run[name][part]:,.1f}" for part in ("p50", "p95", "p99", "max")))
    for words, own in run["server"].items():
        table.add_row(f"server: {words}", *(f"≤ {own[part]:,.1f}" if own else "" for part in ("p50", "p95", "p99", "max")))
    console.print(table)


def show_rest(results: dict[str, Any], tables: int) -> None:
    table = Table(title="The rest")
    table.add_column("what")
    table.add_column("figure", justify="right")
    for name in ("tables opened a second", "sockets opened a second", "decisions a second, as fast as it goes"):
        table.add_row(name, f"{results[name]:,.0f}")
    memory = results["memory, MiB"]
    for name, used in memory.items():
        table.add_row(f"memory {name}", f"{used:,.0f} MiB")
    start, opened, sockets, played = memory.values()
    table.add_row("memory a table", f"{1024 * (opened - start) / tables:,.0f} KiB")
    table.add_row("memory a socket", f"{1024 * (sockets - opened) / (SEATS * tables):,.0f} KiB")
    table.add_row("memory a table that plays, beyond that", f"{1024 * (played - sockets) / tables:,.0f} KiB")
    table.add_row("decisions of expert bots meanwhile", f"{results[f'people decide, {LONG_THINKERS} expert bots think']['decisions of bots']:,.0f}")
    silent = results["who does not read"]
    gone = silent["let go after, s"]
    table.add_row("who does not read is let go", "not at all" if gone is None else f"after {gone:,.0f} s")
    table.add_row("and costs until then", f"{silent['memory, MiB']:,.1f} MiB")
    console.print(table)


def allow_sockets(many: int) -> None:
    """As many open files as that takes, here and in the processes we start."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = many + 500 if hard == resource.RLIM_INFINITY else min(hard, many + 500)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database-url", help="an empty database of PostgreSQL; else SQLite, in a folder that is removed afterwards")
    parser.add_argument("--tables", type=int, default=250, help=f"each with {SEATS} people (250)")
    parser.add_argument("--rate", type=float, default=100, help="decisions a second, of all together (100)")
    parser.add_argument("--seconds", type=float, default=30, help="how long (30)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    asked = parser.parse_args()
    allow_sockets(SEATS * asked.tables)
    console.print(f"{asked.tables} tables, {SEATS * asked.tables} sockets, {asked.rate:g} decisions a second; {os.cpu_count()} cores")
    with running_server(asked.database_url) as server:
        bench = Bench(server, asked.tables, asked.rate, asked.seconds)
        bench.run()
    show_rest(bench.results, asked.tables)
    if asked.json:
        asked.json.write_text(json.dumps(bench.results, indent=1) + "\n")


if __name__ == "__main__":
    main()
