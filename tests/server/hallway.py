"""A hall without a network, for tests: a clock that the test turns, people who ask, and what is due done at once."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from branchline.server import messages as m
from branchline.server.driving import Driver
from branchline.server.hall import Done, Hall
from branchline.server.keys import hash_of
from branchline.server.metrics import Metrics
from branchline.server.settings import Settings
from branchline.server.snapshots import snapshot
from branchline.server.store import Store
from branchline.server.table import Table
from branchline.server.thinking import Thinkers


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Hallway:
    """A hall on a database, driven by hand: nothing happens that the test does not do."""

    def __init__(self, hall: Hall, driver: Driver, clock: Clock) -> None:
        self.hall, self.driver, self.clock = hall, driver, clock
        hall.on_change = lambda _: None

    @staticmethod
    async def open(database: Path | str, clock: Clock | None = None, **settings: Any) -> Hallway:
        url = database if isinstance(database, str) else f"sqlite:///{database}"
        clock = clock or Clock()
        chosen = Settings(database_url=url, **settings)
        hall = Hall(await Store.open(url), chosen, Metrics(), clock)
        return Hallway(hall, Driver(hall, Thinkers(1)), clock)

    async def close(self) -> None:
        await self.driver.close()
        await self.hall.store.close()

    async def create(self, key: str, game: str = "europe", seats: tuple[str, ...] = ("person", "person"), **more: Any) -> str:
        asked = m.CreateTable.model_validate({"game": game, "seats": list(seats), "name": "Ann"} | {"pace": 0} | more)
        return (await self.hall.create(hash_of(key), asked)).header.id

    async def ask(self, table: str, key: str | None, command: m.Message) -> Done:
        return await self.hall.ask(table, hash_of(key) if key is not None else None, command)

    async def join(self, table: str, key: str, name: str = "Bob", seat: int | None = None) -> Done:
        return await self.ask(table, key, m.Join(name=name, seat=seat))

    async def table(self, name: str) -> Table:
        return await self.hall.table(name)

    async def see(self, name: str, key: str | None) -> dict[str, Any]:
        table = await self.table(name)
        return snapshot(table, table.seat_of(hash_of(key) if key is not None else None))

    async def decide(self, table: str, key: str, decision: int | str | None = None, **more: Any) -> Done:
        """Answer the question that the key's seat is asked; without a decision, the first that is legal."""
        position = (await self.see(table, key))["state"]["position"]
        answer = {"id": secrets.token_hex(8), "number": position.get("question", 0), "decision": decision or position["legal"][0]} | more
        return await self.ask(table, key, m.Decide(**answer))

    async def wait(self, table: str, seconds: float = 0.0) -> None:
        """Let time pass, and do what is due then."""
        self.clock.now += seconds
        await self.driver.do_due(table)
