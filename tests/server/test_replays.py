"""Replays: a game from its start, as one seat saw it or with nothing hidden; and the count at its end."""

import functools
import json
from copy import deepcopy

import pytest
from pydantic_core import to_json

from branchline import Record, load_board
from branchline.play.counting import explained_count
from branchline.play.events import redact
from branchline.play.patches import patched
from branchline.server.protocol import replies as r
from branchline.server.protocol import replies_after
from branchline.server.protocol.refusals import Refused
from branchline.server.store.entries import FINISHED
from branchline.server.tables.replays import replay_json
from branchline.server.tables.snapshots import position
from tests.conftest import SOAK
from tests.random_games import random_game
from tests.server.inside import Inside
from tests.server.refusing import HOST, WATCHER, code_of, new_game, until_refused
from tests.server.worlds import random_play

ASKED = ("keep_at_least", "payments", "question", "legal", "can_undo")  # what only a game in progress has


@functools.cache
def record_of(game, players, seed=2):
    *_, state = random_game(game, players, seed)
    return Record.of(state)


def replay(record, viewer=None):
    found = json.loads(replay_json(record, viewer))
    replies_after.Replay.model_validate(found)
    return found


def positions(found):
    """Every position of a replay, patched together."""
    shown = found["start"]
    yield shown
    for step in found["steps"]:
        shown = patched(shown, step["patch"])
        yield shown


@pytest.fixture(scope="module")
def over(inside):
    return inside.copy(new_game(inside), lambda table: table.status == FINISHED)


# what is in a replay


@pytest.mark.one_table_each
def test_a_replay_has_one_step_for_each_decision_and_all_events(game, players):
    record = record_of(game, players)
    for viewer in (None, *range(players)) if SOAK else (None, players - 1):
        found = replay(record, viewer)
        assert len(found["steps"]) == len(record.decisions)
        events = found["opening"] + [event for step in found["steps"] for event in step["events"]]
        assert events == (record.events if viewer is None else [redact(event, viewer) for event in record.events])
        assert found["result"] == record.result
        assert found["viewer"] == viewer
        for shown in positions(found):
            r.OpenPosition.model_validate(shown)


@pytest.mark.one_table_each
def test_with_everything_open_every_hand_and_ticket_is_seen(game, players):
    record = record_of(game, players)
    found, board = replay(record), load_board(game)
    for shown, state in zip(positions(found), record.states(), strict=True):
        for seat in state.seats:
            facts = shown["seats"][str(seat)]
            assert (facts["hand"], facts["held"]) == (state.hand(seat), state.tickets(seat))
            assert shown.get("offers", {}).get(str(seat), []) == state.offer(seat)
            assert ("done" in facts) == bool(board.routes)
    assert [replayed["decision"] for replayed in found["steps"]] == [state.game.text(decision) for decision in record.decisions]


def without_questions(shown):
    """A position without what only helps to decide: the question, and how far the seat's tickets are."""
    seats = {seat: {name: value for name, value in facts.items() if name not in ("compass", "gathering")} for seat, facts in shown["seats"].items()}
    return {name: value for name, value in shown.items() if name not in ASKED} | {"seats": seats}


def test_a_seats_replay_is_what_the_seat_saw_at_the_table(game):
    """Every position is the same as the snapshot at the time."""
    seen = {}
    for table in random_play(game, 2, 4):
        if table.state.is_at_once:
            continue  # there the order in which people decided is not the order of the history
        seen[len(table.state.history)] = to_json(without_questions(position(table, 1)))
    record = Record.of(table.state)
    shown = list(positions(replay(record, 1)))
    assert len(seen) > 20
    for number, snapshot in seen.items():
        assert shown[number] == json.loads(snapshot), number


@pytest.mark.one_table_each
def test_a_seat_is_not_shown_what_others_decided_in_secret(game, players):
    found = replay(record_of(game, players), 0)
    for step, shown in zip(found["steps"], list(positions(found))[1:], strict=True):
        assert ("decision" in step) == (step["seat"] == 0)
        assert "offers" not in shown
        assert [seat for seat, facts in shown["seats"].items() if "hand" in facts or "held" in facts or "done" in facts] == ["0"]


def test_the_scores_are_what_the_rules_would_count(game):
    record = record_of(game, 2)
    found = replay(record)
    states = record.states()
    next(states)
    for step, state in zip(found["steps"], states, strict=True):
        assert step.get("scores") == ([score["total"] for score in state.result["scores"]] if state.game.board.routes else None)


def test_the_count_comes_with_it(game):
    record = record_of(game, 2)
    assert replay(record)["count"] == explained_count(record.replay())


def test_an_unfinished_game_has_no_count():
    states = random_game("europe", 2, 1)
    for _ in range(30):
        state = next(states)
    found = replay(Record.of(state))
    assert "count" not in found
    assert "winners" not in found["result"]
    assert len(found["steps"]) == len(state.history)


# at a table


def test_a_finished_table_has_its_replay_and_its_count(inside, over):
    whole = replies_after.Replay.model_validate(inside.get(f"/api/tables/{over}/replay", WATCHER).json())
    seen = replies_after.Replay.model_validate(inside.get(f"/api/tables/{over}/replay?seat=1", HOST).json())
    assert (whole.viewer, seen.viewer) == (None, 1)
    count = replies_after.Count.model_validate(inside.get(f"/api/tables/{over}/count").json())
    assert count == whole.count == seen.count
    state = inside.get(f"/api/tables/{over}").json()["state"]
    assert count.winners == state["result"]["winners"]
    assert [seat.total for seat in count.seats] == [score["total"] for score in state["result"]["scores"]]
    assert [player.name for player in whole.seats] == [seat["name"] for seat in state["seats"].values()]


def test_a_seat_that_is_not_at_the_table_saw_nothing(inside, over):
    assert code_of(inside.get(f"/api/tables/{over}/replay?seat=4")) == "no_such_seat"
    for wrong in ("-1", "5", "x", ""):
        assert code_of(inside.get(f"/api/tables/{over}/replay?seat={wrong}")) == "malformed"


def test_a_game_in_progress_has_neither(inside, playing):
    for path in ("count", "replay", "replay?seat=0"):
        assert code_of(inside.get(f"/api/tables/{playing}/{path}", HOST)) == "not_over"


# of uploaded records


def brought(inside: Inside, record, **more):
    return inside.post("/api/replay", {"record": record} | more)


def test_a_downloaded_record_is_replayed_as_at_its_table(inside, over):
    record = inside.get(f"/api/tables/{over}/record").json()
    assert brought(inside, record).json() == inside.get(f"/api/tables/{over}/replay").json()
    assert brought(inside, record, seat=0).json() == inside.get(f"/api/tables/{over}/replay?seat=0").json()
    assert code_of(brought(inside, record, seat=4)) == "no_such_seat"


def changed(record, **changes):
    return {name: value for name, value in (deepcopy(record) | changes).items() if value is not ...}


BAD = {
    "nothing": (lambda _: {}, "format"),
    "another format": (lambda record: changed(record, format="chess"), "format"),
    "another game": (lambda record: changed(record, game="monopoly"), "no such board"),
    "other rules": (lambda record: changed(record, rules_version=3), "no version 3"),
    "no seed": (lambda record: changed(record, seed=..., decisions=...), "redacted: without seed and decisions it can be read but not replayed"),
    "another seed": (lambda record: changed(record, seed="0" * 32), "decision|event|result"),
    "a seed that is not one": (lambda record: changed(record, seed="zz"), "hex"),
    "a decision too many": (lambda record: changed(record, decisions=[*record["decisions"], 0]), "over"),
    "a decision that does not exist": (lambda record: changed(record, decisions=[99_999]), "decision 0"),
    "decisions of words": (lambda record: changed(record, decisions=["draw"]), "whole numbers"),
    "other events": (lambda record: changed(record, events=record["events"][:-1]), "events"),
    "deep events": (lambda record: changed(record, events=[{"event": json.loads("[" * 500 + "]" * 500)}]), "event 0 differs"),
    "another result": (lambda record: changed(record, result={}), "result"),
    "no seats": (lambda record: changed(record, seats=[]), "players"),
    "too many seats": (lambda record: changed(record, seats=record["seats"] * 4), "players"),
    "an unknown option": (lambda record: changed(record, options={"cheat": True}), "options"),
    "an unknown field": (lambda record: changed(record, more=1), "unknown field"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_record_that_cannot_be_replayed_is_refused_with_the_reason(inside, over, what):
    change, reason = BAD[what]
    record = inside.get(f"/api/tables/{over}/record").json()
    failures = inside.failures()
    response = brought(inside, change(record))
    assert code_of(response) == "bad_record"
    assert any(word in response.json()["message"] for word in reason.split("|")), response.json()["message"]
    assert inside.failures() == failures


def test_a_redacted_record_of_a_game_in_progress_is_refused(inside, playing):
    record = inside.get(f"/api/tables/{playing}/record", HOST).json()
    response = brought(inside, record)
    assert code_of(response) == "bad_record"
    assert "redacted" in response.json()["message"]


@pytest.mark.parametrize("body", [{}, {"record": []}, {"record": "x"}, {"record": {}, "seat": 9}, {"record": {}, "more": 1}])
def test_anything_but_a_request_is_malformed(inside, body):
    assert code_of(inside.post("/api/replay", body)) == "malformed"


def test_a_record_may_be_larger_than_a_message_and_not_beyond_measure(inside, over):
    record = inside.get(f"/api/tables/{over}/record").json()
    body = json.dumps({"record": record})
    assert inside.http.post("/api/replay", content=body.ljust(2_000_000), headers=JSON).status_code == 200
    assert code_of(inside.http.post("/api/replay", content=body.ljust(2_000_001), headers=JSON)) == "too_large"
    assert code_of(inside.http.post("/api/replay", content=(b" " * 100_000 for _ in range(30)), headers=JSON)) == "too_large"
    assert code_of(inside.http.post("/api/tables", content=b" " * 20_000, headers=JSON)) == "too_large"


JSON = {"content-type": "application/json"}


def test_one_address_replays_only_so_often(strict):
    address = {"X-Forwarded-For": "10.0.1.1"}
    went_well, refused = until_refused(lambda _: with_429(strict.http.post("/api/replay", json={"record": {}}, headers=address)))
    assert 3 <= went_well <= 5
    assert code_of(refused) == "too_many"
    assert code_of(strict.http.post("/api/replay", json={"record": {}}, headers={"X-Forwarded-For": "10.0.1.2"})) == "bad_record"


def with_429(response):
    assert response.status_code in (422, 429)
    return response


def test_the_largest_game_makes_a_replay_of_moderate_size():
    record = record_of("world", 5)
    assert len(replay_json(record, None)) < 1_000_000


def test_a_seat_beyond_the_record_is_refused():
    with pytest.raises(Refused, match="no such seat"):
        replay_json(record_of("london", 2), 2)
