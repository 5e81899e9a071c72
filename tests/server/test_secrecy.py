"""G-2 over the wire: whatever a viewer is sent is the same, byte for byte, in worlds that differ only in what the viewer may not know."""

import asyncio
import json
import random
from collections import Counter
from urllib.parse import quote

import pytest
from pydantic_core import to_json

from branchline import load_board
from branchline.server.app import create_app
from branchline.server.protocol.keys import hash_of
from branchline.server.service import listed
from branchline.server.settings import Settings
from branchline.server.store.entries import DECIDE, PLAYING, Entry
from branchline.server.tables.publishing import Publisher, Reader
from tests.conftest import LONG, SOAK
from tests.server.worlds import KEYS, key_of, new_table, random_play, twin_table
from tests.table import give
from tests.twins import expected_phases

PARTS = range(3 if LONG else 1)  # side by side
PAIRS = 3_334 if LONG else 150 if SOAK else 10  # of each game in each part, over all numbers of seats
OF_A_PHASE = PAIRS if SOAK else 3  # at most
HINTS = 1.0 if LONG else 0.25  # in this share of the pairs, because they are slow

UNLIMITED = {f"{what}_per_minute": 10**9 for what in ("requests", "new_tables", "chat", "hints", "replays")} | {"entries_per_hour": 10**9}

# the common phases: a share
LOOKED_AT = {"action": 0.05, "second card": 0.03, "tickets offered": 0.03, "fill": 0.05, "payment": 0.15, "placing": 0.15, "opening tickets": 0.2}


async def call(app, method, path, key, body=None):
    """One request, without a network: status, headers and body as they would go out."""
    sent = b"" if body is None else json.dumps(body).encode()
    headers = [(b"host", b"test"), (b"content-type", b"application/json"), (b"content-length", str(len(sent)).encode())]
    if key is not None:
        headers.append((b"authorization", b"Bearer " + key.encode()))
    target, _, query = path.partition("?")
    scope = {"type": "http", "http_version": "1.1", "method": method, "path": target, "raw_path": target.encode(), "query_string": query.encode()}
    scope |= {"headers": headers, "client": ("test", 1), "server": ("test", 80), "scheme": "http", "root_path": "", "asgi": {"version": "3.0"}}
    told = []

    async def receive():
        return {"type": "http.request", "body": sent, "more_body": False}

    async def send(message):
        told.append((message.get("status"), message.get("headers"), message.get("body")))

    await app(scope, receive, send)
    return told


def requests_of(table, viewer, rng):
    """What the viewer may ask for, with answers that change nothing: read requests, and requests that are refused."""
    path = f"/api/tables/{table.header.id}"
    board = table.game.board
    question = table.questions.get(viewer, 0) if viewer is not None else 0
    legal = set(table.state.view(viewer).legal) if viewer is not None else set()
    wrong = [number for number in rng.sample(range(int(board.record.starts[-1])), 6) if number not in legal]
    yield "GET", path, None
    yield "GET", f"{path}/events?after={rng.randrange(len(table.streams[viewer]) + 2)}", None
    yield "GET", f"{path}/record", None
    for number in wrong[:3]:
        yield "POST", f"{path}/decide", {"id": "x", "question": question, "decision": number}
        yield "GET", f"{path}/why?decision={quote(table.game.text(number))}", None
    looks = ("hint", "count", "replay?seat=0")
    for look in looks if rng.random() < HINTS else looks[1:]:
        yield "GET", f"{path}/{look}", None
    yield "POST", f"{path}/decide", {"id": "x", "question": question + 1, "decision": 0}
    if viewer is None or not table.state.may_undo(viewer) or viewer not in table.questions:
        yield "POST", f"{path}/undo", {"id": "x", "question": question}
    yield "POST", f"{path}/say", {"id": "x", "text": "\u200b"}
    yield "POST", f"{path}/rematch", {}
    yield "POST", f"{path}/start", {}
    yield "POST", f"{path}/reveal", {"number": "0" * 32}


def live_bytes(table, viewer, after):
    """What a socket is sent at hello."""
    reader = Reader(table.header.id, key_of(viewer), viewer, 10)
    Publisher().subscribe(table, reader, after)
    return reader.queue.get_nowait()


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", PARTS)
def test_g_2_what_goes_over_the_wire_is_the_same_in_twin_worlds(game, part, tmp_path):
    """Snapshots, events, records, legal choices, reasons, hints, refusals, lists and headers, in every phase."""
    fewest, most = load_board(game).players
    phases = expected_phases(load_board(game)) - {"over"} | {"payment" if load_board(game).routes else "placing"}
    seen, differing = Counter(), 0
    rng = random.Random(f"twins {game} {part}")

    async def compare(app, table, viewer):
        nonlocal differing
        key = KEYS[viewer] if viewer is not None else rng.choice((None, "a-spectator-with-a-key-of-its-own"))
        twin = twin_table(table, viewer, rng)
        tables = app.state.service.tables._tables
        for method, path, body in list(requests_of(table, viewer, rng)):
            tables[table.header.id] = table
            ours = await call(app, method, path, key, body)
            tables[table.header.id] = twin
            assert await call(app, method, path, key, body) == ours, (method, path, body)
        after = rng.choice((None, rng.randrange(len(table.streams[viewer]) + 1)))
        assert live_bytes(table, viewer, after) == live_bytes(twin, viewer, after)
        hashed = hash_of(key) if key is not None else None
        assert to_json(listed(table, hashed)) == to_json(listed(twin, hashed))
        seen[table.state.phase] += 1
        differing += table.state.records.tobytes() != twin.state.records.tobytes()

    async def whole():
        app = create_app(Settings(f"sqlite:///{tmp_path / 'games.db'}", longest_wait=60.0, **UNLIMITED))
        async with app.router.lifespan_context(app):
            while not app.state.service.ready.is_set():
                await asyncio.sleep(0.01)
            seed = 10_000 * part
            while sum(seen.values()) < PAIRS or not phases <= set(seen):
                for table in random_play(game, rng.randint(fewest, most), seed):
                    if table.status == PLAYING and seen[table.state.phase] < OF_A_PHASE and rng.random() < LOOKED_AT.get(table.state.phase, 1.0):
                        await compare(app, table, rng.choice([*table.state.seats, None]))
                seed += 1

    asyncio.run(whole())
    print(f"{sum(seen.values())} pairs, {differing} differ, {dict(seen)}")
    assert differing > 0.9 * sum(seen.values())


def told(table, viewer, entries):
    """What a viewer's socket is sent while entries are written."""
    publisher, reader = Publisher(), Reader(table.header.id, key_of(viewer), viewer, 1000)
    publisher.subscribe(table, reader, None)
    for one in entries:
        table.apply(Entry(table.last_entry + 1, DECIDE, 1.0, *one))
        publisher.publish(table)
    return [reader.queue.get_nowait() for _ in range(reader.queue.qsize())]


def test_g_2_how_often_another_has_decided_does_not_show_in_the_numbers():
    """Two of four opening tickets must be kept. A player who returns two has thereby decided everything; one who keeps decides about each."""
    sent = []
    for choices in (("return", "return"), ("keep", "keep", "return", "return"), ("keep", "return", "keep", "return")):
        table = new_table("europe", 3, 5)
        entries = []
        for choice, ticket in zip(choices, table.state.offer(1), strict=False):
            entries.append((1, {"decision": table.game.number(f"{choice} {ticket}")}))
        sent.append([told(new_table("europe", 3, 5), viewer, entries) for viewer in (0, 2, None)])
    assert sent[0] == sent[1] == sent[2]
    assert len(sent[0][0]) == 2  # where it stood, and that seat 1 has chosen


def test_g_2_that_another_could_have_paid_otherwise_does_not_show():
    """A grey route of two is paid with red: in one step by a player with nothing else, in two by a player with a choice."""
    sent = []
    for hand, payment in (("red red green white", []), ("red red blue blue", ["pay red"])):
        table = new_table("europe", 2, 5)
        while table.state.is_at_once:
            seat = table.choosers[0]
            table.apply(Entry(table.last_entry + 1, DECIDE, 1.0, seat, {"decision": table.state.view(seat).legal[0]}))
        actor = table.state.seat
        give(table.state, actor, hand)
        route = next(one for one in table.game.board.routes if (one.colour, one.length, one.tunnel, one.ferry) == ("gray", 2, False, 0))
        sent.append(told(table, 1 - actor, [(actor, {"decision": table.game.number(text)}) for text in (f"claim {route.id}", *payment)]))
    assert len(sent[0]) == 2
    assert [json.loads(message)["events"] for message in sent[0][1:]] == [json.loads(message)["events"] for message in sent[1][1:]]
    assert [json.loads(message)["cursor"] for message in sent[0]] == [json.loads(message)["cursor"] for message in sent[1]]


def test_the_twin_of_a_table_would_show_a_leak():
    """The comparison can fail: it does with a field that a viewer may not see."""
    table = new_table("europe", 2, 1)
    twin = twin_table(table, 0, random.Random(1))
    assert to_json(table.state.hand(1)) != to_json(twin.state.hand(1)) or table.state.tickets(1) != twin.state.tickets(1)
    assert table.header.seed != twin.header.seed
    assert table.seed != twin.seed
    table, twin = new_table("europe", 3, 1), twin_table(new_table("europe", 3, 1), 0, random.Random(1))
    assert [one.number == other.number for one, other in zip(table.seats, twin.seats, strict=True)] == [True, False, True]  # the last has shown none
    assert [event for _, event in table.happened] != [event for _, event in twin.happened]
    assert table.last_entry != twin.last_entry
