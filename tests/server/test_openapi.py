"""The document and the server agree: requests made up from the document are answered as it says, and whole games are told in its words."""

import random
import re
import secrets
from itertools import chain
from operator import or_

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.core.parameters import ParameterLocation
from schemathesis.openapi.checks import AuthScenario, IgnoredAuth, RejectedPositiveData

from branchline import load_board
from branchline.boards.folders import shipped_boards
from branchline.design.layout.beginning import begin
from branchline.play.patches import patched
from branchline.server.app import create_app
from branchline.server.protocol import game_replies, live_replies, replies_after
from branchline.server.protocol import replies as r
from branchline.server.protocol.keys import TABLE
from branchline.server.store.entries import FINISHED
from tests.conftest import LONG, SOAK
from tests.server.inside import Inside, Talk, running_inside
from tests.server.running import new_key

KEY, OTHER = new_key(), new_key()
TOO_LONG = 431
EXAMPLES = 1000 if LONG else 100 if SOAK else 4
document = schemathesis.openapi.from_dict(create_app().openapi())
document.config.phases.coverage.enabled = SOAK  # 3,650 requests, one for each edge of each field
real: list[str] = []  # tables that exist
# what a document cannot say: these are refused although each field is valid
BEYOND_THE_DOCUMENT = ("bad_name", "bad_text", "bad_game", "no_such_seat", "not_a_decision", "bad_record", "bad_board", "not_editor")


@document.hook
def map_path_parameters(_context, path_parameters):
    """Made-up names of tables find none, so half of them are replaced by names of tables that exist."""
    table = (path_parameters or {}).get("table", "")
    if real and re.fullmatch(TABLE, str(table)) and ord(table[0]) % 2:
        path_parameters["table"] = real[ord(table[1]) % len(real)]
    return path_parameters


def in_whole_numbers(value, name=""):
    if isinstance(value, dict):
        return {key: in_whole_numbers(one, key) for key, one in value.items()}
    if isinstance(value, list):
        return [in_whole_numbers(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() and name != "pace" else value


@document.hook
def map_body(_context, body):
    """JSON Schema takes 4.0 for a whole number; the server wants it written as one, which no document can say. And no bot plays for long."""
    body = in_whole_numbers(body)
    if isinstance(body, dict):
        if isinstance(body.get("games"), int) and not isinstance(body["games"], bool):
            body["games"] = min(body["games"], 1)
        if isinstance(body.get("seats"), list):
            body["seats"] = ["easy" if seat in ("normal", "hard", "expert", "master") else seat for seat in body["seats"]]
    return body


@document.hook
def filter_failure(_context, failure, case, response):
    """Four things that are intended: see the comments."""
    if response.status_code == TOO_LONG:
        return False  # any address answers so, before the application is asked
    if isinstance(failure, IgnoredAuth) and failure.scenario != AuthScenario.NO_AUTH:
        return False  # people make up their keys, so any that looks like one is right
    if isinstance(failure, RejectedPositiveData):
        return response.json()["code"] not in BEYOND_THE_DOCUMENT
    if isinstance(failure, AcceptedNegativeData):
        return not only_lacks_what_we_add(case)
    return True


def only_lacks_what_we_add(case) -> bool:
    """Requests made up without a key are sent with one; names in the query that nobody asks for are left alone, as is usual on the web."""
    mutations = getattr(case.meta.phase.data, "mutations", ())
    lacks_key = [one.parameter_location == ParameterLocation.HEADER and "Authorization" in (one.parameter, one.original_value) for one in mutations]
    asks_more = [one.parameter_location == ParameterLocation.QUERY and one.keywords == ("additionalProperties",) for one in mutations]
    return bool(mutations) and all(map(or_, lacks_key, asks_more))


@pytest.fixture(scope="module")
def inside(tmp_path_factory):
    """With a board editor, so that its addresses answer, too."""
    folder = tmp_path_factory.mktemp("openapi")
    begin(folder / "isles")
    with running_inside(folder, editor=str(folder / "isles")) as running:
        yield running


def new_game(inside: Inside) -> str:
    table = inside.new_table(KEY, grace_seconds=86400)
    assert inside.post(f"/api/tables/{table}/join", {"name": "Other"}, OTHER).status_code == 200
    return table


@pytest.fixture(scope="module")
def finished(inside):
    return inside.copy(new_game(inside), lambda table: table.status == FINISHED)


@pytest.fixture
def tables(inside, finished):
    """One table of each status, new for each endpoint, except the finished one, at which little can be changed."""
    waiting = inside.new_table(KEY, seats=["person"] * 3, grace_seconds=86400)
    real[:] = [waiting, new_game(inside), finished]
    yield real
    real.clear()


def of_every_operation(examples):
    return settings(max_examples=examples, deadline=None, derandomize=not SOAK, suppress_health_check=list(HealthCheck))


@document.parametrize()
@pytest.mark.usefixtures("tables")
@of_every_operation(EXAMPLES)
@pytest.mark.timeout(3600)
def test_the_server_answers_as_documented_to_who_has_a_key(case, inside):
    case.call_and_validate(base_url=inside.url, headers={"Authorization": f"Bearer {KEY}"})
    assert inside.failures() == 0


@document.parametrize()
@pytest.mark.usefixtures("tables")
@of_every_operation(max(2, EXAMPLES // 4))
@pytest.mark.timeout(3600)
def test_the_server_answers_as_documented_to_strangers(case, inside):
    case.call_and_validate(base_url=inside.url)
    assert inside.failures() == 0


def test_the_document_has_one_type_for_every_message_of_the_server():
    schemas = create_app().openapi()["components"]["schemas"]
    told_apart = schemas["FromServer"]["discriminator"]
    assert told_apart["propertyName"] == "type"
    assert set(told_apart["mapping"]) >= {"snapshot", "update", "done", "refused", "view", "pong", "spectators", "notice"}
    assert set(told_apart["mapping"].values()) == {f"#/components/schemas/{name}" for name in schemas if name.startswith("Live")}


# whole games


LOOKS_EVERY = 40 if SOAK else 120  # moves; hints take their time
TO_THE_END = shipped_boards() if SOAK else ["card-game", "london"]  # of the others only the beginning
BEGINNING = 40  # moves


class Held:
    """A client that checks every message against its model, and the state that it patches together against the state's."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.state: dict = {}
        self.kinds: set[str] = set()

    def hear(self):
        message = self.talk.hear()
        live_replies.FromServer.model_validate(message)
        self.kinds.add(message["type"])
        if message["type"] == "snapshot":
            self.state = message["state"]
        elif message["type"] == "update":
            self.state = patched(self.state, message["patch"]) if "patch" in message else message["state"]
        r.TableState.model_validate(self.state)
        return message

    def ask(self, **message):
        self.talk.send(message)
        while (heard := self.hear())["type"] in ("snapshot", "update", "spectators"):
            pass
        return heard


@pytest.mark.sample(2)
@pytest.mark.timeout(3600)
def test_whole_games_are_told_in_the_documents_words(game, inside):
    """Two people and a watcher over sockets, with a look at what they see over HTTP now and then, and the rarer kinds of answers on the way."""
    for number in range(10 if SOAK else 1):
        play(inside, game, random.Random(f"{game} {number}"), number % 2 == 1)


def play(inside: Inside, game, rng, by_hand):
    keys = [new_key() for _ in range(load_board(game).players[0])]
    options = {"may_draw_one": by_hand, "look_into_own_pile": by_hand} if game == "card-game" else {}
    table = inside.new_table(keys[0], game=game, seats=["person"] * len(keys), options=options, turn_seconds=86400)
    with inside.live(table, keys[0]) as one, inside.live(table, keys[1]) as two, inside.live(table, None) as three:
        people, watcher = [Held(one), Held(two)], Held(three)
        for client in (*people, watcher):
            assert client.hear()["type"] == "snapshot"
        check_over_http(inside, table, keys)
        assert people[1].ask(type="join", name="Two")["type"] == "done"
        for client in (*people, watcher):
            while "position" not in client.state:
                client.hear()
        moves = 0
        while (seat := chooser(watcher, people, rng)) is not None and (game in TO_THE_END or moves < BEGINNING):
            moves += 1
            decide(people[seat], rng)
            if moves % LOOKS_EVERY == 1:
                check_over_http(inside, table, keys)
                assert people[seat].ask(type="decide", id="wrong", question=0, decision=0)["type"] == "refused"
                assert people[seat].ask(type="say", id=secrets.token_hex(8), phrase="hello")["type"] == "done"
        if game in TO_THE_END:
            end(people, watcher)
        assert all({"snapshot", "update", "pong"} <= client.kinds for client in (*people, watcher))
    check_over_http(inside, table, keys)


def end(people, watcher):
    """Everybody sees the result, and the table of the next game."""
    assert people[0].ask(type="rematch")["type"] == "done"
    for client in (*people, watcher):
        client.ask(type="ping")
        assert client.state["status"] == "finished"
        assert client.state["rematch"]
        assert client.state["result"]["winners"] is not None


def chooser(watcher, people, rng):
    """Who decides next, once everybody at the table has heard all the news."""
    for client in (watcher, *people):
        client.ask(type="ping")
    asked = [seat for seat, client in enumerate(people) if "question" in client.state["position"]]
    assert set(asked) == set(watcher.state["position"]["choosing"])
    return rng.choice(asked) if asked else None


def decide(client, rng):
    """A random decision, but routes are claimed if possible, so that games end. Now and then it is taken back and made again."""
    position = client.state["position"]
    claims = [text for text in position["legal"] if text.startswith("claim")]
    chosen = rng.choice(claims or position["legal"])
    assert client.ask(type="decide", id=secrets.token_hex(8), question=position["question"], decision=chosen)["type"] == "done"
    client.ask(type="ping")
    position = client.state["position"]
    if position.get("can_undo") and rng.random() < 0.2:
        assert client.ask(type="undo", id=secrets.token_hex(8), question=position["question"])["type"] == "done"


def check_over_http(inside: Inside, table, keys):
    """Every read request, by everybody."""
    for key in (*keys, None):
        r.Snapshot.model_validate(inside.get(f"/api/tables/{table}", key).json())
        for after in (0, 5, 10**6):
            r.Events.model_validate(inside.get(f"/api/tables/{table}/events?after={after}", key).json())
        r.Tables.model_validate(inside.get("/api/tables", key).json())
        for path, model in (
            ("why?decision=tickets", r.Why),
            ("hint", r.Hint),
            ("count", replies_after.Count),
            ("replay?seat=1", replies_after.Replay),
        ):
            response = inside.get(f"/api/tables/{table}/{path}", key)
            (model if response.status_code == 200 else r.Refusal).model_validate(response.json())
        if key is not None:
            r.Tables.model_validate(inside.get("/api/my/tables", key).json())


def test_the_facts_of_every_game_are_as_documented(game, inside):
    game_replies.GameFacts.model_validate(inside.get(f"/api/games/{game}").json())


def test_what_else_there_is_is_as_documented(inside):
    game_replies.About.model_validate(inside.get("/api/about").json())
    r.Health.model_validate(inside.get("/health").json())
    r.Refusal.model_validate(inside.get("/nothing").json())


def test_every_endpoint_is_in_the_document_with_what_it_refuses():
    paths = create_app().openapi()["paths"]
    operations = list(chain.from_iterable(methods.values() for methods in paths.values()))
    assert len(operations) >= 20
    for operation in operations:
        assert {"422", "429", "500"} <= set(operation["responses"])
