"""`branchline serve` as a person runs it: start, logs, figures, an orderly stop, and what goes wrong."""

import asyncio
import json
import logging
import random
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
import websockets

from branchline import load_board
from branchline.server import app
from branchline.server.protocol.keys import hash_of
from branchline.server.serving import check_database, listen
from tests.commands import branchline, branchline_process
from tests.conftest import SOAK
from tests.server.running import Guest, free_port, new_key, running_server

HIDDEN_LEVEL = ("--log-level", "debug")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server of this module's own: one that writes down whatever it can, and that may be stopped and started again."""
    with running_server(tmp_path_factory.mktemp("serving"), None, *HIDDEN_LEVEL) as server:
        yield server


async def play_with_bot(server, key, game, decisions):
    """A person and a bot play some of a game; returns the table."""
    async with httpx.AsyncClient(base_url=server.url, headers={"authorization": f"Bearer {key}"}) as client:
        asked = {"game": game, "seats": ["person", "hard"], "name": "Zoë Secretname", "pace": 0}
        table = (await client.post("/api/tables", json=asked)).json()["table"]
    guest, rng = Guest(server.url, table, key), random.Random(1)
    await guest.connect()
    for _ in range(decisions):
        while guest.question is None and guest.state["status"] == "playing":
            await guest.hear()
        if guest.state["status"] != "playing":
            break
        answer = await guest.ask(type="decide", question=guest.question, decision=rng.choice(guest.legal))
        assert answer["type"] == "done"
    await guest.ask(type="say", text="a private word")
    await guest.ask(type="decide", question=0, decision="pay wild")
    return guest


def test_logs_and_figures_hold_no_secret(server):
    """No seed, key, hash of a key, link, name, word of the chat, ticket, place, card or decision, not even at log level debug."""
    key = new_key()

    async def play():
        for game in ("europe", "world", "card-game"):
            guest = await play_with_bot(server, key, game, 60 if SOAK else 25)
            for path in ("", "/events", "/record", "/unknown"):
                httpx.get(f"{server.url}/api/tables/{guest.table}{path}", headers={"authorization": f"Bearer {key}"})
            httpx.get(f"{server.url}/{guest.table}/{key}")
            tables.append(guest.table)
            await guest.close()

    tables = []
    asyncio.run(play())
    figures = server.figures()
    time.sleep(0.2)  # a line is written after its answer
    written = server.log.read_text() + figures
    secrets = [key, hash_of(key), *tables, "Secretname", "private word"]
    for game in ("europe", "world", "card-game"):
        board = load_board(game)
        secrets += [one.id for one in (*board.tickets, *board.routes)] + [city.id for city in board.cities]
    assert len(written.splitlines()) > 50
    for secret in secrets:
        assert not re.search(rf"(?<![a-z]){re.escape(secret)}(?![a-z])", written), secret
    assert not re.search(r"\b[0-9a-f]{32}\b|\b[0-9a-f]{64}\b", written)
    assert not re.search(r"\b(claim|pay|keep|draw train|locomotive|wild|orange)\b", written)


def test_every_line_of_the_log_is_a_json_object(server):
    httpx.get(f"{server.url}/api/about")
    end = time.monotonic() + 5  # the line is written after the answer
    while not any(line["event"] == "request" and line["path"] == "/api/about" and line["status"] == 200 for line in log_lines(server)):
        assert time.monotonic() < end
    assert {"event", "level", "timestamp"} <= set.intersection(*(set(line) for line in log_lines(server)))


def log_lines(server):
    return [json.loads(line) for line in server.log.read_text().splitlines()]


async def code_of_end(guest):
    try:
        while True:
            await guest.hear()
    except websockets.ConnectionClosed as closed:
        return closed.rcvd.code


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)] if SOAK else [(signal.SIGTERM, 0)])
def test_an_orderly_stop_tells_sockets_to_return(server, how, code):
    """1012: the service restarts. People who come back afterwards continue where they were."""

    async def play():
        guest = await play_with_bot(server, new_key(), "london", 5)
        server.process.send_signal(how)
        assert await code_of_end(guest) == 1012
        assert server.process.wait(20) == code
        server.start()
        await guest.connect()
        fresh = httpx.get(f"{server.url}/api/tables/{guest.table}", headers={"authorization": f"Bearer {guest.key}"}).json()
        assert (guest.cursor, guest.state) == (fresh["cursor"], fresh["state"])
        await guest.close()

    try:
        asyncio.run(play())
    finally:
        if server.process.poll() is not None:
            server.start()
    assert "Traceback" not in server.log.read_text()


def narrow_socket(port):
    """It holds little that has not been read."""
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    narrow.connect(("127.0.0.1", port))
    narrow.setblocking(False)
    return narrow


def test_a_slow_reader_is_let_go_and_harms_nobody(server):
    """It reads nothing while the others chat on; they hear everything, and the server forgets it."""

    async def chat():
        async with httpx.AsyncClient(base_url=server.url) as client:
            keys = [new_key() for _ in range(2)]
            made = await client.post(
                "/api/tables", json={"game": "london", "seats": ["person"] * 2, "name": "A"}, headers={"authorization": f"Bearer {keys[0]}"}
            )
            table = made.json()["table"]
            await client.post(f"/api/tables/{table}/join", json={"name": "B"}, headers={"authorization": f"Bearer {keys[1]}"})
            slow = await websockets.connect(f"{server.url.replace('http', 'ws')}/api/tables/{table}/live", sock=narrow_socket(server.port))
            await slow.send(json.dumps({"type": "hello"}))
            await slow.recv()
            slow.transport.pause_reading()
            quick, other = talkers = [Guest(server.url, table, key) for key in keys]
            for talker in talkers:
                await talker.connect()
            for number in range(2400):  # one alone may not say that much
                await talkers[number % 2].send(type="say", id=f"n{number}", text="x" * 300)
                if number % 20 == 19:
                    for talker, last in ((quick, number - 1), (other, number)):
                        while f"n{last}" not in talker.answers:
                            await talker.hear()
                if number % 100 == 99 and "branchline_sockets 2.0" in server.figures():
                    break
            else:
                raise AssertionError("the slow reader is still there")
            said = [event for event in quick.events if event["event"] == "say"]
            assert len(said) >= number - 20
            slow.transport.abort()
            for talker in talkers:
                await talker.close()

    asyncio.run(chat())


@pytest.fixture
def refused_start(monkeypatch):
    """`branchline serve` in this process, which must find something wrong before it serves."""
    monkeypatch.setattr("branchline.server.serving.set_up_logs", lambda _: None)
    for beyond in ("become", "should_begin_plain"):
        monkeypatch.setattr(f"branchline.server.first_start.{beyond}", lambda *_, **__: pytest.fail("it goes on to serve"))
    return lambda *options: branchline("serve", "--port", free_port(), *options)


@pytest.mark.parametrize(
    ("options", "code", "reason"),
    [
        (["--database-url", "mysql://x/y"], 2, "SQLite or PostgreSQL, not mysql"),
        (["--database-url", "nonsense"], 2, "--database-url is like"),
        (["--database-url", "sqlite:////nowhere/at/all/games.db"], 1, "the database cannot be used"),
        (["--database-wait", "0", "--database-url", "postgresql://nobody@127.0.0.1:1/x"], 1, "the database cannot be used"),
        (["--log-level", "loud"], 2, "--log-level is debug, info, warning or error"),
        (["--host", "203.0.113.7"], 1, "cannot listen on 203.0.113.7"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_line(refused_start, options, code, reason):
    ended = refused_start(*options)
    assert ended.returncode == code
    assert reason in ended.stderr
    assert "Traceback" not in ended.stderr


def test_an_address_in_use_is_said(server, tmp_path):
    """In a separate process, as a person would see it."""
    ended = branchline_process("serve", "--port", server.port, cwd=tmp_path)
    assert (ended.returncode, "choose another with --port" in ended.stderr) == (1, True)


def test_a_database_of_a_newer_branchline_is_left_alone(refused_start, tmp_path):
    import sqlite3

    url = f"sqlite:///{tmp_path / 'games.db'}"
    asyncio.run(check_database(url))
    connection = sqlite3.connect(tmp_path / "games.db")
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    ended = refused_start("--database-url", url)
    assert (ended.returncode, "belongs to a newer Branchline" in ended.stderr) == (1, True)


def test_the_example_plays_a_whole_game_that_verifies(server, tmp_path):
    example = Path(__file__).parents[2] / "examples" / "guest.py"
    played = subprocess.run([sys.executable, example, server.url], capture_output=True, text=True, timeout=120, cwd=tmp_path, check=True)
    assert "Hard:" in played.stdout
    promised = re.search(r"SHA-256 is ([0-9a-f]{64})", played.stdout).group(1)
    verified = branchline("verify", "game.json", "--commitment", promised, cwd=tmp_path)
    assert "is the one you gave" in verified.stdout


def test_what_is_sent_in_parts_does_not_wait_for_the_first_to_arrive():
    """Nagle's algorithm is off for whoever connects, whichever event loop serves: asyncio's own does not switch it off."""
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()), listening.accept()[0] as connection:
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_what_swallows_a_cancellation_is_cancelled_again(monkeypatch):
    monkeypatch.setattr(app, "CANCEL_AGAIN", 0.05)

    async def stubborn():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(60)

    async def failing():
        raise RuntimeError

    async def both():
        tasks = [asyncio.create_task(stubborn()), asyncio.create_task(failing())]
        await asyncio.sleep(0)
        await asyncio.wait_for(app.end(tasks), 20)
        return [task.cancelled() for task in tasks]

    assert asyncio.run(both()) == [True, False]


def test_a_library_that_is_stopped_while_it_closes_a_connection_logs_nothing(capsys):
    """Its other errors are logged as one line of JSON, without their message."""
    for error in (asyncio.CancelledError(), ValueError("a secret")):
        logging.getLogger("sqlalchemy.pool").error("closing failed", exc_info=(type(error), error, None))
    (line,) = capsys.readouterr().err.splitlines()
    assert (json.loads(line)["message"], json.loads(line)["error"], "secret" in line) == ("closing failed", "ValueError", False)
