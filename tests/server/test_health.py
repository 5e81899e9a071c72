"""Health is the truth: a database that takes no writes, is damaged, empty or away."""

import asyncio
import resource
import sqlite3
import threading
import time
from contextlib import closing, contextmanager

import httpx
import pytest

from branchline.server.serving import check_database
from branchline.server.store import checking
from branchline.server.store.checking import Pulse
from tests.commands import branchline
from tests.server.inside import running_inside
from tests.server.refusing import wait_until
from tests.server.running import ServerProcess, free_port, new_key, running_server


def health(server):
    response = httpx.get(f"{server.url}/health", timeout=10)
    return response.status_code, response.json()["status"]


WELL, ILL = (200, "ok"), (503, "failing")
BODY = {"game": "london", "seats": ["person", "person"], "name": "Zoe"}


def open_table(server):
    return httpx.post(f"{server.url}/api/tables", json=BODY, headers={"authorization": f"Bearer {new_key()}"}, timeout=30).status_code


# while it runs


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running_server(tmp_path_factory.mktemp("health")) as server:
        assert open_table(server) == 201
        yield server


@pytest.fixture
def other(server):
    """Another program's connection to the same file."""
    with closing(sqlite3.connect(server.folder / "games.db", isolation_level=None, timeout=10)) as connection:
        yield connection


def test_a_locked_file_is_not_well(server, other):
    """And its health is told in time, although the write waits."""
    assert health(server) == WELL
    other.execute("BEGIN IMMEDIATE")
    try:
        wait_until(lambda: health(server) == ILL, 12)
        began = time.monotonic()
        assert health(server) == ILL
        assert time.monotonic() - began < 5
    finally:
        other.execute("ROLLBACK")
    wait_until(lambda: health(server) == WELL, 30)
    assert open_table(server) == 201


@contextmanager
def full_disk(server):
    """The server's process can write no further than a file's first bytes."""
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (16, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_not_well(server):
    assert health(server) == WELL
    with full_disk(server):
        assert open_table(server) == 500
        wait_until(lambda: health(server) == ILL, 12)
    wait_until(lambda: health(server) == WELL, 15)
    assert open_table(server) == 201


def test_many_who_ask_share_one_write(tmp_path):
    with running_inside(tmp_path) as inside:
        written = []

        async def write():
            written.append(1)

        inside.service.pulse = Pulse(write)
        assert [inside.get("/health").status_code for _ in range(50)] == [200] * 50
        assert len(written) == 1


def test_nobody_waits_long_for_a_write_that_does_not_end(monkeypatch):
    monkeypatch.setattr(checking, "PROBE_WITHIN", 0.1)

    async def ask():
        free = asyncio.Event()
        pulse = Pulse(free.wait)
        assert not await asyncio.wait_for(pulse.beats(), 2)
        assert not await asyncio.wait_for(pulse.beats(), 2)
        free.set()
        assert await pulse.beats()

    asyncio.run(ask())


def test_what_was_well_is_looked_at_again_later():
    now, answers = [0.0], iter([None, OSError("full"), None])

    async def write():
        if error := next(answers):
            raise error

    async def ask():
        pulse = Pulse(write, lambda: now[0])
        seen = []
        for _ in range(6):
            seen.append(await pulse.beats())
            now[0] += checking.PROBE_AGAIN * 0.6
        return seen

    assert asyncio.run(ask()) == [True, True, False, False, True, True]


# at the start


@pytest.fixture
def database(tmp_path):
    """A database with some tables, closed in good order."""
    file = tmp_path / "games.db"
    asyncio.run(check_database(f"sqlite:///{file}"))
    with closing(sqlite3.connect(file)) as connection:
        rows = [(f"table-{number:010}", 1.0, "h" * 64, "london", 1, "5" * 32, "[]", "{}", "{}", "waiting", 0) for number in range(300)]
        columns = "id, created_at, host, game, rules_version, seed, plan, options, settings, status, listed"
        connection.executemany(f"INSERT INTO tables ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file


def overwrite(file, at, size):
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(b"\xa5" * size)


DAMAGE = {
    "a page": lambda file: overwrite(file, file.stat().st_size // 2 // 4096 * 4096, 4096),
    "the header": lambda file: overwrite(file, 0, 100),
    "the end": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "everything": lambda file: file.write_bytes(b"not a database at all " * 400),
}


@pytest.fixture
def refused(monkeypatch):
    """`branchline serve`, which must refuse to go on."""
    monkeypatch.setattr("branchline.server.serving.set_up_logs", lambda _: None)
    monkeypatch.setattr("branchline.server.serving.run", lambda *_: pytest.fail("it goes on to serve"))
    monkeypatch.setattr("branchline.server.first_start.should_begin_plain", lambda: False)
    return lambda file: branchline("serve", "--port", free_port(), "--database-url", f"sqlite:///{file}")


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_database_is_refused_and_left_alone(refused, database, damage):
    DAMAGE[damage](database)
    before = database.read_bytes()
    ended = refused(database)
    assert ended.returncode == 1
    assert "is damaged" in ended.stderr
    assert "put a backup in its place" in ended.stderr
    assert database.read_bytes() == before


def test_a_sound_database_is_not_refused(database):
    asyncio.run(check_database(f"sqlite:///{database}"))


def test_an_empty_file_where_a_database_was_is_refused(refused, tmp_path, monkeypatch):
    monkeypatch.setattr(checking, "IN_THE_MAKING", 0.1)
    file = tmp_path / "games.db"
    file.touch()
    ended = refused(file)
    assert (ended.returncode, "is empty" in ended.stderr, "remove the file" in ended.stderr) == (1, True, True)
    assert file.stat().st_size == 0


def test_a_write_ahead_log_without_its_database_is_refused(refused, tmp_path):
    (tmp_path / "games.db-wal").write_bytes(b"x" * 4096)
    ended = refused(tmp_path / "games.db")
    assert (ended.returncode, "is missing" in ended.stderr) == (1, True)
    assert not (tmp_path / "games.db").exists()


def test_a_file_that_another_process_is_just_creating_is_waited_for(tmp_path):
    file = tmp_path / "games.db"
    file.touch()
    key = str(tmp_path / "key")
    threading.Timer(0.3, lambda: asyncio.run(make_elsewhere(tmp_path, file, key))).start()
    asyncio.run(check_database(f"sqlite:///{file}", key))


async def make_elsewhere(folder, file, key):
    await check_database(f"sqlite:///{folder / 'new.db'}", key)
    (folder / "new.db").replace(file)


@contextmanager
def forwarding(port, to):
    """A door to the database that was not there before."""

    async def carry(reader, writer):
        try:
            while piece := await reader.read(65_536):
                writer.write(piece)
        finally:  # at closing time, too
            writer.close()

    async def let_in(reader, writer):
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", to)
        await asyncio.gather(carry(reader, far_writer), carry(far_reader, writer))

    async def keep_open():
        async with await asyncio.start_server(let_in, "127.0.0.1", port):
            while not closing_time.is_set():
                await asyncio.sleep(0.05)

    closing_time = threading.Event()
    door = threading.Thread(target=asyncio.run, args=(keep_open(),))
    door.start()
    try:
        yield
    finally:
        closing_time.set()
        door.join()


def test_a_postgresql_that_is_away_at_the_start_is_waited_for(postgres, tmp_path):
    real, door = int(postgres.rsplit(":", 1)[1].split("/")[0]), free_port()
    server = ServerProcess(postgres.replace(f":{real}/", f":{door}/"), tmp_path)
    server.start(wait=False)
    try:
        wait_until(lambda: "waiting for the database" in server.log.read_text(), 30)
        assert server.process.poll() is None
        with forwarding(door, real):
            server.wait_until_ready()
            assert server.stop() == 0
    finally:
        if server.process.poll() is None:
            server.kill()


@pytest.mark.soak("a full disk, and a PostgreSQL that is away at the start, show the same")
def test_a_postgresql_that_goes_away_shows_in_the_health_until_it_is_back(postgres, tmp_path):
    real, door = int(postgres.rsplit(":", 1)[1].split("/")[0]), free_port()
    server = ServerProcess(postgres.replace(f":{real}/", f":{door}/"), tmp_path)
    try:
        with forwarding(door, real):
            server.start()
            wait_until(lambda: health(server) == WELL, 30)
        wait_until(lambda: health(server) == ILL, 60)
        with forwarding(door, real):
            wait_until(lambda: health(server) == WELL, 60)
            assert server.stop() == 0
    finally:
        if server.process is not None and server.process.poll() is None:
            server.kill()
