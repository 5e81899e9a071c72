"""Game records: round trip, replay, redaction, and every kind of bad file."""

import contextlib
import json
import random
import re
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from branchline import BranchlineError, Game, Record, RecordError, load_board, read_records
from branchline.boards.folders import shipped_boards
from branchline.play.records import write_records
from tests.conftest import SOAK
from tests.random_games import random_game


def finished(game="london", players=2, seed=1):
    return deque(random_game(game, players, seed), maxlen=1).pop()


def unfinished(decisions=30):
    for state in random_game("europe", 3, 5):
        if len(state.history) == decisions:
            return state.clone()
    raise AssertionError


@pytest.fixture(scope="module")
def fields():
    return json.loads(Record.of(finished()).to_json())


def test_a_record_has_the_documented_fields(fields):
    assert list(fields) == ["format", "game", "rules_version", "options", "seed", "seats", "decisions", "events", "result"]
    assert fields["format"] == "branchline/1"
    assert re.fullmatch("[0-9a-f]{32}", fields["seed"])


def test_events_have_the_documented_fields_and_names(game, players):
    documented = {
        "start": {"first_seat"},
        "deal": {"seat", "cards"},
        "lay_row": {"cards"},
        "clear_row": {"cards"},
        "offer_tickets": {"seat", "tickets", "keep_at_least"},
        "keep_tickets": {"seat", "kept", "returned", "to"},
        "turn": {"seat"},
        "draw": {"seat", "deck", "card"},
        "take": {"seat", "space", "card"},
        "fill": {"space", "deck", "card"},
        "reshuffle": {"deck", "count"},
        "claim": {"seat", "route", "cards", "points"},
        "tunnel_lay": {"seat", "route", "cards"},
        "tunnel_reveal": {"cards", "owed"},
        "tunnel_abandon": {"seat", "route"},
        "station": {"seat", "city", "cards"},
        "harbour": {"seat", "city", "cards"},
        "choose_supply": {"seat", "trains", "ships"},
        "exchange": {"seat", "trains", "ships", "points"},
        "move_to_track": {"seat", "cards"},
        "place": {"seat", "cards"},
        "rob": {"seat", "victim", "colour", "cards"},
        "complete_tickets": {"seat", "tickets"},
        "second_pass": {"deck"},
        "pass": {"seat"},
        "last_turns": {"seat", "each"},
        "end": set(),
    }
    for seed in range(3):
        for event in finished(game, players, seed).events:
            missing = documented[event["event"]] - set(event)
            assert set(event) - {"event"} == documented[event["event"]] - missing
            assert not missing or (event["event"], missing) == ("last_turns", {"seat"})  # of a deal that empties the deck


def referee(record):
    """Recompute scores and check hands from the events alone, as another program would."""
    hands = [[] for _ in record["seats"]]
    rows, piles = [{} for _ in hands], [[] for _ in hands]  # of each yard, by colour; and track piles
    row, points = [], [0] * len(hands)
    laid = None
    for event in record["events"]:
        kind, seat = event["event"], event.get("seat")
        if kind == "deal":
            hands[seat] += event["cards"]
        elif kind == "lay_row":
            row = list(event["cards"])
        elif kind == "clear_row":
            assert row == event["cards"]
            assert row.count("wild") >= 3
        elif kind == "draw":
            hands[seat].append(event["card"])
        elif kind == "take":
            assert row[event["space"]] == event["card"]
            row[event["space"]] = None
            hands[seat].append(event["card"])
        elif kind == "fill":
            assert row[event["space"]] is None
            row[event["space"]] = event["card"]
        elif kind in ("claim", "station", "harbour", "place"):
            for card in event["cards"]:
                hands[seat].remove(card)
        if "points" in event:
            points[seat] += event["points"]
        if kind == "place":
            place(rows, seat, event["cards"])
        elif kind == "rob":
            row_robbed = rows[event["victim"]].pop(event["colour"])
            assert sorted(row_robbed) == sorted(event["cards"])
            assert len(rows[seat][event["colour"]]) > len(row_robbed)
        elif kind == "move_to_track":
            for card in event["cards"]:
                piles[seat].append(card)
            move(rows[seat], event["cards"])
        elif kind == "complete_tickets":
            for done in event["tickets"]:
                for card in done["cards"]:
                    piles[seat].remove(card)
        elif kind == "second_pass":
            row, rows, piles = [], [{} for _ in hands], [[] for _ in hands]
        elif kind == "tunnel_lay":
            laid = event["cards"]
        elif kind == "tunnel_reveal":
            colour = next((card for card in laid if card != "wild"), "wild")
            assert event["owed"] == sum(card in (colour, "wild") for card in event["cards"])
    return points


def place(rows, seat, cards):
    """A row of one colour with wilds, or three rows of one card."""
    colours = {card for card in cards if card != "wild"}
    assert len(colours) == 1 or (len(colours) == 3 == len(cards))
    assert len(cards) > 1
    for colour in colours:
        assert colour not in rows[seat]
        rows[seat][colour] = list(cards) if len(colours) == 1 else [colour]


def move(rows, cards):
    """One card of each row, a wild if it has any."""
    assert sorted(cards) == sorted("wild" if "wild" in row else colour for colour, row in rows.items())
    for colour, row in list(rows.items()):
        row.remove("wild" if "wild" in row else colour)
        if not row:
            del rows[colour]


def tickets_by_events(record):
    """Points of tickets completed with cards, less those still held."""
    worth = {ticket.id: ticket.points for ticket in load_board(record["game"]).tickets}
    points = [0] * len(record["seats"])
    for event in record["events"]:
        if event["event"] == "keep_tickets":
            points[event["seat"]] -= sum(worth[ticket] for ticket in event["kept"])
        elif event["event"] == "complete_tickets":
            points[event["seat"]] += 2 * sum(worth[done["ticket"]] for done in event["tickets"])
    return points


def test_points_follow_from_events_alone(game, players):
    for seed in range(5):
        record = json.loads(Record.of(finished(game, players, seed)).to_json())
        scores = record["result"]["scores"]
        assert referee(record) == [score.get("routes", 0) for score in scores]
        if load_board(game).record.yards:
            assert tickets_by_events(record) == [score["tickets"] for score in scores]
        parts = ("routes", "tickets", "stations", "longest_path", "districts", "harbours", "bonuses")
        for score in scores:
            assert score["total"] == sum(score.get(part, 0) for part in parts)


def test_many_records_in_a_file(tmp_path):
    records = [Record.of(finished(seed=seed)) for seed in range(3)]
    write_records(tmp_path / "games.jsonl", records)
    assert list(read_records(tmp_path / "games.jsonl")) == records
    assert [record.replay().is_over for record in read_records(tmp_path / "games.jsonl")] == [True] * 3


def test_an_unfinished_game_can_be_recorded_and_continued():
    state = unfinished()
    record = Record.from_json(Record.of(state).to_json())
    assert "winners" not in record.result
    assert [score["routes"] for score in record.result["scores"]] == [state.points(seat) for seat in state.seats]
    assert record.replay() == state


def test_options_are_kept():
    state = Game("europe", 3, first_seat=2).start(4)
    record = Record.from_json(Record.of(state).to_json())
    assert record.options == {"first_seat": 2}
    assert record.replay() == state


def test_a_redacted_record_can_be_read_but_not_replayed():
    redacted = Record.from_json(Record.of(unfinished()).redacted(1).to_json())
    assert redacted.seed is None
    assert redacted.result == {"scores": [{"routes": unfinished().points(seat)} for seat in range(3)]}
    with pytest.raises(RecordError, match="redacted"):
        redacted.replay()


def test_only_a_whole_record_is_redacted():
    record = Record.of(unfinished())
    with pytest.raises(RecordError, match="already redacted"):
        record.redacted(1).redacted(0)
    for spoilt in ({"events": [{"event": "deal"}]}, {"events": [{}]}, {"result": {}}, {"result": {"scores": [1]}}):
        fields = json.loads(record.to_json()) | spoilt
        with pytest.raises(RecordError, match="malformed"):
            Record.from_json(json.dumps(fields)).redacted(1)


def test_an_imagined_game_is_not_recorded():
    with pytest.raises(RecordError, match="imagined"):
        Record.of(unfinished().view(0).imagine(1))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": "branchline/2"}, "this Branchline reads 'branchline/1'"),
        ({"format": None}, "this Branchline reads 'branchline/1'"),
        ({"extra": 1}, "unknown field 'extra'"),
        ({"game": 7}, "game must be a string"),
        ({"rules_version": "1"}, "rules_version must be a whole number"),
        ({"seats": "two"}, "seats must be a list"),
        ({"seats": [{"name": "a"}, {"name": "b"}]}, "printable name and player"),
        ({"seats": [{"name": "\x1b[2J", "player": "human"}] * 2}, "printable name and player"),
        ({"seats": [{"name": "\ud800", "player": "human"}] * 2}, "printable name and player"),
        ({"options": {"handicap": 3}}, "nothing but first_seat, complete_tickets_for_me"),
        ({"seed": 12}, "seed must be a hex string"),
        ({"decisions": [1, "claim"]}, "list of whole numbers"),
        ({"decisions": [True]}, "list of whole numbers"),
        ({"decisions": [10**40]}, "list of whole numbers"),
        ({"decisions": [-1]}, "list of whole numbers"),
        ({"rules_version": 10**30}, "rules_version must be a whole number"),
        ({"events": [1]}, "events must be a list of objects"),
        ({"result": []}, "result must be an object"),
    ],
)
def test_a_malformed_record_is_refused_with_the_reason(fields, change, reason):
    with pytest.raises(RecordError, match=re.escape(reason)):
        Record.from_json(json.dumps(fields | change))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game": "atlantis"}, "there is no such board"),
        ({"rules_version": 3}, "there is no version 3 of these rules; the versions are 1, 2: replay the record with"),
        ({"seats": [{"name": "a", "player": "human"}] * 9}, "2 to 4 players"),
        ({"options": {"first_seat": 9}}, "first_seat must be a seat"),
        ({"seed": "xyz"}, "neither a whole number nor a hex string"),
        ({"seed": "f" * 40}, "must be from 0 to"),
        ({"decisions": [100_000]}, "decision 0: .*the numbers 0 to"),
        ({"decisions": [0]}, "decision 0: .*is not legal now"),
        ({"events": []}, "the record has 0 events"),
        ({"result": {}}, "the result differs"),
    ],
)
def test_a_record_that_does_not_agree_with_the_rules_is_refused(fields, change, reason):
    with pytest.raises(ValueError, match=reason):
        Record.from_json(json.dumps(fields | change)).replay()


def test_a_forged_event_is_found(fields):
    forged = json.loads(json.dumps(fields))
    claim = next(index for index, event in enumerate(forged["events"]) if event["event"] == "claim")
    forged["events"][claim]["points"] += 1
    with pytest.raises(RecordError, match=f"event {claim} differs"):
        Record.from_json(json.dumps(forged)).replay()


def test_too_many_decisions_are_refused(fields):
    longer = fields | {"decisions": fields["decisions"] + [0]}
    with pytest.raises(RecordError, match="the game is over"):
        Record.from_json(json.dumps(longer)).replay()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not valid JSON"),
        (b"[]", "a record is a JSON object"),
        (b"\xff\xfe", "not UTF-8 text"),
        (b"[" * 100_000, "not valid JSON"),
        (b'{"format": NaN}', "not valid JSON"),
        (b"1" * 5000, "not valid JSON"),
    ],
)
def test_a_file_that_is_no_record_is_refused_by_name(tmp_path, content, reason):
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=f"game.json.*{reason}"):
        list(read_records(path))


def test_an_absurdly_large_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("branchline.play.records.LARGEST_RECORD", 1000)
    for name in ("game.json", "games.jsonl"):
        (tmp_path / name).write_bytes(b" " * 500 + b"9" * 5000)
        with pytest.raises(RecordError, match="the largest allowed is 1000"):
            list(read_records(tmp_path / name))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(RecordError, match=r"nothing.json: cannot be read \(No such file"):
        list(read_records(tmp_path / "nothing.json"))


def test_a_truncated_last_line_names_its_line(tmp_path):
    text = Record.of(finished()).to_json()
    (tmp_path / "games.jsonl").write_text(text + "\n" + text[: len(text) // 2])
    with pytest.raises(RecordError, match=r"games.jsonl, line 2: not a game record"):
        list(read_records(tmp_path / "games.jsonl"))


SAMPLES = {game: Record.of(finished(game)).to_json().encode() for game in shipped_boards()}


@settings(max_examples=3000 if SOAK else 200, deadline=None)
@given(data=st.data())
def test_fuzzed_bytes_never_crash(data):
    """Change, cut or repeat any bytes of a record: it is read and replayed, or refused with a clear error."""
    content = bytearray(SAMPLES[data.draw(st.sampled_from(sorted(SAMPLES)))])
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    for _ in range(data.draw(st.integers(1, 6))):
        at = rng.randrange(len(content))
        match data.draw(st.sampled_from(["flip", "cut", "double", "digit"])):
            case "flip":
                content[at] ^= 1 << rng.randrange(8)
            case "cut":
                del content[at : at + rng.randrange(1, 40)]
            case "double":
                content[at:at] = content[at : at + rng.randrange(1, 40)]
            case "digit":
                content[at : at + 1] = b"%d" % rng.randrange(10**6)
    with contextlib.suppress(UnicodeDecodeError, BranchlineError):
        Record.from_json(content.decode()).replay()
