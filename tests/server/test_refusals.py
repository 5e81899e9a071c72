"""Whatever is forged, oversized, malformed, stale or out of turn is refused by a stable code, and nothing is changed by it."""

import asyncio
import json
import random
import re
import secrets
import socket
import sqlite3
import time
from collections import Counter
from contextlib import closing, contextmanager

import httpx
import pytest
import websockets
from websockets.exceptions import ConnectionClosed, InvalidStatus

from branchline.server import api, live
from branchline.server import replies as r
from branchline.server.desk import COMMANDS
from branchline.server.refusals import REFUSALS
from branchline.server.security import HEADERS
from branchline.server.table import FINISHED
from tests.conftest import SOAK
from tests.server.inside import Inside, Talk, bearer, running_inside
from tests.server.running import new_key, running_server

FRAMES = 100_000 if SOAK else 3_000
HOST, GUEST, WATCHER = new_key(), new_key(), new_key()


@pytest.fixture(scope="module")
def inside(tmp_path_factory):
    with running_inside(tmp_path_factory.mktemp("refusals"), origins=("https://friend.example",)) as running:
        yield running


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A server with low limits."""
    low = {"requests_per_minute": 40, "new_tables_per_minute": 3, "messages_per_second": 2.0, "chat_per_minute": 3, "sockets_per_address": 2}
    with running_inside(tmp_path_factory.mktemp("strict"), **low) as running:
        yield running


@pytest.fixture(scope="module")
def playing(inside):
    """A table at which host and guest play, and the host alone is asked."""
    return new_game(inside)


def new_game(inside: Inside):
    table = inside.new_table(HOST, first_seat=0, grace_seconds=86400)
    assert inside.post(f"/api/tables/{table}/join", {"name": "Guest"}, GUEST).status_code == 200
    return inside.copy(table, lambda table: table.choosers == [0])


def position(inside: Inside, table, key=HOST):
    return inside.get(f"/api/tables/{table}", key).json()["state"]["position"]


def code_of(response):
    """The code of a refusal, after a look at everything around it."""
    refusal = r.Refusal.model_validate(response.json())
    assert response.status_code == REFUSALS[refusal.code][0]
    assert response.headers["content-type"] == "application/json"
    return refusal.code


@contextmanager
def nothing_changes(inside: Inside, table):
    before = inside.log(table)
    failures = inside.failures()
    yield
    assert inside.log(table) == before
    assert inside.failures() == failures


# messages that are none

# as they come over the wire; {q} is the number of the question and {d} a legal decision
MALFORMED = {
    "nothing": "",
    "a word": "hello",
    "half a message": '{{"type": "decide", "id": "a", "number": {q}, "decis',
    "a list": "[]",
    "a number": "7",
    "a string": '"decide"',
    "null": "null",
    "no type": "{{}}",
    "an unknown type": '{{"type": "cheat"}}',
    "a type that is no string": '{{"type": ["decide"], "id": "a", "number": {q}, "decision": "{d}"}}',
    "a type that is null": '{{"type": null}}',
    "a field too few": '{{"type": "decide", "id": "a", "number": {q}}}',
    "a field too many": '{{"type": "decide", "id": "a", "number": {q}, "decision": "{d}", "seat": 0}}',
    "a number as a string": '{{"type": "decide", "id": "a", "number": "{q}", "decision": "{d}"}}',
    "a number with a fraction": '{{"type": "decide", "id": "a", "number": {q}.5, "decision": "{d}"}}',
    "a truth value as a number": '{{"type": "decide", "id": "a", "number": true, "decision": "{d}"}}',
    "a number below nothing": '{{"type": "decide", "id": "a", "number": -1, "decision": "{d}"}}',
    "a number beyond all": '{{"type": "decide", "id": "a", "number": 1000001, "decision": "{d}"}}',
    "a huge number": '{{"type": "decide", "id": "a", "number": 1' + "0" * 400 + ', "decision": "{d}"}}',
    "a number that Python does not read": '{{"type": "decide", "id": "a", "number": 1' + "0" * 5000 + ', "decision": "{d}"}}',
    "a number with a huge exponent": '{{"type": "decide", "id": "a", "number": 1e400, "decision": "{d}"}}',
    "a huge decision": '{{"type": "decide", "id": "a", "number": {q}, "decision": 99999999999999999999999999}}',
    "NaN": '{{"type": "decide", "id": "a", "number": NaN, "decision": "{d}"}}',
    "Infinity": '{{"type": "decide", "id": "a", "number": {q}, "decision": -Infinity}}',
    "a decision that is a list": '{{"type": "decide", "id": "a", "number": {q}, "decision": ["{d}"]}}',
    "a decision that is null": '{{"type": "decide", "id": "a", "number": {q}, "decision": null}}',
    "an empty decision": '{{"type": "decide", "id": "a", "number": {q}, "decision": ""}}',
    "a decision that is too long": '{{"type": "decide", "id": "a", "number": {q}, "decision": "' + "x" * 101 + '"}}',
    "an empty id": '{{"type": "decide", "id": "", "number": {q}, "decision": "{d}"}}',
    "an id with a blank": '{{"type": "decide", "id": "a b", "number": {q}, "decision": "{d}"}}',
    "an id and a new line": '{{"type": "decide", "id": "a\\n", "number": {q}, "decision": "{d}"}}',
    "an id that is too long": '{{"type": "decide", "id": "' + "a" * 65 + '", "number": {q}, "decision": "{d}"}}',
    "an id that is a number": '{{"type": "decide", "id": 1, "number": {q}, "decision": "{d}"}}',
    "half a character": '{{"type": "decide", "id": "a", "number": {q}, "decision": "\\ud800"}}',
    "half a character as an id": '{{"type": "decide", "id": "\\udfff", "number": {q}, "decision": "{d}"}}',
    "half a character as a field": '{{"type": "decide", "id": "a", "number": {q}, "decision": "{d}", "\\ud800": 1}}',
    "half a character as a type": '{{"type": "\\ud800"}}',
    "lists in lists": '{{"type": "decide", "id": "a", "number": {q}, "decision": ' + "[" * 500 + "]" * 500 + "}}",
    "objects in objects": '{{"type": "decide", "id": "a", "number": {q}, "decision": ' + '{{"a":' * 900 + "1" + "}}" * 900 + "}}",
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
    """The socket stays, and the next message on it is heard."""
    asked = position(inside, playing)
    with nothing_changes(inside, playing), inside.live(playing, HOST) as talk:
        answer = talk.ask(filled(MALFORMED[what], asked["question"], asked["legal"][0]))
        assert r.LiveRefusal.model_validate(answer).code == "malformed"
        assert talk.ask({"type": "ping"}) == {"type": "pong"}


@pytest.mark.parametrize("what", [what for what, text in MALFORMED.items() if '"type": "decide"' in text or "{" not in text or "deeper" in what])
def test_a_malformed_body_is_refused(inside, playing, what):
    asked = position(inside, playing)
    body = re.sub('"type": "[a-z]+", ', "", filled(MALFORMED[what], asked["question"], asked["legal"][0]))
    headers = bearer(HOST) | {"content-type": "application/json"}
    with nothing_changes(inside, playing):
        assert code_of(inside.http.post(f"/api/tables/{playing}/decide", content=body, headers=headers)) == "malformed"


@pytest.mark.parametrize("frame", [b"", b"\x00\xff\xfe", b'{"type": "ping"}', b'{"type": "abandon"}'])
def test_a_binary_frame_is_no_message(inside, playing, frame):
    with nothing_changes(inside, playing), inside.live(playing, HOST) as talk:
        assert r.LiveRefusal.model_validate(talk.ask(frame)).code == "malformed"


def test_a_body_that_is_not_said_to_be_json_is_none(inside, playing):
    """So that a form on another site's page, which can say nothing else, does nothing."""
    asked = position(inside, playing)
    body = json.dumps({"id": "form", "number": asked["question"], "decision": asked["legal"][0]})
    with nothing_changes(inside, playing):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None):
            headers = bearer(HOST) | ({} if kind is None else {"content-type": kind})
            assert code_of(inside.http.post(f"/api/tables/{playing}/decide", content=body.encode(), headers=headers)) == "malformed"


@pytest.mark.parametrize("body", [b"\xff\xfe{}", b'{"name": "\xff"}', '{"name": "Zoë"}'.encode("latin-1")])
def test_a_body_that_is_no_text_is_refused(inside, playing, body):
    headers = bearer(WATCHER) | {"content-type": "application/json"}
    with nothing_changes(inside, playing):
        assert code_of(inside.http.post(f"/api/tables/{playing}/join", content=body, headers=headers)) == "malformed"


def test_what_is_said_twice_in_a_message_counts_as_said_last(inside, playing):
    """One reader of JSON decides and checks: nothing slips by it as the other of the two."""
    table = inside.copy(playing)
    asked = position(inside, table)
    twice = '{"type": "decide", "id": "a", "number": %d, "decision": "no such thing", "decision": 10001}'
    with nothing_changes(inside, table), inside.live(table, HOST) as talk:
        assert talk.ask(twice % asked["question"])["code"] == "malformed"
        assert talk.ask('{"type": "ping", "type": "abandon", "type": "cheat"}')["code"] == "malformed"


@pytest.mark.parametrize(
    "first", ["", "{}", '{"type": "ping"}', '{"type": "hello", "key": "short"}', '{"type": "hello", "after": -1}', b"hello", "[" * 9000]
)
def test_a_socket_that_does_not_begin_with_hello_is_refused_and_closed(inside, playing, first):
    with nothing_changes(inside, playing), inside.socket(playing) as opened:
        talk = Talk(opened)
        assert r.LiveRefusal.model_validate(talk.ask(first)).code == "malformed"
        assert closed_with(talk) == 1008


def closed_with(talk: Talk):
    with pytest.raises(ConnectionClosed):
        talk.hear()
    return talk.socket.close_code


def test_a_socket_on_which_nobody_says_hello_is_closed(inside, playing, monkeypatch):
    monkeypatch.setattr(live, "HELLO_WITHIN", 0.2)
    with inside.socket(playing) as opened:
        assert closed_with(Talk(opened)) == 1008


@pytest.mark.parametrize("table", ["AAAAAAAAAAAAAAAA", "short", "far-too-long-to-be-a-table", "%00AAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAA%0A"])
def test_a_socket_to_an_unknown_table_is_told_so_and_closed(inside, table):
    with inside.live(table, HOST) as talk:
        assert r.LiveRefusal.model_validate(talk.hear()).code == "no_table"
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
    "characters of nobody": "\ue000\U0010ffff\u0378",
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
    """So nobody is called like another but for what nobody sees."""
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
        {"seats": ["person"] * 5},  # London is for four
        {"first_seat": 2},
        {"game": "london", "options": {"look_into_own_pile": True}},
    ],
)
def test_a_game_that_cannot_be_played_like_this_is_refused(inside, asked):
    body = {"game": "london", "seats": ["person", "easy"], "name": "Zoe"} | asked
    assert code_of(inside.post("/api/tables", body, new_key())) == "bad_game"


@pytest.mark.parametrize(
    "asked",
    [
        {"seats": ["person"]},
        {"seats": ["person"] * 6},
        {"seats": ["person", "godlike"]},
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
    """Least of all with a seed of one's own."""
    body = {"game": "london", "seats": ["person", "easy"], "name": "Zoe"} | asked
    assert code_of(inside.post("/api/tables", body, new_key())) == "malformed"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_a_pace_that_is_no_number_is_refused(inside, number):
    body = '{"game": "london", "seats": ["person", "easy"], "name": "Zoe", "pace": %s}' % number  # noqa: UP031  # braces are the message's
    headers = bearer(new_key()) | {"content-type": "application/json"}
    assert code_of(inside.http.post("/api/tables", content=body, headers=headers)) == "malformed"


# stale, out of turn, forged


def test_an_answer_to_another_question_is_stale_and_told_which_one_it_is_now(inside, playing):
    asked = position(inside, playing)
    for wrong in (0, asked["question"] - 1, asked["question"] + 1, 1_000_000):
        with nothing_changes(inside, playing), inside.live(playing, HOST) as talk:
            answer = talk.ask({"type": "decide", "id": "a", "number": wrong, "decision": asked["legal"][0]})
            assert (answer["code"], answer["question"]) == ("stale", asked["question"])
            response = inside.post(f"/api/tables/{playing}/decide", {"id": "a", "number": wrong, "decision": asked["legal"][0]}, HOST)
            assert code_of(response) == "stale"
            assert response.json()["question"] == asked["question"]
            assert talk.ask({"type": "undo", "id": "a", "number": wrong})["code"] == "stale"


def test_a_decision_that_is_not_legal_is_refused_whatever_its_name(inside, playing):
    asked = position(inside, playing)
    texts = inside.get("/api/games/london").json()["decisions"]
    legal = {texts.index(text) for text in asked["legal"]}
    with nothing_changes(inside, playing), inside.live(playing, HOST) as talk:
        for number in range(0, len(texts), 1 if SOAK else 7):
            if number not in legal:
                for decision in (number, texts[number]):
                    answer = talk.ask({"type": "decide", "id": "a", "number": asked["question"], "decision": decision})
                    assert answer["code"] == "illegal", texts[number]
        for decision in (len(texts), 10_000, "no such thing", "\x00", texts[0] + "!"):
            answer = talk.ask({"type": "decide", "id": "a", "number": asked["question"], "decision": decision})
            assert answer["code"] == "not_a_decision", decision


def test_a_message_sent_again_acts_once(inside, playing):
    table = inside.copy(playing)
    asked = position(inside, table)
    body = {"id": "once", "number": asked["question"], "decision": asked["legal"][0]}
    first = inside.post(f"/api/tables/{table}/decide", body, HOST)
    assert first.status_code == 200
    with nothing_changes(inside, table):
        assert inside.post(f"/api/tables/{table}/decide", body, HOST).json() == first.json()
        with inside.live(table, HOST) as talk:
            assert talk.ask({"type": "decide"} | body) == {"type": "done", "id": "once", "number": first.json()["number"]}


# other sites' pages


WRONG = ["https://evil.example", "null", "https://friend.example.evil.example", "http://friend.example", "https://", "file://", "http://["]


@pytest.mark.parametrize("origin", WRONG)
def test_a_page_of_another_site_may_not_post(inside, playing, origin):
    with nothing_changes(inside, playing):
        for path, body in ((f"/api/tables/{playing}/say", {"id": "a", "phrase": "hello"}), ("/api/tables", {})):
            response = inside.http.post(path, json=body, headers=bearer(HOST) | {"origin": origin})
            assert code_of(response) == "wrong_origin"
            assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("origin", WRONG)
def test_a_page_of_another_site_gets_no_socket(inside, playing, origin):
    with nothing_changes(inside, playing), pytest.raises(InvalidStatus) as refused, inside.socket(playing, origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_the_own_pages_and_those_of_friends_may(inside, playing):
    table = inside.copy(playing)
    for number, origin in enumerate((inside.url, "https://friend.example")):
        headers = bearer(HOST) | {"origin": origin}
        assert inside.http.post(f"/api/tables/{table}/say", json={"id": f"a{number}", "phrase": "hello"}, headers=headers).status_code == 200
        with inside.socket(table, origin=origin) as opened:
            talk = Talk(opened)
            talk.send({"type": "hello", "key": HOST})
            assert talk.hear()["type"] == "snapshot"


def test_friends_are_named_on_the_command_line(tmp_path):
    with running_server(tmp_path, None, "--origin", "https://friend.example", "--origin", "https://other.example") as server:
        for origin, status in (("https://other.example", 401), ("https://friend.example", 401), ("https://evil.example", 403), (server.url, 401)):
            body = {"game": "london", "seats": ["person", "easy"], "name": "Zoe"}
            assert httpx.post(f"{server.url}/api/tables", json=body, headers={"origin": origin}).status_code == status


# too large


def test_a_body_that_says_it_is_too_large_is_not_read(inside, playing):
    with nothing_changes(inside, playing):
        response = inside.http.post(f"/api/tables/{playing}/say", content=b"x" * 20_000, headers=bearer(HOST) | {"content-type": "application/json"})
        assert code_of(response) == "too_large"


def test_a_body_that_does_not_say_how_large_it_is_is_counted(inside, playing):
    pieces = (b"x" * 1000 for _ in range(20))
    with nothing_changes(inside, playing):
        response = inside.http.post(f"/api/tables/{playing}/say", content=pieces, headers=bearer(HOST) | {"content-type": "application/json"})
        assert "content-length" not in response.request.headers
        assert code_of(response) == "too_large"


def test_the_largest_message_is_taken(inside, playing):
    table = inside.copy(playing)
    body = json.dumps({"id": "a", "text": "x"}).ljust(16_384).encode()
    headers = bearer(HOST) | {"content-type": "application/json"}
    assert inside.http.post(f"/api/tables/{table}/say", content=body, headers=headers).status_code == 200
    with inside.live(table, HOST) as talk:
        talk.hear()
        assert talk.ask(json.dumps({"type": "ping"}).ljust(16_384)) == {"type": "pong"}


def test_a_frame_that_is_too_large_closes_the_socket(inside, playing):
    with nothing_changes(inside, playing), inside.live(playing, HOST) as talk:
        talk.hear()
        talk.send(json.dumps({"type": "ping"}).ljust(16_385))
        assert closed_with(talk) == 1009


# too often


def until_refused(ask, most=200):
    """Ask again and again; returns how often it went well, and the refusal."""
    for number in range(most):
        answer = ask(number)
        refused = answer.status_code == 429 if isinstance(answer, httpx.Response) else answer["type"] == "refused"
        if refused:
            return number, answer
    raise AssertionError("nobody ever said that it is too much")


def from_address(number):
    return {"X-Forwarded-For": f"10.0.0.{number}"}


def test_one_address_asks_only_so_often(strict):
    """And another is not held up by it; the server believes its proxy who asks."""
    went_well, refused = until_refused(lambda _: strict.http.get("/api/about", headers=from_address(1)))
    assert went_well >= 40
    assert code_of(refused) == "too_many"
    assert int(refused.headers["retry-after"]) > 0
    assert strict.http.get("/api/about", headers=from_address(2)).status_code == 200


def test_one_address_opens_only_so_many_tables(strict):
    body = {"game": "london", "seats": ["person", "person"], "name": "Zoe"}
    went_well, refused = until_refused(lambda _: strict.http.post("/api/tables", json=body, headers=bearer(new_key()) | from_address(3)))
    assert 3 <= went_well <= 5
    assert code_of(refused) == "too_many"
    assert "retry-after" in refused.headers
    assert strict.http.post("/api/tables", json=body, headers=bearer(new_key()) | from_address(4)).status_code == 201


def test_one_socket_takes_only_so_many_messages_and_goes_on_later(strict):
    table = strict.new_table(HOST)
    with strict.live(table, HOST) as talk:
        talk.hear()
        went_well, refused = until_refused(lambda _: talk.ask({"type": "ping"}))
        assert 8 <= went_well <= 12
        assert r.LiveRefusal.model_validate(refused).code == "too_many"
        time.sleep(1)
        assert talk.ask({"type": "ping"}) == {"type": "pong"}


def test_one_seat_says_only_so_much_by_whatever_way(strict):
    key = new_key()
    body = {"game": "london", "seats": ["person", "person"], "name": "Zoe"}
    table = strict.http.post("/api/tables", json=body, headers=bearer(key) | from_address(5)).json()["table"]
    say = lambda number: strict.http.post(  # noqa: E731
        f"/api/tables/{table}/say", json={"id": f"a{number}", "phrase": "hello"}, headers=bearer(key) | from_address(6)
    )
    went_well, refused = until_refused(say)
    assert 3 <= went_well <= 4
    assert code_of(refused) == "too_many"
    before = strict.log(table)
    with strict.live(table, key) as talk:
        talk.hear()
        assert talk.ask({"type": "say", "id": "b", "phrase": "hello"})["code"] == "too_many"
        assert talk.ask({"type": "mute", "seat": 1})["type"] == "done"
    assert strict.log(table)[:-1] == before


def test_one_address_holds_only_so_many_sockets_and_closed_ones_do_not_count(strict):
    table = "AAAAAAAAAAAAAAAA"
    for _ in range(3):
        with strict.socket(table), strict.socket(table):
            with pytest.raises(InvalidStatus), strict.socket(table):
                pass
            with strict.socket(table, additional_headers=from_address(7)):
                pass
        wait_until(lambda: not strict.desk.sockets)


def wait_until(happens, within=10.0):
    end = time.monotonic() + within
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.01)


# headers


@contextmanager
def broken(monkeypatch):
    """A part of the server fails in a way that nobody foresaw."""

    def fail(*_):
        raise ZeroDivisionError("a secret of the inside")

    with monkeypatch.context() as patch:
        patch.setattr(api, "all_games", fail)
        patch.setattr(live, "command_of", fail)
        yield


def answers_of_every_kind(inside: Inside, strict: Inside, monkeypatch):
    yield 200, inside.get("/health")
    yield 200, inside.get("/metrics")
    yield 200, inside.get("/api/about")
    yield 200, inside.get("/api/openapi.json")
    yield 201, inside.post("/api/tables", {"game": "london", "seats": ["person", "person"], "name": "Zoe"}, new_key())
    yield 401, inside.get("/api/my/tables")
    yield 403, inside.http.post("/api/tables", json={}, headers={"origin": "https://evil.example"})
    yield 404, inside.get("/")
    yield 404, inside.get("/api")
    yield 404, inside.get("/api/nothing")
    yield 404, inside.get("/api/tables/AAAAAAAAAAAAAAAA")
    yield 404, inside.get("/api/tables/AAAAAAAAAAAAAAAA/live")
    yield 404, inside.get("/api/tables/")
    yield 405, inside.http.delete("/api/tables")
    yield 405, inside.http.request("TRACE", "/api/about")
    yield 413, inside.http.post("/api/tables", content=b"x" * 20_000)
    yield 422, inside.post("/api/tables", {})
    until_refused(lambda _: strict.http.get("/api/about", headers=from_address(8)))
    yield 429, strict.http.get("/api/about", headers=from_address(8))
    with broken(monkeypatch):
        yield 500, inside.get("/api/about")


def test_strict_headers_are_on_every_answer(inside, strict, monkeypatch):
    for status, response in answers_of_every_kind(inside, strict, monkeypatch):
        assert response.status_code == status, response.url
        for name, value in HEADERS.items():
            assert response.headers.get(name) == value, (name, status)
        assert "server" not in response.headers
        assert "x-powered-by" not in response.headers
        if response.url.path.startswith("/api"):
            assert response.headers["cache-control"] == "no-store"
        if status >= 400:
            code_of(response)


def test_the_policy_lets_no_other_site_in():
    policy = dict(rule.strip().split(" ", 1) for rule in HEADERS["content-security-policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in HEADERS["content-security-policy"]


def test_a_method_that_is_not_taken_is_told_which_are(inside):
    assert {method.strip() for method in inside.http.delete("/api/tables").headers["allow"].split(",")} == {"GET", "POST"}
    assert inside.http.put("/api/about").headers["allow"] == "GET"


def test_the_real_server_does_not_tell_what_it_is_made_of(server):
    for path in ("/health", "/nothing", "/api/about"):
        assert "server" not in httpx.get(f"{server.url}{path}").headers


def test_nonsense_instead_of_http_does_no_harm(server):
    for junk in (b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", b"\x00" * 100):
        with socket.create_connection(("127.0.0.1", server.port), 5) as raw:
            raw.sendall(junk)
            raw.settimeout(2)
            raw.recv(1000)
    assert httpx.get(f"{server.url}/health").status_code == 200


# every code there is


def refused_by_not_being_ready(inside: Inside):
    """As in the first seconds of a new version, while the rules are compiled."""
    table = inside.new_table(HOST)
    inside.loop.call_soon_threadsafe(inside.desk.ready.clear)
    wait_until(lambda: not inside.desk.ready.is_set())
    try:
        assert inside.get("/health").json()["status"] == "preparing"
        assert inside.get("/api/about").status_code == 200
        with inside.live(table, HOST) as talk:
            assert talk.hear()["code"] == "preparing"
        return inside.get(f"/api/tables/{table}", HOST)
    finally:
        inside.loop.call_soon_threadsafe(inside.desk.ready.set)
        wait_until(inside.desk.ready.is_set)


def refused_by_failing(inside: Inside):
    with broken(pytest.MonkeyPatch()):
        return inside.get("/api/about")


def refused_for_the_bots_sake(inside: Inside):
    table = new_game(inside)
    assert inside.post(f"/api/tables/{table}/leave", {}, HOST).status_code == 200
    return decided(inside, table)


def refused_when_over(inside: Inside):
    table = inside.copy(new_game(inside), lambda table: table.status == FINISHED)
    return inside.post(f"/api/tables/{table}/leave", {}, HOST)


def refused_for_having_many_tables(tmp_path):
    with running_inside(tmp_path, tables_per_guest=2) as running:
        body = {"game": "london", "seats": ["person", "person"], "name": "Zoe"}
        return until_refused(lambda _: running.post("/api/tables", body, HOST))[1]


def refused_for_asking_often(tmp_path):
    with running_inside(tmp_path, requests_per_minute=5) as running:
        return until_refused(lambda _: running.get("/api/about"))[1]


def decided(inside: Inside, table, key=HOST, **changes):
    asked = position(inside, table)
    body = {"id": secrets.token_hex(8), "number": asked.get("question", 1), "decision": asked.get("legal", ["?"])[0]} | changes
    return inside.post(f"/api/tables/{table}/decide", body, key)


def illegal_now(inside: Inside, table):
    legal = position(inside, table)["legal"]
    return next(text for text in inside.get("/api/games/london").json()["decisions"] if text not in legal)


def unwatched(inside: Inside):
    table = new_game(inside)
    hidden = inside.copy(table, settings=inside.header(table).settings | {"spectators": False})
    return inside.get(f"/api/tables/{hidden}", WATCHER)


# For each code a way to be refused by it: `inside` is a server, `table` a game in which the host is asked, `empty` a table that waits.
def seen_under_other_rules(inside, table):
    """A table of an older version of the rules, which this process has not in memory."""
    with sqlite3.connect(inside.desk.settings.database_url.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE tables SET rules_version = 0 WHERE id = ?", (table,))
    connection.close()
    inside.desk.hall._tables.pop(table)
    return inside.get(f"/api/tables/{table}")


WAYS = {
    "malformed": lambda inside, table, _empty, _path: decided(inside, table, seat=0),
    "no_key": lambda inside, table, _empty, _path: decided(inside, table, None),
    "wrong_origin": lambda inside, _table, _empty, _path: inside.http.post("/api/tables", headers={"origin": "https://evil.example"}),
    "no_table": lambda inside, _table, _empty, _path: inside.get("/api/tables/AAAAAAAAAAAAAAAA"),
    "not_found": lambda inside, _table, _empty, _path: inside.get("/api/games/monopoly"),
    "wrong_method": lambda inside, _table, _empty, _path: inside.http.delete("/api/tables"),
    "too_large": lambda inside, _table, _empty, _path: inside.http.post("/api/tables", content=b"x" * 20_000),
    "too_many": lambda _inside, _table, _empty, path: refused_for_asking_often(path),
    "too_many_tables": lambda _inside, _table, _empty, path: refused_for_having_many_tables(path),
    "preparing": lambda inside, _table, _empty, _path: refused_by_not_being_ready(inside),
    "failed": lambda inside, _table, _empty, _path: refused_by_failing(inside),
    "not_seated": lambda inside, table, _empty, _path: decided(inside, table, WATCHER),
    "not_host": lambda inside, _table, empty, _path: inside.post(f"/api/tables/{empty}/start", {}, WATCHER),
    "not_watched": lambda inside, _table, _empty, _path: unwatched(inside),
    "full": lambda inside, _table, empty, _path: inside.post(f"/api/tables/{empty}/join", {"name": "Zoe", "seat": 0}, WATCHER),
    "started": lambda inside, table, _empty, _path: inside.post(f"/api/tables/{table}/join", {"name": "Zoe"}, WATCHER),
    "not_started": lambda inside, _table, empty, _path: inside.get(f"/api/tables/{empty}/record"),
    "over": lambda inside, _table, _empty, _path: refused_when_over(inside),
    "other_rules": lambda inside, _table, empty, _path: seen_under_other_rules(inside, empty),
    "not_over": lambda inside, table, _empty, _path: inside.post(f"/api/tables/{table}/rematch", {}, HOST),
    "away": lambda inside, _table, _empty, _path: refused_for_the_bots_sake(inside),
    "not_your_turn": lambda inside, table, _empty, _path: decided(inside, table, GUEST),
    "stale": lambda inside, table, _empty, _path: decided(inside, table, number=0),
    "not_a_decision": lambda inside, table, _empty, _path: decided(inside, table, decision="cheat"),
    "illegal": lambda inside, table, _empty, _path: decided(inside, table, decision=illegal_now(inside, table)),
    "nothing_to_undo": lambda inside, table, _empty, _path: inside.post(
        f"/api/tables/{table}/undo", {"id": "a", "number": position(inside, table)["question"]}, HOST
    ),
    "bad_name": lambda inside, _table, empty, _path: inside.post(f"/api/tables/{empty}/join", {"name": " "}, GUEST),
    "bad_text": lambda inside, table, _empty, _path: inside.post(f"/api/tables/{table}/say", {"id": "a", "text": " "}, HOST),
    "bad_game": lambda inside, _table, _empty, _path: inside.post("/api/tables", {"game": "go", "seats": ["easy"] * 2, "name": "Zoe"}, HOST),
    "no_such_seat": lambda inside, table, _empty, _path: inside.post(f"/api/tables/{table}/mute", {"seat": 4}, HOST),
}


@pytest.mark.parametrize("code", REFUSALS)
def test_every_code_is_answered_to_somebody(inside, playing, tmp_path, code):
    """A code that nothing can bring about is none."""
    empty = inside.new_table(HOST)
    before = inside.log(playing), inside.log(empty)
    assert code_of(WAYS[code](inside, playing, empty, tmp_path)) == code
    assert (inside.log(playing), inside.log(empty)) == before


def test_a_failure_is_counted_and_logged_and_tells_nothing_of_the_inside(inside, playing, monkeypatch):
    before = inside.failures()
    with broken(monkeypatch):
        response = inside.get("/api/about")
        assert code_of(response) == "failed"
        assert "secret" not in response.text
        assert inside.failures() == before + 1
        with inside.live(playing, HOST) as talk:
            talk.hear()
            answer = talk.ask({"type": "leave"})
            assert (answer["type"], answer["code"]) == ("refused", "failed")
            assert inside.failures() == before + 2
    assert inside.get("/api/about").status_code == 200


# anything at all


JUNK = [
    None,
    True,
    False,
    0,
    1,
    -1,
    4,
    5,
    1.5,
    2**31,
    2**63,
    10**30,
    "",
    "x",
    "person",
    "a" * 70,
    "é\u202e\x00",
    "\ud800",
    [],
    {},
    [[]],
    {"a": {}},
    1e308,
]


def mutated(rng, message):
    """A message with something wrong with it, or nothing."""
    fields = dict(message)
    for _ in range(rng.choice((0, 1, 1, 2))):
        name = rng.choice([*fields, "seat", "key", "type", "\ud800", "after"])
        change = rng.randrange(4)
        if change == 0:
            fields.pop(name, None)
        elif change == 1:
            fields[name] = rng.choice(JUNK)
        elif change == 2:
            fields[name] = [fields.get(name)]
        else:
            fields[name + rng.choice("xX_ \x00")] = fields.pop(name, None)
    text = json.dumps(fields)
    if rng.random() < 0.25:
        at = rng.randrange(len(text))
        text = rng.choice((text[:at], text[:at] + rng.choice('"{}[]:,\\0eNé\x00') + text[at + 1 :], text[:at] + text[at:] * 2, "[" * at + text))
    return text


def frame(rng, asked):
    """What a client could send, or could not: messages, mutated messages, noise."""
    kind = rng.random()
    if kind < 0.05:
        return rng.randbytes(rng.randrange(200))
    if kind < 0.1:
        return "".join(
            chr(rng.choice((rng.randrange(128), rng.randrange(0xD800), rng.randrange(0xE000, 0x110000)))) for _ in range(rng.randrange(200))
        )
    return mutated(rng, message(rng, asked))


def message(rng, asked):
    name = secrets.token_hex(8)
    question, legal = asked.get("question", rng.randrange(50)), asked.get("legal", ["draw"])
    bodies = {
        "join": {"name": "Zoe"},
        "start": {"level": "easy"},
        "decide": {"id": name, "number": question, "decision": rng.choice(legal)},
        "undo": {"id": name, "number": question},
        "say": {"id": name, "text": "hello"},
        "mute": {"seat": rng.randrange(5), "muted": rng.random() < 0.5},
        "leave": {},
        "return": {},
        "abandon": {},
        "rematch": {},
        "ping": {},
    }
    assert set(bodies) == {*COMMANDS, "ping"}
    kind = rng.choice([*bodies, *bodies, *["decide"] * 12, *["return"] * 4])  # games are to go on
    if kind == "abandon" and rng.random() < 0.9:
        kind = "ping"
    return {"type": kind} | bodies[kind]


WRITTEN_BY = {"sit": "join", "rise": "leave", "take_over": "leave"}  # entries that are called otherwise than what was asked


class Fuzzed:
    """A live table, what was acknowledged at it, and what its log has."""

    def __init__(self, server) -> None:
        self.server = server
        self.done: Counter = Counter()
        self.codes: Counter = Counter()
        self.renew()

    def renew(self):
        with httpx.Client(base_url=self.server.url) as client:
            body = {"game": "london", "seats": ["person", "person"], "name": "Host", "grace_seconds": 86400}
            self.table = client.post("/api/tables", json=body, headers=bearer(HOST)).json()["table"]
            assert client.post(f"/api/tables/{self.table}/join", json={"name": "Guest"}, headers=bearer(GUEST)).status_code == 200
        self.done.clear()
        self.known = len(self.log())

    def log(self):
        database = self.server.database_url.removeprefix("sqlite:///")
        with closing(sqlite3.connect(database)) as connection:
            return connection.execute("SELECT kind, seat FROM entries WHERE table_id = ? ORDER BY number", (self.table,)).fetchall()

    def asked(self, key):
        state = httpx.get(f"{self.server.url}/api/tables/{self.table}", headers=bearer(key)).json()["state"]
        return state.get("position", {}), state["status"]

    def count(self, kind, seat):
        self.done[kind, seat] += 1

    def check(self):
        """Every entry that is new was asked for by an acknowledged message of its seat."""
        written = Counter((WRITTEN_BY.get(kind, kind), seat) for kind, seat in self.log()[self.known :])
        for (kind, seat), times in written.items():
            asked = self.done[kind, seat] if seat is not None else sum(count for (done, _), count in self.done.items() if done == kind)
            assert times <= asked, f"{times} times {kind} by {seat}, of which {asked} were acknowledged"


def metric(server, name):
    page = httpx.get(f"{server.url}/metrics").text
    return sum(float(line.split()[-1]) for line in page.splitlines() if line.split(" ")[0].split("{")[0] == name)


def check_unharmed(server):
    assert metric(server, "branchline_failures_total") == 0
    logged = server.log.read_text()
    assert "Traceback" not in logged
    assert '"level": "error"' not in logged


@pytest.mark.timeout(3600)
def test_whatever_comes_over_a_socket_is_answered_and_changes_only_what_was_acknowledged(server):
    """Each socket takes so many messages at once; so many sockets are needed."""
    asyncio.run(fuzz_sockets(server, FRAMES))
    check_unharmed(server)


async def fuzz_sockets(server, frames):
    rng = random.Random("frames")
    fuzzed = Fuzzed(server)
    sent = 0
    while sent < frames:
        key, seat = rng.choice([(HOST, 0), (GUEST, 1), (HOST, 0), (GUEST, 1), (WATCHER, None), (None, None)])
        asked, status = fuzzed.asked(key)
        if status != "playing":
            fuzzed.check()
            fuzzed.renew()
            continue
        burst = [frame(rng, asked) for _ in range(60)]
        sent += len(burst)
        await fuzz_one_socket(fuzzed, key, seat, burst)
        fuzzed.check()
    assert {"malformed", "not_seated", "no_key", "stale"} <= set(fuzzed.codes)


async def fuzz_one_socket(fuzzed, key, seat, burst):
    url = f"{fuzzed.server.url.replace('http', 'ws')}/api/tables/{fuzzed.table}/live"
    async with websockets.connect(url, max_size=None) as opened:
        await opened.send(json.dumps({"type": "hello"} | ({} if key is None else {"key": key})))
        r.LiveSnapshot.model_validate_json(await opened.recv())
        for one in burst:
            await opened.send(one)
        for one in burst:
            answer = await next_answer(opened)
            if answer["type"] == "refused":
                fuzzed.codes[answer["code"]] += 1
            elif answer["type"] == "done":
                fuzzed.count(json.loads(one)["type"], seat)


LIVE_MODELS = {model.model_fields["type"].annotation.__args__[0]: model for model in r.LIVE}


async def next_answer(opened):
    """Answers come in the order of what was sent; what happens meanwhile comes between them."""
    while True:
        heard = json.loads(await asyncio.wait_for(opened.recv(), 30))
        LIVE_MODELS[heard["type"]].model_validate(heard)
        if heard["type"] not in ("update", "snapshot"):
            return heard


@pytest.mark.timeout(3600)
def test_whatever_comes_in_a_body_is_answered_and_changes_only_what_was_acknowledged(server):
    rng = random.Random("bodies")
    fuzzed = Fuzzed(server)
    with httpx.Client(base_url=server.url, timeout=30) as client:
        for number in range(FRAMES // 10):
            if number % 10 == 0:
                fuzzed.check()
                asked, status = fuzzed.asked(HOST)
                if status != "playing":
                    fuzzed.renew()
            fuzz_one_body(rng, client, fuzzed, asked)
    fuzzed.check()
    check_unharmed(server)


def fuzz_one_body(rng, client, fuzzed, asked):
    key, seat = rng.choice([(HOST, 0), (GUEST, 1), (WATCHER, None), (None, None)])
    chosen = message(rng, asked)
    kind = chosen.pop("type")
    body = rng.randbytes(50) if rng.random() < 0.05 else mutated(rng, chosen).encode()
    headers = bearer(key) | {"content-type": rng.choice(["application/json"] * 9 + ["text/plain"])}
    response = client.post(f"/api/tables/{fuzzed.table}/{kind}", content=body, headers=headers)
    if response.status_code == 200:
        (r.Rematched if kind == "rematch" else r.Done).model_validate(response.json())
        fuzzed.count(kind, seat)
    else:
        assert code_of(response) != "failed"
