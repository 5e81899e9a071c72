"""Tables: who sits where, who may do what, how a game begins, goes on without somebody, and ends."""

import asyncio
import sqlite3

import pytest

from branchline import Record
from branchline.play.chance import commitment_of
from branchline.server.protocol import messages as m
from branchline.server.protocol.keys import hash_of
from branchline.server.protocol.refusals import Refused
from branchline.server.service import listed
from branchline.server.store.entries import TAKE_OVER, Entry
from branchline.server.tables.downloads import record_for
from branchline.server.tables.table import SILENT_AFTER
from tests.server.tables_only import ANN, BOB, CAT, EVE, TablesOnly, asked, play_out, refused, two_play, with_tables


@with_tables()
async def test_the_game_begins_when_the_last_seat_is_taken(server):
    table = await server.create(ANN, seats=("person", "easy", "person"))
    waiting = (await server.see(table, None))["state"]
    assert (waiting["status"], waiting["seats"]["0"]["name"], waiting["seats"]["1"]["name"]) == ("waiting", "Ann", "Easy")
    assert "position" not in waiting
    assert (await server.join(table, BOB)).seat == 2
    playing = (await server.see(table, BOB))["state"]
    assert (playing["status"], playing["you"], playing["position"]["choosing"]) == ("playing", 2, [0, 1, 2])


@with_tables()
async def test_whoever_joins_again_has_the_same_seat_and_nobody_takes_two(server):
    table = await server.create(ANN, seats=("person",) * 3)
    assert [(await server.join(table, key)).seat for key in (BOB, BOB, ANN)] == [1, 1, 0]
    assert (await server.table(table)).free_seats == [2]


@with_tables()
async def test_a_seat_can_be_chosen_and_a_taken_one_cannot(server):
    table = await server.create(ANN, seats=("person",) * 3)
    assert (await server.join(table, BOB, seat=2)).seat == 2
    async with refused("full"):
        await server.join(table, CAT, seat=2)
    await server.join(table, CAT)
    async with refused("started"):
        await server.join(table, EVE)


@with_tables()
async def test_two_of_the_same_name_are_told_apart(server):
    table = await server.create(ANN, seats=("person",) * 3)
    await server.join(table, BOB, "ann")
    await server.join(table, CAT, "Ann")
    assert [seat.name for seat in (await server.table(table)).seats] == ["Ann", "ann 2", "Ann 3"]


@with_tables()
async def test_only_the_host_begins_early_and_bots_fill_the_seats(server):
    table = await server.create(ANN, seats=("person",) * 3)
    await server.join(table, BOB)
    async with refused("not_host"):
        await server.ask(table, BOB, m.Start())
    await server.ask(table, ANN, m.Start(level="hard"))
    seats = (await server.see(table, ANN))["state"]["seats"]
    assert seats["2"] == {"player": "bot:hard", "name": "Hard"}


@with_tables()
async def test_a_seat_left_before_the_game_is_free_and_the_host_hands_the_table_on(server):
    table = await server.create(ANN, seats=("person",) * 3)
    await server.join(table, BOB)
    await server.ask(table, ANN, m.Leave())
    state = (await server.see(table, BOB))["state"]
    assert (state["host"], state["seats"]["0"]) == (1, {"player": "human"})
    await server.ask(table, BOB, m.Leave())
    assert (await server.table(table)).status == "abandoned"
    async with refused("over"):
        await server.join(table, CAT)


@with_tables()
async def test_a_bot_takes_over_after_the_grace_time_and_the_person_comes_back(server):
    table = await two_play(server, grace_seconds=60)
    key = await asked(server, table)
    seat = str((await server.see(table, key))["state"]["you"])
    await server.ask(table, key, m.Leave())
    async with refused("away"):
        await server.decide(table, key)
    await server.wait(table, 59)
    assert (await server.see(table, None))["state"]["seats"][seat].get("stand_in") is None
    await server.wait(table, 2)
    state = (await server.see(table, None))["state"]
    assert state["seats"][seat]["stand_in"]
    assert state["position"]["choosing"] != [int(seat)]  # the bot has played the turn
    await server.ask(table, key, m.Return())
    assert "stand_in" not in (await server.see(table, None))["state"]["seats"][seat]


@with_tables()
async def test_who_returns_within_the_grace_time_is_not_stood_in_for(server):
    table = await two_play(server, grace_seconds=60)
    await server.ask(table, ANN, m.Leave())
    await server.wait(table, 30)
    await server.ask(table, ANN, m.Return())
    await server.wait(table, 100)
    assert not any(seat.stand_in for seat in (await server.table(table)).seats)


@with_tables()
async def test_time_for_a_turn_runs_for_the_whole_turn_and_a_bot_takes_over_once(server):
    table = await two_play(server, turn_seconds=30)
    key = await asked(server, table)
    seat = (await server.see(table, key))["state"]["you"]
    assert (await server.see(table, key))["state"]["deadline"] == server.clock() + 30
    await server.wait(table, 20)
    await server.decide(table, key, "draw train")  # of two cards: the turn goes on, and so does its time
    assert (await server.see(table, key))["state"]["deadline"] == server.clock() + 10
    await server.wait(table, 11)
    assert (await server.table(table)).seats[seat].stand_in
    log = await server.tables.store.log(table)
    assert [(one.seat, one.body) for one in log if one.kind == TAKE_OVER] == [(seat, {"reason": "time"})]


@with_tables()
async def test_a_table_without_a_limit_waits_for_weeks(server):
    table = await two_play(server)
    key = await asked(server, table)
    await server.wait(table, 30 * 86400)
    await server.decide(table, key)
    await server.wait(table, 61 * 86400)
    assert (await server.table(table)).status == "abandoned"


@with_tables()
async def test_a_table_at_which_nobody_sits_down_is_closed_in_the_end(server):
    table = await server.create(ANN, open=True)
    assert await server.tables.store.listed(10) == [table]
    await server.wait(table, 8 * 86400)
    assert (await server.table(table)).status == "abandoned"
    assert await server.tables.store.listed(10) == []


@with_tables()
async def test_a_game_ends_early_only_if_all_people_there_want_it(server):
    table = await two_play(server)
    await server.ask(table, ANN, m.Abandon())
    assert (await server.table(table)).status == "playing"
    await server.ask(table, BOB, m.Abandon())
    assert (await server.table(table)).status == "abandoned"
    async with refused("over"):
        await server.decide(table, ANN, "draw train")
    async with refused("not_over"):
        await server.ask(table, ANN, m.Rematch())


@with_tables()
async def test_nobody_can_void_a_game_while_another_is_away(server):
    table = await two_play(server, grace_seconds=0)
    await server.ask(table, ANN, m.Abandon())
    await server.ask(table, BOB, m.Leave())
    await server.wait(table)
    assert (await server.table(table)).seats[1].stand_in
    assert (await server.table(table)).status == "playing"
    await server.ask(table, BOB, m.Abandon())  # from afar
    assert (await server.table(table)).status == "abandoned"


@with_tables()
async def test_in_a_log_of_0_1_who_was_away_had_no_vote(server):
    now = await server.table(await two_play(server))
    for kind, seat, body in (("abandon", 0, {"gives_up": True}), ("leave", 1, {}), ("take_over", 1, {"reason": "left"})):
        now = now.after(Entry(now.last_entry + 1, kind, now.changed_at, seat, body))
    assert now.status == "abandoned"


@with_tables()
async def test_the_others_may_agree_on_a_bot_for_somebody_who_is_silent(server):
    table = await server.create(ANN, seats=("person",) * 3)
    for key in (BOB, CAT):
        await server.join(table, key)
    for key in (BOB, CAT):
        while "question" in (await server.see(table, key))["state"]["position"]:
            await server.decide(table, key)
    silent_at = (await server.see(table, BOB))["state"]["seats"]["0"]["silent_at"]
    assert silent_at == server.clock() + SILENT_AFTER
    async with refused("not_silent"):
        await server.ask(table, BOB, m.Replace(seat=0))
    await server.wait(table, SILENT_AFTER)
    async with refused("no_such_seat"):
        await server.ask(table, BOB, m.Replace(seat=1))
    await server.ask(table, BOB, m.Replace(seat=0))
    await server.ask(table, BOB, m.Replace(seat=0))  # once is enough
    assert (await server.see(table, CAT))["state"]["seats"]["0"]["replacers"] == [1]
    assert not (await server.table(table)).seats[0].stand_in
    await server.ask(table, CAT, m.Replace(seat=0))
    assert (await server.table(table)).seats[0].stand_in
    assert (await server.table(table)).events_for(2, 0)[-1] == {"event": "take_over", "seat": 0, "reason": "vote"}
    await server.wait(table)
    assert 0 not in (await server.table(table)).state.choosers
    await server.ask(table, ANN, m.Return())
    assert (await server.table(table)).seats[0].is_here


@with_tables()
async def test_who_goes_or_is_silent_too_does_not_hinder_the_others(server):
    tables = [await server.create(ANN, seats=("person",) * 3, grace_seconds=3600) for _ in range(2)]
    for table in tables:
        for key in (BOB, CAT):
            await server.join(table, key)
    with_one_gone, with_two_silent = tables
    for table, quick in ((with_one_gone, (BOB, CAT)), (with_two_silent, (BOB,))):
        for key in quick:
            while "question" in (await server.see(table, key))["state"]["position"]:
                await server.decide(table, key)
    server.clock.now += SILENT_AFTER
    await server.ask(with_one_gone, BOB, m.Replace(seat=0))
    assert not (await server.table(with_one_gone)).seats[0].stand_in
    await server.ask(with_one_gone, CAT, m.Leave())
    assert (await server.table(with_one_gone)).seats[0].stand_in
    for seat in (0, 2):
        await server.ask(with_two_silent, BOB, m.Replace(seat=seat))
        assert (await server.table(with_two_silent)).seats[seat].stand_in


@with_tables()
async def test_where_time_is_limited_nobody_is_voted_away(server):
    table = await two_play(server, turn_seconds=3600)
    key = await asked(server, table)
    await server.wait(table, SILENT_AFTER + 1)
    seat = (await server.see(table, key))["state"]["you"]
    assert "silent_at" not in (await server.see(table, key))["state"]["seats"][str(seat)]
    async with refused("not_silent"):
        await server.ask(table, BOB if key == ANN else ANN, m.Replace(seat=seat))


@with_tables()
async def test_a_finished_game_shows_its_seed_and_its_record_replays(server):
    table = await two_play(server, game="london")
    promised = (await server.see(table, None))["state"]["commitment"]
    assert "seed" not in (await server.see(table, ANN))["state"]
    early = record_for(await server.table(table), 0)
    assert (early.seed, early.decisions, early.commitment) == (None, None, promised)
    await play_out(server, table)
    state = (await server.see(table, ANN))["state"]
    assert commitment_of(state["seed"]) == promised
    record = record_for(await server.table(table), None)
    assert Record.from_json(record.to_json()).replay().result == state["result"]


@with_tables()
async def test_a_rematch_has_the_same_seats_and_the_next_one_begins(server):
    table = await two_play(server, game="london", first_seat=1)
    await play_out(server, table)
    new = (await server.ask(table, BOB, m.Rematch())).table.rematch
    again = (await server.ask(table, ANN, m.Rematch())).table.rematch
    assert again == new
    waiting = (await server.see(new, ANN))["state"]
    assert (waiting["status"], waiting["seats"]["0"]) == ("waiting", {"player": "human", "name": "Ann", "reserved": True})
    async with refused("full"):
        await server.join(new, EVE)
    assert (await server.join(new, ANN)).seat == 0
    playing = (await server.see(new, BOB))["state"]
    assert (playing["status"], playing["you"], playing["options"]["first_seat"]) == ("playing", 1, 0)
    assert playing["commitment"] != (await server.see(table, ANN))["state"]["commitment"]


@with_tables()
async def test_bots_alone_play_to_the_end_for_a_host_who_watches(server):
    table = await server.create(ANN, game="card-game", seats=("easy", "normal", "hard"))
    await server.wait(table)
    state = (await server.see(table, ANN))["state"]
    assert (state["status"], "you" in state, "host" in state) == ("finished", False, False)


@with_tables()
async def test_a_guest_finds_all_own_tables(server):
    tables = [await server.create(ANN), await server.create(BOB, seats=("person",) * 3)]
    await server.join(tables[1], ANN)
    await server.create(BOB)
    assert set(await server.tables.store.tables_of(hash_of(ANN), 10)) == set(tables)


@with_tables(tables_per_guest=3)
async def test_the_tables_of_a_host_are_limited(server):
    for _ in range(3):
        table = await server.create(ANN)
    async with refused("too_many_tables"):
        await server.create(ANN)
    await server.ask(table, ANN, m.Abandon())
    await server.create(ANN)


@with_tables(most_tables=2)
async def test_tables_that_were_forgotten_are_read_again(server):
    tables = [await two_play(server) for _ in range(5)]
    assert server.tables.loaded <= 2
    for table in tables:
        await server.decide(table, await asked(server, table))


@with_tables()
async def test_of_all_tables_only_those_that_another_process_has_changed_are_read_again(server, tmp_path, monkeypatch):
    tables = [await server.create(ANN) for _ in range(3)]
    other = await TablesOnly.open(tmp_path / "games.db", server.clock)
    for table in tables:
        await other.table(table)
    await server.join(tables[1], BOB)
    read, log = [], other.tables.store.log
    monkeypatch.setattr(other.tables.store, "log", lambda name, after=0: read.append(name) or log(name, after))
    await other.tables.refresh(None)
    assert read == [tables[1]]
    assert (await other.table(tables[1])).last_entry == (await server.table(tables[1])).last_entry
    await other.close()


@with_tables()
async def test_an_impossible_game_is_refused_with_the_reason(server):
    with pytest.raises(Refused, match="2 to 4 players"):
        await server.create(ANN, game="london", seats=("person",) * 5)
    with pytest.raises(Refused, match="no option look_into_own_pile"):
        await server.create(ANN, options={"look_into_own_pile": True})
    with pytest.raises(Refused, match="first_seat"):
        await server.create(ANN, first_seat=3)


@with_tables()
async def test_a_game_that_could_not_begin_begins_when_it_is_looked_after(server, tmp_path, monkeypatch):
    """The last seat was taken, and the server ended before the game began."""

    async def fails(*_):
        raise OSError("the disk is full")

    table = await server.create(ANN)
    with monkeypatch.context() as broken:
        broken.setattr(server.tables, "fire", fails)
        with pytest.raises(OSError, match="the disk is full"):
            await server.join(table, BOB)
    again = await TablesOnly.open(tmp_path / "games.db", server.clock)
    assert (await again.table(table)).status == "waiting"
    assert await again.overdue(server.clock() + 2) == [table]
    await again.wait(table)
    assert (await again.table(table)).status == "playing"
    await again.close()


@with_tables()
async def test_a_process_that_is_behind_does_not_undo_what_another_has_noted(server, tmp_path):
    """Another process has begun the game, and its bot is due; this one, which has not heard of it, is asked to look."""
    table = await server.create(ANN, seats=("person", "person", "easy"))
    behind = await TablesOnly.open(tmp_path / "games.db", server.clock)
    await behind.table(table)
    await server.join(table, BOB)
    number = (await server.table(table)).last_entry
    server.clock.now += 10
    await behind.driver.find(table)
    while (await behind.table(table)).last_entry <= number:
        await asyncio.sleep(0.01)
    await behind.close()


@with_tables()
async def test_leaving_and_returning_gives_no_more_time(server):
    table = await two_play(server, turn_seconds=10, grace_seconds=60)
    key = await asked(server, table)
    seat = (await server.see(table, key))["state"]["you"]
    await server.wait(table, 6)
    await server.ask(table, key, m.Leave())
    await server.ask(table, key, m.Return())
    await server.wait(table, 5)
    assert (await server.table(table)).seats[seat].stand_in


@with_tables()
async def test_a_table_begun_under_version_1_goes_on_by_its_rules(server, tmp_path):
    """The version and the options of a table are in its header; a server with newer rules plays it to the end as it began."""
    table = await two_play(server, game="card-game")
    connection = sqlite3.connect(tmp_path / "games.db")
    connection.execute("UPDATE tables SET rules_version = 1, options = ?", ('{"choose_tickets_by_hand": true}',))
    connection.commit()
    connection.close()
    newer = await TablesOnly.open(tmp_path / "games.db", server.clock)
    game = (await newer.table(table)).game
    assert (game.board.rules_version, game.options) == (1, {"choose_tickets_by_hand": True})
    await play_out(newer, table)
    again = await newer.table((await newer.ask(table, ANN, m.Rematch())).table.rematch)
    assert (again.game.board.rules_version, set(again.game.options)) == (2, {"first_seat"})
    await newer.close()


@with_tables()
async def test_a_game_of_other_rules_is_refused_and_left_alone(server, tmp_path):
    table = await two_play(server)
    connection = sqlite3.connect(tmp_path / "games.db")
    connection.execute("UPDATE tables SET rules_version = 99")
    connection.commit()
    connection.close()
    newer = await TablesOnly.open(tmp_path / "games.db", server.clock)
    async with refused("other_rules"):
        await newer.table(table)
    newer.driver._wake(table)
    while newer.driver._busy:
        await asyncio.sleep(0.01)
    assert await newer.overdue(10**12) == [table]  # for processes that know the rules
    assert newer.driver._held[table] > newer.tables.clock.monotonic()  # this one does not look again soon
    await newer.close()


@with_tables()
async def test_a_vote_to_end_the_game_can_be_taken_back(server):
    table = await two_play(server)
    await server.ask(table, ANN, m.Abandon())
    await server.ask(table, ANN, m.Abandon(gives_up=False))
    await server.ask(table, BOB, m.Abandon())
    assert (await server.table(table)).status == "playing"


@with_tables()
async def test_bots_and_people_have_names_of_their_own(server):
    table = await server.create(ANN, seats=("person", "easy", "person", "person"), name="Easy")
    await server.join(table, BOB, "normal")
    await server.ask(table, ANN, m.Start())
    assert [seat.name for seat in (await server.table(table)).seats] == ["Easy 2", "Easy", "normal", "Normal 2"]


@with_tables()
async def test_who_does_not_come_to_a_rematch_is_replaced_by_a_bot_and_no_longer_kept_a_seat(server):
    table = await two_play(server, game="london")
    await play_out(server, table)
    new = (await server.ask(table, BOB, m.Rematch())).table.rematch
    await server.ask(new, BOB, m.Start())
    assert (await server.see(new, BOB))["state"]["seats"]["0"] == {"player": "bot:normal", "name": "Normal"}
    assert await server.tables.store.tables_of(hash_of(ANN), 10) == [table]


@with_tables()
async def test_the_host_of_a_rematch_who_leaves_hands_it_to_whom_a_seat_is_kept_for(server):
    table = await two_play(server, game="london")
    await play_out(server, table)
    new = (await server.ask(table, BOB, m.Rematch())).table.rematch
    await server.ask(new, BOB, m.Leave())
    assert (await server.table(new)).status == "waiting"
    await server.join(new, ANN)
    assert (await server.see(new, ANN))["state"]["host"] == 0


@with_tables()
async def test_the_bots_of_a_rematch_do_not_wait_to_be_found(server):
    table = await server.create(ANN, game="london", seats=("person", "easy"))
    await play_out(server, table)
    changed = []
    server.tables.on_change = lambda one: changed.append(one.header.id)
    new = (await server.ask(table, ANN, m.Rematch())).table.rematch
    assert (await server.table(new)).status == "playing"
    assert new in changed


@with_tables()
async def test_a_list_tells_how_a_game_ended_and_nothing_before(server):
    table = await two_play(server, game="london")
    assert "outcome" not in listed(await server.table(table), hash_of(ANN))
    await play_out(server, table)
    over = await server.table(table)
    result = over.state.result
    assert listed(over, hash_of(ANN))["outcome"] == {"winners": result["winners"], "points": [score["total"] for score in result["scores"]]}
