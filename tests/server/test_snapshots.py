"""A snapshot and what came after it is the same as a fresh snapshot: for every viewer, at every step."""

import json
import random
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchline import Record, load_board
from branchline.bots import make_bot
from branchline.play.bitsets import members
from branchline.play.compass import compass
from branchline.play.patches import difference, patched
from branchline.play.shown import own_facts, seat_facts, shown_position
from branchline.play.verifying import check_early
from branchline.server.protocol.replies import Snapshot
from branchline.server.store.entries import DECIDE, PLAYING, SAY, Entry
from branchline.server.tables import publishing
from branchline.server.tables.advising import hint
from branchline.server.tables.commands import entry
from branchline.server.tables.downloads import chance_of, record_for
from branchline.server.tables.publishing import Publisher, Reader, catch_up
from branchline.server.tables.snapshots import RECENT, Common, position, snapshot
from tests.conftest import LONG, SOAK
from tests.server.worlds import key_of, new_table, random_play

PARTS = range(4 if LONG else 1)  # side by side
GAMES = 50 if LONG else 6 if SOAK else 2  # of each game in each part, over all numbers of seats
SKIPPED = 0.0 if SOAK else 0.7  # this share of the steps


def updates(reader):
    """What waits for a reader; how many watch belongs to no state."""
    messages = [json.loads(reader.queue.get_nowait()) for _ in range(reader.queue.qsize())]
    return [message for message in messages if message["type"] == "update"]


class Client:
    """Keeps a snapshot up to date with what it is sent, as a page does."""

    def __init__(self, table, viewer, publisher, after=None):
        self.reader = Reader(table.header.id, key_of(viewer), viewer, 100)
        publisher.subscribe(table, self.reader, after)
        self.seen = json.loads(self.reader.queue.get_nowait())
        del self.seen["type"]

    def take_in(self):
        for message in updates(self.reader):
            assert message["after"] == self.seen["cursor"]
            self.seen["cursor"] = message["cursor"]
            self.seen["recent"] = (self.seen["recent"] + message["events"])[-RECENT:]
            self.seen["state"] = patched(self.seen["state"], message["patch"])


@pytest.mark.sample(2)
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", PARTS)
def test_a_snapshot_and_the_updates_after_it_equal_a_fresh_snapshot(game, part):
    fewest, most = load_board(game).players
    rng = random.Random(5)
    steps = 0
    for seed in range(part * GAMES, (part + 1) * GAMES):
        clients, kept, held, busy = {}, {}, [], random.Random(seed)
        publisher = Publisher(soon=held.append, is_busy=lambda busy=busy: busy.random() < 0.5)
        for table in random_play(game, fewest + seed % (most - fewest + 1), seed):
            publisher.publish(table)
            if clients and rng.random() < SKIPPED and table.status == PLAYING:
                continue  # several things are told at once to those who are not asked, and several updates taken in by those who are
            while held:
                held.pop()()
            for viewer in table.viewers:
                fresh = snapshot(table, viewer)
                if viewer not in clients:
                    clients[viewer] = Client(table, viewer, publisher)
                clients[viewer].take_in()
                assert clients[viewer].seen == fresh
                catches_up(table, viewer, kept.setdefault(viewer, fresh), fresh)
                if rng.random() < 0.1:
                    kept[viewer] = fresh
                steps += 1
        Snapshot.model_validate(fresh)
    assert steps > (500 if SOAK else 150)


def catches_up(table, viewer, old, fresh):
    """A viewer who was away since an old snapshot is told what came after its cursor."""
    news = catch_up(table, viewer, old["cursor"])
    assert (news["after"], news["cursor"]) == (old["cursor"], fresh["cursor"])
    assert news["state"] == fresh["state"]
    assert (old["recent"] + news["events"])[-RECENT:] == fresh["recent"]


def test_the_own_tickets_that_would_count_now_are_marked(game):
    """For each seat its own, as the rules would count them with all cards on the table; for a watcher, none."""
    routes, marked = load_board(game).routes, 0
    table, bot = new_table(game, 3, 2), make_bot("planner", 1)
    while table.status == PLAYING:
        seat = table.choosers[0]
        table.apply(entry(table, DECIDE, 1.0, seat, decision=int(bot.decide(table.state.view(seat)))))
        if table.last_entry % 7:
            continue
        for viewer in table.viewers:
            seats = position(table, viewer)["seats"]
            assert [seat for seat, facts in seats.items() if "done" in facts] == ([str(viewer)] if routes and viewer is not None else [])
            if routes and viewer is not None:
                counted = table.state.result["scores"][viewer]["completed"]
                assert seats[str(viewer)]["done"] == [one["ticket"] if isinstance(one, dict) else one for one in counted]
                marked += len(counted)
    assert marked or not routes


def test_who_sees_nothing_new_is_sent_nothing(game):
    """A message goes out only if something in it is new; another's half-made decision is not."""
    publisher = Publisher()
    silent = 0
    for table in random_play(game, 2, 1):
        if not publisher.has_readers(table.header.id):
            readers = [Client(table, viewer, publisher).reader for viewer in table.viewers]
        publisher.publish(table)
        for reader in readers:
            heard = updates(reader)
            silent += not heard
            assert all(message["events"] or message["patch"] for message in heard)
    assert silent


def test_a_busy_server_tells_those_who_are_not_asked_several_things_in_one_message(game, monkeypatch):
    held = []
    publisher = Publisher(soon=held.append, is_busy=lambda: True)
    watcher = None
    for table in islice(random_play(game, 2, 3), 12):
        watcher = watcher or Client(table, None, publisher)
        publisher.publish(table)
    held.pop()()
    assert updates(watcher.reader) == [], "nobody has waited for long yet"
    monkeypatch.setattr(publishing, "LONGEST_WAIT", 0)
    held.pop()()
    assert not held
    told = updates(watcher.reader)
    assert len(told) == 1
    assert told[0]["cursor"] == len(table.streams[None])


def test_however_many_have_waited_for_long_requests_come_in_between(monkeypatch):
    """Each turn of telling is short, and the turns go on until everybody has been told."""
    held, readers = [], []
    publisher = Publisher(soon=held.append, is_busy=lambda: True)
    monkeypatch.setattr(publishing, "LONGEST_WAIT", 0)
    monkeypatch.setattr(publishing, "A_MOMENT", 0.0)
    monkeypatch.setattr(publishing, "A_WHILE", 0.0)
    for number in range(20):
        table = new_table("london", 2, number)
        table.header = replace(table.header, id=f"{number:016}")
        readers.append(Client(table, None, publisher).reader)
        table.apply(Entry(table.last_entry + 1, SAY, 0.0, 0, {"text": "hello"}, key_of(0), "s"))
        publisher.publish(table)
    monkeypatch.setattr(publishing, "A_WHILE", 0.000_001)  # over when the first one has been told
    turns = 0
    while held:
        held.pop()()
        turns += 1
    assert turns > 5
    assert all(len(updates(reader)) == 1 for reader in readers)


def test_on_a_busy_server_how_far_tickets_are_comes_with_the_next_message_to_all(monkeypatch):
    """The question itself comes at once."""
    held, compass = [], lambda client: client.seen["state"]["position"]["seats"][str(client.reader.viewer)]["compass"]
    publisher = Publisher(soon=held.append, is_busy=lambda: True)
    clients, late = {}, 0
    monkeypatch.setattr(publishing, "LONGEST_WAIT", 0)
    for table in random_play("london", 2, 3):
        if table.status != PLAYING or table.state.view(table.choosers[0]).phase == "opening tickets":
            continue
        clients = clients or {viewer: Client(table, viewer, publisher) for viewer in range(2)}
        publisher.publish(table)
        for seat in table.questions:
            clients[seat].take_in()
            assert clients[seat].seen["state"]["position"]["question"] == table.questions[seat]
            late += compass(clients[seat]) != snapshot(table, seat)["state"]["position"]["seats"][str(seat)]["compass"]
        while held:
            held.pop()()
        for viewer, client in clients.items():
            client.take_in()
            assert client.seen == snapshot(table, viewer)
    assert late


values = st.recursive(
    st.integers(0, 3) | st.text("ab", max_size=2) | st.lists(st.none() | st.integers(0, 2), max_size=3),
    lambda inner: st.dictionaries(st.sampled_from("abcd"), inner, max_size=3),
    max_leaves=12,
)
objects = st.dictionaries(st.sampled_from("abcd"), values, max_size=4)


@given(objects, objects)
def test_a_patch_turns_the_old_into_the_new(old, new):
    before = json.dumps(old)
    assert patched(old, difference(old, new)) == new
    assert json.dumps(old) == before
    assert difference(new, new) == {}


def test_cg_8_a_browser_is_told_the_size_of_a_track_pile_alone():
    """Neither snapshots nor events name its cards until tickets are completed with them."""
    moved = 0
    for table in random_play("card-game", 3, 2):
        for viewer in table.viewers:
            seen = snapshot(table, viewer)
            for event in seen["recent"]:
                if event["event"] == "move_to_track":
                    assert set(event) == {"event", "seat", "count"}
                    moved += event["count"]
            if "position" in seen["state"]:
                for seat in seen["state"]["position"]["seats"].values():
                    assert isinstance(seat.get("pile", 0), int)
                    assert "own_pile" not in seat or table.state.phase == "completing tickets"
    assert moved > 0


def test_cg_19_who_completes_tickets_is_shown_the_best_choice_and_nobody_else_is():
    asked = 0
    for seed in range(0, 40, 4):
        for table in random_play("card-game", 2, seed):
            for viewer in table.viewers:
                shown = snapshot(table, viewer)["state"].get("position", {})
                if "best_choice" in shown:
                    assert table.state.phase == "completing tickets"
                    assert viewer in table.choosers
                    assert {f"complete {ticket}" for ticket in shown["best_choice"]["tickets"][:1]} <= set(shown["legal"])
                    asked += 1
    assert asked > 0


def test_cg_8_records_of_unfinished_games_and_hints_do_not_name_the_cards_of_piles():
    moved = hinted = 0
    for step, table in enumerate(random_play("card-game", 2, 4)):
        if step % 20 or table.status != PLAYING:
            continue
        for viewer in table.viewers:
            record = record_for(table, viewer)
            moved += sum("count" in event for event in record.events if event["event"] == "move_to_track")
            assert not any("cards" in event for event in record.events if event["event"] == "move_to_track")
        whole = replace(Record.of(table.state, table.players), chance=chance_of(table))
        check_early(whole, record_for(table, 0))
        told = hint(make_bot("planner", 1).explain(table.state.view(table.state.seat)))
        hinted += 1
        assert not {"cards_lacking", "placing"} & set(told["plan"])
    assert moved > 0
    assert hinted > 0


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", PARTS)
def test_what_is_worked_out_once_for_all_viewers_is_what_each_sees_in_its_own_view(game, part):
    """Facts that are shared, and bearings that are kept, against each viewer's own view alone."""
    fewest, most = load_board(game).players
    rng = random.Random(6)
    for seed in range(part * GAMES, (part + 1) * GAMES):
        common = None
        for table in random_play(game, fewest + seed % (most - fewest + 1), seed):
            if rng.random() < SKIPPED:
                continue
            common = Common(table, common)
            for viewer in range(len(table.seats)):
                view = table.state.view(viewer)
                alone = shown_position(view, [viewer], table.status == PLAYING)
                assert alone["seats"] == {
                    str(seat): seat_facts(view, seat) | (own_facts(view, seat) if seat == viewer else {}) for seat in view.seats
                }
                shown = position(table, viewer, common)
                found = shown["seats"][str(viewer)].pop("compass", {})
                shown["seats"][str(viewer)].pop("gathering", None)  # always from the viewer's own view
                assert {name: shown[name] for name in alone} == alone
                if table.status == PLAYING and table.game.board.routes:
                    done = [table.game.board.tickets[number].id for number in members(view.counted().completed[viewer])]
                    assert shown["seats"][str(viewer)]["done"] == done
                    assert found == {ticket: one.shown for ticket, one in compass(view, done).items()}
