"""Anything at all over sockets and in bodies: it is answered with a known code, and changes only what was acknowledged."""

import asyncio
import json
import random
import secrets
import sqlite3
from collections import Counter
from contextlib import closing

import httpx
import pytest
import websockets

from branchline.server.protocol import live_replies
from branchline.server.protocol import replies as r
from branchline.server.protocol.messages import COMMANDS
from tests.conftest import LONG, SOAK
from tests.server.inside import bearer
from tests.server.refusing import GUEST, HOST, WATCHER, code_of

FRAMES = 100_000 if LONG else 15_000 if SOAK else 600


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
        "reveal": {"number": "0" * 32},
        "decide": {"id": name, "question": question, "decision": rng.choice(legal)},
        "undo": {"id": name, "question": question},
        "say": {"id": name, "text": "hello"},
        "mute": {"seat": rng.randrange(5), "muted": rng.random() < 0.5},
        "pace": {"pace": rng.choice((0, 0.01))},
        "skip": {},
        "leave": {},
        "return": {},
        "replace": {"seat": rng.randrange(5)},
        "abandon": {},
        "rematch": {},
        "ping": {},
    }
    assert set(bodies) == {*COMMANDS, "ping"}
    kind = rng.choice([*bodies, *bodies, *["decide"] * 12, *["return"] * 4])  # games should progress
    if kind == "abandon" and rng.random() < 0.9:
        kind = "ping"
    return {"type": kind} | bodies[kind]


WRITTEN_BY = {"sit": "join", "rise": "leave", "take_over": "leave"}  # entries with another name than the request


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
    return sum(float(line.split()[-1]) for line in server.figures().splitlines() if line.split(" ")[0].split("{")[0] == name)


def check_unharmed(server):
    assert metric(server, "branchline_failures_total") == 0
    logged = server.log.read_text()
    assert "Traceback" not in logged
    assert '"level": "error"' not in logged


@pytest.mark.timeout(3600)
def test_whatever_comes_over_a_socket_is_answered_and_changes_only_what_was_acknowledged(server):
    """How many sockets are needed: each accepts only a limited number of messages at a time."""
    asyncio.run(fuzz_sockets(server, FRAMES))
    check_unharmed(server)


async def fuzz_sockets(server, frames):
    rng = random.Random("frames")
    fuzzed = Fuzzed(server)
    sent, expected = 0, {"malformed", "not_seated", "no_key", "stale"}
    while sent < frames or (sent < 10 * frames and not expected <= set(fuzzed.codes)):
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
    assert expected <= set(fuzzed.codes)


async def fuzz_one_socket(fuzzed, key, seat, burst):
    url = f"{fuzzed.server.url.replace('http', 'ws')}/api/tables/{fuzzed.table}/live"
    async with websockets.connect(url, max_size=None) as opened:
        await opened.send(json.dumps({"type": "hello"} | ({} if key is None else {"key": key})))
        live_replies.LiveSnapshot.model_validate_json(await opened.recv())
        for one in burst:
            await opened.send(one)
        for one in burst:
            answer = await next_answer(opened)
            if answer["type"] == "refused":
                fuzzed.codes[answer["code"]] += 1
            elif answer["type"] == "done":
                fuzzed.count(json.loads(one)["type"], seat)


async def next_answer(opened):
    """Answers come in the order of what was sent; what happens in the meantime arrives between them."""
    while True:
        heard = json.loads(await asyncio.wait_for(opened.recv(), 30))
        live_replies.FromServer.model_validate(heard)
        if heard["type"] in ("done", "refused", "pong"):
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
