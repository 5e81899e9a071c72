"""Seeds of running games cannot be read in the database or a backup: the key is outside it."""

import asyncio
import stat
from pathlib import Path

import pytest
from sqlalchemy import make_url

from branchline.server.store.migrating import DatabaseError
from branchline.server.store.sealing import Seal, key_file
from branchline.server.store.store import Store
from tests.server.tables_only import TablesOnly, play_out, two_play, with_tables


def stored_bytes(folder):
    return b"".join(path.read_bytes() for path in folder.glob("games.db*") if not path.name.endswith(".key"))


@with_tables()
async def test_a_seed_is_nowhere_in_the_database_until_the_game_is_over(server, tmp_path):
    running, finished = await two_play(server), await two_play(server, game="london")
    secrets = [(await server.table(table)).header.seed for table in (running, finished)]
    assert not any(seed.encode() in stored_bytes(tmp_path) for seed in secrets)
    assert not any(bytes.fromhex(seed) in stored_bytes(tmp_path) for seed in secrets)
    await play_out(server, finished)
    assert [seed.encode() in stored_bytes(tmp_path) for seed in secrets] == [False, True]
    again = await TablesOnly.open(tmp_path / "games.db")
    assert [(await again.table(table)).header.seed for table in (running, finished)] == secrets
    await again.close()


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path):
    url, key = f"sqlite:///{tmp_path / 'games.db'}", tmp_path / "games.db.key"
    for _ in range(2):
        asyncio.run(opened(url))
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.glob("*.key*")] == ["games.db.key"]


def test_the_key_lies_beside_an_sqlite_file_and_with_postgresql_in_the_state_of_the_user(monkeypatch, tmp_path):
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert key_file(make_url("sqlite:///games.db")) == Path("games.db.key")
    assert key_file(make_url("postgresql://branchline@db/branchline")) == tmp_path / ".local/state/branchline/seeds.key"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert key_file(make_url("postgresql://branchline@db/branchline")) == tmp_path / "state/branchline/seeds.key"


async def opened(url, key=""):
    await (await Store.open(url, key)).close()


def test_with_another_key_the_database_is_refused_with_what_to_do(tmp_path):
    url, key = f"sqlite:///{tmp_path / 'games.db'}", tmp_path / "games.db.key"
    asyncio.run(opened(url))
    key.rename(tmp_path / "elsewhere")
    with pytest.raises(DatabaseError, match=r"cannot be read.*--key-file"):
        asyncio.run(opened(url))
    assert not key.exists()  # no false one is made
    asyncio.run(opened(f"sqlite:///{tmp_path / 'other.db'}"))
    with pytest.raises(DatabaseError, match=r"sealed with another key.*--key-file"):
        asyncio.run(opened(url, str(tmp_path / "other.db.key")))
    asyncio.run(opened(url, str(tmp_path / "elsewhere")))


@pytest.mark.parametrize("contents", ["", "12ab", "not a key", "é"])
def test_what_is_not_a_key_is_refused(tmp_path, contents):
    (tmp_path / "key").write_text(contents)
    with pytest.raises(DatabaseError, match="is not a key"):
        asyncio.run(opened(f"sqlite:///{tmp_path / 'games.db'}", str(tmp_path / "key")))


def test_pads_differ_by_table_and_key():
    seed = "0" * 32
    sealed = {Seal(bytes([key]) * 32).close(table, seed) for key in (1, 2) for table in ("AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB")}
    assert len(sealed) == 4
    assert all(Seal(b"1" * 32).open(name, Seal(b"1" * 32).close(name, "5f" * 16)) == "5f" * 16 for name in ("A", "B"))
