"""Games that are over: stored compactly, read as before, and dropped when the operator's time for them is up."""

import sqlite3

from branchline.server.protocol import messages as m
from branchline.server.store.archiving import packed, unpacked
from branchline.server.tables.downloads import record_for
from branchline.server.tables.housekeeping import archive_ended, drop_old
from tests.server.tables_only import ANN, BOB, TablesOnly, asked, play_out, refused, two_play, with_tables

DAY = 86_400


def rows(folder, table):
    connection = sqlite3.connect(folder / "games.db")
    [[number]] = connection.execute(f"SELECT count(*) FROM {table}").fetchall()
    connection.close()
    return number


@with_tables()
async def test_an_archived_game_reads_as_before_and_goes_on_being_talked_about(server, tmp_path):
    table = await two_play(server, game="london")
    await play_out(server, table)
    await server.ask(table, ANN, m.Say(id="1", text="Well played"))
    before = await server.tables.store.log(table)
    seen = [await server.see(table, key) for key in (ANN, BOB, None)]
    record = record_for(await server.table(table), None).to_json()
    assert await archive_ended(server.tables) == 0  # not on the same day
    server.clock.now += 2 * DAY
    assert (await archive_ended(server.tables), await archive_ended(server.tables)) == (1, 0)
    assert (rows(tmp_path, "archives"), rows(tmp_path, "entries")) == (1, 0)
    await server.ask(table, BOB, m.Say(id="1", text="Thank you"))
    other = await TablesOnly.open(tmp_path / "games.db", server.clock)
    again = await other.table(table)
    assert record_for(again, None).to_json() == record
    log = await other.tables.store.log(table)
    assert [(one.sequence, one.kind, one.seat, one.body) for one in log[:-1]] == [(one.sequence, one.kind, one.seat, one.body) for one in before]
    assert log[-1].body == {"text": "Thank you"}
    assert [again.events_for(viewer, 0)[:-1] for viewer in (0, 1, None)] == [
        (await server.table(table)).events_for(viewer, 0)[:-1] for viewer in (0, 1, None)
    ]
    assert [(await other.see(table, key))["state"] for key in (ANN, BOB, None)] == [one["state"] for one in seen]
    await other.close()


@with_tables()
async def test_running_games_are_not_archived(server):
    await two_play(server)
    server.clock.now += 30 * DAY
    assert await archive_ended(server.tables) == 0


@with_tables(keep=10.0, keep_abandoned=2.0)
async def test_old_games_are_dropped_abandoned_ones_sooner(server, tmp_path):
    finished, abandoned, running = [await two_play(server, game="london") for _ in range(3)]
    await play_out(server, finished)
    for key in (ANN, BOB):
        await server.ask(abandoned, key, m.Abandon())
    server.clock.now += 3 * DAY
    await archive_ended(server.tables)
    assert await drop_old(server.tables) == 1
    async with refused("no_table"):
        await server.table(abandoned)
    assert (await server.table(finished)).status == "finished"
    server.clock.now += 8 * DAY
    assert await drop_old(server.tables) == 1
    async with refused("no_table"):
        await server.table(finished)
    assert (await server.table(running)).status == "playing"
    assert (rows(tmp_path, "tables"), rows(tmp_path, "archives")) == (1, 0)


@with_tables()
async def test_a_packed_log_is_small_and_loses_only_what_nobody_needs(server):
    table = await two_play(server, game="london")
    await play_out(server, table)
    log = await server.tables.store.log(table)
    again = unpacked(packed(log))
    assert [(one.sequence, one.kind, one.seat, one.body, round(one.at, 3)) for one in log] == [
        (one.sequence, one.kind, one.seat, one.body, one.at) for one in again
    ]
    assert len(packed(log)) < 20 * len(log)


@with_tables()
async def test_a_process_that_missed_the_end_reads_it_from_the_archive(server, tmp_path):
    table = await two_play(server, game="london")
    other = await TablesOnly.open(tmp_path / "games.db", server.clock)
    assert (await other.table(table)).status == "playing"
    await play_out(server, table)
    server.clock.now += 2 * DAY
    await archive_ended(server.tables)
    async with refused("over"):
        await other.decide(table, await asked(other, table))  # its place in the log is archived
    assert (await other.table(table)).status == "finished"
    assert (await other.table(table)).last_entry == (await server.table(table)).last_entry
    assert [entry.sequence for entry in await server.tables.store.log(table)] == list(range(1, (await server.table(table)).last_entry + 1))
    await other.close()


@with_tables(keep=1.0)
async def test_nothing_is_acknowledged_at_a_table_that_another_process_has_dropped(server, tmp_path):
    table = await two_play(server, game="london")
    await play_out(server, table)
    other = await TablesOnly.open(tmp_path / "games.db", server.clock)
    await other.table(table)
    server.clock.now += 2 * DAY
    assert await drop_old(server.tables) == 1
    async with refused("no_table"):
        await other.ask(table, ANN, m.Say(id="1", text="Well played"))
    async with refused("no_table"):
        await other.table(table)
    await other.close()
