"""Whatever is forged, malformed, stale or out of turn is refused, and nothing is changed by it."""

import json
import re

import pytest

from branchline.server.http import live
from branchline.server.protocol import live_replies
from tests.conftest import SOAK
from tests.server.inside import Talk, bearer
from tests.server.refusing import GUEST, HOST, WATCHER, closed_with, code_of, nothing_changes, position
from tests.server.running import new_key

# malformed messages

# as they come over the wire; {q} is the number of the question and {d} a legal decision
MALFORMED = {
    "nothing": "",
    "a word": "hello",
    "half a message": '{{"type": "decide", "id": "a", "question": {q}, "decis',
    "a list": "[]",
    "a number": "7",
    "a string": '"decide"',
    "null": "null",
    "no type": "{{}}",
    "an unknown type": '{{"type": "cheat"}}',
    "a type that is not a string": '{{"type": ["decide"], "id": "a", "question": {q}, "decision": "{d}"}}',
    "a type that is null": '{{"type": null}}',
    "a field too few": '{{"type": "decide", "id": "a", "question": {q}}}',
    "a field too many": '{{"type": "decide", "id": "a", "question": {q}, "decision": "{d}", "seat": 0}}',
    "a number as a string": '{{"type": "decide", "id": "a", "question": "{q}", "decision": "{d}"}}',
    "a number with a fraction": '{{"type": "decide", "id": "a", "question": {q}.5, "decision": "{d}"}}',
    "a truth value as a number": '{{"type": "decide", "id": "a", "question": true, "decision": "{d}"}}',
    "a number below zero": '{{"type": "decide", "id": "a", "question": -1, "decision": "{d}"}}',
    "a number beyond the limit": '{{"type": "decide", "id": "a", "question": 1000001, "decision": "{d}"}}',
    "a huge number": '{{"type": "decide", "id": "a", "question": 1' + "0" * 400 + ', "decision": "{d}"}}',
    "a number that Python does not read": '{{"type": "decide", "id": "a", "question": 1' + "0" * 5000 + ', "decision": "{d}"}}',
    "a number with a huge exponent": '{{"type": "decide", "id": "a", "question": 1e400, "decision": "{d}"}}',
    "a huge decision": '{{"type": "decide", "id": "a", "question": {q}, "decision": 99999999999999999999999999}}',
    "NaN": '{{"type": "decide", "id": "a", "question": NaN, "decision": "{d}"}}',
    "Infinity": '{{"type": "decide", "id": "a", "question": {q}, "decision": -Infinity}}',
    "a decision that is a list": '{{"type": "decide", "id": "a", "question": {q}, "decision": ["{d}"]}}',
    "a decision that is null": '{{"type": "decide", "id": "a", "question": {q}, "decision": null}}',
    "an empty decision": '{{"type": "decide", "id": "a", "question": {q}, "decision": ""}}',
    "a decision that is too long": '{{"type": "decide", "id": "a", "question": {q}, "decision": "' + "x" * 101 + '"}}',
    "an empty id": '{{"type": "decide", "id": "", "question": {q}, "decision": "{d}"}}',
    "an id with a blank": '{{"type": "decide", "id": "a b", "question": {q}, "decision": "{d}"}}',
    "an id and a new line": '{{"type": "decide", "id": "a\\n", "question": {q}, "decision": "{d}"}}',
    "an id that is too long": '{{"type": "decide", "id": "' + "a" * 65 + '", "question": {q}, "decision": "{d}"}}',
    "an id that is a number": '{{"type": "decide", "id": 1, "question": {q}, "decision": "{d}"}}',
    "half a character": '{{"type": "decide", "id": "a", "question": {q}, "decision": "\\ud800"}}',
    "half a character as an id": '{{"type": "decide", "id": "\\udfff", "question": {q}, "decision": "{d}"}}',
    "half a character as a field": '{{"type": "decide", "id": "a", "question": {q}, "decision": "{d}", "\\ud800": 1}}',
    "half a character as a type": '{{"type": "\\ud800"}}',
    "lists in lists": '{{"type": "decide", "id": "a", "question": {q}, "decision": ' + "[" * 500 + "]" * 500 + "}}",
    "objects in objects": '{{"type": "decide", "id": "a", "question": {q}, "decision": ' + '{{"a":' * 900 + "1" + "}}" * 900 + "}}",
    "deeper than Python reads": "[" * 8000 + "]" * 8000,
    "deeper, and never closed": '{{"a":' * 3000,
    "a text and a phrase": '{{"type": "say", "id": "a", "text": "hello", "phrase": "hello"}}',
    "neither text nor phrase": '{{"type": "say", "id": "a"}}',
    "an unknown phrase": '{{"type": "say", "id": "a", "phrase": "insult"}}',
    "a text that is far too long": '{{"type": "say", "id": "a", "text": "' + "x" * 1001 + '"}}',
    "an unknown level": '{{"type": "start", "level": "godlike"}}',
    "a seat that no table has": '{{"type": "mute", "seat": 5}}',
    "mute, but not whether": '{{"type": "mute", "seat": 1, "muted": "yes"}}',
    "a ping with more": '{{"type": "ping", "really": true}}',
    "a second hello": '{{"type": "hello"}}',
}


def filled(text, question, decision):
    return text.replace("{q}", str(question)).replace("{d}", decision).replace("{{", "{").replace("}}", "}")


@pytest.mark.parametrize("what", MALFORMED)
def test_a_malformed_frame_is_refused(inside, playing, what):
    """The socket stays open, and the next message on it is handled."""
    asked = position(inside, playing)
    with nothing_changes(inside, playing), inside.live(playing, HOST) as talk:
        answer = talk.ask(filled(MALFORMED[what], asked["question"], asked["legal"][0]))
        assert live_replies.LiveRefusal.model_validate(answer).code == "malformed"
        assert talk.ask({"type": "ping"}) == {"type": "pong"}


@pytest.mark.parametrize("what", [what for what, text in MALFORMED.items() if '"type": "decide"' in text or "{" not in text or "deeper" in what])
def test_a_malformed_body_is_refused(inside, playing, what):
    asked = position(inside, playing)
    body = re.sub('"type": "[a-z]+", ', "", filled(MALFORMED[what], asked["question"], asked["legal"][0]))
    headers = bearer(HOST) | {"content-type": "application/json"}
    with nothing_changes(inside, playing):
        assert code_of(inside.http.post(f"/api/tables/{playing}/decide", content=body, headers=headers)) == "malformed"


@pytest.mark.parametrize("frame", [b"", b"\x00\xff\xfe", b'{"type": "ping"}', b'{"type": "abandon"}'])
def test_a_binary_frame_is_not_a_message(inside, playing, frame):
    with nothing_changes(inside, playing), inside.live(playing, HOST) as talk:
        assert live_replies.LiveRefusal.model_validate(talk.ask(frame)).code == "malformed"


def test_a_body_that_is_not_said_to_be_json_is_none(inside, playing):
    """So that a form on another site's page, which can send nothing else, has no effect."""
    asked = position(inside, playing)
    body = json.dumps({"id": "form", "question": asked["question"], "decision": asked["legal"][0]})
    with nothing_changes(inside, playing):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None):
            headers = bearer(HOST) | ({} if kind is None else {"content-type": kind})
            assert code_of(inside.http.post(f"/api/tables/{playing}/decide", content=body.encode(), headers=headers)) == "malformed"


@pytest.mark.parametrize("body", [b"\xff\xfe{}", b'{"name": "\xff"}', '{"name": "Zoë"}'.encode("latin-1")])
def test_a_body_that_is_not_text_is_refused(inside, playing, body):
    headers = bearer(WATCHER) | {"content-type": "application/json"}
    with nothing_changes(inside, playing):
        assert code_of(inside.http.post(f"/api/tables/{playing}/join", content=body, headers=headers)) == "malformed"


def test_what_is_said_twice_in_a_message_counts_as_said_last(inside, playing):
    """The same JSON reader checks and decides: a field given twice cannot mean one thing to one and another to the other."""
    table = inside.copy(playing)
    asked = position(inside, table)
    twice = '{"type": "decide", "id": "a", "question": %d, "decision": "no such thing", "decision": 10001}'
    with nothing_changes(inside, table), inside.live(table, HOST) as talk:
        assert talk.ask(twice % asked["question"])["code"] == "malformed"
        assert talk.ask('{"type": "ping", "type": "abandon", "type": "cheat"}')["code"] == "malformed"


@pytest.mark.parametrize(
    "first", ["", "{}", '{"type": "ping"}', '{"type": "hello", "key": "short"}', '{"type": "hello", "after": -1}', b"hello", "[" * 9000]
)
def test_a_socket_that_does_not_begin_with_hello_is_refused_and_closed(inside, playing, first):
    with nothing_changes(inside, playing), inside.socket(playing) as opened:
        talk = Talk(opened)
        assert live_replies.LiveRefusal.model_validate(talk.ask(first)).code == "malformed"
        assert closed_with(talk) == 1008


def test_a_socket_on_which_nobody_says_hello_is_closed(inside, playing, monkeypatch):
    monkeypatch.setattr(live, "HELLO_WITHIN", 0.2)
    with inside.socket(playing) as opened:
        assert closed_with(Talk(opened)) == 1008


@pytest.mark.parametrize("table", ["AAAAAAAAAAAAAAAA", "short", "far-too-long-to-be-a-table", "%00AAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAA%0A"])
def test_a_socket_to_an_unknown_table_is_told_so_and_closed(inside, table):
    with inside.live(table, HOST) as talk:
        assert live_replies.LiveRefusal.model_validate(talk.hear()).code == "no_table"
        assert closed_with(talk) == 1008


@pytest.mark.parametrize("table", ["short", "far-too-long-to-be-a-table", "%00AAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAA%0A", "ÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄ"])
def test_what_can_be_no_tables_name_is_malformed(inside, table):
    assert code_of(inside.get(f"/api/tables/{table}", HOST)) == "malformed"


@pytest.mark.parametrize("key", ["short", "x" * 21, "x" * 87, "x" * 30 + "!", "x" * 30 + " y", "é" * 30])
def test_what_can_be_no_key_is_refused_everywhere(inside, playing, key):
    headers = {"Authorization": f"Bearer {key}".encode()}
    with nothing_changes(inside, playing):
        for path in ("/api/tables", "/api/my/tables", f"/api/tables/{playing}"):
            response = inside.http.get(path, headers=headers)
            assert code_of(response) == "no_key"
            assert response.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("after", ["-1", "1000001", "x", "1.5", "NaN", "", "9" * 5000])
def test_what_can_be_no_number_of_events_is_malformed(inside, playing, after):
    assert code_of(inside.get(f"/api/tables/{playing}/events?after={after}", HOST)) == "malformed"


# names and chat


INVISIBLE = {
    "blanks": " \t\n\u00a0\u2003",
    "NUL": "\x00",
    "control characters": "\x01\x1b\x7f\x9f",
    "no width": "\u200b\u200c\u200d\ufeff\u2060",
    "turning around": "\u202e\u202d\u2066\u2069\u200f\u061c",
    "a soft hyphen": "\u00ad",
    "fillers that count as letters": "\u3164\u115f\u1160\uffa0",
    "marks that show nothing": "\u034f\ufe0f\u180b\u17b4",
    "a Braille cell without dots": "\u2800",
    "tags": "\U000e0041\U000e0042",
    "private and unassigned characters": "\ue000\U0010ffff\u0378",
}


@pytest.mark.parametrize("what", INVISIBLE)
def test_a_name_or_chat_of_which_nothing_shows_is_refused(inside, playing, what):
    nothing = INVISIBLE[what]
    waiting = inside.new_table(HOST)
    with nothing_changes(inside, waiting):
        assert code_of(inside.post(f"/api/tables/{waiting}/join", {"name": nothing}, GUEST)) == "bad_name"
    with nothing_changes(inside, playing):
        assert code_of(inside.post(f"/api/tables/{playing}/say", {"id": "a", "text": nothing}, HOST)) == "bad_text"
    assert code_of(inside.post("/api/tables", {"game": "london", "seats": ["person", "easy"], "name": nothing}, GUEST)) == "bad_name"


@pytest.mark.parametrize("what", INVISIBLE)
def test_what_does_not_show_is_left_out_of_a_name_and_of_chat(inside, what):
    """So that no two names differ only in what nobody can see."""
    table = inside.new_table(HOST, name="Anna")
    dressed = "".join(f"{sign}{INVISIBLE[what]}" for sign in "Anna") if what != "blanks" else f"{INVISIBLE[what]}Anna{INVISIBLE[what]}"
    with inside.live(table, GUEST) as talk:
        talk.hear()
        assert talk.ask({"type": "join", "name": dressed})["type"] == "done"
        assert talk.ask({"type": "say", "id": "a", "text": dressed})["type"] == "done"
    events = inside.get(f"/api/tables/{table}/events").json()["events"]
    assert [event["name"] for event in events if event["event"] == "sit"] == ["Anna", "Anna 2"]
    assert [event["text"] for event in events if event["event"] == "say"] == ["Anna"]


@pytest.mark.parametrize(
    ("name", "code"), [("", "malformed"), ("x" * 25, "bad_name"), ("x" * 101, "malformed"), ("é" * 25, "bad_name"), (7, "malformed")]
)
def test_a_name_has_its_length(inside, name, code):
    waiting = inside.new_table(HOST)
    with nothing_changes(inside, waiting):
        assert code_of(inside.post(f"/api/tables/{waiting}/join", {"name": name}, GUEST)) == code
    assert code_of(inside.post("/api/tables", {"game": "london", "seats": ["person", "easy"], "name": name}, GUEST)) == code


def test_chat_has_its_length(inside, playing):
    with nothing_changes(inside, playing):
        assert code_of(inside.post(f"/api/tables/{playing}/say", {"id": "a", "text": "x" * 301}, HOST)) == "bad_text"
    table = inside.copy(playing)
    assert inside.post(f"/api/tables/{table}/say", {"id": "a", "text": "x" * 300}, HOST).status_code == 200


@pytest.mark.parametrize(
    "asked",
    [
        {"game": ""},
        {"game": "monopoly"},
        {"game": "lon\x00don"},
        {"game": "../london"},
        {"game": "src/branchline/boards/further/new_york"},  # the folder of a board is not its name
        {"seats": ["person"] * 5},  # London is for four
        {"first_seat": 2},
        {"game": "london", "options": {"look_into_own_pile": True}},
    ],
)
def test_a_game_with_impossible_options_is_refused(inside, asked):
    body = {"game": "london", "seats": ["person", "easy"], "name": "Zoe"} | asked
    assert code_of(inside.post("/api/tables", body, new_key())) == "bad_game"


@pytest.mark.parametrize(
    "asked",
    [
        {"seats": ["person"]},
        {"seats": ["person"] * 6},
        {"seats": ["person", "God-like"]},
        {"seats": "person"},
        {"pace": "1"},
        {"pace": -1},
        {"pace": 11},
        {"turn_seconds": 9},
        {"turn_seconds": 10.5},
        {"turn_seconds": 10**30},
        {"grace_seconds": -1},
        {"first_seat": 5},
        {"open": 1},
        {"spectators": "no"},
        {"stand_in": None},
        {"options": {"first_seat": 0}},
        {"options": []},
        {"seed": "00" * 16},
    ],
)
def test_a_table_that_is_not_asked_for_properly_is_refused(inside, asked):
    """Least of all with your own seed."""
    body = {"game": "london", "seats": ["person", "easy"], "name": "Zoe"} | asked
    assert code_of(inside.post("/api/tables", body, new_key())) == "malformed"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_a_pace_that_is_not_a_number_is_refused(inside, number):
    body = '{"game": "london", "seats": ["person", "easy"], "name": "Zoe", "pace": %s}' % number  # noqa: UP031  # braces are the message's
    headers = bearer(new_key()) | {"content-type": "application/json"}
    assert code_of(inside.http.post("/api/tables", content=body, headers=headers)) == "malformed"


# stale, out of turn, forged


def test_an_answer_to_another_question_is_stale_and_told_which_one_it_is_now(inside, playing):
    asked = position(inside, playing)
    for wrong in (0, asked["question"] - 1, asked["question"] + 1, 1_000_000):
        with nothing_changes(inside, playing), inside.live(playing, HOST) as talk:
            answer = talk.ask({"type": "decide", "id": "a", "question": wrong, "decision": asked["legal"][0]})
            assert (answer["code"], answer["question"]) == ("stale", asked["question"])
            response = inside.post(f"/api/tables/{playing}/decide", {"id": "a", "question": wrong, "decision": asked["legal"][0]}, HOST)
            assert code_of(response) == "stale"
            assert response.json()["question"] == asked["question"]
            assert talk.ask({"type": "undo", "id": "a", "question": wrong})["code"] == "stale"


def test_a_decision_that_is_not_legal_is_refused_whatever_its_name(inside, playing):
    asked = position(inside, playing)
    texts = inside.get("/api/games/london").json()["decisions"]
    legal = {texts.index(text) for text in asked["legal"]}
    with nothing_changes(inside, playing), inside.live(playing, HOST) as talk:
        for number in range(0, len(texts), 1 if SOAK else 7):
            if number not in legal:
                for decision in (number, texts[number]):
                    answer = talk.ask({"type": "decide", "id": "a", "question": asked["question"], "decision": decision})
                    assert answer["code"] == "illegal", texts[number]
        for decision in (len(texts), 10_000, "no such thing", "\x00", texts[0] + "!"):
            answer = talk.ask({"type": "decide", "id": "a", "question": asked["question"], "decision": decision})
            assert answer["code"] == "not_a_decision", decision


def test_a_message_sent_again_acts_once(inside, playing):
    table = inside.copy(playing)
    asked = position(inside, table)
    body = {"id": "once", "question": asked["question"], "decision": asked["legal"][0]}
    first = inside.post(f"/api/tables/{table}/decide", body, HOST)
    assert first.status_code == 200
    with nothing_changes(inside, table):
        assert inside.post(f"/api/tables/{table}/decide", body, HOST).json() == first.json()
        with inside.live(table, HOST) as talk:
            assert talk.ask({"type": "decide"} | body) == {"type": "done", "id": "once", "cursor": first.json()["cursor"]}
