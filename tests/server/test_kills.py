"""The server is killed again and again, without any tidying up, while people and bots play: it keeps whatever it has acknowledged."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from branchline.server.store.entries import Entry, Header
from branchline.server.store.sealing import Seal, read_seal
from tests.conftest import LONG, SOAK
from tests.server.ledgers import Ledger, Sent, ask_over_http
from tests.server.running import Guest, ServerProcess, new_key

TABLES, KILLS = (50, 200) if LONG else (20, 40) if SOAK else (4, 2)
UP = 1.5  # the most seconds that the server lives, once it is ready
SETTLE = 90.0  # seconds for what is left to do when the killing is over
PATIENCE = 10.0  # seconds that a client waits for an answer before it sends again
BROKEN = (OSError, websockets.WebSocketException, httpx.HTTPError)  # the server is gone, or says nothing
NOT_NOW = ("too_many", "preparing")  # no answer yet: ask again
LINE_UPS = [
    ("europe", ["person", "person", "person"]),
    ("london", ["person", "easy"]),
    ("usa", ["person", "person"]),
    ("world", ["person", "normal", "person"]),
    ("card-game", ["person", "person", "easy"]),
    ("london", ["person", "person", "person", "person"]),
    ("europe", ["person", "easy", "normal"]),
    ("card-game", ["person", "person"]),
]


@dataclass
class Siege:
    """A server under attack, and what its clients were told."""

    server: ServerProcess
    http: httpx.AsyncClient
    up: asyncio.Event = field(default_factory=asyncio.Event)
    ended: bool = False
    ledger: Ledger = field(default_factory=Ledger)
    kills: int = 0
    resends: int = 0
    under_way: int = 0  # messages without an answer
    games: int = 0

    async def attack(self) -> None:
        rng = random.Random(1)
        for _ in range(KILLS):
            await asyncio.sleep(rng.uniform(0, UP))
            while not self.under_way:
                await asyncio.sleep(0)
            self.up.clear()
            await asyncio.to_thread(self.server.kill)
            self.kills += 1
            await asyncio.to_thread(self.server.start)
            self.up.set()
        self.ended = True

    async def ask(self, method: str, path: str, key: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        answer = await ask_over_http(self.http, method, self.server.url + path, key, body)
        if answer.get("code") in NOT_NOW:
            raise ConnectionError(answer["code"])
        return answer

    async def insist(self, method: str, path: str, key: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """An answer, however often the server is killed in the meantime."""
        while True:
            await self.up.wait()
            try:
                return await self.ask(method, path, key, body)
            except BROKEN:
                await asyncio.sleep(0.05)

    async def open_table(self, game: str, seats: list[str], keys: list[str]) -> str:
        body = {"game": game, "seats": seats, "name": "Ada", "pace": 0}
        table = str((await self.insist("POST", "/api/tables", keys[0], body))["table"])
        for key in keys[1:]:
            joined = await self.insist("POST", f"/api/tables/{table}/join", key, {"name": "Ben"})
            assert joined["type"] == "done", joined
        return table

    async def keep_playing(self, number: int) -> None:
        """One table after the other, as long as the siege lasts."""
        while not self.ended:
            game, seats = LINE_UPS[number % len(LINE_UPS)]
            keys = [new_key() for seat in seats if seat == "person"]
            table = await self.open_table(game, seats, keys)
            players = [Player(self, table, key, by_http=(number + place) % 3 == 0) for place, key in enumerate(keys)]
            await asyncio.gather(*(player.play() for player in players))
            await asyncio.gather(*(player.compare() for player in players))
            self.games += 1


class Visitor(Guest):
    """A guest who gets only one snapshot of a table: whatever it heard, no server has forgotten."""

    async def hear(self, within: float = PATIENCE) -> dict[str, Any]:
        returns = self.cursor is not None
        message = await super().hear(within)
        assert not (returns and message["type"] == "snapshot"), "what this guest heard is not in the log"
        if message["type"] == "refused" and "id" not in message:
            raise ConnectionError(message["code"])
        return message


class Player:
    """A person who decides at random and never gives up: what got no answer is sent again, word for word."""

    def __init__(self, siege: Siege, table: str, key: str, by_http: bool) -> None:
        self.siege, self.table, self.key, self.by_http = siege, table, key, by_http
        self.guest = Visitor(siege.server.url, table, key)
        self.rng = random.Random(key)
        self.pending: dict[str, Any] | None = None
        self.tried = False

    @property
    def waits_for_a_bot(self) -> bool:
        seats = self.guest.state["seats"]
        return any(seats[str(seat)]["player"] != "human" for seat in self.guest.state["position"]["choosing"])

    @property
    def is_done(self) -> bool:
        """The game is over; or the siege is, and every bot has done its part, as it must."""
        if self.pending is not None or self.guest.cursor is None:
            return False
        return self.guest.state["status"] != "playing" or (self.siege.ended and not self.waits_for_a_bot)

    async def play(self) -> None:
        while not self.is_done:
            with suppress(*BROKEN):
                await self.come()
                await self.act()
                continue
            await self.go()

    async def come(self) -> None:
        await self.siege.up.wait()
        if self.guest.socket is None:
            await self.guest.connect()

    async def go(self) -> None:
        socket, self.guest.socket = self.guest.socket, None
        if socket is not None:
            await socket.close()
        await asyncio.sleep(self.rng.uniform(0, 0.1))

    async def act(self) -> None:
        if self.pending is None:
            if self.guest.question is None or self.siege.ended:
                await self.look()
                return
            await asyncio.sleep(self.rng.uniform(0, 0.1))
            self.tried = False
            self.pending = {"id": new_key()[:20], "question": self.guest.question, "decision": self.rng.choice(self.guest.legal)}
        answer = await self.send(self.pending)
        sent = Sent(self.table, self.guest.state["you"], self.pending["id"], self.pending["decision"])
        self.siege.ledger.note(sent, answer)
        self.pending = None
        while answer["type"] == "done" and self.guest.cursor < answer["cursor"]:
            await self.guest.hear()

    async def look(self) -> None:
        """Hear what there is, but do not wait for long."""
        with suppress(TimeoutError):
            await self.guest.hear(0.5)

    async def send(self, message: dict[str, Any]) -> dict[str, Any]:
        self.siege.resends += self.tried
        self.tried = True
        self.siege.under_way += 1
        try:
            if self.by_http:
                return await self.siege.ask("POST", f"/api/tables/{self.table}/decide", self.key, message)
            return await self.guest.ask(type="decide", **message)
        finally:
            self.siege.under_way -= 1

    async def compare(self) -> None:
        """The state that this client has patched together is what a fresh page shows."""
        while True:
            with suppress(*BROKEN):
                await self.come()
                shown = await self.siege.insist("GET", f"/api/tables/{self.table}", self.key)
                while self.guest.cursor < shown["cursor"]:
                    await self.guest.hear()
                if self.guest.cursor == shown["cursor"]:
                    assert self.guest.state == shown["state"]
                    break
            await self.go()
        await self.guest.close()


async def besiege(server: ServerProcess) -> Siege:
    async with httpx.AsyncClient(timeout=PATIENCE, limits=httpx.Limits(max_connections=None)) as http:
        siege = Siege(server, http)
        siege.up.set()
        async with asyncio.TaskGroup() as group:
            tables = [group.create_task(siege.keep_playing(number)) for number in range(TABLES)]
            await siege.attack()
            await asyncio.wait_for(asyncio.gather(*tables), SETTLE)
    return siege


def stored(file: Path) -> list[tuple[Header, list[Entry]]]:
    """All tables in the file, read without the server's own code for it."""
    with sqlite3.connect(file) as connection:
        connection.row_factory = sqlite3.Row
        seal = read_seal(Path(f"{file}.key"), None)
        headers = [header_of(dict(row), seal) for row in connection.execute("SELECT * FROM tables")]
        logs: dict[str, list[Entry]] = {header.id: [] for header in headers}
        for row in connection.execute("SELECT * FROM entries ORDER BY table_id, number"):
            logs[row["table_id"]].append(
                Entry(row["number"], row["kind"], row["at"], row["seat"], json.loads(row["body"]), row["author"], row["client_id"])
            )
    connection.close()
    return [(header, logs[header.id]) for header in headers]


def header_of(row: dict[str, Any], seal: Seal) -> Header:
    fields = {name: row[name] for name in Header.__dataclass_fields__}
    read = {name: json.loads(row[name]) for name in ("plan", "options", "settings")}
    return Header(**fields | read | {"plan": tuple(read["plan"]), "seed": seal.open(row["id"], row["seed"])})


@pytest.mark.soak("servers are killed in the histories, too, and what they acknowledged is looked for")
@pytest.mark.timeout(1500 if SOAK else 180)
def test_no_acknowledged_decision_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    server = ServerProcess(f"sqlite:///{tmp_path / 'games.db'}", tmp_path).start()
    try:
        siege = asyncio.run(besiege(server))
    finally:
        server.kill()
    tables = [siege.ledger.check(header, log) for header, log in stored(tmp_path / "games.db")]
    decided = len(siege.ledger.acknowledged)
    print(f"\n{siege.kills} kills, {decided} decisions acknowledged, {siege.resends} sent again, {len(siege.ledger.refused)} refused,")
    print(f"{len(tables)} tables with {sum(table.last_entry for table in tables)} entries")
    assert siege.kills == KILLS
    assert siege.games >= TABLES
    assert decided > 4 * KILLS
    assert siege.resends >= KILLS / 2
