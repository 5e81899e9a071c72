"""Two server processes on one database: whatever both try happens once, and both report it."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from branchline.server.store.entries import DECIDE, Entry, Header
from branchline.server.store.store import Store
from branchline.server.tables.driving import bot_question
from branchline.server.tables.due import BOT, Due
from branchline.server.tables.table import Table
from branchline.server.tables.thinking import decide
from tests.conftest import LONG, SOAK
from tests.server.conftest import empty_database
from tests.server.ledgers import Ledger, Sent, ask_over_http
from tests.server.running import Guest, ServerProcess, new_key

RACES, TABLES = (2000, 20) if LONG else (400, 10) if SOAK else (8, 2)
TOLD = 60 if SOAK else 4  # decisions that guests of the other process hear about
GAMES, DECISIONS = (5, 10_000) if SOAK else (1, 24)  # of a person beside bots: whole games, or the beginning of one
LOST = ("stale", "not_your_turn", "over")  # what the second one is told
DRIVEN_AGAIN = 30.0  # seconds until a process has taken over what another left

DATABASES = ["sqlite", "postgresql"] if SOAK else ["postgresql"]
in_the_soak = pytest.mark.soak("one killed process is enough here")
KILLED_ON = [pytest.param("sqlite", marks=in_the_soak), "postgresql"]

pytestmark = pytest.mark.timeout(900 if SOAK else 180)
Pair = tuple[ServerProcess, ServerProcess]


@contextmanager
def running_pair(database_url: str, folder: Path) -> Iterator[Pair]:
    """Two server processes, started at the same moment on an empty database."""
    servers = ServerProcess(database_url, folder), ServerProcess(database_url, folder)
    try:
        for server in servers:
            server.start(wait=False)
        for server in servers:
            server.wait_until_ready()
        yield servers
    finally:
        for server in servers:
            if server.process is not None and server.process.poll() is None:
                server.stop()


@pytest.fixture(scope="module", params=DATABASES)
def database_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    return empty_database(request, tmp_path_factory.mktemp("races"))


@pytest.fixture(scope="module")
def started(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with running_pair(database_url, tmp_path_factory.mktemp("pair")) as servers:
        yield servers


@pytest.fixture
def pair(started: Pair) -> Pair:
    """One of them may have been killed by the test before."""
    for server in started:
        if server.process is None or server.process.poll() is not None:
            server.start()
    return started


@dataclass
class Meeting:
    """A table that both processes serve: each of its people has a page open at both, and so has a spectator."""

    http: httpx.AsyncClient
    servers: Pair
    ledger: Ledger
    rng: random.Random
    table: str = ""
    keys: list[str] = field(default_factory=list)
    pages: dict[str | None, tuple[Guest, Guest]] = field(default_factory=dict)
    newest: int = 0  # the process that wrote last

    async def open(self, by: int, seats: list[str], game: str = "london", **settings: Any) -> None:
        self.newest = by
        self.keys = [new_key() for seat in seats if seat == "person"]
        host = self.keys[0] if self.keys else new_key()
        made = await self.ask(by, "POST", "", host, {"game": game, "seats": seats, "name": "Ada", "pace": 0} | settings)
        self.table = f"{made['table']}"
        for key in self.keys[1:]:
            assert (await self.ask(by, "POST", "/join", key, {"name": "Ben"}))["type"] == "done"
        for key in (*self.keys, None):
            self.pages[key] = (Guest(self.servers[0].url, self.table, key), Guest(self.servers[1].url, self.table, key))
            for page in self.pages[key]:
                await page.connect()

    async def ask(self, by: int, method: str, path: str, key: str | None, body: dict[str, Any] | None = None) -> dict[str, Any]:
        return await ask_over_http(self.http, method, f"{self.servers[by].url}/api/tables{self.table and '/'}{self.table}{path}", key, body)

    async def decide(self, by: int, key: str, message: dict[str, Any]) -> dict[str, Any]:
        answer = await self.ask(by, "POST", "/decide", key, message)
        self.ledger.note(Sent(self.table, self.keys.index(key), message["id"], message["decision"]), answer)
        if answer["type"] == "done":
            self.newest = by
        return answer

    async def next_question(self) -> tuple[str, dict[str, Any]] | None:
        """Somebody who is asked, and what they see, once both processes know about it. None: the game is over."""
        while True:
            shown = await self.ask(self.newest, "GET", "", None)
            if shown["state"]["status"] != "playing":
                return None
            asked = [seat for seat in shown["state"]["position"]["choosing"] if seat < len(self.keys)]
            if not asked:
                await asyncio.sleep(0.02)  # a bot's turn
                continue
            key = self.keys[self.rng.choice(asked)]
            shown = await self.ask(self.newest, "GET", "", key)
            await self.hear(key, shown["cursor"])
            if "question" in shown["state"].get("position", {}):
                return key, shown["state"]["position"]

    async def hear(self, key: str | None, number: int) -> None:
        for page in self.pages[key]:
            while page.cursor < number:
                await page.hear()

    async def end(self) -> None:
        """In the end everybody sees the same at both processes, in a fresh snapshot or by the changes they were sent, byte for byte."""
        seen = {}
        for key, pages in self.pages.items():
            shown = await self.ask(self.newest, "GET", "", key)
            await self.hear(key, shown["cursor"])
            headers = {} if key is None else {"authorization": f"Bearer {key}"}
            one, other = [await self.http.get(f"{server.url}/api/tables/{self.table}", headers=headers) for server in self.servers]
            seen[key] = one.content
            assert one.content == other.content
            assert pages[0].state == pages[1].state == one.json()["state"]
            assert pages[0].events == pages[1].events
        assert len(set(seen.values())) == len(self.pages)
        await self.close()

    async def close(self) -> None:
        for pages in self.pages.values():
            for page in pages:
                await page.close()


@asynccontextmanager
async def meeting(servers: Pair, ledger: Ledger, by: int, seats: list[str], **settings: Any) -> AsyncIterator[Meeting]:
    async with httpx.AsyncClient(timeout=30) as http:
        one = Meeting(http, servers, ledger, random.Random(by))
        await one.open(by, seats, **settings)
        yield one


def answering(position: dict[str, Any], decision: str) -> dict[str, Any]:
    return {"id": new_key()[:20], "question": position["question"], "decision": decision}


async def check_logs(database_url: str, ledger: Ledger) -> list[tuple[Header, list[Entry]]]:
    """Every table in the ledger, as the store has it."""
    store = await Store.open(database_url)
    try:
        found = []
        for table in sorted({sent.table for sent in (*ledger.acknowledged, *ledger.refused)}):
            header = await store.header(table)
            assert header is not None
            found.append((header, await store.log(table)))
            ledger.check(*found[-1])
        return found
    finally:
        await store.close()


def figure(server: ServerProcess, name: str) -> float:
    """The sum of one of the server's own figures."""
    lines = server.figures().splitlines()
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith((f"{name} ", f"{name}{{")))


# races of people


async def race_at_a_table(pair: Pair, ledger: Ledger, number: int, races: int) -> None:
    """Game after game, each question answered through both processes at the same moment."""
    run = 0
    while run < races:
        async with meeting(pair, ledger, number % 2, ["person", "person"], game=("london", "card-game", "europe")[number % 3]) as table:
            while run < races and (asked := await table.next_question()):
                await (race if run % 4 else send_to_both)(table, *asked)
                run += 1
            await table.end()


async def race(table: Meeting, key: str, position: dict[str, Any]) -> None:
    """Two answers to the same question, mostly different ones: one is made."""
    ways = [answering(position, table.rng.choice(position["legal"])) for _ in table.servers]
    answers = await asyncio.gather(*(table.decide(by, key, message) for by, message in enumerate(ways)))
    refused = [answer for answer in answers if answer["type"] == "refused"]
    assert len(refused) == 1, answers
    assert refused[0]["code"] in LOST, refused


async def send_to_both(table: Meeting, key: str, position: dict[str, Any]) -> None:
    """The same message to both: it takes effect once, and both say so."""
    message = answering(position, table.rng.choice(position["legal"]))
    one, other = await asyncio.gather(*(table.decide(by, key, message) for by in range(2)))
    assert one == other
    assert one["type"] == "done"


@pytest.mark.sample(1)
def test_of_two_answers_through_two_processes_one_counts_and_a_message_sent_to_both_acts_once(pair: Pair, database_url: str) -> None:
    ledger = Ledger()

    async def run() -> None:
        await asyncio.gather(*(race_at_a_table(pair, ledger, number, RACES // TABLES) for number in range(TABLES)))

    before = sum(figure(server, "branchline_lost_races_total") for server in pair)
    asyncio.run(run())
    asyncio.run(check_logs(database_url, ledger))
    lost = sum(figure(server, "branchline_lost_races_total") for server in pair) - before
    print(f"\n{len(ledger.acknowledged)} races on {database_url.split(':', 1)[0]}, {lost:.0f} of them decided by the database")
    assert len(ledger.acknowledged) == RACES
    assert len(ledger.refused) == sum(1 for number in range(RACES // TABLES) if number % 4) * TABLES
    assert lost > RACES / 10


def test_guests_hear_live_what_is_decided_through_the_other_process(pair: Pair, database_url: str) -> None:
    ledger = Ledger()
    delays: list[float] = []

    async def run() -> None:
        async with meeting(pair, ledger, 1, ["person", "person"]) as table:
            while len(delays) < TOLD and (asked := await table.next_question()):
                key, position = asked
                done = await table.decide(1, key, answering(position, table.rng.choice(position["legal"])))
                began = time.monotonic()
                await table.hear(key, done["cursor"])
                delays.append(time.monotonic() - began)
            await table.end()

    asyncio.run(run())
    asyncio.run(check_logs(database_url, ledger))
    print(f"\n{len(delays)} decisions heard at the other process after {sorted(delays)[len(delays) // 2]:.3f} s, {max(delays):.3f} s at most")
    assert len(delays) == TOLD
    assert max(delays) < 3


def test_whoever_decides_through_one_process_may_go_on_at_once_through_the_other(pair: Pair, database_url: str) -> None:
    """A process that has not yet heard of the latest entries reads them before it refuses anything."""
    ledger = Ledger()

    async def run() -> None:
        async with meeting(pair, ledger, 0, ["person", "person"]) as table:
            for number in range(TOLD):
                shown = await table.ask(table.newest, "GET", "", table.keys[0])
                key = table.keys[shown["state"]["position"]["choosing"][0]]
                position = (await table.ask(table.newest, "GET", "", key))["state"]["position"]
                answer = await table.decide(1 - number % 2, key, answering(position, table.rng.choice(position["legal"])))
                assert answer["type"] == "done", answer
            await table.end()

    asyncio.run(run())
    asyncio.run(check_logs(database_url, ledger))


# bots


def check_bots(header: Header, log: list[Entry]) -> int:
    """On each of its turns, each bot did what it always does there, given only what it sees; returns how often bots acted."""
    table, acts = Table(header), 0
    for entry in log:
        if entry.kind == DECIDE and entry.client_id is None:
            asked = bot_question(table, Due(0, BOT, entry.seat))
            game = (table.game.name, table.game.players, tuple(sorted(table.game.options.items())))
            assert entry.body["decision"] == decide(game, asked.view.records.tobytes(), asked.level, asked.seed)
            acts += 1
        table.apply(entry)
    return acts


def test_bots_at_a_table_of_two_processes_act_once_each(pair: Pair, database_url: str) -> None:
    ledger = Ledger()

    async def play(number: int) -> None:
        async with meeting(pair, ledger, number % 2, ["person", "easy", "normal"]) as table:
            made = 0
            while (asked := await table.next_question()) and made < DECISIONS:
                key, position = asked
                message = answering(position, table.rng.choice(position["legal"]))
                assert (await table.decide(table.rng.randrange(2), key, message))["type"] == "done"
                made += 1
            await table.end()

    async def run() -> None:
        await asyncio.gather(*(play(number) for number in range(GAMES)))

    before = [figure(server, "branchline_entries_total") for server in pair]
    asyncio.run(run())
    acts = [check_bots(*one) for one in asyncio.run(check_logs(database_url, ledger))]
    by_process = [figure(server, "branchline_entries_total") - entries for server, entries in zip(pair, before, strict=True)]
    print(f"\n{sum(acts)} acts of bots in {len(acts)} games; entries written by each process: {by_process}")
    assert min(acts) > 20
    assert min(by_process) > 5  # both take part; how much each does is chance


@pytest.mark.soak("kills among several processes are in the histories")
@pytest.mark.parametrize("database_url", KILLED_ON, indirect=True)
def test_when_the_process_that_drives_a_bot_is_killed_the_other_goes_on(pair: Pair, database_url: str) -> None:
    first, second = pair
    before = figure(second, "branchline_entries_total")

    async def run() -> str:
        async with meeting(pair, Ledger(), 0, ["easy", "normal", "easy"], pace=0.02) as table:
            page = table.pages[None][1]
            while page.cursor < 20:
                await page.hear()
            assert figure(second, "branchline_entries_total") == before
            first.kill()
            while page.state["status"] == "playing":
                await page.hear(DRIVEN_AGAIN)
            assert page.state["status"] == "finished"
            await table.close()
            return table.table

    name = asyncio.run(run())
    assert figure(second, "branchline_entries_total") > before + 20

    async def read() -> tuple[Header | None, list[Entry]]:
        store = await Store.open(database_url)
        found = await store.header(name), await store.log(name)
        await store.close()
        return found

    header, log = asyncio.run(read())
    assert header is not None
    Ledger().check(header, log)
    assert check_bots(header, log) > 40


@in_the_soak
def test_a_bot_whose_process_is_killed_does_not_wait_for_an_alarm_that_the_other_set_before(pair: Pair) -> None:
    """The other has a timer for the end of a turn that is already over: what is due now must not wait for it."""

    async def run() -> None:
        async with meeting(pair, Ledger(), 1, ["person", "easy"], first_seat=0, turn_seconds=600, pace=2) as table:
            [key] = table.keys
            page = table.pages[key][1]
            while (asked := await table.next_question()) and asked[1]["phase"] == "opening tickets":
                await table.decide(1, key, answering(asked[1], asked[1]["legal"][0]))
            while page.state["position"]["choosing"] == [0] and (asked := await table.next_question()):
                draw = next(text for text in asked[1]["legal"] if text.startswith("draw"))
                await table.hear(key, (await table.decide(0, key, answering(asked[1], draw)))["cursor"])
            pair[0].kill()
            assert page.state["position"]["choosing"] == [1]
            while page.state["position"]["choosing"] == [1]:
                await page.hear(DRIVEN_AGAIN)
            await table.close()

    asyncio.run(run())
