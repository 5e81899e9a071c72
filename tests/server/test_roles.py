"""Who may do what: every role at every endpoint and with every message, at tables of every status; and a refused request changes nothing."""

import hashlib
import secrets
from contextlib import suppress
from functools import partial

import pytest
from websockets.exceptions import ConnectionClosed

from branchline.server.http.pages import ADDRESSES, CLIENT
from branchline.server.protocol import live_replies
from branchline.server.protocol import replies as r
from branchline.server.protocol.keys import hash_of
from branchline.server.protocol.messages import COMMANDS
from branchline.server.protocol.refusals import REFUSALS
from branchline.server.store.changes import Summary
from branchline.server.store.entries import FINISHED, RISE, SIT, START
from branchline.server.tables.commands import entry
from branchline.server.tables.table import Table
from tests.conftest import SOAK
from tests.server.inside import Inside, running_inside
from tests.server.running import new_key

STATUSES = ("waiting", "playing", "finished", "abandoned")
# stranger: no key. watcher: a key without a seat. own: the seat that is asked to decide. other, host: seats that are not.
# landlord: the host of a table at which it has no seat.
ROLES = ("stranger", "watcher", "other", "own", "host", "landlord")
SEATS = {"host": 0, "own": 1, "other": 2}
KEYS = {role: None if role == "stranger" else new_key() for role in ROLES}
FOURTH = new_key()

# The answers to read requests, for each status. A table for its players only is open until its game begins: people with the link may join.
LOOKS = {
    "see":    {"waiting": "ok",          "playing": "ok", "finished": "ok", "abandoned": "ok"},
    "events": {"waiting": "ok",          "playing": "ok", "finished": "ok", "abandoned": "ok"},
    "record": {"waiting": "not_started", "playing": "ok", "finished": "ok", "abandoned": "ok"},
    "count":  {"waiting": "not_over", "playing": "not_over", "finished": "ok", "abandoned": "not_over"},
    "replay": {"waiting": "not_over", "playing": "not_over", "finished": "ok", "abandoned": "not_over"},
    "hello":  {"waiting": "ok",          "playing": "ok", "finished": "ok", "abandoned": "ok"},
}  # fmt: skip
LOOK_AT = {"see": "/api/tables/{table}"} | {look: f"/api/tables/{{table}}/{look}" for look in ("events", "record", "count", "replay")}

# What you get when you ask about your own game: a refusal, or an answer.
ADVICE = {
    # what, status:        stranger  watcher     other          own          host           landlord
    ("why", "waiting"):    "no_key   not_seated  not_started    not_started  not_started    not_seated",
    ("why", "playing"):    "no_key   not_seated  ok             ok           ok             not_seated",
    ("why", "finished"):   "no_key   not_seated  over           over         over           not_seated",
    ("why", "abandoned"):  "no_key   not_seated  over           over         over           not_seated",
    ("hint", "waiting"):   "no_key   not_seated  not_started    not_started  not_started    not_seated",
    ("hint", "playing"):   "no_key   not_seated  not_your_turn  ok           not_your_turn  not_seated",
    ("hint", "finished"):  "no_key   not_seated  over           over         over           not_seated",
    ("hint", "abandoned"): "no_key   not_seated  over           over         over           not_seated",
    ("completable", "waiting"):   "no_key   not_seated  not_started    not_started  not_started    not_seated",
    ("completable", "playing"):   "no_key   not_seated  ok             ok           ok             not_seated",
    ("completable", "finished"):  "no_key   not_seated  over           over         over           not_seated",
    ("completable", "abandoned"): "no_key   not_seated  over           over         over           not_seated",
    ("view", "waiting"):   "no_key   not_seated  not_a_bot      not_a_bot    not_a_bot      not_seated",
    ("view", "playing"):   "no_key   not_seated  not_a_bot      not_a_bot    not_a_bot      not_seated",
    ("view", "finished"):  "no_key   not_seated  not_a_bot      not_a_bot    not_a_bot      not_seated",
    ("view", "abandoned"): "no_key   not_seated  not_a_bot      not_a_bot    not_a_bot      not_seated",
}  # fmt: skip
ADVISED = {"why": r.Why, "hint": r.Hint, "completable": r.Completable, "view": r.Looked}
ADVICE_AT = {asked: f"/api/tables/{{table}}/{asked}" for asked in ADVISED}

# What a command leads to: a refusal, `done` (the log is longer), or `same` (it was so already, and nothing was written).
ASKS = {
    # command, status:        stranger  watcher     other          own              host           landlord
    ("join", "waiting"):      "no_key   done        same           same             same           done",
    ("join", "playing"):      "no_key   started     same           same             same           started",
    ("join", "finished"):     "no_key   over        same           same             same           over",
    ("join", "abandoned"):    "no_key   over        same           same             same           over",
    ("start", "waiting"):     "no_key   not_host    not_host       not_host         done           done",
    ("start", "playing"):     "no_key   not_host    not_host       not_host         same           same",
    ("start", "finished"):    "no_key   not_host    not_host       not_host         over           over",
    ("start", "abandoned"):   "no_key   not_host    not_host       not_host         over           over",
    ("reveal", "waiting"):    "no_key   not_seated  no_commitment  no_commitment    no_commitment  not_seated",
    ("reveal", "playing"):    "no_key   not_seated  no_commitment  no_commitment    no_commitment  not_seated",
    ("reveal", "finished"):   "no_key   not_seated  no_commitment  no_commitment    no_commitment  not_seated",
    ("reveal", "abandoned"):  "no_key   not_seated  no_commitment  no_commitment    no_commitment  not_seated",
    ("decide", "waiting"):    "no_key   not_seated  not_started    not_started      not_started    not_seated",
    ("decide", "playing"):    "no_key   not_seated  not_your_turn  done             not_your_turn  not_seated",
    ("decide", "finished"):   "no_key   not_seated  over           over             over           not_seated",
    ("decide", "abandoned"):  "no_key   not_seated  over           over             over           not_seated",
    ("undo", "waiting"):      "no_key   not_seated  not_started    not_started      not_started    not_seated",
    ("undo", "playing"):      "no_key   not_seated  not_your_turn  nothing_to_undo  not_your_turn  not_seated",
    ("undo", "finished"):     "no_key   not_seated  over           over             over           not_seated",
    ("undo", "abandoned"):    "no_key   not_seated  over           over             over           not_seated",
    ("say", "waiting"):       "no_key   not_seated  done           done             done           not_seated",
    ("say", "playing"):       "no_key   not_seated  done           done             done           not_seated",
    ("say", "finished"):      "no_key   not_seated  done           done             done           not_seated",
    ("say", "abandoned"):     "no_key   not_seated  done           done             done           not_seated",
    ("mute", "waiting"):      "no_key   not_seated  done           done             done           not_seated",
    ("mute", "playing"):      "no_key   not_seated  done           done             done           not_seated",
    ("mute", "finished"):     "no_key   not_seated  done           done             done           not_seated",
    ("mute", "abandoned"):    "no_key   not_seated  done           done             done           not_seated",
    ("pace", "waiting"):      "no_key   not_seated  not_host       not_host         not_started    not_started",
    ("pace", "playing"):      "no_key   not_seated  not_host       not_host         done           done",
    ("pace", "finished"):     "no_key   not_seated  not_host       not_host         over           over",
    ("pace", "abandoned"):    "no_key   not_seated  not_host       not_host         over           over",
    ("skip", "waiting"):      "no_key   not_seated  not_host       not_host         not_started    not_seated",
    ("skip", "playing"):      "no_key   not_seated  not_host       not_host         done           not_seated",
    ("skip", "finished"):     "no_key   not_seated  not_host       not_host         over           not_seated",
    ("skip", "abandoned"):    "no_key   not_seated  not_host       not_host         over           not_seated",
    ("leave", "waiting"):     "no_key   not_seated  done           done             done           not_seated",
    ("leave", "playing"):     "no_key   not_seated  done           done             done           not_seated",
    ("leave", "finished"):    "no_key   not_seated  over           over             over           not_seated",
    ("leave", "abandoned"):   "no_key   not_seated  over           over             over           not_seated",
    ("return", "waiting"):    "no_key   not_seated  not_started    not_started      not_started    not_seated",
    ("return", "playing"):    "no_key   not_seated  same           same             same           not_seated",
    ("return", "finished"):   "no_key   not_seated  over           over             over           not_seated",
    ("return", "abandoned"):  "no_key   not_seated  over           over             over           not_seated",
    ("replace", "waiting"):   "no_key   not_seated  not_started    not_started      not_started    not_seated",
    ("replace", "playing"):   "no_key   not_seated  not_silent     not_silent       not_silent     not_seated",
    ("replace", "finished"):  "no_key   not_seated  over           over             over           not_seated",
    ("replace", "abandoned"): "no_key   not_seated  over           over             over           not_seated",
    ("abandon", "waiting"):   "no_key   not_seated  not_host       not_host         done           done",
    ("abandon", "playing"):   "no_key   not_seated  done           done             done           not_seated",
    ("abandon", "finished"):  "no_key   not_seated  same           same             same           same",
    ("abandon", "abandoned"): "no_key   not_seated  same           same             same           same",
    ("rematch", "waiting"):   "no_key   not_seated  not_over       not_over         not_over       not_over",
    ("rematch", "playing"):   "no_key   not_seated  not_over       not_over         not_over       not_over",
    ("rematch", "finished"):  "no_key   not_seated  done           done             done           done",
    ("rematch", "abandoned"): "no_key   not_seated  not_over       not_over         not_over       not_over",
}  # fmt: skip

# Away from tables: what a stranger gets, and what everybody with a key gets. Where a server has a board editor: test_editor.py.
ELSEWHERE = {
    ("GET", "/health"):                  (200, 200),
    ("GET", "/api/openapi.json"):        (200, 200),
    ("GET", "/api/about"):               (200, 200),
    ("GET", "/api/games/{game}"):        (200, 200),
    ("GET", "/api/games/{game}/layout"): (200, 200),
    ("GET", "/api/games/{game}/ground/{theme}"): (200, 200),
    ("GET", "/api/games/{game}/rules/{language}"): ("not_found", "not_found"),
    ("GET", "/api/tables"):              (200, 200),
    ("GET", "/api/my/tables"):           ("no_key", 200),
    ("POST", "/api/tables"):             ("no_key", 201),
    ("POST", "/api/replay"):             (200, 200),
    ("GET", "/api/editor"):              ("no_key", "not_found"),
    ("PUT", "/api/editor"):              ("no_key", "not_found"),
    ("GET", "/api/editor/geography"):    ("no_key", "not_found"),
    ("GET", "/api/editor/picture"):      ("no_key", "not_found"),
    ("PUT", "/api/editor/picture"):      ("no_key", "not_found"),
    ("GET", "/api/editor/export"):       ("no_key", "not_found"),
    ("POST", "/api/editor/import"):      ("no_key", "not_found"),
    ("POST", "/api/editor/play"):        ("no_key", "not_found"),
    ("GET", "/api/editor/report"):       ("no_key", "not_found"),
    ("POST", "/api/editor/report"):      ("no_key", "not_found"),
    ("DELETE", "/api/editor/report"):    ("no_key", "not_found"),
    ("GET", "/api/editor/report/{name}"): ("not_found", "not_found"),
    ("GET", "/"):                        (200, 200),
    ("GET", "/edit"):                    (200, 200),
    ("GET", "/t/{table}"):               (200, 200),
    ("GET", "/replay"):                  (200, 200),
    ("GET", "/replay/{table}"):          (200, 200),
    ("GET", "/rules/{game}"):            (200, 200),
    ("GET", "/icon.svg"):                (200, 200),
    ("GET", "/icons/{name}.png"):        (200, 200),
    ("GET", "/manifest/{language}.webmanifest"): (200, 200),
    ("GET", "/sw.js"):                   (200, 200),
    ("GET", "/assets/{name}"):           (200, 200),
    ("GET", "/assets/{name}.woff2"):     (200, 200),
}  # fmt: skip


@pytest.fixture(scope="module")
def inside(tmp_path_factory):
    with running_inside(tmp_path_factory.mktemp("roles")) as running:
        yield running


@pytest.fixture(scope="module")
def shared():
    """Tables at which nothing is done, so that they can serve for many refusals."""
    return {}


@pytest.fixture(scope="module")
def originals(inside):
    """One table of each status: host, own and other sit on the seats 0, 1 and 2, and own alone is asked."""
    waiting = inside.new_table(KEYS["host"], seats=["person"] * 4, first_seat=SEATS["own"], grace_seconds=86400)
    for role in ("own", "other"):
        assert ask(inside, waiting, "join", {"name": role, "seat": SEATS[role]}, KEYS[role]).status_code == 200
    opening = inside.copy(waiting)
    assert ask(inside, opening, "join", {"name": "fourth"}, FOURTH).status_code == 200
    playing = inside.copy(opening, lambda table: table.choosers == [SEATS["own"]])
    finished, abandoned = inside.copy(playing, lambda table: table.status == FINISHED), inside.copy(playing)
    for key in sitting():
        assert ask(inside, abandoned, "abandon", {}, key).status_code == 200
    return dict(zip(STATUSES, (waiting, playing, finished, abandoned), strict=True))


def sitting():
    return [KEYS["host"], KEYS["own"], KEYS["other"], FOURTH]


def ask(inside: Inside, table, command, body, key):
    return inside.post(f"/api/tables/{table}/{command}", body, key)


def state(inside: Inside, table, key):
    return inside.get(f"/api/tables/{table}", key).json()["state"]


def table_for(inside: Inside, original, role, spectators=True):
    """A separate table to try something at."""
    settings = inside.header(original).settings | {"spectators": spectators}
    changes = {"host": hash_of(KEYS["landlord"])} if role == "landlord" else {}
    return inside.copy(original, settings=settings, **changes)


def shared_table(inside: Inside, shared, original, role, spectators):
    known = (original, role == "landlord", spectators)
    if known not in shared:
        shared[known] = table_for(inside, original, role, spectators)
    return shared[known]


def body_of(inside: Inside, table, command):
    """A request that would be granted to anybody entitled to it; a decision is one that the asked seat could make."""
    name = secrets.token_hex(8)
    if command in ("decide", "undo"):
        position = state(inside, table, KEYS["own"]).get("position", {})
        decision = {"decision": position.get("legal", ["draw"])[0]} if command == "decide" else {}
        return {"id": name, "question": position.get("question", 1)} | decision
    known = {
        "join": {"name": "Zoe"},
        "start": {"level": "easy"},
        "say": {"id": name, "phrase": "hello"},
        "mute": {"seat": 3},
        "replace": {"seat": 3},
        "pace": {"pace": 3},
        "reveal": {"number": "0" * 32},
    }
    return known.get(command, {})


def over_http(inside: Inside, table, command, role):
    """What a request leads to: done, or the code of the refusal, whose status must be the documented one."""
    response = ask(inside, table, command, body_of(inside, table, command), KEYS[role])
    return outcome(response, r.Rematched if command == "rematch" else r.Done)


def outcome(response, model):
    if response.status_code in (200, 201):
        model.model_validate(response.json())
        return "done"
    refusal = r.Refusal.model_validate(response.json())
    assert response.status_code == REFUSALS[refusal.code]
    return refusal.code


def over_a_socket(inside: Inside, table, command, role):
    message = {"type": command} | body_of(inside, table, command)
    with inside.live(table, KEYS[role]) as talk:
        first = talk.hear()
        if first["type"] == "refused":
            return live_replies.LiveRefusal.model_validate(first).code
        answer = talk.ask(message)
    if answer["type"] == "done":
        assert live_replies.LiveDone.model_validate(answer).id == message.get("id")
        return "done"
    return live_replies.LiveRefusal.model_validate(answer).code


def may_watch(role, spectators, status):
    return spectators or status == "waiting" or role not in ("stranger", "watcher")


# the tables above are complete


def routes_of(routes):
    for route in routes:
        inner = getattr(route, "original_router", None)
        yield from [route] if inner is None else routes_of(inner.routes)


def test_every_endpoint_has_its_row(inside):
    found = {(method, route.path) for route in routes_of(inside.app.routes) for method in getattr(route, "methods", None) or ["LIVE"]}
    at_tables = {("GET", path) for path in (*LOOK_AT.values(), *ADVICE_AT.values())}
    at_tables |= {("POST", f"/api/tables/{{table}}/{command}") for command, _ in ASKS}
    expected = set(ELSEWHERE) | at_tables | {("LIVE", "/api/tables/{table}/live")}
    expected |= {("HEAD", path) for path in ("/api/openapi.json", *ADDRESSES)}
    assert found == expected


def test_every_message_has_a_row_for_every_status():
    assert set(ASKS) == {(command, status) for command in COMMANDS for status in STATUSES}
    assert all(len(row.split()) == len(ROLES) for row in ASKS.values())


# the matrix


@pytest.mark.parametrize("spectators", [True, False], ids=["watched", "unwatched"])
@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("look", LOOKS)
def test_who_may_look_at_a_table(inside, originals, shared, look, status, spectators):
    for role in ROLES:
        table = shared_table(inside, shared, originals[status], role, spectators)
        before = inside.log(table)
        expected = LOOKS[look][status] if may_watch(role, spectators, status) else "not_watched"
        assert looked(inside, table, look, role) == expected, role
        assert inside.log(table) == before


def looked(inside: Inside, table, look, role):
    if look == "hello":
        with inside.live(table, KEYS[role]) as talk:
            first = talk.hear()
        if first["type"] == "refused":
            return live_replies.LiveRefusal.model_validate(first).code
        assert live_replies.LiveSnapshot.model_validate(first).state.you == SEATS.get(role)
        return "ok"
    response = inside.get(LOOK_AT[look].format(table=table), KEYS[role])
    if response.status_code != 200:
        return outcome(response, r.Refusal)
    if look in ("see", "events"):
        assert response.json()["state"].get("you") == SEATS.get(role)
    return "ok"


@pytest.mark.parametrize("spectators", [True, False], ids=["watched", "unwatched"])
@pytest.mark.parametrize(("what", "status"), ADVICE, ids=lambda word: word)
def test_who_may_ask_about_the_own_game(inside, originals, shared, what, status, spectators):
    for role, expected in zip(ROLES, ADVICE[what, status].split(), strict=True):
        table = shared_table(inside, shared, originals[status], role, spectators)
        before = inside.log(table)
        response = inside.get(ADVICE_AT[what].format(table=table), KEYS[role], params={"decision": "draw train"} if what == "why" else {})
        found = outcome(response, ADVISED[what])
        assert found == ("done" if expected == "ok" else expected), role
        assert inside.log(table) == before


WAYS = [(over_http, True), (over_http, False), (over_a_socket, True), (over_a_socket, False)]


def ways_to_ask():
    """Every command in every status over HTTP and over a socket: one at a watched table, the other at an unwatched one; the soak asks all."""
    for number, (command, status) in enumerate(ASKS):
        turned = (number + number // len(STATUSES)) % 2  # so that each command and each status meets all four
        for way, spectators in WAYS if SOAK else [WAYS[turned], WAYS[3 - turned]]:
            watched = "watched" if spectators else "unwatched"
            yield pytest.param(command, status, way, spectators, id=f"{command}-{status}-{way.__name__}-{watched}")


@pytest.mark.parametrize(("command", "status", "way", "spectators"), [*ways_to_ask()])
def test_who_may_ask_for_what(inside, originals, shared, command, status, way, spectators):
    for role, expected in zip(ROLES, ASKS[command, status].split(), strict=True):
        find = table_for if expected == "done" else partial(shared_table, shared=shared)
        table = find(inside, original=originals[status], role=role, spectators=spectators)
        before = inside.log(table)
        shut_out = way is over_a_socket and not may_watch(role, spectators, status)
        wanted = "not_watched" if shut_out else expected
        found = way(inside, table, command, role)
        assert found == ("done" if wanted in ("done", "same") else wanted), role
        after = inside.log(table)
        assert after[: len(before)] == before
        if wanted != "done":
            assert len(after) == len(before), f"{role} was told {wanted}, and yet something was written"
        else:
            own_seat = SEATS.get(role, 3 if command == "join" else None)
            assert after[len(before)].seat in (own_seat, None), "the seat comes from the key"


@pytest.mark.parametrize("status", STATUSES)
def test_whoever_is_let_in_may_ping(inside, originals, status):
    for role in ROLES:
        with inside.live(table_for(inside, originals[status], role), KEYS[role]) as talk:
            assert talk.ask({"type": "ping"}) == {"type": "pong"}


def asset_for(path):
    """The name of a file that the address can be asked for; of a report, one that there is not."""
    if "/report/" in path:
        return "nothing"
    for kind, folder in ((".woff2", "assets"), (".png", "icons")):
        if path.endswith(kind):
            return next((CLIENT / folder).glob(f"*{kind}")).stem
    return next((CLIENT / "assets").glob("*.js")).name


@pytest.mark.parametrize(("method", "path"), ELSEWHERE)
def test_who_may_use_what_is_at_no_table(inside, originals, method, path):
    for role in ROLES:
        expected = ELSEWHERE[method, path][KEYS[role] is not None]
        body = {"game": "london", "seats": ["person", "person"], "name": "Zoe"}
        if path == "/api/replay":
            body = {"record": inside.get(f"/api/tables/{originals['finished']}/record").json()}
        address = path.format(game="london", table=originals["finished"], theme="dark", language="uk", name=asset_for(path))
        response = inside.ask(method, address, None if method == "GET" else body, KEYS[role])
        if isinstance(expected, str):
            assert outcome(response, r.Refusal) == expected
        else:
            assert response.status_code == expected


def test_my_tables_are_those_with_my_seat_or_of_which_i_am_host(inside):
    host, guest, stranger = new_key(), new_key(), new_key()
    table = inside.new_table(host)
    assert ask(inside, table, "join", {"name": "Guest"}, guest).status_code == 200
    mine = [[one["table"] for one in inside.get("/api/my/tables", key).json()["tables"]] for key in (host, guest, stranger)]
    assert mine == [[table], [table], []]


def test_only_open_tables_are_listed_and_nothing_of_a_game_is(inside):
    host = new_key()
    listed, hidden = inside.new_table(host, open=True), inside.new_table(host, open=False)
    found = {one["table"]: one for one in inside.get("/api/tables").json()["tables"]}
    assert listed in found
    assert hidden not in found
    assert not {"position", "seed", "commitment", "host"} & set(found[listed])


# the seat comes from the key


@pytest.mark.parametrize("field", ["seat", "key", "you", "viewer"])
def test_a_message_that_names_its_seat_is_malformed(inside, originals, field):
    """Even if it comes from the seat that it names."""
    table = table_for(inside, originals["playing"], "own")
    before = inside.log(table)
    for role in ("other", "own"):
        body = body_of(inside, table, "decide") | {field: KEYS["own"] if field == "key" else SEATS["own"]}
        assert outcome(ask(inside, table, "decide", body, KEYS[role]), r.Done) == "malformed"
        with inside.live(table, KEYS[role]) as talk:
            assert talk.ask({"type": "decide"} | body)["code"] == "malformed"
    assert inside.log(table) == before


def test_a_seat_named_beside_the_message_is_not_looked_at(inside, originals):
    table = table_for(inside, originals["playing"], "own")
    before = inside.log(table)
    headers = {"Authorization": f"Bearer {KEYS['other']}", "X-Seat": "1", "Cookie": f"seat=1; key={KEYS['own']}"}
    response = inside.http.post(f"/api/tables/{table}/decide?seat=1&key={KEYS['own']}", json=body_of(inside, table, "decide"), headers=headers)
    assert outcome(response, r.Done) == "not_your_turn"
    assert inside.log(table) == before


def test_a_name_for_a_message_is_its_seats_alone(inside, originals):
    """A seat's decision does not count as a repetition of another seat's with the same id."""
    table = table_for(inside, originals["playing"], "own")
    body = body_of(inside, table, "decide")
    assert outcome(ask(inside, table, "decide", body, KEYS["own"]), r.Done) == "done"
    again = inside.log(table)
    assert outcome(ask(inside, table, "decide", body, KEYS["own"]), r.Done) == "done"
    assert outcome(ask(inside, table, "decide", body, KEYS["host"]), r.Done) == "not_your_turn"
    assert inside.log(table) == again


def test_a_seat_takes_back_its_own_decision_and_no_other_seat_does(inside, originals):
    """In the opening everybody chooses at the same time, ticket by ticket, and may think again until all have chosen."""
    waiting = table_for(inside, originals["waiting"], "own")
    assert ask(inside, waiting, "join", {"name": "fourth"}, FOURTH).status_code == 200
    position = state(inside, waiting, KEYS["own"])["position"]
    body = {"id": "first", "question": position["question"], "decision": position["legal"][0]}
    assert outcome(ask(inside, waiting, "decide", body, KEYS["own"]), r.Done) == "done"
    own = state(inside, waiting, KEYS["own"])["position"]
    assert own["can_undo"]
    others = state(inside, waiting, KEYS["other"])["position"]
    assert outcome(ask(inside, waiting, "undo", {"id": "back", "question": others["question"]}, KEYS["other"]), r.Done) == "nothing_to_undo"
    assert outcome(ask(inside, waiting, "undo", {"id": "back", "question": own["question"]}, KEYS["own"]), r.Done) == "done"
    assert state(inside, waiting, KEYS["own"])["position"]["legal"] == position["legal"]


# records


@pytest.mark.parametrize("status", ["playing", "abandoned"])
@pytest.mark.parametrize("role", ROLES)
def test_the_record_of_a_game_that_was_not_played_out_is_redacted_for_its_viewer(inside, originals, role, status):
    table = table_for(inside, originals[status], role)
    record = inside.get(f"/api/tables/{table}/record", KEYS[role]).json()
    assert "seed" not in record
    assert "decisions" not in record
    dealt = [event for event in record["events"] if event["event"] == "deal"]
    assert [event["seat"] for event in dealt if "cards" in event] == ([SEATS[role]] if role in SEATS else [])


@pytest.mark.parametrize("role", ROLES)
def test_the_record_of_a_finished_game_is_whole_for_everybody_and_keeps_its_promise(inside, originals, role):
    table = table_for(inside, originals["finished"], role)
    record = inside.get(f"/api/tables/{table}/record", KEYS[role]).json()
    shown = state(inside, table, KEYS[role])
    assert record["seed"] == shown["seed"]
    assert record["decisions"]
    assert hashlib.sha256(record["seed"].encode()).hexdigest() == shown["commitment"] == record["commitment"]
    assert all("cards" in event for event in record["events"] if event["event"] == "deal")


def test_a_table_closed_before_its_game_has_no_record(inside, originals):
    table = table_for(inside, originals["waiting"], "host")
    assert outcome(ask(inside, table, "abandon", {}, KEYS["host"]), r.Done) == "done"
    assert outcome(inside.get(f"/api/tables/{table}/record", KEYS["host"]), r.Refusal) == "not_started"


# a socket that is open while the role of its key changes


def heard_until_quiet(talk):
    heard = []
    with suppress(TimeoutError):
        while True:
            heard.append(talk.hear(0.3))
    return heard


def shown_cards(heard):
    """Every hand and deal that was shown, by seat."""
    seats = set()
    for message in heard:
        told = message.get("patch") or message.get("state") or {}
        seats |= {int(seat) for seat, facts in told.get("position", {}).get("seats", {}).items() if "hand" in facts}
        seats |= {event["seat"] for event in message.get("events", []) + message.get("recent", []) if event["event"] == "deal" and "cards" in event}
    return seats


def test_who_rose_from_a_seat_is_not_shown_the_cards_of_the_next_on_it(inside):
    host, first, second = new_key(), new_key(), new_key()
    table = inside.new_table(host, seats=["person"] * 3)
    assert ask(inside, table, "join", {"name": "First"}, first).status_code == 200
    with inside.live(table, first) as talk:
        assert talk.hear()["state"]["you"] == 1
        assert ask(inside, table, "leave", {}, first).status_code == 200
        assert ask(inside, table, "join", {"name": "Second"}, second).json()["seat"] == 1
        assert ask(inside, table, "start", {}, host).status_code == 200
        assert shown_cards(heard_until_quiet(talk)) == set()


def test_that_holds_as_well_when_another_server_process_did_it_all_at_once(inside):
    """This process reads in one go that one person rose, another sat down and the game began."""
    host, first, second = new_key(), new_key(), new_key()
    store = inside.service.tables.store
    waiting = inside.new_table(host, seats=["person"] * 3)
    assert ask(inside, waiting, "join", {"name": "First"}, first).status_code == 200
    with inside.live(waiting, first) as talk:
        assert talk.hear()["state"]["you"] == 1
        twin = Table(inside.header(waiting))
        for one in inside.log(waiting):
            twin.apply(one)
        for kind, seat, body in (
            (RISE, 1, {"key": hash_of(first)}),
            (SIT, 1, {"name": "Second", "key": hash_of(second)}),
            (START, None, {"bots": {"2": "easy"}}),
        ):
            new = entry(twin, kind, twin.changed_at, seat, **body)
            twin.apply(new)
            assert inside.call(store.append(twin.header, new, Summary(twin.status, False, None)))
        inside.call(inside.service.tables.refresh(None))
        assert shown_cards(heard_until_quiet(talk)) == set()


def test_who_sat_down_by_another_way_sees_the_own_cards_on_a_socket_that_was_open(inside):
    host, guest = new_key(), new_key()
    table = inside.new_table(host)
    with inside.live(table, guest) as talk:
        assert "you" not in talk.hear()["state"]
        assert ask(inside, table, "join", {"name": "Guest"}, guest).status_code == 200
        assert shown_cards(heard_until_quiet(talk)) == {1}


def test_a_stranger_at_a_table_for_its_players_only_sees_nothing_more_once_its_game_begins(inside):
    host, guest, watcher = new_key(), new_key(), new_key()
    table = inside.new_table(host, spectators=False)
    with inside.live(table, None) as stranger, inside.live(table, watcher) as watching:
        for talk in (stranger, watching):
            assert talk.hear()["state"]["status"] == "waiting"
        assert ask(inside, table, "join", {"name": "Guest"}, guest).status_code == 200
        for talk in (stranger, watching):
            heard = []
            with suppress(ConnectionClosed):
                while True:
                    heard.append(talk.hear(5))
            assert not any("position" in (message.get("patch") or message.get("state") or {}) for message in heard)
            assert talk.socket.close_code == 1008
