"""Decisions in, events out: questions and their numbers, messages sent again, undo, chat, and who is told what."""

import asyncio
import json

from branchline.server import messages as m
from branchline.server import opening
from branchline.server.desk import listed
from branchline.server.downloads import record_for
from branchline.server.keys import hash_of
from branchline.server.publishing import Reader
from tests.server.hallway import ANN, BOB, CAT, EVE, Hallway, asked, at_a_hall, refused, two_play


@at_a_hall()
async def test_opening_choices_are_made_in_any_order_and_keep_their_numbers(hall):
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
    await hall.decide(table, ANN, question=question)


@at_a_hall()
async def test_a_decision_needs_the_number_of_the_question(hall):
    table = await two_play(hall)
    key = await asked(hall, table)
    question = (await hall.see(table, key))["state"]["position"]["question"]
    async with refused("stale"):
        await hall.decide(table, key, question=question - 1)
    async with refused("not_your_turn"):
        await hall.decide(table, BOB if key == ANN else ANN, "draw train")
    async with refused("illegal"):
        await hall.decide(table, key, "pass")
    async with refused("not_a_decision"):
        await hall.decide(table, key, "fly to the moon")
    async with refused("not_seated"):
        await hall.decide(table, EVE, "draw train", question=question)
    await hall.decide(table, key, "draw train")


@at_a_hall()
async def test_a_decision_sent_again_acts_once(hall):
    table = await two_play(hall)
    key = await asked(hall, table)
    question = (await hall.see(table, key))["state"]["position"]["question"]
    first = await hall.decide(table, key, "draw train", id="mine")
    number = (await hall.table(table)).last_entry
    again = await hall.ask(table, key, m.Decide(id="mine", question=question, decision="draw train"))
    assert again.cursor == first.cursor
    assert (await hall.table(table)).last_entry == number


@at_a_hall()
async def test_a_decision_sent_again_after_a_restart_acts_once(hall, tmp_path):
    table = await two_play(hall)
    key = await asked(hall, table)
    question = (await hall.see(table, key))["state"]["position"]["question"]
    first = await hall.decide(table, key, "draw train", id="mine")
    other = await Hallway.open(tmp_path / "games.db", hall.clock)
    again = await other.ask(table, key, m.Decide(id="mine", question=question, decision="draw train"))
    assert (again.cursor, (await other.table(table)).last_entry) == (first.cursor, (await hall.table(table)).last_entry)
    await other.close()


@at_a_hall()
async def test_a_claim_is_taken_back_until_it_is_paid(hall, monkeypatch):
    monkeypatch.setattr(opening, "new_seed", lambda: "2" * 32)  # in one game of fifteen no claim leaves a choice of cards
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
            await hall.ask(table, key, m.Undo(id=f"undo{undone}", question=after["position"]["question"]))
            before = (await hall.see(table, key))["state"]["position"]
            assert {**before, "question": 0} == {**state["position"], "question": 0}
            undone += 1
            await hall.decide(table, key, "draw train" if "draw train" in before["legal"] else before["legal"][-1])
    assert undone


@at_a_hall()
async def test_what_was_seen_is_not_taken_back(hall):
    table = await two_play(hall)
    key = await asked(hall, table)
    await hall.decide(table, key, "draw train")
    question = (await hall.see(table, key))["state"]["position"]["question"]
    async with refused("nothing_to_undo"):
        await hall.ask(table, key, m.Undo(id="u", question=question))


@at_a_hall()
async def test_chat_reaches_all_but_those_who_do_not_want_it(hall):
    table = await two_play(hall)
    await hall.ask(table, ANN, m.Say(id="1", text="  hello \u202e there "))
    await hall.ask(table, BOB, m.Mute(seat=0))
    before = (await hall.see(table, BOB))["cursor"]
    await hall.ask(table, ANN, m.Say(id="2", phrase="good-luck"))
    said = [event for event in (await hall.see(table, None))["recent"] if event["event"] == "say"]
    assert [(event.get("text"), event.get("phrase")) for event in said] == [("hello there", None), (None, "good-luck")]
    bobs = await hall.see(table, BOB)
    assert bobs["cursor"] == before
    assert [event["text"] for event in bobs["recent"] if event["event"] == "say"] == ["hello there"]
    assert "muted" not in (await hall.see(table, None))["state"]
    await hall.ask(table, BOB, m.Mute(seat=0, muted=False))
    await hall.ask(table, ANN, m.Say(id="3", text="again"))
    assert (await hall.see(table, BOB))["recent"][-1]["text"] == "again"


def live_reader(hall, table, key):
    reader = Reader(table.header.id, hash_of(key) if key else None, table.seat_of(hash_of(key) if key else None), 50)
    hall.hall.publisher.subscribe(table, reader, None)
    return reader


@at_a_hall()
async def test_whoever_takes_a_seat_sees_it_from_then_on_also_on_a_socket_that_is_open(hall):
    name = await hall.create(ANN, seats=("person",) * 3)
    reader = live_reader(hall, await hall.table(name), BOB)
    await hall.join(name, BOB)
    sent = [json.loads(reader.queue.get_nowait()) for _ in range(reader.queue.qsize())]
    assert (sent[-1]["type"], sent[-1]["state"]["you"]) == ("snapshot", 1)


@at_a_hall()
async def test_who_may_not_watch_is_let_go_when_the_game_begins(hall):
    name = await hall.create(ANN, spectators=False)
    table = await hall.table(name)
    readers = [live_reader(hall, table, key) for key in (ANN, EVE, None)]
    sent = [reader.queue for reader in readers]
    await hall.join(name, BOB)
    assert [reader.is_lost for reader in readers] == [False, True, True]
    heard = [[queue.get_nowait() for _ in range(queue.qsize())] for queue in sent]
    assert [any(b'"position"' in message for message in messages) for messages in heard] == [True, False, False]


@at_a_hall()
async def test_what_was_begun_is_finished_though_the_asker_be_gone(hall):
    table = await two_play(hall)
    key = await asked(hall, table)
    number = (await hall.table(table)).last_entry
    work = asyncio.create_task(hall.decide(table, key, "draw train"))
    while not hall.hall._at_work:
        await asyncio.sleep(0)
    work.cancel()
    await hall.hall.finish()
    assert (await hall.table(table)).last_entry == number + 1
    assert len(await hall.hall.store.log(table)) == number + 1


@at_a_hall()
async def test_a_name_for_a_message_belongs_to_the_person_not_to_the_seat(hall):
    """Whoever takes the seat of one who left may use the same names, and is not taken for a repetition."""
    table = await hall.create(ANN, seats=("person",) * 3)
    for key, words in ((BOB, "from bob"), (CAT, "from cat")):
        await hall.join(table, key, seat=1)
        await hall.ask(table, key, m.Say(id="1", text=words))
        await hall.ask(table, key, m.Leave())
    said = [event["text"] for event in (await hall.see(table, ANN))["recent"] if event["event"] == "say"]
    assert said == ["from bob", "from cat"]


@at_a_hall()
async def test_a_message_from_long_ago_acts_once(hall):
    """Older than what a table remembers: the store does."""
    table = await two_play(hall)
    for number in range(80):
        await hall.ask(table, ANN, m.Say(id=f"n{number}", text="hello"))
    lost = hall.hall.metrics.lost_races._value.get()
    number = (await hall.table(table)).last_entry
    await hall.ask(table, ANN, m.Say(id="n0", text="hello"))
    assert (await hall.table(table)).last_entry == number
    assert hall.hall.metrics.lost_races._value.get() == lost + 1


@at_a_hall()
async def test_the_next_on_a_seat_is_neither_muted_nor_mutes(hall):
    table = await hall.create(ANN, seats=("person",) * 3)
    await hall.join(table, BOB, seat=1)
    await hall.ask(table, BOB, m.Mute(seat=0))
    await hall.ask(table, ANN, m.Mute(seat=1))
    await hall.ask(table, BOB, m.Leave())
    await hall.join(table, CAT, seat=1)
    assert [seat.muted for seat in (await hall.table(table)).seats] == [set()] * 3


@at_a_hall()
async def test_that_another_has_half_decided_does_not_show_in_the_times_of_a_list(hall):
    table = await hall.create(ANN)
    await hall.join(table, BOB)
    before = listed(await hall.table(table), hash_of(ANN))
    hall.clock.now += 60
    await hall.decide(table, BOB)
    await hall.ask(table, BOB, m.Mute(seat=0))
    assert listed(await hall.table(table), hash_of(ANN)) == before


@at_a_hall()
async def test_what_is_beside_the_game_has_an_end(hall, monkeypatch):
    monkeypatch.setattr("branchline.server.commands.LONGEST_LOG", 20)
    table = await two_play(hall)
    for number in range(20 - (await hall.table(table)).last_entry):
        await hall.ask(table, ANN, m.Mute(seat=1, muted=number % 2 == 0))
    async with refused("too_many"):
        await hall.ask(table, ANN, m.Say(id="s", text="more"))
    await hall.decide(table, await asked(hall, table), "draw train")


@at_a_hall()
async def test_wo_8_a_card_taken_before_the_space_is_filled_is_put_back_for_all_to_see(hall):
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
    await hall.ask(table, key, m.Undo(id="u", question=question))
    after = await hall.see(table, other)
    assert after["state"] == before["state"]
    assert [event["event"] for event in after["recent"][-2:]] == ["take", "undo"]
    assert (after["cursor"], after["recent"][-1]["events"]) == (before["cursor"] + 2, 1)
    record = record_for(await hall.table(table), None)
    assert record.events[-1]["event"] == "turn"
