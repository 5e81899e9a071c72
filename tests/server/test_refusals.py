"""Every refusal: each code can occur, and reveals nothing internal."""

import json
import secrets
import sqlite3

import pytest

from branchline.design.layout.beginning import begin
from branchline.play.chance import commitment_of
from branchline.server.protocol.refusals import REFUSALS
from branchline.server.store.entries import FINISHED
from tests.boards.outside import only
from tests.server.inside import Inside, running_inside
from tests.server.refusing import GUEST, HOST, WATCHER, broken, code_of, new_game, position, until_refused, wait_until

# every code


def refused_by_not_being_ready(inside: Inside):
    """As in the first seconds of a new version, while the rules are compiled."""
    table = inside.new_table(HOST)
    inside.loop.call_soon_threadsafe(inside.service.ready.clear)
    wait_until(lambda: not inside.service.ready.is_set())
    try:
        assert inside.get("/health").json()["status"] == "preparing"
        assert inside.get("/api/about").status_code == 200
        with inside.live(table, HOST) as talk:
            assert talk.hear()["code"] == "preparing"
        return inside.get(f"/api/tables/{table}", HOST)
    finally:
        inside.loop.call_soon_threadsafe(inside.service.ready.set)
        wait_until(inside.service.ready.is_set)


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


def refused_for_lack_of_room(inside: Inside):
    """As if everybody wanted a replay at the same moment."""
    finished = inside.copy(new_game(inside), lambda table: table.status == FINISHED)
    turns = inside.service.replayers._turns
    with pytest.MonkeyPatch().context() as patch:
        patch.setattr(turns, "at_once", 0)
        patch.setattr(turns, "most_waiting", 0)
        return inside.get(f"/api/tables/{finished}/replay")


def refused_for_being_blocked(tmp_path):
    with running_inside(tmp_path, watch_every=0.1) as running:
        running.call(running.service.tables.store.block("10.0.0.0/24", 0.0, "a test"))
        ask = lambda: running.http.get("/api/about", headers={"X-Forwarded-For": "10.0.0.7"})  # noqa: E731
        wait_until(lambda: ask().status_code == 403)
        return ask()


def decided(inside: Inside, table, key=HOST, **changes):
    asked = position(inside, table)
    body = {"id": secrets.token_hex(8), "question": asked.get("question", 1), "decision": asked.get("legal", ["?"])[0]} | changes
    return inside.post(f"/api/tables/{table}/decide", body, key)


def illegal_now(inside: Inside, table):
    legal = position(inside, table)["legal"]
    return next(text for text in inside.get("/api/games/london").json()["decisions"] if text not in legal)


def revealed(inside: Inside, table, digit):
    return inside.post(f"/api/tables/{table}/reveal", {"number": digit * 32}, HOST)


def unwatched(inside: Inside):
    table = new_game(inside)
    hidden = inside.copy(table, settings=inside.header(table).settings | {"spectators": False})
    return inside.get(f"/api/tables/{hidden}", WATCHER)


def seen_under_other_rules(inside, table):
    """A table of an older version of the rules, which this process does not have in memory."""
    return seen_changed(inside, table, "rules_version = 0")


def seen_on_another_board(inside, table):
    """A table whose board came from outside, and is no longer there."""
    return seen_changed(inside, table, "game = 'far-isles'")


def seen_changed(inside, table, change):
    with sqlite3.connect(inside.service.settings.database_url.removeprefix("sqlite:///")) as connection:
        connection.execute(f"UPDATE tables SET {change} WHERE id = ?", (table,))
    connection.close()
    inside.service.tables._tables.pop(table)
    return inside.get(f"/api/tables/{table}")


def seen_after_a_newer_version(inside, table):
    """A server that knows more has written an entry of a new kind there."""
    with sqlite3.connect(inside.service.settings.database_url.removeprefix("sqlite:///")) as connection:
        last = connection.execute("SELECT max(number) FROM entries WHERE table_id = ?", (table,)).fetchone()[0]
        connection.execute("INSERT INTO entries (table_id, number, kind, at, body) VALUES (?, ?, 'wave', 0, '{}')", (table, last + 1))
    connection.close()
    return inside.get(f"/api/tables/{table}")


def refused_by_the_editor(path, method, where, content=None, board=None, code="open-sesame"):
    """A server with a board editor; `board` spoils a file of the board first."""
    with only():
        begin(path / "isles")
        if board:
            (path / "isles" / board).write_text("id,a,b,points\n", encoding="utf-8")
        with running_inside(path, editor=str(path / "isles"), editor_code="open-sesame") as running:
            headers = {"authorization": f"Bearer {HOST}", "x-editor-code": code, "content-type": "application/json"}
            if content == "document":
                document = running.http.get("/api/editor", headers=headers).json()["document"] | {"tickets": []}
                content = json.dumps({"document": document, "revision": "0" * 16})
            return running.http.request(method, f"/api/editor{where}", content=content, headers=headers)


# For each code, a way to be refused with it: `inside` is a server, `table` a game in which the host is asked, `empty` a table that waits.
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
    "busy": lambda inside, _table, _empty, _path: refused_for_lack_of_room(inside),
    "blocked": lambda _inside, _table, _empty, path: refused_for_being_blocked(path),
    "preparing": lambda inside, _table, _empty, _path: refused_by_not_being_ready(inside),
    "newer_version": lambda inside, _table, _empty, _path: seen_after_a_newer_version(inside, inside.new_table(HOST)),
    "failed": lambda inside, _table, _empty, _path: refused_by_failing(inside),
    "not_seated": lambda inside, table, _empty, _path: decided(inside, table, WATCHER),
    "not_host": lambda inside, _table, empty, _path: inside.post(f"/api/tables/{empty}/start", {}, WATCHER),
    "not_a_bot": lambda inside, table, _empty, _path: inside.get(f"/api/tables/{table}/view", HOST),
    "not_watched": lambda inside, _table, _empty, _path: unwatched(inside),
    "full": lambda inside, _table, empty, _path: inside.post(f"/api/tables/{empty}/join", {"name": "Zoe", "seat": 0}, WATCHER),
    "started": lambda inside, table, _empty, _path: inside.post(f"/api/tables/{table}/join", {"name": "Zoe"}, WATCHER),
    "not_started": lambda inside, _table, empty, _path: inside.get(f"/api/tables/{empty}/record"),
    "over": lambda inside, _table, _empty, _path: refused_when_over(inside),
    "other_rules": lambda inside, _table, empty, _path: seen_under_other_rules(inside, empty),
    "other_board": lambda inside, _table, _empty, _path: seen_on_another_board(inside, inside.new_table(HOST)),
    "not_over": lambda inside, table, _empty, _path: inside.post(f"/api/tables/{table}/rematch", {}, HOST),
    "away": lambda inside, _table, _empty, _path: refused_for_the_bots_sake(inside),
    "not_your_turn": lambda inside, table, _empty, _path: decided(inside, table, GUEST),
    "stale": lambda inside, table, _empty, _path: decided(inside, table, question=0),
    "not_a_decision": lambda inside, table, _empty, _path: decided(inside, table, decision="cheat"),
    "illegal": lambda inside, table, _empty, _path: decided(inside, table, decision=illegal_now(inside, table)),
    "nothing_to_undo": lambda inside, table, _empty, _path: inside.post(
        f"/api/tables/{table}/undo", {"id": "a", "question": position(inside, table)["question"]}, HOST
    ),
    "not_silent": lambda inside, table, _empty, _path: inside.post(f"/api/tables/{table}/replace", {"seat": 1}, HOST),
    "not_drawing": lambda inside, _table, _empty, _path: revealed(inside, inside.new_table(HOST, commitment=commitment_of("0" * 32)), "0"),
    "no_commitment": lambda inside, table, _empty, _path: revealed(inside, table, "0"),
    "wrong_number": lambda inside, _table, _empty, _path: revealed(inside, inside.new_table(HOST, commitment=commitment_of("0" * 32)), "1"),
    "bad_name": lambda inside, _table, empty, _path: inside.post(f"/api/tables/{empty}/join", {"name": " "}, GUEST),
    "bad_text": lambda inside, table, _empty, _path: inside.post(f"/api/tables/{table}/say", {"id": "a", "text": " "}, HOST),
    "no_such_bot": lambda inside, _table, _empty, _path: inside.post(
        "/api/tables", {"game": "london", "seats": ["deep-rail"] * 2, "name": "Zoe"}, HOST
    ),
    "bad_game": lambda inside, _table, _empty, _path: inside.post("/api/tables", {"game": "go", "seats": ["easy"] * 2, "name": "Zoe"}, HOST),
    "no_such_seat": lambda inside, table, _empty, _path: inside.post(f"/api/tables/{table}/mute", {"seat": 4}, HOST),
    "not_editor": lambda _inside, _table, _empty, path: refused_by_the_editor(path, "GET", "", code="guessed"),
    "board_changed": lambda _inside, _table, _empty, path: refused_by_the_editor(path, "PUT", "", "document"),
    "not_playable": lambda _inside, _table, _empty, path: refused_by_the_editor(path, "POST", "/play", board="tickets.csv"),
    "bad_board": lambda _inside, _table, _empty, path: refused_by_the_editor(path, "POST", "/import", b"no zip file"),
    "bad_record": lambda inside, _table, _empty, _path: inside.post("/api/replay", {"record": {}}),
}


@pytest.mark.parametrize("code", REFUSALS)
def test_every_code_is_answered_to_somebody(inside, playing, tmp_path, code):
    """There is no code that cannot occur."""
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
