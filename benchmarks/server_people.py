"""The people in the server benchmark: sockets in a separate process, which measures the times."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import websockets
from rich.console import Console

TALK = "x" * 300
console = Console(width=120)


@dataclass(eq=False)
class Person:
    """One socket. It remembers what it is asked, and nothing else."""

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
    """A table, with at most one decision in flight."""

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
        """False if nobody is asked, or the last answer has not arrived."""
        person = self.asked
        if self.waiting or person is None:
            return False
        message = {"type": "decide", "id": secrets.token_hex(8), "question": person.question, "decision": random.choice(person.legal)}
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
        """Connect all sockets; returns how many seconds it took."""
        began, at_once = time.perf_counter(), asyncio.Semaphore(50)
        people = [person for place in self.places for person in place.people]
        await asyncio.gather(*(person.come(self.url, at_once) for person in people))
        self.listening = [asyncio.create_task(person.listen()) for person in people]
        return time.perf_counter() - began

    async def play_openings(self, decisions: int) -> float:
        """Play as fast as possible, each table waiting only for its own answers; returns decisions per second."""
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
        """Make decisions on a schedule, tables in turn; with `talk`, somebody also says something each time."""
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
        """With an id that tells its answers apart from those to decisions."""
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
    """The process: does what it is told until it is told to go."""
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
