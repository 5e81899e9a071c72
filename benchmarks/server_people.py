"""The people in the server benchmark: bare sockets in processes of their own, which measure the times and need little of the machine."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

TALK = "x" * 300
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
LIKES = {"claim": 30, "tickets": 1, "station": 1}  # of the kinds of decisions; the others 20: cards are drawn, and sometimes routes claimed
ANSWERED_WITHIN = 60  # seconds
numbers = itertools.count()


def frame(opcode: int, text: bytes) -> bytes:
    """A client's frame, with a mask of zeros."""
    size = len(text)
    head = bytes([0x80 | opcode, 0x80 | size]) if size < 126 else struct.pack(">BBH", 0x80 | opcode, 0xFE, size)
    return head + bytes(4) + text


class Person(asyncio.Protocol):
    """One socket. It remembers what it is asked, and nothing else."""

    def __init__(self, place: Place, key: str) -> None:
        self.place, self.key = place, key
        self.question: int | None = None
        self.legal: list[str] = []
        self.came: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.buffer = b""
        self.is_open = False  # the handshake is done
        self.pinged_at = 0.0
        self.transport: Any = None

    async def come(self, port: int) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, "127.0.0.1", port)
        self.transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lines = (f"GET /api/tables/{self.place.name}/live HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade")
        lines += ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", "")
        self.transport.write("\r\n".join(lines).encode())
        await self.came

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def connection_lost(self, _: Exception | None) -> None:
        self.place.lost += 1
        if not self.came.done():
            self.came.set_exception(ConnectionError("the server closed the socket"))

    def say(self, **message: Any) -> None:
        self.transport.write(frame(TEXT, json.dumps(message).encode()))

    def ping(self) -> None:
        self.pinged_at = time.perf_counter()
        self.say(type="ping")

    def data_received(self, received: bytes) -> None:
        buffer = self.buffer + received if self.buffer else received
        if not self.is_open:
            head, end, buffer = buffer.partition(b"\r\n\r\n")
            if not end:
                self.buffer = head
                return
            self.is_open = True
            self.say(type="hello", key=self.key)
        at = 0
        while (found := whole_frame(buffer, at)) is not None:
            opcode, begin, at = found
            self.take(opcode, buffer[begin:at])
        self.buffer = buffer[at:]

    def take(self, opcode: int, text: bytes) -> None:
        if opcode == PING:
            self.transport.write(frame(PONG, text))
        elif opcode != TEXT:
            return
        elif text.startswith(b'{"type":"update"'):
            if b'"event":"say"' not in text:
                self.place.heard()
            if b'"question"' in text or b'"legal"' in text:
                self.take_in(json.loads(text)["patch"])
        elif text.startswith(b'{"type":"snapshot"'):
            self.take_in(json.loads(text)["state"])
            self.came.set_result(None)
        elif text.startswith((b'{"type":"done"', b'{"type":"refused"')) and b'"id":"talk-' not in text:
            self.place.answered(text)
        elif text == b'{"type":"pong"}':
            self.place.pongs.append(time.perf_counter() - self.pinged_at)

    def take_in(self, shown: dict[str, Any]) -> None:
        position = shown.get("position", {})
        self.question = position.get("question", self.question)
        self.legal = position.get("legal", self.legal)
        if self.question is not None:
            self.place.asks(self)
        else:
            self.place.asked.discard(self)


def whole_frame(buffer: bytes, at: int) -> tuple[int, int, int] | None:
    """The opcode of the frame that begins there, and where its text begins and ends; None if it is not complete."""
    if len(buffer) < at + 2:
        return None
    size, begin = buffer[at + 1], at + 2
    if size >= 126:
        more = 2 if size == 126 else 8
        if len(buffer) < begin + more:
            return None
        size = int.from_bytes(buffer[begin : begin + more])
        begin += more
    return (buffer[at] & 15, begin, begin + size) if len(buffer) >= begin + size else None


@dataclass(eq=False)
class Sent:
    at: float
    acknowledged: float | None = None
    refused: float | None = None
    told: float | None = None  # the last of the table's sockets
    sockets: int = 0


@dataclass(eq=False)
class Place:
    """A table, with at most one decision in flight."""

    name: str
    people: list[Person] = field(default_factory=list)
    asked: set[Person] = field(default_factory=set)
    sent: list[Sent] = field(default_factory=list)
    latest: Sent = field(default_factory=lambda: Sent(0.0))
    refused: Counter[str] = field(default_factory=Counter)
    pongs: list[float] = field(default_factory=list)  # seconds from a ping to its answer
    lost: int = 0  # sockets
    waiting: bool = False
    sender: Person | None = None  # of the decision in flight
    on_free: Callable[[Place], None] | None = None  # called when the next decision could be sent

    def decide(self) -> bool:
        """False if nobody is asked, or the last answer has not arrived."""
        if self.waiting or not self.asked:
            return False
        person = self.sender = self.asked.pop()  # asked again by the update that follows the answer
        self.waiting = True
        self.latest = Sent(time.perf_counter())
        self.sent.append(self.latest)
        person.say(type="decide", id=f"d{os.getpid()}-{next(numbers)}", question=person.question, decision=liked(person.legal))
        return True

    def asks(self, person: Person) -> None:
        self.asked.add(person)
        self.go_on()

    def go_on(self) -> None:
        if self.on_free is not None and not self.waiting and self.asked:
            self.on_free(self)

    def heard(self) -> None:
        self.latest.told = time.perf_counter()
        self.latest.sockets += 1

    def answered(self, message: bytes) -> None:
        if message.startswith(b'{"type":"done"'):
            self.latest.acknowledged = time.perf_counter()
        else:
            self.refused[json.loads(message)["code"]] += 1
            self.latest.refused = time.perf_counter()
            if self.sender is not None and self.sender.question is not None:
                self.asked.add(self.sender)
        self.waiting = False
        self.go_on()


def liked(legal: list[str]) -> str:
    """A decision as people make them: first what kind, then which."""
    kinds: dict[str, list[str]] = {}
    for text in legal:
        kinds.setdefault(text.split()[0], []).append(text)
    kind = random.choices(list(kinds), [LIKES.get(one, 20) for one in kinds])[0]
    return random.choice(kinds[kind])


class People:
    """The people of one process, at their tables."""

    def __init__(self, port: int, tables: list[tuple[str, list[str]]]) -> None:
        self.port = port
        self.places = [Place(name) for name, _ in tables]
        for place, (_, keys) in zip(self.places, tables, strict=True):
            place.people = [Person(place, key) for key in keys]

    async def come(self) -> float:
        """Connect all sockets; returns how many seconds it took."""
        began, at_once = time.perf_counter(), asyncio.Semaphore(25)

        async def come(person: Person) -> None:
            async with at_once:
                await person.come(self.port)

        await asyncio.gather(*(come(person) for place in self.places for person in place.people))
        return time.perf_counter() - began

    async def play_freely(self, seconds: float) -> dict[str, Any]:
        """Play as fast as possible, each table waiting only for its own answers."""
        self.forget()
        began = time.perf_counter()
        for place in self.places:
            place.on_free = lambda free: free.decide()
            place.go_on()
        await asyncio.sleep(seconds)
        ended = time.perf_counter()
        for place in self.places:
            place.on_free = None
        await self.answers()
        return report(self.places, [], 0, began, ended)

    async def play(self, tables: slice, rate: float, seconds: float, talk: bool = False) -> dict[str, Any]:
        """Make decisions on a schedule, tables in turn; with `talk`, somebody also says something each time."""
        places = self.places[tables]
        self.forget()
        began, late, missed = time.perf_counter(), [], 0
        for number in range(round(rate * seconds)):
            due = began + number / rate
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            late.append(max(0.0, time.perf_counter() - due))
            place = places[number % len(places)]
            if not place.decide():
                missed += 1
            if talk:
                place.people[number % len(place.people)].say(type="say", id=f"talk-{next(numbers)}", text=TALK)
        ended = time.perf_counter()
        await self.answers()
        return report(places, late, missed, began, ended)

    async def answers(self) -> None:
        """Wait for those that are still to come, and until the others have been told: leaving them out would make a slow server look fast."""
        end = time.perf_counter() + ANSWERED_WITHIN
        while time.perf_counter() < end and any(place.waiting and not place.lost for place in self.places):
            await asyncio.sleep(0.05)
        await asyncio.sleep(1)

    async def ping(self, seconds: int) -> dict[str, Any]:
        """Everybody once a second, evenly spread, as pages do that somebody looks at."""
        people = [person for place in self.places for person in place.people]
        for place in self.places:
            place.pongs = []
        began = time.perf_counter()
        for number in range(len(people) * seconds):
            if (wait := began + number / len(people) - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            people[number % len(people)].ping()
        await asyncio.sleep(1)
        return {"pings": len(people) * seconds, "pongs": [one for place in self.places for one in place.pongs]}

    async def rest(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def forget(self) -> None:
        for place in self.places:
            place.sent, place.refused = [], Counter()

    async def go(self) -> None:
        for place in self.places:
            for person in place.people:
                person.transport.close()


def report(places: list[Place], late: list[float], missed: int, began: float, ended: float) -> dict[str, Any]:
    """Times are lists in seconds: several processes are counted together. Per second counts what was answered before the end, all else everything."""
    sent = [one for place in places for one in place.sent]
    done = [one for one in sent if one.acknowledged is not None]
    return {
        "offered": len(sent),
        "per second": sum(one.acknowledged <= ended for one in done if one.acknowledged) / (ended - began),
        "decided": len(done),
        "missed": missed,
        "unanswered": sum(one.acknowledged is None and one.refused is None for one in sent),
        "lost": sum(place.lost for place in places),
        "refused": dict(sum((place.refused for place in places), Counter())),
        "sockets": sum(one.sockets for one in done),
        "acknowledged": [one.acknowledged - one.at for one in done if one.acknowledged],
        "refused after": [one.refused - one.at for one in sent if one.refused],
        "all told": [one.told - one.at for one in done if one.told],
        "sent late": late,
    }


def spread(times: Iterable[float]) -> dict[str, float]:
    """In milliseconds."""
    ordered = sorted(1000 * one for one in times) or [0.0]
    return {f"p{part}": ordered[min(len(ordered) - 1, len(ordered) * part // 100)] for part in (50, 95, 99)} | {"max": ordered[-1]}


def be_people(pipe: Connection, port: int, tables: list[tuple[str, list[str]]]) -> None:
    """The process: does what it is told until it is told to go."""
    try:
        import uvloop as loops
    except ModuleNotFoundError:
        loops = asyncio  # type: ignore[assignment]

    async def obey() -> None:
        people, name = People(port, tables), ""
        while name != "go":
            name, arguments = await asyncio.to_thread(pipe.recv)
            pipe.send(await getattr(people, name)(*arguments))

    with suppress(EOFError):
        loops.run(obey())


class PeopleElsewhere:
    """The people's processes, seen from here."""

    def __init__(self, port: int, tables: list[tuple[str, list[str]]], processes: int = 1) -> None:
        context = get_context("spawn")
        self._pipes = []
        for number in range(processes):
            ours, theirs = context.Pipe()
            context.Process(target=be_people, args=(theirs, port, tables[number::processes]), daemon=True).start()
            theirs.close()
            self._pipes.append(ours)

    def do(self, name: str, *arguments: Any) -> list[Any]:
        """What each process answers."""
        self.tell(name, *arguments)
        return self.answers()

    def tell(self, name: str, *arguments: Any) -> None:
        for pipe in self._pipes:
            pipe.send((name, arguments))

    def answers(self) -> list[Any]:
        return [pipe.recv() for pipe in self._pipes]

    def played(self, name: str, *arguments: Any) -> dict[str, Any]:
        """One report of all processes."""
        reports = self.do(name, *arguments)
        whole: dict[str, Any] = {"refused": dict(sum((Counter(one["refused"]) for one in reports), Counter()))}
        for part in reports[0].keys() - whole.keys():
            values = [one[part] for one in reports]
            whole[part] = spread(itertools.chain(*values)) if isinstance(values[0], list) else sum(values)
        return whole | {"sockets told": whole["sockets"] / max(1, whole["decided"])}
