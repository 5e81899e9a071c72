"""Tables: who may do what, and what comes of it."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest

from branchline import Record
from branchline.server import messages as m
from branchline.server.desk import listed
from branchline.server.downloads import record_for
from branchline.server.entries import TAKE_OVER
from branchline.server.keys import hash_of
from branchline.server.publishing import Reader
from branchline.server.refusals import Refused
from branchline.verifying import commitment_of
from tests.server.hallway import Hallway
from tests.server.running import new_key


def run(tmp_path, play, **settings):
    async def whole():
        hallway = await Hallway.open(tmp_path / "games.db", **settings)
        try:
            await play(hallway)
        finally:
            await hallway.close()

    asyncio.run(whole())


@asynccontextmanager
async def refused(code):
    with pytest.raises(Refused) as raised:
        yield
    assert raised.value.code == code


ANN, BOB, CAT, EVE = (new_key() for _ in range(4))


async def two_play(hall, **more):
    """Ann and Bob at a table, past their opening tickets."""
    table = await hall.create(ANN, **more)
    await hall.join(table, BOB)
    while (await hall.see(table, ANN))["state"]["position"]["phase"] == "opening tickets":
        for key in (ANN, BOB):
            if "question" in (await hall.see(table, key))["state"]["position"]:
                await hall.decide(table, key)
    return table


async def asked(hall, table):
    """The key and the name of who is to decide."""
    return ANN if "question" in (await hall.see(table, ANN))["state"]["position"] else BOB


def test_the_game_begins_when_the_last_seat_is_taken(tmp_path):
    async def play(hall):
        table = await hall.create(ANN, seats=("person", "easy", "person"))
        waiting = (await hall.see(table, None))["state"]
        assert (waiting["status"], waiting["seats"]["0"]["name"], waiting["seats"]["1"]["name"]) == ("waiting", "Ann", "Easy")
        assert "position" not in waiting
        assert (await hall.join(table, BOB)).seat == 2
        playing = (await hall.see(table, BOB))["state"]
        assert (playing["status"], playing["you"], playing["position"]["choosing"]) == ("playing", 2, [0, 1, 2])

    run(tmp_path, play)


def test_whoever_joins_again_has_the_same_seat_and_nobody_takes_two(tmp_path):
    async def play(hall):
        table = await hall.create(ANN, seats=("person",) * 3)
        assert [(await hall.join(table, key)).seat for key in (BOB, BOB, ANN)] == [1, 1, 0]
        assert (await hall.table(table)).free_seats == [2]

    run(tmp_path, play)


def test_a_seat_can_be_chosen_and_a_taken_one_cannot(tmp_path):
    async def play(hall):
        table = await hall.create(ANN, seats=("person",) * 3)
        assert (await hall.join(table, BOB, seat=2)).seat == 2
        async with refused("full"):
            await hall.join(table, CAT, seat=2)
        await hall.join(table, CAT)
        async with refused("started"):
            await hall.join(table, EVE)

    run(tmp_path, play)


def test_two_of_the_same_name_are_told_apart(tmp_path):
    async def play(hall):
        table = await hall.create(ANN, seats=("person",) * 3)
        await hall.join(table, BOB, "ann")
        await hall.join(table, CAT, "Ann")
        assert [seat.name for seat in (await hall.table(table)).seats] == ["Ann", "ann 2", "Ann 3"]

    run(tmp_path, play)


def test_only_the_host_begins_early_and_bots_fill_the_seats(tmp_path):
    async def play(hall):
        table = await hall.create(ANN, seats=("person",) * 3)
        await hall.join(table, BOB)
        async with refused("not_host"):
            await hall.ask(table, BOB, m.Start())
        await hall.ask(table, ANN, m.Start(level="hard"))
        seats = (await hall.see(table, ANN))["state"]["seats"]
        assert seats["2"] == {"player": "bot:hard", "name": "Hard"}

    run(tmp_path, play)


def test_a_seat_left_before_the_game_is_free_and_the_host_hands_the_table_on(tmp_path):
    async def play(hall):
        table = await hall.create(ANN, seats=("person",) * 3)
        await hall.join(table, BOB)
        await hall.ask(table, ANN, m.Leave())
        state = (await hall.see(table, BOB))["state"]
        assert (state["host"], state["seats"]["0"]) == (1, {"player": "human"})
        await hall.ask(table, BOB, m.Leave())
        assert (await hall.table(table)).status == "abandoned"
        async with refused("over"):
            await hall.join(table, CAT)

    run(tmp_path, play)


def test_opening_choices_are_made_in_any_order_and_keep_their_numbers(tmp_path):
    async def play(hall):
        table = await hall.create(ANN, seats=("person",) * 3)
        await hall.join(table, BOB)
        await hall.join(table, CAT)
        question = (await hall.see(table, ANN))["state"]["position"]["question"]
        for _ in range(4):
            if "question" in (await hall.see(table, CAT))["state"]["position"]:
                await hall.decide(table, CAT)
        seen = (await hall.see(table, ANN))["state"]["position"]
        assert seen["question"] == question  # what others choose does not change what one is asked
        assert seen["choosing"] == [0, 1]
        await hall.decide(table, ANN, number=question)

    run(tmp_path, play)


def test_a_decision_needs_the_number_of_the_question(tmp_path):
    async def play(hall):
        table = await two_play(hall)
        key = await asked(hall, table)
        question = (await hall.see(table, key))["state"]["position"]["question"]
        async with refused("stale"):
            await hall.decide(table, key, number=question - 1)
        async with refused("not_your_turn"):
            await hall.decide(table, BOB if key == ANN else ANN, "draw train")
        async with refused("illegal"):
            await hall.decide(table, key, "pass")
        async with refused("not_a_decision"):
            await hall.decide(table, key, "fly to the moon")
        async with refused("not_seated"):
            await hall.decide(table, EVE, "draw train", number=question)
        await hall.decide(table, key, "draw train")

    run(tmp_path, play)


def test_a_decision_sent_again_acts_once(tmp_path):
    async def play(hall):
        table = await two_play(hall)
        key = await asked(hall, table)
        question = (await hall.see(table, key))["state"]["position"]["question"]
        first = await hall.decide(table, key, "draw train", id="mine")
        number = (await hall.table(table)).number
        again = await hall.ask(table, key, m.Decide(id="mine", number=question, decision="draw train"))
        assert again.number == first.number
        assert (await hall.table(table)).number == number

    run(tmp_path, play)


def test_a_decision_sent_again_after_a_restart_acts_once(tmp_path):
    async def play(hall):
        table = await two_play(hall)
        key = await asked(hall, table)
        question = (await hall.see(table, key))["state"]["position"]["question"]
        first = await hall.decide(table, key, "draw train", id="mine")
        other = await Hallway.open(tmp_path / "games.db", hall.clock)
        again = await other.ask(table, key, m.Decide(id="mine", number=question, decision="draw train"))
        assert (again.number, (await other.table(table)).number) == (first.number, (await hall.table(table)).number)
        await other.close()

    run(tmp_path, play)


def test_a_claim_is_taken_back_until_it_is_paid(tmp_path):
    async def play(hall):
        table = await two_play(hall, game="london")
        undone = 0
        for _ in range(400):
            key = await asked(hall, table)
            state = (await hall.see(table, key))["state"]
            if state["status"] != "playing":
                break
            claims = [text for text in state["position"]["legal"] if text.startswith("claim")]
            await hall.decide(table, key, claims[0] if claims else None)
            after = (await hall.see(table, key))["state"]
            if after["position"].get("can_undo") and claims:
                await hall.ask(table, key, m.Undo(id=f"undo{undone}", number=after["position"]["question"]))
                before = (await hall.see(table, key))["state"]["position"]
                assert {**before, "question": 0} == {**state["position"], "question": 0}
                undone += 1
                await hall.decide(table, key, "draw train" if "draw train" in before["legal"] else before["legal"][-1])
        assert undone

    run(tmp_path, play)


def test_what_was_seen_is_not_taken_back(tmp_path):
    async def play(hall):
        table = await two_play(hall)
        key = await asked(hall, table)
        await hall.decide(table, key, "draw train")
        question = (await hall.see(table, key))["state"]["position"]["question"]
        async with refused("nothing_to_undo"):
            await hall.ask(table, key, m.Undo(id="u", number=question))

    run(tmp_path, play)


def test_a_bot_takes_over_after_the_grace_time_and_the_person_comes_back(tmp_path):
    async def play(hall):
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

    run(tmp_path, play)


def test_who_returns_within_the_grace_time_is_not_stood_in_for(tmp_path):
    async def play(hall):
        table = await two_play(hall, grace_seconds=60)
        await hall.ask(table, ANN, m.Leave())
        await hall.wait(table, 30)
        await hall.ask(table, ANN, m.Return())
        await hall.wait(table, 100)
        assert not any(seat.stand_in for seat in (await hall.table(table)).seats)

    run(tmp_path, play)


def test_time_for_a_turn_runs_for_the_whole_turn_and_a_bot_takes_over_once(tmp_path):
    async def play(hall):
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

    run(tmp_path, play)


def test_a_table_without_a_limit_waits_for_weeks(tmp_path):
    async def play(hall):
        table = await two_play(hall)
        key = await asked(hall, table)
        await hall.wait(table, 30 * 86400)
        await hall.decide(table, key)
        await hall.wait(table, 61 * 86400)
        assert (await hall.table(table)).status == "abandoned"

    run(tmp_path, play)


def test_a_table_at_which_nobody_sits_down_is_closed_in_the_end(tmp_path):
    async def play(hall):
        table = await hall.create(ANN, open=True)
        assert await hall.hall.store.listed(10) == [table]
        await hall.wait(table, 8 * 86400)
        assert (await hall.table(table)).status == "abandoned"
        assert await hall.hall.store.listed(10) == []

    run(tmp_path, play)


def test_a_game_ends_early_only_if_all_people_there_want_it(tmp_path):
    async def play(hall):
        table = await two_play(hall)
        await hall.ask(table, ANN, m.Abandon())
        assert (await hall.table(table)).status == "playing"
        await hall.ask(table, BOB, m.Abandon())
        assert (await hall.table(table)).status == "abandoned"
        async with refused("over"):
            await hall.decide(table, ANN, "draw train")
        async with refused("not_over"):
            await hall.ask(table, ANN, m.Rematch())

    run(tmp_path, play)


def test_who_is_away_does_not_hinder_the_end(tmp_path):
    async def play(hall):
        table = await two_play(hall, grace_seconds=0)
        await hall.ask(table, ANN, m.Abandon())
        await hall.ask(table, BOB, m.Leave())
        await hall.wait(table)
        assert (await hall.table(table)).status == "abandoned"

    run(tmp_path, play)


async def play_out(hall, table):
    """Everybody leaves, and bots finish the game."""
    for key in (ANN, BOB):
        if (await hall.table(table)).seat_of(hash_of(key)) is not None:
            await hall.ask(table, key, m.Leave())
    await hall.wait(table, 1000)
    assert (await hall.table(table)).status == "finished"


def test_a_finished_game_shows_its_seed_and_its_record_replays(tmp_path):
    async def play(hall):
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

    run(tmp_path, play)


def test_a_rematch_has_the_same_seats_and_the_next_one_begins(tmp_path):
    async def play(hall):
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

    run(tmp_path, play)


def test_bots_alone_play_to_the_end_for_a_host_who_watches(tmp_path):
    async def play(hall):
        table = await hall.create(ANN, game="card-game", seats=("easy", "normal", "hard"))
        await hall.wait(table)
        state = (await hall.see(table, ANN))["state"]
        assert (state["status"], "you" in state, "host" in state) == ("finished", False, False)

    run(tmp_path, play)


def test_chat_reaches_all_but_those_who_do_not_want_it(tmp_path):
    async def play(hall):
        table = await two_play(hall)
        await hall.ask(table, ANN, m.Say(id="1", text="  hello \u202e there "))
        await hall.ask(table, BOB, m.Mute(seat=0))
        before = (await hall.see(table, BOB))["number"]
        await hall.ask(table, ANN, m.Say(id="2", phrase="good-luck"))
        said = [event for event in (await hall.see(table, None))["recent"] if event["event"] == "say"]
        assert [(event.get("text"), event.get("phrase")) for event in said] == [("hello there", None), (None, "good-luck")]
        bobs = await hall.see(table, BOB)
        assert bobs["number"] == before
        assert [event["text"] for event in bobs["recent"] if event["event"] == "say"] == ["hello there"]
        assert "muted" not in (await hall.see(table, None))["state"]
        await hall.ask(table, BOB, m.Mute(seat=0, muted=False))
        await hall.ask(table, ANN, m.Say(id="3", text="again"))
        assert (await hall.see(table, BOB))["recent"][-1]["text"] == "again"

    run(tmp_path, play)


def test_a_guest_finds_all_own_tables(tmp_path):
    async def play(hall):
        tables = [await hall.create(ANN), await hall.create(BOB, seats=("person",) * 3)]
        await hall.join(tables[1], ANN)
        await hall.create(BOB)
        assert set(await hall.hall.store.tables_of(hash_of(ANN), 10)) == set(tables)

    run(tmp_path, play)


def test_a_host_has_so_many_tables_and_no_more(tmp_path):
    async def play(hall):
        for _ in range(3):
            table = await hall.create(ANN)
        async with refused("too_many_tables"):
            await hall.create(ANN)
        await hall.ask(table, ANN, m.Abandon())
        await hall.create(ANN)

    run(tmp_path, play, tables_per_guest=3)


def test_tables_that_were_forgotten_are_read_again(tmp_path):
    async def play(hall):
        tables = [await two_play(hall) for _ in range(5)]
        assert hall.hall.loaded <= 2
        for table in tables:
            await hall.decide(table, await asked(hall, table))

    run(tmp_path, play, most_tables=2)


def test_a_game_that_cannot_be_is_refused_with_the_reason(tmp_path):
    async def play(hall):
        with pytest.raises(Refused, match="2 to 4 players"):
            await hall.create(ANN, game="london", seats=("person",) * 5)
        with pytest.raises(Refused, match="track piles"):
            await hall.create(ANN, options={"look_into_own_pile": True})
        with pytest.raises(Refused, match="first_seat"):
            await hall.create(ANN, first_seat=3)

    run(tmp_path, play)


def live_reader(hall, table, key):
    reader = Reader(table.header.id, hash_of(key) if key else None, table.seat_of(hash_of(key) if key else None), 50)
    hall.hall.publisher.subscribe(table, reader, None)
    return reader


def test_whoever_takes_a_seat_sees_it_from_then_on_also_on_a_socket_that_is_open(tmp_path):
    async def play(hall):
        name = await hall.create(ANN, seats=("person",) * 3)
        reader = live_reader(hall, await hall.table(name), BOB)
        await hall.join(name, BOB)
        sent = [json.loads(reader.queue.get_nowait()) for _ in range(reader.queue.qsize())]
        assert (sent[-1]["type"], sent[-1]["state"]["you"]) == ("snapshot", 1)

    run(tmp_path, play)


def test_who_may_not_watch_is_let_go_when_the_game_begins(tmp_path):
    async def play(hall):
        name = await hall.create(ANN, spectators=False)
        table = await hall.table(name)
        readers = [live_reader(hall, table, key) for key in (ANN, EVE, None)]
        sent = [reader.queue for reader in readers]
        await hall.join(name, BOB)
        assert [reader.is_lost for reader in readers] == [False, True, True]
        heard = [[queue.get_nowait() for _ in range(queue.qsize())] for queue in sent]
        assert [any(b'"position"' in message for message in messages) for messages in heard] == [True, False, False]

    run(tmp_path, play)


def test_what_was_begun_is_finished_though_the_asker_be_gone(tmp_path):
    async def play(hall):
        table = await two_play(hall)
        key = await asked(hall, table)
        number = (await hall.table(table)).number
        work = asyncio.create_task(hall.decide(table, key, "draw train"))
        while not hall.hall._at_work:
            await asyncio.sleep(0)
        work.cancel()
        await hall.hall.finish()
        assert (await hall.table(table)).number == number + 1
        assert len(await hall.hall.store.log(table)) == number + 1

    run(tmp_path, play)


def test_a_name_for_a_message_belongs_to_the_person_not_to_the_seat(tmp_path):
    """Whoever takes the seat of one who left may use the same names, and is not taken for a repetition."""

    async def play(hall):
        table = await hall.create(ANN, seats=("person",) * 3)
        for key, words in ((BOB, "from bob"), (CAT, "from cat")):
            await hall.join(table, key, seat=1)
            await hall.ask(table, key, m.Say(id="1", text=words))
            await hall.ask(table, key, m.Leave())
        said = [event["text"] for event in (await hall.see(table, ANN))["recent"] if event["event"] == "say"]
        assert said == ["from bob", "from cat"]

    run(tmp_path, play)


def test_a_message_from_long_ago_acts_once(tmp_path):
    """Older than what a table remembers: the store does."""

    async def play(hall):
        table = await two_play(hall)
        for number in range(80):
            await hall.ask(table, ANN, m.Say(id=f"n{number}", text="hello"))
        lost = hall.hall.metrics.lost_races._value.get()
        number = (await hall.table(table)).number
        await hall.ask(table, ANN, m.Say(id="n0", text="hello"))
        assert (await hall.table(table)).number == number
        assert hall.hall.metrics.lost_races._value.get() == lost + 1

    run(tmp_path, play)


def test_a_game_that_could_not_begin_begins_when_it_is_looked_after(tmp_path, monkeypatch):
    """The last seat was taken, and the server ended before the game began."""

    async def play(hall):
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

    async def fails(*_):
        raise OSError("the disk is full")

    run(tmp_path, play)


def test_a_process_that_is_behind_does_not_undo_what_another_has_noted(tmp_path):
    """Another process has begun the game, and its bot is due; this one, which has not heard of it, is asked to look."""

    async def play(hall):
        table = await hall.create(ANN, seats=("person", "person", "easy"))
        behind = await Hallway.open(tmp_path / "games.db", hall.clock)
        await behind.table(table)
        await hall.join(table, BOB)
        number = (await hall.table(table)).number
        hall.clock.now += 10
        await behind.driver.do_due(table)
        assert (await behind.table(table)).number > number
        await behind.close()

    run(tmp_path, play)


def test_leaving_and_returning_gives_no_more_time(tmp_path):
    async def play(hall):
        table = await two_play(hall, turn_seconds=10, grace_seconds=60)
        key = await asked(hall, table)
        seat = (await hall.see(table, key))["state"]["you"]
        await hall.wait(table, 6)
        await hall.ask(table, key, m.Leave())
        await hall.ask(table, key, m.Return())
        await hall.wait(table, 5)
        assert (await hall.table(table)).seats[seat].stand_in

    run(tmp_path, play)


def test_a_game_of_other_rules_is_refused_and_left_alone(tmp_path):
    import sqlite3

    async def play(hall):
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

    run(tmp_path, play)


def test_a_vote_to_end_the_game_can_be_taken_back(tmp_path):
    async def play(hall):
        table = await two_play(hall)
        await hall.ask(table, ANN, m.Abandon())
        await hall.ask(table, ANN, m.Abandon(gives_up=False))
        await hall.ask(table, BOB, m.Abandon())
        assert (await hall.table(table)).status == "playing"

    run(tmp_path, play)


def test_bots_and_people_have_names_of_their_own(tmp_path):
    async def play(hall):
        table = await hall.create(ANN, seats=("person", "easy", "person", "person"), name="Easy")
        await hall.join(table, BOB, "normal")
        await hall.ask(table, ANN, m.Start())
        assert [seat.name for seat in (await hall.table(table)).seats] == ["Easy 2", "Easy", "normal", "Normal 2"]

    run(tmp_path, play)


def test_who_does_not_come_to_a_rematch_is_replaced_by_a_bot_and_no_longer_kept_a_seat(tmp_path):
    async def play(hall):
        table = await two_play(hall, game="london")
        await play_out(hall, table)
        new = (await hall.ask(table, BOB, m.Rematch())).table.rematch
        await hall.ask(new, BOB, m.Start())
        assert (await hall.see(new, BOB))["state"]["seats"]["0"] == {"player": "bot:normal", "name": "Normal"}
        assert await hall.hall.store.tables_of(hash_of(ANN), 10) == [table]

    run(tmp_path, play)


def test_the_host_of_a_rematch_who_leaves_hands_it_to_whom_a_seat_is_kept_for(tmp_path):
    async def play(hall):
        table = await two_play(hall, game="london")
        await play_out(hall, table)
        new = (await hall.ask(table, BOB, m.Rematch())).table.rematch
        await hall.ask(new, BOB, m.Leave())
        assert (await hall.table(new)).status == "waiting"
        await hall.join(new, ANN)
        assert (await hall.see(new, ANN))["state"]["host"] == 0

    run(tmp_path, play)


def test_the_next_on_a_seat_is_neither_muted_nor_mutes(tmp_path):
    async def play(hall):
        table = await hall.create(ANN, seats=("person",) * 3)
        await hall.join(table, BOB, seat=1)
        await hall.ask(table, BOB, m.Mute(seat=0))
        await hall.ask(table, ANN, m.Mute(seat=1))
        await hall.ask(table, BOB, m.Leave())
        await hall.join(table, CAT, seat=1)
        assert [seat.muted for seat in (await hall.table(table)).seats] == [set()] * 3

    run(tmp_path, play)


def test_that_another_has_half_decided_does_not_show_in_the_times_of_a_list(tmp_path):
    async def play(hall):
        table = await hall.create(ANN)
        await hall.join(table, BOB)
        before = listed(await hall.table(table), hash_of(ANN))
        hall.clock.now += 60
        await hall.decide(table, BOB)
        await hall.ask(table, BOB, m.Mute(seat=0))
        assert listed(await hall.table(table), hash_of(ANN)) == before

    run(tmp_path, play)


def test_what_is_beside_the_game_has_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr("branchline.server.commands.LONGEST_LOG", 20)

    async def play(hall):
        table = await two_play(hall)
        for number in range(20 - (await hall.table(table)).number):
            await hall.ask(table, ANN, m.Mute(seat=1, muted=number % 2 == 0))
        async with refused("too_many"):
            await hall.ask(table, ANN, m.Say(id="s", text="more"))
        await hall.decide(table, await asked(hall, table), "draw train")

    run(tmp_path, play)


def test_wo_8_a_card_taken_before_the_space_is_filled_is_put_back_for_all_to_see(tmp_path):
    async def play(hall):
        table = await hall.create(ANN, game="world")
        await hall.join(table, BOB)
        while (await hall.table(table)).state.is_at_once:
            for key in (ANN, BOB):
                if "question" in (await hall.see(table, key))["state"]["position"]:
                    await hall.decide(table, key)
        key = await asked(hall, table)
        other = BOB if key == ANN else ANN
        before = await hall.see(table, other)
        space = next(space for space, card in enumerate(before["state"]["position"]["row"]) if card != "wild")
        await hall.decide(table, key, f"take {space}")
        question = (await hall.see(table, key))["state"]["position"]["question"]
        await hall.ask(table, key, m.Undo(id="u", number=question))
        after = await hall.see(table, other)
        assert after["state"] == before["state"]
        assert [event["event"] for event in after["recent"][-2:]] == ["take", "undo"]
        assert (after["number"], after["recent"][-1]["events"]) == (before["number"] + 2, 1)
        record = record_for(await hall.table(table), None)
        assert record.events[-1]["event"] == "turn"

    run(tmp_path, play)


def test_the_bots_of_a_rematch_do_not_wait_to_be_found(tmp_path):
    async def play(hall):
        table = await hall.create(ANN, game="london", seats=("person", "easy"))
        await play_out(hall, table)
        changed = []
        hall.hall.on_change = lambda one: changed.append(one.header.id)
        new = (await hall.ask(table, ANN, m.Rematch())).table.rematch
        assert (await hall.table(new)).status == "playing"
        assert new in changed

    run(tmp_path, play)
