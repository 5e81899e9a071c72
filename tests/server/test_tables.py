"""Tables: who sits where, who may do what, how a game begins, goes on without somebody, and ends."""

import asyncio
import sqlite3

import pytest

from branchline import Record
from branchline.play.verifying import commitment_of
from branchline.server import messages as m
from branchline.server.downloads import record_for
from branchline.server.entries import TAKE_OVER
from branchline.server.keys import hash_of
from branchline.server.refusals import Refused
from tests.server.hallway import ANN, BOB, CAT, EVE, Hallway, asked, at_a_hall, play_out, refused, two_play


@at_a_hall()
async def test_the_game_begins_when_the_last_seat_is_taken(hall):
    table = await hall.create(ANN, seats=("person", "easy", "person"))
    waiting = (await hall.see(table, None))["state"]
    assert (waiting["status"], waiting["seats"]["0"]["name"], waiting["seats"]["1"]["name"]) == ("waiting", "Ann", "Easy")
    assert "position" not in waiting
    assert (await hall.join(table, BOB)).seat == 2
    playing = (await hall.see(table, BOB))["state"]
    assert (playing["status"], playing["you"], playing["position"]["choosing"]) == ("playing", 2, [0, 1, 2])


@at_a_hall()
async def test_whoever_joins_again_has_the_same_seat_and_nobody_takes_two(hall):
    table = await hall.create(ANN, seats=("person",) * 3)
    assert [(await hall.join(table, key)).seat for key in (BOB, BOB, ANN)] == [1, 1, 0]
    assert (await hall.table(table)).free_seats == [2]


@at_a_hall()
async def test_a_seat_can_be_chosen_and_a_taken_one_cannot(hall):
    table = await hall.create(ANN, seats=("person",) * 3)
    assert (await hall.join(table, BOB, seat=2)).seat == 2
    async with refused("full"):
        await hall.join(table, CAT, seat=2)
    await hall.join(table, CAT)
    async with refused("started"):
        await hall.join(table, EVE)


@at_a_hall()
async def test_two_of_the_same_name_are_told_apart(hall):
    table = await hall.create(ANN, seats=("person",) * 3)
    await hall.join(table, BOB, "ann")
    await hall.join(table, CAT, "Ann")
    assert [seat.name for seat in (await hall.table(table)).seats] == ["Ann", "ann 2", "Ann 3"]


@at_a_hall()
async def test_only_the_host_begins_early_and_bots_fill_the_seats(hall):
    table = await hall.create(ANN, seats=("person",) * 3)
    await hall.join(table, BOB)
    async with refused("not_host"):
        await hall.ask(table, BOB, m.Start())
    await hall.ask(table, ANN, m.Start(level="hard"))
    seats = (await hall.see(table, ANN))["state"]["seats"]
    assert seats["2"] == {"player": "bot:hard", "name": "Hard"}


@at_a_hall()
async def test_a_seat_left_before_the_game_is_free_and_the_host_hands_the_table_on(hall):
    table = await hall.create(ANN, seats=("person",) * 3)
    await hall.join(table, BOB)
    await hall.ask(table, ANN, m.Leave())
    state = (await hall.see(table, BOB))["state"]
    assert (state["host"], state["seats"]["0"]) == (1, {"player": "human"})
    await hall.ask(table, BOB, m.Leave())
    assert (await hall.table(table)).status == "abandoned"
    async with refused("over"):
        await hall.join(table, CAT)


@at_a_hall()
async def test_a_bot_takes_over_after_the_grace_time_and_the_person_comes_back(hall):
    table = await two_play(hall, grace_seconds=60)
    key = await asked(hall, table)
    seat = str((await hall.see(table, key))["state"]["you"])
    await hall.ask(table, key, m.Leave())
    async with refused("away"):
        await hall.decide(table, key)
    await hall.wait(table, 59)
    assert (await hall.see(table, None))["state"]["seats"][seat].get("stand_in") is None
    await hall.wait(table, 2)
    state = (await hall.see(table, None))["state"]
    assert state["seats"][seat]["stand_in"]
    assert state["position"]["choosing"] != [int(seat)]  # the bot has played the turn
    await hall.ask(table, key, m.Return())
    assert "stand_in" not in (await hall.see(table, None))["state"]["seats"][seat]


@at_a_hall()
async def test_who_returns_within_the_grace_time_is_not_stood_in_for(hall):
    table = await two_play(hall, grace_seconds=60)
    await hall.ask(table, ANN, m.Leave())
    await hall.wait(table, 30)
    await hall.ask(table, ANN, m.Return())
    await hall.wait(table, 100)
    assert not any(seat.stand_in for seat in (await hall.table(table)).seats)


@at_a_hall()
async def test_time_for_a_turn_runs_for_the_whole_turn_and_a_bot_takes_over_once(hall):
    table = await two_play(hall, turn_seconds=30)
    key = await asked(hall, table)
    seat = (await hall.see(table, key))["state"]["you"]
    assert (await hall.see(table, key))["state"]["deadline"] == hall.clock() + 30
    await hall.wait(table, 20)
    await hall.decide(table, key, "draw train")  # of two cards: the turn goes on, and so does its time
    assert (await hall.see(table, key))["state"]["deadline"] == hall.clock() + 10
    await hall.wait(table, 11)
    assert (await hall.table(table)).seats[seat].stand_in
    log = await hall.hall.store.log(table)
    assert [(one.seat, one.body) for one in log if one.kind == TAKE_OVER] == [(seat, {"reason": "time"})]


@at_a_hall()
async def test_a_table_without_a_limit_waits_for_weeks(hall):
    table = await two_play(hall)
    key = await asked(hall, table)
    await hall.wait(table, 30 * 86400)
    await hall.decide(table, key)
    await hall.wait(table, 61 * 86400)
    assert (await hall.table(table)).status == "abandoned"


@at_a_hall()
async def test_a_table_at_which_nobody_sits_down_is_closed_in_the_end(hall):
    table = await hall.create(ANN, open=True)
    assert await hall.hall.store.listed(10) == [table]
    await hall.wait(table, 8 * 86400)
    assert (await hall.table(table)).status == "abandoned"
    assert await hall.hall.store.listed(10) == []


@at_a_hall()
async def test_a_game_ends_early_only_if_all_people_there_want_it(hall):
    table = await two_play(hall)
    await hall.ask(table, ANN, m.Abandon())
    assert (await hall.table(table)).status == "playing"
    await hall.ask(table, BOB, m.Abandon())
    assert (await hall.table(table)).status == "abandoned"
    async with refused("over"):
        await hall.decide(table, ANN, "draw train")
    async with refused("not_over"):
        await hall.ask(table, ANN, m.Rematch())


@at_a_hall()
async def test_who_is_away_does_not_hinder_the_end(hall):
    table = await two_play(hall, grace_seconds=0)
    await hall.ask(table, ANN, m.Abandon())
    await hall.ask(table, BOB, m.Leave())
    await hall.wait(table)
    assert (await hall.table(table)).status == "abandoned"


@at_a_hall()
async def test_a_finished_game_shows_its_seed_and_its_record_replays(hall):
    table = await two_play(hall, game="london")
    promised = (await hall.see(table, None))["state"]["commitment"]
    assert "seed" not in (await hall.see(table, ANN))["state"]
    early = record_for(await hall.table(table), 0)
    assert (early.seed, early.decisions, early.commitment) == (None, None, promised)
    await play_out(hall, table)
    state = (await hall.see(table, ANN))["state"]
    assert commitment_of(state["seed"]) == promised
    record = record_for(await hall.table(table), None)
    assert Record.from_json(record.to_json()).replay().result == state["result"]


@at_a_hall()
async def test_a_rematch_has_the_same_seats_and_the_next_one_begins(hall):
    table = await two_play(hall, game="london", first_seat=1)
    await play_out(hall, table)
    new = (await hall.ask(table, BOB, m.Rematch())).table.rematch
    again = (await hall.ask(table, ANN, m.Rematch())).table.rematch
    assert again == new
    waiting = (await hall.see(new, ANN))["state"]
    assert (waiting["status"], waiting["seats"]["0"]) == ("waiting", {"player": "human", "name": "Ann", "reserved": True})
    async with refused("full"):
        await hall.join(new, EVE)
    assert (await hall.join(new, ANN)).seat == 0
    playing = (await hall.see(new, BOB))["state"]
    assert (playing["status"], playing["you"], playing["options"]["first_seat"]) == ("playing", 1, 0)
    assert playing["commitment"] != (await hall.see(table, ANN))["state"]["commitment"]


@at_a_hall()
async def test_bots_alone_play_to_the_end_for_a_host_who_watches(hall):
    table = await hall.create(ANN, game="card-game", seats=("easy", "normal", "hard"))
    await hall.wait(table)
    state = (await hall.see(table, ANN))["state"]
    assert (state["status"], "you" in state, "host" in state) == ("finished", False, False)


@at_a_hall()
async def test_a_guest_finds_all_own_tables(hall):
    tables = [await hall.create(ANN), await hall.create(BOB, seats=("person",) * 3)]
    await hall.join(tables[1], ANN)
    await hall.create(BOB)
    assert set(await hall.hall.store.tables_of(hash_of(ANN), 10)) == set(tables)


@at_a_hall(tables_per_guest=3)
async def test_a_host_has_so_many_tables_and_no_more(hall):
    for _ in range(3):
        table = await hall.create(ANN)
    async with refused("too_many_tables"):
        await hall.create(ANN)
    await hall.ask(table, ANN, m.Abandon())
    await hall.create(ANN)


@at_a_hall(most_tables=2)
async def test_tables_that_were_forgotten_are_read_again(hall):
    tables = [await two_play(hall) for _ in range(5)]
    assert hall.hall.loaded <= 2
    for table in tables:
        await hall.decide(table, await asked(hall, table))


@at_a_hall()
async def test_a_game_that_cannot_be_is_refused_with_the_reason(hall):
    with pytest.raises(Refused, match="2 to 4 players"):
        await hall.create(ANN, game="london", seats=("person",) * 5)
    with pytest.raises(Refused, match="track piles"):
        await hall.create(ANN, options={"look_into_own_pile": True})
    with pytest.raises(Refused, match="first_seat"):
        await hall.create(ANN, first_seat=3)


@at_a_hall()
async def test_a_game_that_could_not_begin_begins_when_it_is_looked_after(hall, tmp_path, monkeypatch):
    """The last seat was taken, and the server ended before the game began."""

    async def fails(*_):
        raise OSError("the disk is full")

    table = await hall.create(ANN)
    with monkeypatch.context() as broken:
        broken.setattr(hall.hall, "fire", fails)
        with pytest.raises(OSError, match="the disk is full"):
            await hall.join(table, BOB)
    again = await Hallway.open(tmp_path / "games.db", hall.clock)
    assert (await again.table(table)).status == "waiting"
    assert await again.hall.store.due(hall.clock() + 2, 10) == [table]
    await again.wait(table)
    assert (await again.table(table)).status == "playing"
    await again.close()


@at_a_hall()
async def test_a_process_that_is_behind_does_not_undo_what_another_has_noted(hall, tmp_path):
    """Another process has begun the game, and its bot is due; this one, which has not heard of it, is asked to look."""
    table = await hall.create(ANN, seats=("person", "person", "easy"))
    behind = await Hallway.open(tmp_path / "games.db", hall.clock)
    await behind.table(table)
    await hall.join(table, BOB)
    number = (await hall.table(table)).last_entry
    hall.clock.now += 10
    await behind.driver.do_due(table)
    assert (await behind.table(table)).last_entry > number
    await behind.close()


@at_a_hall()
async def test_leaving_and_returning_gives_no_more_time(hall):
    table = await two_play(hall, turn_seconds=10, grace_seconds=60)
    key = await asked(hall, table)
    seat = (await hall.see(table, key))["state"]["you"]
    await hall.wait(table, 6)
    await hall.ask(table, key, m.Leave())
    await hall.ask(table, key, m.Return())
    await hall.wait(table, 5)
    assert (await hall.table(table)).seats[seat].stand_in


@at_a_hall()
async def test_a_game_of_other_rules_is_refused_and_left_alone(hall, tmp_path):
    table = await two_play(hall)
    connection = sqlite3.connect(tmp_path / "games.db")
    connection.execute("UPDATE tables SET rules_version = 99")
    connection.commit()
    connection.close()
    newer = await Hallway.open(tmp_path / "games.db", hall.clock)
    async with refused("other_rules"):
        await newer.table(table)
    newer.driver._wake(table)
    while newer.driver._busy:
        await asyncio.sleep(0.01)
    assert await newer.hall.store.due(10**12, 10) == []
    await newer.close()


@at_a_hall()
async def test_a_vote_to_end_the_game_can_be_taken_back(hall):
    table = await two_play(hall)
    await hall.ask(table, ANN, m.Abandon())
    await hall.ask(table, ANN, m.Abandon(gives_up=False))
    await hall.ask(table, BOB, m.Abandon())
    assert (await hall.table(table)).status == "playing"


@at_a_hall()
async def test_bots_and_people_have_names_of_their_own(hall):
    table = await hall.create(ANN, seats=("person", "easy", "person", "person"), name="Easy")
    await hall.join(table, BOB, "normal")
    await hall.ask(table, ANN, m.Start())
    assert [seat.name for seat in (await hall.table(table)).seats] == ["Easy 2", "Easy", "normal", "Normal 2"]


@at_a_hall()
async def test_who_does_not_come_to_a_rematch_is_replaced_by_a_bot_and_no_longer_kept_a_seat(hall):
    table = await two_play(hall, game="london")
    await play_out(hall, table)
    new = (await hall.ask(table, BOB, m.Rematch())).table.rematch
    await hall.ask(new, BOB, m.Start())
    assert (await hall.see(new, BOB))["state"]["seats"]["0"] == {"player": "bot:normal", "name": "Normal"}
    assert await hall.hall.store.tables_of(hash_of(ANN), 10) == [table]


@at_a_hall()
async def test_the_host_of_a_rematch_who_leaves_hands_it_to_whom_a_seat_is_kept_for(hall):
    table = await two_play(hall, game="london")
    await play_out(hall, table)
    new = (await hall.ask(table, BOB, m.Rematch())).table.rematch
    await hall.ask(new, BOB, m.Leave())
    assert (await hall.table(new)).status == "waiting"
    await hall.join(new, ANN)
    assert (await hall.see(new, ANN))["state"]["host"] == 0


@at_a_hall()
async def test_the_bots_of_a_rematch_do_not_wait_to_be_found(hall):
    table = await hall.create(ANN, game="london", seats=("person", "easy"))
    await play_out(hall, table)
    changed = []
    hall.hall.on_change = lambda one: changed.append(one.header.id)
    new = (await hall.ask(table, ANN, m.Rematch())).table.rematch
    assert (await hall.table(new)).status == "playing"
    assert new in changed
