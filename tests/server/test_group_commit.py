"""Group commit: entries of many tables share a transaction, each fails alone, and nothing is told before it is on disk."""

import asyncio
import json
import time
from dataclasses import replace

import pytest

from branchline.server.protocol import messages as m
from branchline.server.protocol.keys import hash_of
from branchline.server.store import entries as kinds
from branchline.server.store.entries import Entry
from branchline.server.tables.publishing import Reader
from branchline.server.tables.snapshots import snapshot
from branchline.server.tables.table import Table
from tests.conftest import SOAK
from tests.server.tables_only import ANN, BOB, TablesOnly, asked, two_play, with_tables
from tests.server.worlds import key_of, new_table

TABLES = 200 if SOAK else 25
ROUNDS = 40 if SOAK else 6
LONG = 20_000 if SOAK else 4_000  # entries


def counted(server, monkeypatch):
    """How many changes each transaction had."""
    groups = []
    committer = server.tables.store._committer
    write = committer._write

    async def counting(changes):
        groups.append(len(changes))
        return await write(changes)

    monkeypatch.setattr(committer, "_write", counting)
    return groups


async def new_tables(server):
    return [await server.create(ANN) for _ in range(TABLES)]


def said(number, text="hello"):
    return Entry(number, kinds.SAY, 1_000_000.0, 0, {"text": text}, hash_of(ANN), f"say-{number}")


async def append(server, table, entry):
    now = await server.table(table)
    return await server.tables.store.append(now.header, entry, server.tables.summary(now))


def with_database(play):
    """A test on each kind of database."""

    def test(database_url, monkeypatch):
        async def whole():
            server = await TablesOnly.open(database_url, tables_per_guest=10**6)
            try:
                await play(server, monkeypatch)
            finally:
                await server.close()

        asyncio.run(whole())

    test.__doc__ = play.__doc__
    return test


@with_database
async def test_entries_of_many_tables_are_committed_together(server, monkeypatch):
    tables = await new_tables(server)
    groups = counted(server, monkeypatch)
    for number in range(2, 2 + ROUNDS):
        assert await asyncio.gather(*(append(server, table, said(number)) for table in tables)) == [True] * TABLES
    assert sum(groups) == ROUNDS * TABLES
    assert len(groups) <= 3 * ROUNDS
    for table in tables:
        log = await server.tables.store.log(table)
        assert [entry.sequence for entry in log] == list(range(1, 2 + ROUNDS))
        assert log[1:] == [said(number) for number in range(2, 2 + ROUNDS)]


@with_database
async def test_an_entry_whose_place_is_taken_fails_alone(server, monkeypatch):
    tables = await new_tables(server)
    late = set(tables[::7])
    for table in late:
        assert await append(server, table, said(2, "first"))
    groups = counted(server, monkeypatch)
    stored = await asyncio.gather(*(append(server, table, said(2)) for table in tables))
    assert dict(zip(tables, stored, strict=True)) == {table: table not in late for table in tables}
    assert len(groups) <= 3
    for table in tables:
        [_, entry] = await server.tables.store.log(table)
        assert entry.body["text"] == ("first" if table in late else "hello")


@with_database
async def test_an_entry_that_cannot_be_stored_fails_alone(server, monkeypatch):
    tables = [*await new_tables(server), "no-such-table-16"]
    for number, wrong in ((2, {}), (3, {"seat": 2**70})):
        changed = {table: said(number) for table in tables}
        if wrong:
            changed[tables[0]] = Entry(number, kinds.SAY, 1.0, wrong["seat"], {"text": "x"})
        some = await server.table(tables[0])
        summary = server.tables.summary(some)
        work = [server.tables.store.append(replace(some.header, id=table), entry, summary) for table, entry in changed.items()]
        groups = counted(server, monkeypatch)
        outcomes = dict(zip(changed, await asyncio.gather(*work, return_exceptions=True), strict=True))
        assert len(groups) <= 3
        assert outcomes.pop("no-such-table-16") is False
        if wrong:
            assert isinstance(outcomes.pop(tables[0]), Exception)
        assert set(outcomes.values()) == {True}


@with_database
async def test_a_failed_commit_leaves_the_table_as_it_was(server, monkeypatch):
    table = await two_play(server)
    before = await server.table(table)
    seen = {key: await server.see(table, key) for key in (ANN, BOB, None)}
    decider = await asked(server, table)

    async def fails(_):
        raise OSError("the disk is full")

    for decision in (0, -1):
        with monkeypatch.context() as broken:
            broken.setattr(server.tables.store._committer, "_write", fails)
            with pytest.raises(OSError, match="the disk is full"):
                await server.decide(table, decider, seen[decider]["state"]["position"]["legal"][decision])
        assert await server.table(table) is before
        assert {key: await server.see(table, key) for key in seen} == seen
    for number in range(12):
        await server.decide(table, await asked(server, table), id=f"d{number}")
    now = await server.table(table)
    again = Table(now.header)
    for entry in await server.tables.store.log(table):
        again.apply(entry)
    for viewer in now.viewers:
        assert snapshot(again, viewer) == snapshot(now, viewer)
    assert (list(again.happened), again.state.history) == (list(now.happened), now.state.history)


@with_tables()
async def test_nothing_is_acknowledged_or_told_before_it_is_on_disk(server, monkeypatch):
    table = await two_play(server)
    decider = await asked(server, table)
    now = await server.table(table)
    readers = [Reader(table, hash_of(key) if key else None, now.seat_of(hash_of(key) if key else None), 100) for key in (ANN, BOB, None)]
    for reader in readers:
        server.tables.publisher.subscribe(now, reader, None)
    for reader in readers:
        while not reader.queue.empty():
            reader.queue.get_nowait()
    committer, may_write, acknowledged = server.tables.store._committer, asyncio.Event(), []
    write = committer._write

    async def slowly(changes):
        await may_write.wait()
        return await write(changes)

    monkeypatch.setattr(committer, "_write", slowly)
    position = (await server.see(table, decider))["state"]["position"]
    command = m.Decide(id="once", question=position["question"], decision="draw train")
    work = asyncio.create_task(server.tables.ask(table, hash_of(decider), command, acknowledged.append))
    await asyncio.sleep(0.2)
    told_before = [reader.queue.qsize() for reader in readers], acknowledged.copy(), (await server.see(table, decider))["state"]["position"]
    may_write.set()
    await work
    assert told_before == ([0, 0, 0], [], position)
    assert len(acknowledged) == 1
    assert [json.loads(reader.queue.get_nowait())["type"] for reader in readers] == ["update"] * 3


# what a decision costs


def talked(table, entries):
    """The table after that many chat messages."""
    for _ in range(entries):
        seat = table.last_entry % 4
        table.apply(Entry(table.last_entry + 1, kinds.SAY, 0.0, seat, {"text": "hello"}, key_of(seat), f"s{table.last_entry}"))
    return table


def seconds_for(table):
    """The least time that one decision takes, of several in a row."""
    times = []
    for number in range(60):
        seat = table.choosers[0]
        body = {"decision": table.state.view(seat).legal[0]}
        decision = Entry(table.last_entry + 1, kinds.DECIDE, 0.0, seat, body, key_of(seat), f"d{number}")
        began = time.perf_counter()
        table = table.after(decision)
        times.append(time.perf_counter() - began)
    return min(times)


def test_a_decision_costs_the_same_however_long_its_game_is():
    short, long = seconds_for(talked(new_table("europe", 4, 1), 500)), seconds_for(talked(new_table("europe", 4, 1), 15_000))
    print(f"\nafter 500 entries {1e6 * short:.0f} µs, after 15,000 entries {1e6 * long:.0f} µs")
    assert long < 2 * short


@with_tables()
async def test_the_first_read_of_a_long_log_is_quick(server):
    """In a soak longer than people can make one (test_longest_log.py)."""
    table = await two_play(server)
    header, log = await server.tables.store.header(table), await server.tables.store.log(table)
    said = [Entry(len(log) + 1 + number, kinds.SAY, server.clock(), 0, {"text": "hello"}, hash_of(ANN), f"s{number}") for number in range(LONG)]
    long = replace(header, id="LongLongLongLong")
    await server.tables.store.create(long, [*log, *said], server.tables.summary(await server.table(table)))
    began = time.perf_counter()
    assert (await server.table(long.id)).last_entry == len(log) + LONG
    took = time.perf_counter() - began
    print(f"\n{len(log) + LONG:,} entries were read in {took:.2f} s")
    assert took < 1.5 * LONG / 20_000 + 0.5
