"""Where the server's time goes: processor time per decision, stage by stage, in one process without sockets or disk.

Tables of four people are played at random. Everything between a message and the queues of those who are told is the server's own code; only the
store keeps nothing. A stage does not count what it calls of another one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from server_people import liked

from branchline.server.http import live
from branchline.server.metrics import Metrics
from branchline.server.protocol import messages as m
from branchline.server.protocol.keys import hash_of
from branchline.server.settings import Settings
from branchline.server.store.changes import Change
from branchline.server.tables import loaded, publishing, snapshots
from branchline.server.tables.driving import Driver
from branchline.server.tables.loaded import LoadedTables
from branchline.server.tables.publishing import Publisher, Reader
from branchline.server.tables.table import Table
from branchline.server.tables.thinking import Thinkers

SEATS = 4
STAGES = (
    ("parse and validate", live, "parsed"),
    ("parse and validate", live, "name_of"),
    ("parse and validate", live, "command_of"),
    ("may it be done", loaded, "answer"),
    ("the table's next step", Table, "after"),
    ("summary and rows for the database", LoadedTables, "summary"),
    ("summary and rows for the database", Change, "append"),
    ("what all viewers see", publishing, "Common"),
    ("each viewer's state: tickets", snapshots, "bearings"),
    ("each viewer's state: the rest", publishing, "state_for"),
    ("what has changed for each viewer", publishing, "difference"),
    ("each viewer's events", Table, "events_for"),
    ("messages as JSON", publishing, "to_json"),
    ("timers", Driver, "look_at"),
    ("figures for Prometheus", Metrics, "committed"),
    ("the rest of telling", Publisher, "publish"),
    ("the rest of telling", Publisher, "_tell_waiting"),
)


class Watch:
    """Adds up the processor time of each stage."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()  # nanoseconds
        self._inner = [0]  # of the stages under way, what others took inside them

    def watch(self, stage: str, owner: Any, name: str) -> None:
        function = getattr(owner, name)

        def timed(*arguments: Any, **more: Any) -> Any:
            self._inner.append(0)
            began = time.thread_time_ns()
            try:
                return function(*arguments, **more)
            finally:
                took = time.thread_time_ns() - began
                self.spent[stage] += took - self._inner.pop()
                self._inner[-1] += took

        setattr(owner, name, timed)


class Forgetful:
    """A store that makes the rows and keeps nothing."""

    def __init__(self, commit: Callable[[], Any]) -> None:
        self._commit = commit

    async def unfinished(self, _: str) -> int:
        return 0

    async def create(self, *_: Any) -> None:
        return

    async def append(self, header: Any, entry: Any, summary: Any, _: Any = None) -> bool:
        Change().append(header.id, entry, summary)
        await self._commit()
        return True


class Place:
    """A table, and what lies in the queues of its people."""

    def __init__(self, name: str, keys: list[str], readers: list[Reader]) -> None:
        self.name, self.keys, self.readers = name, keys, readers

    def message(self, table: Table) -> tuple[str, str]:
        """What somebody who is asked sends, and the hash of their key."""
        seat = random.choice(list(table.questions))
        assert table.state is not None
        state = table.state
        decision = {"type": "decide", "id": secrets.token_hex(8), "question": table.questions[seat], "decision": liked(state.view(seat).legal_texts)}
        return json.dumps(decision), self.keys[seat]

    def read(self) -> None:
        for reader in self.readers:
            while not reader.queue.empty():
                reader.queue.get_nowait()


async def opened(tables: LoadedTables) -> Place:
    keys = [hash_of(secrets.token_urlsafe(32)) for _ in range(SEATS)]
    asked = m.CreateTable.model_validate({"game": "europe", "seats": ["person"] * SEATS, "name": "Ada", "pace": 0})
    name = (await tables.create(keys[0], asked)).header.id
    for key in keys[1:]:
        await tables.ask(name, key, m.Join(name="Ben"))
    table = await tables.table(name)
    readers = [Reader(name, key, table.seat_of(key), 10**6) for key in keys]
    for reader in readers:
        tables.publisher.subscribe(table, reader, None)
    return Place(name, keys, readers)


async def decided(tables: LoadedTables, place: Place, text: str, key: str) -> None:
    """As a socket does it."""
    fields = live.parsed(text)
    named = live.name_of(fields)
    command = live.command_of(fields.pop("type"), fields)
    reader = place.readers[0]
    await tables.ask(place.name, key, command, lambda cursor: reader.send(publishing.to_json({"type": "done", "cursor": cursor, "id": named})))


async def playing(tables: LoadedTables, places: Sequence[Place], rounds: int, at_once: int) -> tuple[int, int]:
    """Decisions, and nanoseconds; choosing what to decide does not count."""
    number, spent = 0, 0
    for first in [first for _ in range(rounds) for first in range(0, len(places), at_once)]:
        group = [(place, await tables.table(place.name)) for place in places[first : first + at_once]]
        messages = [(place, *place.message(table)) for place, table in group if table.questions]
        began = time.thread_time_ns()
        await asyncio.gather(*(decided(tables, *message) for message in messages))
        while at_once == 1 and tables.publisher._waiting:
            await asyncio.sleep(0)
        spent += time.thread_time_ns() - began
        number += len(messages)
        for place, _ in group:
            place.read()
    return number, spent


async def measured(number: int, rounds: int, busy: bool) -> dict[str, float]:
    """Microseconds per decision, by stage."""
    store: Any = Forgetful(lambda: asyncio.sleep(0.25 if busy else 0))
    watch = Watch()
    for stage in STAGES:
        watch.watch(*stage)
    tables = LoadedTables(store, Settings(most_tables=10**6, tables_per_guest=10**6, longest_wait=60), Metrics())
    driver = Driver(tables, Thinkers(1))
    places = [await opened(tables) for _ in range(number)]
    await playing(tables, places, 12, 1)  # past the opening tickets
    watch.spent.clear()
    decisions, spent = await playing(tables, places, rounds, number if busy else 1)
    await driver.close()
    figures = {stage: nanoseconds / decisions / 1000 for stage, nanoseconds in watch.spent.items()}
    total = spent / decisions / 1000
    return figures | {"the event loop, tasks and locks": total - sum(figures.values()), "all": total}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100, help=f"each with {SEATS} people (100)")
    parser.add_argument("--rounds", type=int, default=40, help="decisions per table (40)")
    parser.add_argument("--busy", action="store_true", help="all tables decide at once, as on a server under pressure")
    asked = parser.parse_args()
    random.seed(1)
    figures = asyncio.run(measured(asked.tables, asked.rounds, asked.busy))
    print("| stage | µs per decision |\n| --- | ---: |")
    for stage in [*dict.fromkeys(stage for stage, *_ in STAGES), "the event loop, tasks and locks", "all"]:
        print(f"| {stage} | {figures.get(stage, 0):,.0f} |")


if __name__ == "__main__":
    main()
