"""A server without a network, for tests: a clock that the test sets, people who ask, and what is due done immediately."""

from __future__ import annotations

import asyncio
import inspect
import secrets
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from branchline.server.metrics import Metrics
from branchline.server.protocol import messages as m
from branchline.server.protocol.keys import hash_of
from branchline.server.protocol.refusals import Refused
from branchline.server.settings import Settings
from branchline.server.steady_clock import SteadyClock
from branchline.server.store.store import Store
from branchline.server.tables.driving import Driver
from branchline.server.tables.loaded import Done, LoadedTables
from branchline.server.tables.snapshots import snapshot
from branchline.server.tables.table import Table
from branchline.server.tables.thinking import Thinkers
from tests.server.running import new_key


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class TablesOnly:
    """A server on a database, driven by hand: nothing happens that the test does not do."""

    def __init__(self, server: LoadedTables, driver: Driver, clock: Clock) -> None:
        self.tables, self.driver, self.clock = server, driver, clock
        server.on_change = server.on_load = lambda _: None

    @staticmethod
    async def open(database: Path | str, clock: Clock | None = None, monotonic: Clock | None = None, **settings: Any) -> TablesOnly:
        """On one clock; or on a wall clock and a monotonic one, which a test can move apart."""
        url = database if isinstance(database, str) else f"sqlite:///{database}"
        clock = clock or Clock()
        chosen = Settings(database_url=url, **settings)
        server = LoadedTables(await Store.open(url, chosen.key_file), chosen, Metrics(), SteadyClock(clock, monotonic or clock))
        return TablesOnly(server, Driver(server, Thinkers(1)), clock)

    async def close(self) -> None:
        await self.driver.close()
        await self.tables.store.close()

    async def create(self, key: str, game: str = "europe", seats: tuple[str, ...] = ("person", "person"), **more: Any) -> str:
        asked = m.CreateTable.model_validate({"game": game, "seats": list(seats), "name": "Ann"} | {"pace": 0} | more)
        return (await self.tables.create(hash_of(key), asked)).header.id

    async def ask(self, table: str, key: str | None, command: m.Message) -> Done:
        return await self.tables.ask(table, hash_of(key) if key is not None else None, command)

    async def join(self, table: str, key: str, name: str = "Bob", seat: int | None = None) -> Done:
        return await self.ask(table, key, m.Join(name=name, seat=seat))

    async def table(self, name: str) -> Table:
        return await self.tables.table(name)

    async def see(self, name: str, key: str | None) -> dict[str, Any]:
        table = await self.table(name)
        return snapshot(table, table.seat_of(hash_of(key) if key is not None else None))

    async def decide(self, table: str, key: str, decision: int | str | None = None, **more: Any) -> Done:
        """Answer the question that the key's seat is asked; without a decision, with the first legal one."""
        position = (await self.see(table, key))["state"]["position"]
        answer = {"id": secrets.token_hex(8), "question": position.get("question", 0), "decision": decision or position["legal"][0]} | more
        return await self.ask(table, key, m.Decide(**answer))

    async def wait(self, table: str, seconds: float = 0.0) -> None:
        """Let time pass, and do what is due then."""
        self.clock.now += seconds
        await self.driver.do_due(table)

    async def overdue(self, now: float) -> list[str]:
        return [name async for names in self.tables.store.overdue(now) for name in names]


# games for tests


ANN, BOB, CAT, EVE = (new_key() for _ in range(4))


def with_tables(**settings: Any) -> Callable[[Callable[..., Awaitable[None]]], Callable[..., None]]:
    """A test with its own server, which it gets as `server`, along with the fixtures it names."""

    def decorated(play: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        names = [name for name in inspect.signature(play).parameters if name != "server"]

        def test(**fixtures: Any) -> None:
            asyncio.run(whole(fixtures["tmp_path"], {name: fixtures[name] for name in names}))

        async def whole(folder: Path, fixtures: dict[str, Any]) -> None:
            server = await TablesOnly.open(folder / "games.db", **settings)
            try:
                await play(server, **fixtures)
            finally:
                await server.close()

        wanted = dict.fromkeys(["tmp_path", *names])
        test.__signature__ = inspect.Signature([inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in wanted])  # type: ignore[attr-defined]
        test.__doc__ = play.__doc__
        return test

    return decorated


@asynccontextmanager
async def refused(code):
    with pytest.raises(Refused) as raised:
        yield
    assert raised.value.code == code


async def two_play(server, **more):
    """Ann and Bob at a table, past their opening tickets."""
    table = await server.create(ANN, **more)
    await server.join(table, BOB)
    while (await server.see(table, ANN))["state"]["position"]["phase"] == "opening tickets":
        for key in (ANN, BOB):
            if "question" in (await server.see(table, key))["state"]["position"]:
                await server.decide(table, key)
    return table


async def asked(server, table):
    """The key and the name of whoever has to decide."""
    return ANN if "question" in (await server.see(table, ANN))["state"]["position"] else BOB


async def play_out(server, table):
    """Everybody leaves, and bots finish the game."""
    for key in (ANN, BOB):
        if (await server.table(table)).seat_of(hash_of(key)) is not None:
            await server.ask(table, key, m.Leave())
    await server.wait(table, 1000)
    assert (await server.table(table)).status == "finished"
