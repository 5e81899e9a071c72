"""A database that version 0.1 wrote: it is migrated, and its games continue, end and replay as they were."""

import asyncio
import json
import re
import sqlite3
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import create_engine, make_url, text

from branchline.server.store.migrating import configuration
from branchline.server.store.sealing import SEALED
from branchline.server.store.store import Store
from branchline.server.tables.downloads import record_for
from tests.server.tables_only import TablesOnly

OLD = Path(__file__).parent / "version_0_1"
FACTS = json.loads((OLD / "facts.json").read_text(encoding="utf-8"))
DUMP = (OLD / "games.sql").read_text(encoding="utf-8")
TABLES = FACTS["tables"]


def fill(url: str) -> None:
    """The database of 0.1: its file as it was, or its rows in PostgreSQL."""
    if url.startswith("sqlite"):
        with sqlite3.connect(make_url(url).database) as connection:
            connection.executescript(DUMP)
        connection.close()
    else:
        asyncio.run(fill_postgres(url))


async def fill_postgres(url: str) -> None:
    import asyncpg

    connection = await asyncpg.connect(url)
    statements = [statement for statement in DUMP.split(";\n") if statement.startswith(("CREATE", "INSERT"))]
    for statement in sorted(statements, key=lambda one: re.match(r'CREATE TABLE tables|INSERT INTO "tables"', one) is None):  # others refer to it
        await connection.execute(statement)
    await connection.close()


def test_games_go_on_end_and_replay(database_url):
    fill(database_url)

    async def play() -> None:
        server = await TablesOnly.open(database_url)
        assert {name: (await server.table(table)).status for name, table in TABLES.items()} == {name: name for name in TABLES}
        assert {name: (await server.table(table)).header.seed for name, table in TABLES.items()} == FACTS["seeds"]
        key = FACTS["keys"]["ann"]
        seen = (await server.see(TABLES["playing"], key))["state"]["position"]
        assert {name: seen[name] for name in FACTS["position"] if name != "seats"} == {n: v for n, v in FACTS["position"].items() if n != "seats"}
        await server.decide(TABLES["playing"], key if "question" in seen else FACTS["keys"]["bob"])
        record = record_for(await server.table(TABLES["finished"]), None)
        assert json.loads(json.dumps(record.replay().result)) == FACTS["result"]
        await server.close()

    asyncio.run(play())


def test_seeds_of_running_games_are_sealed_and_the_others_are_dated(tmp_path):
    url = f"sqlite:///{tmp_path / 'games.db'}"
    fill(url)
    asyncio.run(close_at_once(url))
    engine = create_engine(url)
    with engine.connect() as connection:
        rows = {row.id: row for row in connection.execute(text("SELECT id, seed, ended_at FROM tables"))}
    engine.dispose()
    sealed = {name for name, table in TABLES.items() if rows[table].seed.startswith(SEALED)}
    dated = {name for name, table in TABLES.items() if rows[table].ended_at is not None}
    assert (sealed, dated) == ({"waiting", "playing"}, {"finished", "abandoned"})


async def close_at_once(url: str) -> None:
    await (await Store.open(url)).close()


def test_the_second_migration_can_be_undone_while_nothing_is_sealed(tmp_path):
    engine = create_engine(f"sqlite:///{tmp_path / 'games.db'}")
    config = configuration()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        command.downgrade(config, "0001")
        columns = {row.name for row in connection.execute(text("PRAGMA table_info(tables)"))}
    engine.dispose()
    assert "ended_at" not in columns


@pytest.mark.parametrize("name", TABLES)
def test_the_dump_is_of_version_0_1(name):
    assert TABLES[name] in DUMP
    assert FACTS["seeds"][name] in DUMP
    assert "'0001'" in DUMP
