"""The outermost layer: other sites' pages, oversized messages, too many requests, strict headers on every answer."""

import json
import socket
import time

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from branchline.server.http.security import HEADERS
from branchline.server.protocol import live_replies
from tests.conftest import FRIENDS
from tests.server.inside import Inside, Talk, bearer, running_inside
from tests.server.refusing import HOST, broken, closed_with, code_of, nothing_changes, until_refused, wait_until
from tests.server.running import new_key

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


def test_friends_are_named_on_the_command_line(server):
    for origin, status in (*((friend, 401) for friend in FRIENDS), ("https://evil.example", 403), (server.url, 401)):
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


def from_address(number):
    return {"X-Forwarded-For": f"10.0.0.{number}"}


def test_requests_per_address_are_limited(strict):
    """And another is not held up by it; the server trusts its proxy about who is asking."""
    went_well, refused = until_refused(lambda _: strict.http.get("/api/about", headers=from_address(1)))
    assert went_well >= 40
    assert code_of(refused) == "too_many"
    assert int(refused.headers["retry-after"]) > 0
    assert strict.http.get("/api/about", headers=from_address(2)).status_code == 200


def test_the_tables_that_one_address_opens_are_limited(strict):
    body = {"game": "london", "seats": ["person", "person"], "name": "Zoe"}
    went_well, refused = until_refused(lambda _: strict.http.post("/api/tables", json=body, headers=bearer(new_key()) | from_address(3)))
    assert 3 <= went_well <= 5
    assert code_of(refused) == "too_many"
    assert "retry-after" in refused.headers
    assert strict.http.post("/api/tables", json=body, headers=bearer(new_key()) | from_address(4)).status_code == 201


def test_messages_per_socket_are_limited_and_it_goes_on_later(strict):
    table = strict.new_table(HOST)
    with strict.live(table, HOST) as talk:
        talk.hear()
        went_well, refused = until_refused(lambda _: talk.ask({"type": "ping"}))
        assert 8 <= went_well <= 12
        assert live_replies.LiveRefusal.model_validate(refused).code == "too_many"
        time.sleep(1)
        assert talk.ask({"type": "ping"}) == {"type": "pong"}


def test_chat_per_seat_is_limited_whichever_way_it_comes(strict):
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


def test_what_one_address_has_stored_is_limited_but_leaving_and_ending_never_are(tmp_path):
    """By whatever way, and at all its tables together; others at these tables play on."""
    with running_inside(tmp_path, entries_per_hour=510) as strict:
        greedy, guest = new_key(), new_key()
        body = {"game": "london", "seats": ["person", "person"], "name": "Zoe"}
        first, second = (strict.http.post("/api/tables", json=body, headers=bearer(greedy) | from_address(1)).json()["table"] for _ in range(2))
        assert code_of(strict.http.post("/api/tables", json=body, headers=bearer(new_key()) | from_address(1))) == "too_many"
        say = lambda number: strict.http.post(  # noqa: E731
            f"/api/tables/{(first, second)[number % 2]}/say", json={"id": f"a{number}", "phrase": "hello"}, headers=bearer(greedy) | from_address(1)
        )
        went_well, refused = until_refused(say)
        assert 10 <= went_well <= 12
        assert code_of(refused) == "too_many"
        assert strict.http.post(f"/api/tables/{first}/join", json={"name": "Bob"}, headers=bearer(guest) | from_address(2)).status_code == 200
        assert strict.http.post(f"/api/tables/{first}/leave", json={}, headers=bearer(greedy) | from_address(1)).status_code == 200
        assert strict.http.post(f"/api/tables/{second}/abandon", json={}, headers=bearer(greedy) | from_address(1)).status_code == 200


def test_open_sockets_per_address_are_limited_and_closed_ones_do_not_count(strict):
    table = "AAAAAAAAAAAAAAAA"
    for _ in range(3):
        with strict.socket(table), strict.socket(table):
            with pytest.raises(InvalidStatus), strict.socket(table):
                pass
            with strict.socket(table, additional_headers=from_address(7)):
                pass
        wait_until(lambda: not strict.service.sockets)


# headers


def answers_of_every_kind(inside: Inside, strict: Inside, monkeypatch):
    yield 200, inside.get("/health")
    yield 200, inside.get("/api/about")
    yield 200, inside.get("/api/openapi.json")
    yield 201, inside.post("/api/tables", {"game": "london", "seats": ["person", "person"], "name": "Zoe"}, new_key())
    yield 401, inside.get("/api/my/tables")
    yield 403, inside.http.post("/api/tables", json={}, headers={"origin": "https://evil.example"})
    yield 200, inside.get("/")
    yield 404, inside.get("/nothing")
    yield 404, inside.get("/assets/nothing.js")
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
