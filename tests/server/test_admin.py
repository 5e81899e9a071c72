"""`branchline admin` on a server that runs: tables, blocked addresses, records, and backups made under load and restored."""

import asyncio
import json
import os
import re
import sqlite3
import subprocess
import threading
import time
from contextlib import closing

import asyncpg
import httpx
import pytest
from sqlalchemy import make_url

from branchline import Record
from tests.commands import branchline
from tests.conftest import SOAK
from tests.server.conftest import empty_database
from tests.server.inside import bearer
from tests.server.refusing import wait_until
from tests.server.running import Guest, ServerProcess, new_database, new_key, postgres_programs, running_server

PLAYERS = 6
LOAD_FOR = 20.0 if SOAK else 1.5  # seconds


@pytest.fixture(scope="module", params=["sqlite", "postgresql"] if SOAK else ["sqlite"])
def server(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("admin")
    url, key = empty_database(request, folder), str(folder / "seeds.key")
    with running_server(folder, url, "--key-file", key, "--watch-every", "0.2") as server:
        server.key_file = key
        yield server


def admin(server, *arguments):
    where = () if arguments[0] == "check-backup" else ("--database-url", server.database_url)
    return branchline("admin", *arguments, *where, "--key-file", server.key_file)


def open_table(server, key=None, **more):
    body = {"game": "london", "seats": ["person", "person"], "name": "Zoë"} | more
    response = httpx.post(f"{server.url}/api/tables", json=body, headers=bearer(key or new_key()))
    return response.json()["table"]


def state(server, table):
    return httpx.get(f"{server.url}/api/tables/{table}").json()["state"]


def finished_table(server):
    table = open_table(server, seats=["easy", "easy"], pace=0)
    wait_until(lambda: state(server, table)["status"] == "finished", 60)
    return table


# tables


def test_tables_are_listed_and_found(server):
    names = ["Łukasz", "Михайло", "Anna"]
    tables = [open_table(server, name=name) for name in names]
    listed = admin(server, "tables").stdout
    assert all(one in listed for one in (*tables, *names))
    found = admin(server, "tables", "--player", "михай", "--status", "waiting", "--game", "london").stdout
    assert (tables[1] in found, tables[0] in found) == (True, False)
    assert admin(server, "tables", "--game", "world").stdout.strip() == "No tables."
    assert admin(server, "tables", "--most", "1").stdout.count("london") == 1


def test_a_table_is_closed_for_everybody_at_it(server):
    key = new_key()
    table = open_table(server, key, seats=["person", "easy"])

    async def watch():
        guest = Guest(server.url, table, key)
        await guest.connect()
        await asyncio.to_thread(admin, server, "close", f"{server.url}/t/{table}")
        while guest.state["status"] == "playing":
            await guest.hear()
        await guest.close()
        return guest.state["status"]

    assert asyncio.run(watch()) == "abandoned"
    again = admin(server, "close", table)
    assert (again.returncode, "abandoned already" in again.stderr) == (1, True)
    assert admin(server, "close", "AAAAAAAAAAAAAAAA").returncode == 1


def test_a_record_is_exported_in_full_only_when_the_game_is_over(server, tmp_path):
    over, running = finished_table(server), open_table(server, seats=["person", "easy"])
    assert admin(server, "export", over, "--out", tmp_path / "game.json").returncode == 0
    assert Record.from_json((tmp_path / "game.json").read_text()).seed
    shown = json.loads(admin(server, "export", running).stdout)
    assert "seed" not in shown or shown["seed"] is None
    assert admin(server, "export", open_table(server)).returncode == 1


def test_a_name_may_begin_with_a_hyphen(server):
    for command in ("close", "export"):
        ended = admin(server, command, "-VVHzGRHgtRBHvz7")
        assert (ended.returncode, "no such table" in ended.stderr) == (1, True), ended.stderr


@pytest.mark.sample(2)
@pytest.mark.parametrize("command", [("tables",), ("archive",), ("blocked",), ("block", "203.0.113.7")], ids=lambda command: command[0])
def test_a_database_that_is_not_there_is_not_made(tmp_path, command):
    for where in ((), ("--database-url", "sqlite:///misspelt.db")):
        ended = branchline("admin", *command, *where, cwd=tmp_path)
        assert (ended.returncode, ended.stdout) == (1, "")
        assert "there is no database" in ended.stderr
        assert "--database-url" in ended.stderr
    assert list(tmp_path.iterdir()) == []


# addresses


def make_older(server, days):
    """As if all games had ended earlier."""
    change = f"UPDATE tables SET ended_at = ended_at - {days * 86_400}"
    if server.database_url.startswith("sqlite"):
        with closing(sqlite3.connect(make_url(server.database_url).database)) as connection, connection:
            connection.execute(change)
    else:
        asyncio.run(executed(server.database_url, change))


async def executed(url, statement):
    connection = await asyncpg.connect(url)
    await connection.execute(statement)
    await connection.close()


def test_games_that_are_over_are_stored_compactly_and_dropped_only_if_asked_for(server):
    table = open_table(server, seats=["easy", "easy"], pace=0)
    wait_until(lambda: state(server, table)["status"] == "finished")
    before = httpx.get(f"{server.url}/api/tables/{table}/record").content
    assert "0 games stored" in admin(server, "archive").stdout
    make_older(server, 2)
    stored = admin(server, "archive").stdout
    assert int(stored.split()[0]) >= 1
    assert "0 dropped" in stored
    assert httpx.get(f"{server.url}/api/tables/{table}/record").content == before
    dropped = admin(server, "archive", "--keep", 1).stdout
    assert int(dropped.split()[-2]) >= 1
    assert admin(server, "export", table).returncode == 1


def test_addresses_are_blocked_and_let_in_again_while_the_server_runs(server):
    def status():
        with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.77")) as client:
            try:
                return client.get(f"{server.url}/api/about").status_code
            except httpx.RemoteProtocolError:  # blocked at this very moment: what is open is closed
                return None

    assert status() == 200
    assert admin(server, "block", "127.0.0.77/30", "--reason", "too greedy").returncode == 0
    wait_until(lambda: status() == 403)
    listed = admin(server, "blocked").stdout
    assert re.search(r"127\.0\.0\.76/30 .* too greedy", listed)
    assert admin(server, "unblock", "127.0.0.79/30").returncode == 0
    wait_until(lambda: status() == 200)
    assert admin(server, "blocked").stdout.strip() == "Nothing is blocked."
    assert admin(server, "unblock", "10.0.0.1").returncode == 1


# backups


class Load:
    """People who chat and play while a backup is made, and remember what was acknowledged before it began."""

    def __init__(self, server):
        self.server, self.acknowledged, self.stopped = server, {}, threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.run()))

    async def run(self):
        await asyncio.gather(*(self.play() for _ in range(PLAYERS)))

    async def play(self):
        key = new_key()
        table = await asyncio.to_thread(lambda: open_table(self.server, key, seats=["person", "easy"], pace=0))
        guest = Guest(self.server.url, table, key)
        await guest.connect()
        number = 0
        while not self.stopped.is_set():
            if guest.question is not None and number % 2:
                answer = await guest.ask(type="decide", question=guest.question, decision=guest.legal[0])
            else:
                answer = await guest.ask(type="say", text=f"word {number}")
            if answer["type"] == "done":
                self.acknowledged[table] = answer["cursor"], key
            number += 1
        await guest.close()

    def __enter__(self):
        self.thread.start()
        wait_until(lambda: len(self.acknowledged) == PLAYERS, 30)
        time.sleep(LOAD_FOR)
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.thread.join()


def by_backup(source, target):
    """As `.backup` in the sqlite3 program does it."""
    with closing(sqlite3.connect(source)) as read, closing(sqlite3.connect(target)) as written:
        read.backup(written, pages=8)


def by_vacuum(source, target):
    with closing(sqlite3.connect(source)) as connection:
        connection.execute("VACUUM INTO ?", (str(target),))


def backup_of(server, folder, request):
    """A copy of the database, made while everybody goes on; returns where it is."""
    file = server.database_url.removeprefix("sqlite:///")
    if file != server.database_url:
        way = by_vacuum if "vacuum" in request.node.name else by_backup
        way(file, folder / "copy.db")
        return f"sqlite:///{folder / 'copy.db'}"
    dumped = subprocess.run([postgres_programs() / "pg_dump", "--no-owner", server.database_url], check=True, capture_output=True).stdout
    restored = new_database(server.database_url.rsplit("/", 1)[0] + "/postgres", f"restored_{new_key()[:8].lower().replace('-', '_')}")
    subprocess.run([postgres_programs() / "psql", "--quiet", "-v", "ON_ERROR_STOP=1", restored], input=dumped, check=True, capture_output=True)
    return restored


@pytest.mark.parametrize("way", ["backup", "vacuum"] if SOAK else ["backup"])
def test_a_backup_made_under_load_holds_everything_acknowledged_before(server, tmp_path, request, way):
    """It passes the check, and a server that is started on it goes on where it was made."""
    if way == "vacuum" and not server.database_url.startswith("sqlite"):
        pytest.skip("PostgreSQL is dumped in one way only")
    with Load(server) as load:
        before = dict(load.acknowledged)
        copy = backup_of(server, tmp_path, request)
        time.sleep(0.3)
    checked = admin(server, "check-backup", copy.removeprefix("sqlite:///"))
    assert checked.returncode == 0, checked.stdout
    assert int(checked.stdout.split()[0]) >= PLAYERS
    assert ", 0 problems" in checked.stdout
    restored = ServerProcess(copy, tmp_path, "--key-file", server.key_file).start()
    try:
        for table, (cursor, key) in before.items():
            found = httpx.get(f"{restored.url}/api/tables/{table}", headers=bearer(key), timeout=30).json()
            assert found["cursor"] >= cursor
            left = httpx.post(f"{restored.url}/api/tables/{table}/leave", json={}, headers=bearer(key), timeout=30)  # after much talk
            assert left.status_code == (200 if found["state"]["status"] == "playing" else 409)
    finally:
        assert restored.stop() == 0


@pytest.fixture
def backup(server, tmp_path):
    """A sound copy of a database with a finished game."""
    if not server.database_url.startswith("sqlite"):
        pytest.skip("files are SQLite's")
    finished_table(server)
    by_backup(server.database_url.removeprefix("sqlite:///"), tmp_path / "copy.db")
    return tmp_path / "copy.db"


def test_checking_a_backup_does_not_change_it(server, backup):
    before = {file.name: file.read_bytes() for file in backup.parent.iterdir()}
    checked = admin(server, "check-backup", backup)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert re.fullmatch(r"\d+ tables with \d+ entries, 0 problems\.\n", checked.stdout), "nothing of the server's log"
    assert {file.name: file.read_bytes() for file in backup.parent.iterdir()} == before


def test_a_backup_without_its_key_is_not_good(backup):
    elsewhere = backup.with_name("elsewhere.key")
    for named, missing in (((), f"{backup}.key"), (("--key-file", elsewhere), str(elsewhere))):
        ended = branchline("admin", "check-backup", backup, *named)
        assert (ended.returncode, "--key-file" in ended.stderr, f" {missing}: " in ended.stderr) == (1, True, True), ended.stderr


WRONG = {
    "a missing entry": ("DELETE FROM entries WHERE number = 5", "cannot be played again"),
    "an impossible decision": ("""UPDATE entries SET body = '{"decision": 100000}' WHERE kind = 'decide' AND number = 6""", "cannot be played again"),
    "a wrong status": ("UPDATE tables SET status = 'waiting' WHERE status = 'finished'", "waiting in the list, and finished by its log"),
    "unknown rules": ("UPDATE tables SET rules_version = 99", "cannot be played again"),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_with_a_backup_is_found(server, backup, what):
    statement, told = WRONG[what]
    with closing(sqlite3.connect(backup)) as connection:
        assert connection.execute(statement).rowcount > 0
        connection.commit()
    ended = admin(server, "check-backup", backup)
    assert (ended.returncode, told in ended.stdout) == (1, True), ended.stdout + ended.stderr


def test_a_damaged_backup_is_found(server, backup):
    with backup.open("r+b") as file:
        file.seek(8192)
        file.write(os.urandom(4096))
    ended = admin(server, "check-backup", backup)
    assert (ended.returncode, f"{backup} is damaged" in ended.stderr) == (1, True), ended.stderr
