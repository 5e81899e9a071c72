"""Bots at the tables of a server: the same decisions as anywhere else, through broken connections and slow starts."""

import asyncio
import random
import secrets
import threading
import time
from contextlib import asynccontextmanager, suppress

import pytest

from branchline import Record
from branchline.bots import Witness, make_bot
from branchline.bots.base import begin_game
from branchline.bots.connect.addresses import Address, read_address
from branchline.bots.connect.command import Connection, Wishes, own_key
from branchline.bots.connect.server import Refusal
from branchline.bots.processes.commands import in_a_process
from branchline.bots.processes.program_bot import ProgramBot
from branchline.errors import BranchlineError, UsageError
from branchline.server.tables.seats import Seat
from tests.conftest import SOAK
from tests.server.inside import running_inside

SEED = 5
WATCHER = "tests.bots.test_processes:Watcher"


@pytest.fixture(scope="module")
def inside(tmp_path_factory):
    with running_inside(tmp_path_factory.mktemp("connect")) as running:
        yield running


def wishes(bot, **more):
    return Wishes(bot, **({"seed": SEED, "stay": 0.0} | more))


def new_table(inside, key, **more):
    """A table that a bot has opened, with a seat for another."""
    asked = {"game": "london", "seats": ["person", "person"], "name": "host", "bot": True, "open": True, "pace": 0} | more
    answer = inside.post("/api/tables", asked, key)
    assert answer.status_code == 201, answer.text
    return answer.json()["table"]


def sit(inside, table, key, bot, url=None, said=None):
    return Connection(Address(url or inside.url, table), key, wishes(bot), (said if said is not None else []).append)


async def played(*connections):
    async with asyncio.timeout(90):
        await asyncio.gather(*(one.run() for one in connections))


def record_of(inside, table):
    return Record.from_json(inside.get(f"/api/tables/{table}/record").text)


def same_decisions(record, seat, bot):
    """Whether a bot would have made every decision of a seat."""
    begin_game(bot, record.new_game(), seat)
    witness = Witness(bot, seat)
    states = record.states()
    state = next(states)
    for decision in record.decisions:
        if state.seat == seat:
            witness.tell(state)
            assert bot.decide(state.view(seat)) == decision, f"decision {len(state.history)}"
        next(states)
    return True


@pytest.mark.parametrize("bot", [WATCHER, "planner"] if not SOAK else [WATCHER, "planner", "random", "greedy"])
def test_the_same_bot_decides_the_same_here_in_a_process_and_on_a_server(inside, bot):
    host, guest = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    table = new_table(inside, host)
    asyncio.run(played(sit(inside, table, host, "greedy"), sit(inside, table, guest, bot)))
    record = record_of(inside, table)
    assert record.replay().is_over
    assert same_decisions(record, 1, make_bot(bot, SEED))
    there = ProgramBot(in_a_process(bot), "there", SEED)
    assert same_decisions(record, 1, there)
    there.close()


def test_a_program_plays_on_a_server_as_it_does_here(inside):
    program = "examples/bots/surveyor.py"
    host, guest = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    table = new_table(inside, host, game="card-game")
    asyncio.run(played(sit(inside, table, host, "greedy"), sit(inside, table, guest, program)))
    here = make_bot(program, SEED)
    record = record_of(inside, table)
    assert same_decisions(record, 1, here)
    here.close()
    seats = inside.get(f"/api/tables/{table}").json()["state"]["seats"]
    assert [seat["player"] for seat in record.seats] == [f"bot:guest/{seat['name']}" for seat in record.seats], "bots in the record, by name"
    assert [seat["player"] for seat in record.seats] == [seats[number]["player"] for number in "01"], "as shown when the seed was made of it"


def test_a_bots_seat_is_shown_as_a_bots(inside):
    host = secrets.token_urlsafe(32)
    table = new_table(inside, host)
    guest = secrets.token_urlsafe(32)
    inside.post(f"/api/tables/{table}/join", {"name": "surveyor", "bot": True}, guest)
    seats = inside.get(f"/api/tables/{table}").json()["state"]["seats"]
    assert [seats[seat].get("bot") for seat in "01"] == [True, True]
    assert seats["1"]["player"] == "bot:guest/surveyor"
    person = secrets.token_urlsafe(32)
    table = inside.post("/api/tables", {"game": "london", "seats": ["person", "easy"], "name": "Zoe"}, person).json()["table"]
    assert "bot" not in inside.get(f"/api/tables/{table}").json()["state"]["seats"]["0"]


@pytest.mark.parametrize(("name", "player"), [("easy", "bot:guest/easy"), ("My Bot 2", "bot:guest/My-Bot-2"), (None, "human")])
def test_whatever_it_calls_itself_it_is_no_level_and_has_no_space(name, player):
    """The seed is made of lines in which a space ends the player (docs/fairness.md)."""
    assert Seat("person", name=name, is_bot=True).player == player


def test_a_view_has_nothing_of_other_seats(inside):
    """It is the record of the seat's view, which has its own tests; others' hands and tickets are empty in it."""
    host, guest = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    table = new_table(inside, host)
    inside.post(f"/api/tables/{table}/join", {"name": "guest", "bot": True}, guest)
    looked = inside.get(f"/api/tables/{table}/view", guest).json()
    assert looked["seat"] == 1
    assert not any(looked["record"]["hands"][0])
    assert looked["record"]["key"] == ["0", "0"]
    assert all(number < 0 for number in looked["record"]["offer"][0])
    assert all("tickets" not in event or isinstance(event["tickets"], int) for event in looked["events"] if event.get("seat") == 0)


def test_several_tables_at_once(inside):
    host, guest = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    tables = [new_table(inside, host) for _ in range(3)]
    hosts = [sit(inside, table, host, "greedy") for table in tables]
    said = []
    around = Connection(Address(inside.url), guest, wishes("planner", tables=3), said.append)

    async def until_over():
        looking = asyncio.create_task(around.run())
        await played(*hosts)
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking

    asyncio.run(until_over())
    assert all(record_of(inside, table).replay().is_over for table in tables)
    assert sum("sits on seat 1" in line for line in said) == 3


@asynccontextmanager
async def breaking_line(port, seed):
    """A line to the server that breaks again and again."""
    rng, cuts = random.Random(seed), []

    async def carry(source, target, length):
        try:
            with suppress(OSError):
                while length > 0 and (data := await source.read(min(length, 4096))):
                    target.write(data)
                    await target.drain()
                    length -= len(data)
        finally:
            target.close()

    async def connected(reader, writer):
        there, back = await asyncio.open_connection("127.0.0.1", port)
        cuts.append(rng.randrange(15_000, 60_000))
        await asyncio.gather(carry(reader, back, 10**9), carry(there, writer, cuts[-1]))

    line = await asyncio.start_server(connected, "127.0.0.1", 0)
    async with line:
        yield f"http://127.0.0.1:{line.sockets[0].getsockname()[1]}", cuts


def test_a_line_that_breaks_again_and_again_changes_nothing(inside, monkeypatch):
    monkeypatch.setattr("branchline.bots.connect.server.FIRST_WAIT", 0.01)
    host, guest = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    table = new_table(inside, host)

    async def through_it():
        async with breaking_line(int(inside.url.rpartition(":")[2]), 3) as (url, cuts):
            await played(sit(inside, table, host, "greedy"), sit(inside, table, guest, WATCHER, url))
            return len(cuts)

    assert asyncio.run(through_it()) > 4
    assert same_decisions(record_of(inside, table), 1, make_bot(WATCHER, SEED))


def test_a_bot_that_comes_early_waits_until_the_rules_are_compiled(inside):
    host, guest = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    table, said = new_table(inside, host), []
    inside.loop.call_soon_threadsafe(inside.service.ready.clear)
    later = threading.Timer(1.0, lambda: inside.loop.call_soon_threadsafe(inside.service.ready.set))
    later.start()
    asyncio.run(played(sit(inside, table, host, "greedy", said=said), sit(inside, table, guest, "greedy", said=said)))
    later.join()
    assert any("compiled" in line for line in said)
    assert record_of(inside, table).replay().is_over


def test_a_server_that_is_not_there_yet_is_waited_for():
    said = []

    async def a_while():
        connection = Connection(Address("http://127.0.0.1:9"), secrets.token_urlsafe(32), wishes("greedy"), said.append)
        async with asyncio.timeout(1.0):
            await connection.run()

    with pytest.raises(TimeoutError):
        asyncio.run(a_while())
    assert any("cannot be reached" in line for line in said)


def test_a_failing_bot_loses_only_moves(inside):
    host, guest = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    table, said = new_table(inside, host), []
    asyncio.run(played(sit(inside, table, host, "greedy"), sit(inside, table, guest, "tests.bots.connect.test_connect:Moody", said=said)))
    assert record_of(inside, table).replay().is_over
    assert any("the bot failed (crash: RuntimeError: in a bad mood" in line for line in said)


class Moody:
    name = "moody"

    def decide(self, view):
        if len(view.legal) % 2:
            raise RuntimeError("in a bad mood")
        return view.legal[0]


def test_a_bot_comes_to_the_rematch(inside):
    host, guest = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    table = new_table(inside, host)
    with inside_thread(Connection(Address(inside.url, table), guest, wishes("greedy", stay=20.0), lambda _: None)) as done:
        asyncio.run(played(sit(inside, table, host, "greedy")))
        again = inside.post(f"/api/tables/{table}/rematch", {}, host).json()["rematch"]
        until(lambda: state_of(inside, again)["status"] == "playing")
        assert state_of(inside, again)["seats"]["1"]["bot"] is True
        inside.post(f"/api/tables/{again}/abandon", {}, host)
        done.wait(10)
    assert done.is_set()


def test_a_bot_agrees_to_end_a_game(inside):
    person, guest = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    body = {"game": "london", "seats": ["person", "person"], "name": "Zoe", "pace": 0}
    table = inside.post("/api/tables", body, person).json()["table"]
    with inside_thread(Connection(Address(inside.url, table), guest, wishes("greedy", stay=20.0), lambda _: None)) as done:
        until(lambda: state_of(inside, table)["status"] == "playing")
        inside.post(f"/api/tables/{table}/abandon", {"gives_up": True}, person)
        until(lambda: state_of(inside, table)["status"] == "abandoned")
        done.wait(10)
    assert done.is_set()


def state_of(inside, table):
    return inside.get(f"/api/tables/{table}").json()["state"]


def until(happens, within=20.0):
    end = time.monotonic() + within
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.02)


class inside_thread:  # noqa: N801  # reads as what it does
    """A connection that runs beside the test."""

    def __init__(self, connection):
        self.connection, self.done = connection, threading.Event()

    def __enter__(self):
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        return self.done

    def _run(self):
        with suppress(BranchlineError):
            asyncio.run(self.connection.run())
        self.done.set()

    def __exit__(self, *_):
        self.thread.join(10)


def test_a_full_table_is_said(inside):
    host, guest, late = (secrets.token_urlsafe(32) for _ in range(3))
    table = new_table(inside, host)
    inside.post(f"/api/tables/{table}/join", {"name": "guest", "bot": True}, guest)
    with pytest.raises(Refusal, match="already begun"):
        asyncio.run(sit(inside, table, late, "greedy").run())


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:8000", Address("http://127.0.0.1:8000")),
        ("https://trains.example/", Address("https://trains.example")),
        ("trains.example", Address("http://trains.example")),
        ("https://trains.example/t/AbCdEf-_01234567", Address("https://trains.example", "AbCdEf-_01234567")),
    ],
)
def test_addresses_and_links(url, address):
    assert read_address(url) == address


@pytest.mark.parametrize("url", ["ftp://trains.example", "https://", "https://trains.example/rules/europe", ""])
def test_what_is_no_address_is_said(url):
    with pytest.raises(UsageError):
        read_address(url)


def test_a_key_is_kept_for_the_next_start(tmp_path):
    file = tmp_path / "key"
    assert own_key(file) == own_key(file)
    assert file.stat().st_mode & 0o077 == 0
    assert own_key(None) != own_key(None)
    file.write_text("short")
    with pytest.raises(UsageError, match="does not hold a key"):
        own_key(file)


@pytest.mark.parametrize(
    "answer", [b"<html>not ours</html>", b"[]", b'{"tables": 3}', b"[" * 100_000], ids=["a page", "a list", "another shape", "depth"]
)
@pytest.mark.sample(2)
def test_a_server_that_is_none_of_ours_is_said(answer):
    async def serve():
        async def connected(reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(answer), answer))
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(connected, "127.0.0.1", 0) as line:
            url = f"http://127.0.0.1:{line.sockets[0].getsockname()[1]}"
            async with asyncio.timeout(10):
                await Connection(Address(url), secrets.token_urlsafe(32), wishes("greedy"), lambda _: None).run()

    with pytest.raises(BranchlineError):
        asyncio.run(serve())
