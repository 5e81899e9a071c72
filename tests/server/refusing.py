"""What tests of refusals share: who asks, a game to ask at, and what a refusal must look like."""

import time
from contextlib import contextmanager

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from branchline.server.http import endpoints as api
from branchline.server.http import live
from branchline.server.protocol import replies as r
from branchline.server.protocol.refusals import REFUSALS
from tests.server.inside import Inside, Talk
from tests.server.running import new_key

HOST, GUEST, WATCHER = new_key(), new_key(), new_key()


def new_game(inside: Inside):
    table = inside.new_table(HOST, first_seat=0, grace_seconds=86400)
    assert inside.post(f"/api/tables/{table}/join", {"name": "Guest"}, GUEST).status_code == 200
    return inside.copy(table, lambda table: table.choosers == [0])


def position(inside: Inside, table, key=HOST):
    return inside.get(f"/api/tables/{table}", key).json()["state"]["position"]


def code_of(response):
    """The code of a refusal, after checking everything around it."""
    refusal = r.Refusal.model_validate(response.json())
    assert response.status_code == REFUSALS[refusal.code]
    assert response.headers["content-type"] == "application/json"
    return refusal.code


@contextmanager
def nothing_changes(inside: Inside, table):
    before = inside.log(table)
    failures = inside.failures()
    yield
    assert inside.log(table) == before
    assert inside.failures() == failures


@contextmanager
def broken(monkeypatch):
    """Make a part of the server fail unexpectedly."""

    def fail(*_):
        raise ZeroDivisionError("a secret of the inside")

    with monkeypatch.context() as patch:
        patch.setattr(api, "all_games", fail)
        patch.setattr(live, "command_of", fail)
        yield


def until_refused(ask, most=200):
    """Ask again and again; returns how often it went well, and the refusal."""
    for number in range(most):
        answer = ask(number)
        refused = answer.status_code == 429 if isinstance(answer, httpx.Response) else answer["type"] == "refused"
        if refused:
            return number, answer
    raise AssertionError("no limit was ever reached")


def wait_until(happens, within=10.0):
    end = time.monotonic() + within
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.01)


def closed_with(talk: Talk):
    with pytest.raises(ConnectionClosed):
        talk.hear()
    return talk.socket.close_code
