"""Decisions in, events out: questions and their numbers, messages sent again, undo, chat, and who is told what."""

import asyncio
import json

from branchline.server.protocol import messages as m
from branchline.server.protocol.keys import hash_of
from branchline.server.service import listed
from branchline.server.tables import opening
from branchline.server.tables.downloads import record_for
from branchline.server.tables.publishing import Reader
from tests.server.running import new_key
from tests.server.tables_only import ANN, BOB, CAT, EVE, TablesOnly, asked, refused, two_play, with_tables


@with_tables()
async def test_opening_choices_are_made_in_any_order_and_keep_their_numbers(server):
    table = await server.create(ANN, seats=("person",) * 3)
    await server.join(table, BOB)
    await server.join(table, CAT)
    question = (await server.see(table, ANN))["state"]["position"]["question"]
    for _ in range(4):
        if "question" in (await server.see(table, CAT))["state"]["position"]:
            await server.decide(table, CAT)
    seen = (await server.see(table, ANN))["state"]["position"]
    assert seen["question"] == question  # what others choose does not change what you are asked
    assert seen["choosing"] == [0, 1]
    await server.decide(table, ANN, question=question)


@with_tables()
async def test_a_decision_needs_the_number_of_the_question(server):
    table = await two_play(server)
    key = await asked(server, table)
    question = (await server.see(table, key))["state"]["position"]["question"]
    async with refused("stale"):
        await server.decide(table, key, question=question - 1)
    async with refused("not_your_turn"):
        await server.decide(table, BOB if key == ANN else ANN, "draw train")
    async with refused("illegal"):
        await server.decide(table, key, "pass")
    async with refused("not_a_decision"):
        await server.decide(table, key, "fly to the moon")
    async with refused("not_seated"):
        await server.decide(table, EVE, "draw train", question=question)
    await server.decide(table, key, "draw train")


@with_tables()
async def test_a_decision_sent_again_acts_once(server):
    table = await two_play(server)
    key = await asked(server, table)
    question = (await server.see(table, key))["state"]["position"]["question"]
    first = await server.decide(table, key, "draw train", id="mine")
    number = (await server.table(table)).last_entry
    again = await server.ask(table, key, m.Decide(id="mine", question=question, decision="draw train"))
    assert again.cursor == first.cursor
    assert (await server.table(table)).last_entry == number


@with_tables()
async def test_a_decision_sent_again_after_a_restart_acts_once(server, tmp_path):
    table = await two_play(server)
    key = await asked(server, table)
    question = (await server.see(table, key))["state"]["position"]["question"]
    first = await server.decide(table, key, "draw train", id="mine")
    other = await TablesOnly.open(tmp_path / "games.db", server.clock)
    again = await other.ask(table, key, m.Decide(id="mine", question=question, decision="draw train"))
    assert (again.cursor, (await other.table(table)).last_entry) == (first.cursor, (await server.table(table)).last_entry)
    await other.close()


@with_tables()
async def test_a_claim_is_taken_back_until_it_is_paid(server, monkeypatch):
    monkeypatch.setattr(opening, "new_seed", lambda: "2" * 32)  # in one game in fifteen, no claim leaves a choice of cards
    table = await two_play(server, game="london")
    undone = 0
    for _ in range(400):
        key = await asked(server, table)
        state = (await server.see(table, key))["state"]
        if state["status"] != "playing":
            break
        claims = [text for text in state["position"]["legal"] if text.startswith("claim")]
        await server.decide(table, key, claims[0] if claims else None)
        after = (await server.see(table, key))["state"]
        if after["position"].get("can_undo") and claims:
            await server.ask(table, key, m.Undo(id=f"undo{undone}", question=after["position"]["question"]))
            before = (await server.see(table, key))["state"]["position"]
            assert {**before, "question": 0} == {**state["position"], "question": 0}
            undone += 1
            await server.decide(table, key, "draw train" if "draw train" in before["legal"] else before["legal"][-1])
    assert undone


@with_tables()
async def test_what_was_seen_is_not_taken_back(server):
    table = await two_play(server)
    key = await asked(server, table)
    await server.decide(table, key, "draw train")
    question = (await server.see(table, key))["state"]["position"]["question"]
    async with refused("nothing_to_undo"):
        await server.ask(table, key, m.Undo(id="u", question=question))


@with_tables()
async def test_chat_reaches_all_but_those_who_do_not_want_it(server):
    table = await two_play(server)
    await server.ask(table, ANN, m.Say(id="1", text="  hello \u202e there "))
    await server.ask(table, BOB, m.Mute(seat=0))
    before = (await server.see(table, BOB))["cursor"]
    await server.ask(table, ANN, m.Say(id="2", phrase="good-luck"))
    said = [event for event in (await server.see(table, None))["recent"] if event["event"] == "say"]
    assert [(event.get("text"), event.get("phrase")) for event in said] == [("hello there", None), (None, "good-luck")]
    bobs = await server.see(table, BOB)
    assert bobs["cursor"] == before
    assert [event["text"] for event in bobs["recent"] if event["event"] == "say"] == ["hello there"]
    assert "muted" not in (await server.see(table, None))["state"]
    await server.ask(table, BOB, m.Mute(seat=0, muted=False))
    await server.ask(table, ANN, m.Say(id="3", text="again"))
    assert (await server.see(table, BOB))["recent"][-1]["text"] == "again"


def live_reader(server, table, key):
    reader = Reader(table.header.id, hash_of(key) if key else None, table.seat_of(hash_of(key) if key else None), 50)
    server.tables.publisher.subscribe(table, reader, None)
    return reader


@with_tables()
async def test_whoever_takes_a_seat_sees_it_from_then_on_also_on_a_socket_that_is_open(server):
    name = await server.create(ANN, seats=("person",) * 3)
    reader = live_reader(server, await server.table(name), BOB)
    await server.join(name, BOB)
    sent = [json.loads(reader.queue.get_nowait()) for _ in range(reader.queue.qsize())]
    assert (sent[-1]["type"], sent[-1]["state"]["you"]) == ("snapshot", 1)


@with_tables()
async def test_who_may_not_watch_is_let_go_when_the_game_begins(server):
    name = await server.create(ANN, spectators=False)
    table = await server.table(name)
    readers = [live_reader(server, table, key) for key in (ANN, EVE, None)]
    sent = [reader.queue for reader in readers]
    await server.join(name, BOB)
    assert [reader.is_lost for reader in readers] == [False, True, True]
    heard = [[queue.get_nowait() for _ in range(queue.qsize())] for queue in sent]
    assert [any(b'"position"' in message for message in messages) for messages in heard] == [True, False, False]


@with_tables()
async def test_what_was_begun_is_finished_even_if_the_asker_has_gone(server):
    table = await two_play(server)
    key = await asked(server, table)
    number = (await server.table(table)).last_entry
    work = asyncio.create_task(server.decide(table, key, "draw train"))
    while not server.tables._at_work:
        await asyncio.sleep(0)
    work.cancel()
    await server.tables.finish()
    assert (await server.table(table)).last_entry == number + 1
    assert len(await server.tables.store.log(table)) == number + 1


@with_tables()
async def test_a_name_for_a_message_belongs_to_the_person_not_to_the_seat(server):
    """Somebody who takes the seat of a person who left may use the same ids: that is not a repetition."""
    table = await server.create(ANN, seats=("person",) * 3)
    for key, words in ((BOB, "from bob"), (CAT, "from cat")):
        await server.join(table, key, seat=1)
        await server.ask(table, key, m.Say(id="1", text=words))
        await server.ask(table, key, m.Leave())
    said = [event["text"] for event in (await server.see(table, ANN))["recent"] if event["event"] == "say"]
    assert said == ["from bob", "from cat"]


@with_tables()
async def test_a_message_from_long_ago_acts_once(server):
    """Older than anything the table remembers: the store still knows it."""
    table = await two_play(server)
    for number in range(80):
        await server.ask(table, ANN, m.Say(id=f"n{number}", text="hello"))
    lost = server.tables.metrics.lost_races._value.get()
    number = (await server.table(table)).last_entry
    await server.ask(table, ANN, m.Say(id="n0", text="hello"))
    assert (await server.table(table)).last_entry == number
    assert server.tables.metrics.lost_races._value.get() == lost + 1


@with_tables()
async def test_the_next_on_a_seat_is_neither_muted_nor_mutes(server):
    table = await server.create(ANN, seats=("person",) * 3)
    await server.join(table, BOB, seat=1)
    await server.ask(table, BOB, m.Mute(seat=0))
    await server.ask(table, ANN, m.Mute(seat=1))
    await server.ask(table, BOB, m.Leave())
    await server.join(table, CAT, seat=1)
    assert [seat.muted for seat in (await server.table(table)).seats] == [set()] * 3


@with_tables()
async def test_that_another_has_half_decided_does_not_show_in_the_times_of_a_list(server):
    table = await server.create(ANN)
    await server.join(table, BOB)
    before = listed(await server.table(table), hash_of(ANN))
    server.clock.now += 60
    await server.decide(table, BOB)
    await server.ask(table, BOB, m.Mute(seat=0))
    assert listed(await server.table(table), hash_of(ANN)) == before


@with_tables()
async def test_what_one_does_besides_the_game_has_an_end_and_takes_nothing_from_others(server, monkeypatch):
    monkeypatch.setattr("branchline.server.tables.commands.MOST_BESIDES", 40)  # 20 for each
    table = await two_play(server)
    for number in range(20):
        await server.ask(table, ANN, m.Mute(seat=1, muted=number % 2 == 0))
    for more in (m.Say(id="s", text="more"), m.Mute(seat=1), m.Pace(pace=5)):
        async with refused("too_many"):
            await server.ask(table, ANN, more)
    await server.ask(table, BOB, m.Say(id="s", text="hello"))
    await server.decide(table, await asked(server, table), "draw train")
    await server.ask(table, ANN, m.Abandon())  # these are never refused
    await server.ask(table, ANN, m.Leave())
    async with refused("too_many"):
        await server.ask(table, ANN, m.Abandon(gives_up=False))
    await server.ask(table, ANN, m.Return())  # nor is this, for a while
    monkeypatch.setattr("branchline.server.tables.commands.SPARE", 3)
    await server.ask(table, ANN, m.Leave())
    async with refused("too_many"):
        await server.ask(table, ANN, m.Return())
    await server.ask(table, BOB, m.Abandon())
    assert (await server.table(table)).status == "abandoned"


@with_tables()
async def test_coming_back_as_somebody_else_does_not_make_a_waiting_table_s_log_longer(server, monkeypatch):
    monkeypatch.setattr("branchline.server.tables.commands.MOST_BESIDES", 80)  # one share of four for all who come and go
    table = await server.create(ANN, seats=("person",) * 4)  # one more than people, so that the game does not begin by itself
    await server.join(table, BOB)
    for _ in range(4):
        guest = new_key()
        await server.join(table, guest)
        for number in range(4):  # leaving counts, too
            await server.ask(table, guest, m.Mute(seat=0, muted=number % 2 == 0))
        await server.ask(table, guest, m.Leave())
    await server.join(table, CAT)
    for key in (BOB, CAT):
        async with refused("too_many"):
            await server.ask(table, key, m.Mute(seat=0))
    await server.ask(table, ANN, m.Start())
    await server.ask(table, CAT, m.Mute(seat=0))  # now it is settled who plays, and each has a count of their own


@with_tables()
async def test_who_sits_down_and_stands_up_without_end_is_stopped_for_a_while_and_everybody_may_leave(server, monkeypatch):
    table = await server.create(ANN, seats=("person",) * 4)
    await server.join(table, BOB)

    async def sit_and_rise():
        guest = new_key()  # somebody else each time
        await server.join(table, guest)
        await server.ask(table, guest, m.Leave())

    for _ in range(98):
        await sit_and_rise()
    async with refused("too_many"):
        await sit_and_rise()
    await server.ask(table, BOB, m.Leave())
    server.clock.now += 60
    await server.join(table, CAT)
    monkeypatch.setattr("branchline.server.tables.commands.MOST_SITTINGS", 102)
    server.clock.now += 3600
    await sit_and_rise()
    async with refused("too_many"):
        await sit_and_rise()


@with_tables()
async def test_wo_8_a_card_taken_before_the_space_is_filled_is_put_back_for_all_to_see(server):
    table = await server.create(ANN, game="world")
    await server.join(table, BOB)
    while (await server.table(table)).state.is_at_once:
        for key in (ANN, BOB):
            if "question" in (await server.see(table, key))["state"]["position"]:
                await server.decide(table, key)
    key = await asked(server, table)
    other = BOB if key == ANN else ANN
    before = await server.see(table, other)
    space = next(space for space, card in enumerate(before["state"]["position"]["row"]) if card != "wild")
    await server.decide(table, key, f"take {space}")
    question = (await server.see(table, key))["state"]["position"]["question"]
    await server.ask(table, key, m.Undo(id="u", question=question))
    after = await server.see(table, other)
    assert after["state"] == before["state"]
    assert [event["event"] for event in after["recent"][-2:]] == ["take", "undo"]
    assert (after["cursor"], after["recent"][-1]["events"]) == (before["cursor"] + 2, 1)
    record = record_for(await server.table(table), None)
    assert record.events[-1]["event"] == "turn"
