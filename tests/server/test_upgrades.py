"""Servers are upgraded one after the other while people play: nothing is lost, and nobody does more than connect again."""

import asyncio
import random
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from branchline import Game
from tests.server.running import Guest, ServerProcess, new_key

NEXT_VERSION = Path(__file__).with_name("next_version.py")
TRY_LATER = 1013


def old_server(url, folder):
    return ServerProcess(url, folder)


def new_server(url, folder):
    server = ServerProcess(url, folder)
    server.program = [str(NEXT_VERSION)]
    return server


def bearer(key):
    return {"authorization": f"Bearer {key}"}


def open_table(server, keys):
    body = {"game": "london", "seats": ["person", "person"], "name": "Ann"}
    table = httpx.post(f"{server.url}/api/tables", json=body, headers=bearer(keys[0])).raise_for_status().json()["table"]
    httpx.post(f"{server.url}/api/tables/{table}/join", json={"name": "Bob"}, headers=bearer(keys[1])).raise_for_status()
    return table


def state_of(server, table, key):
    return httpx.get(f"{server.url}/api/tables/{table}", headers=bearer(key))


class Played:
    """Two people at a table, and every decision of theirs that was acknowledged."""

    def __init__(self, server):
        self.keys, self.rng = [new_key(), new_key()], random.Random(1)
        self.table, self.decided = open_table(server, self.keys), []

    def play(self, server, decisions=4):
        """Play on through a server, for as many decisions or to the end."""
        with httpx.Client(base_url=f"{server.url}/api/tables") as client:
            while decisions:
                states = {key: client.get(f"/{self.table}", headers=bearer(key)).raise_for_status().json()["state"] for key in self.keys}
                if states[self.keys[0]]["status"] != "playing":
                    return
                key, position = next((key, seen["position"]) for key, seen in states.items() if "question" in seen["position"])
                decision = self.rng.choice(position["legal"])
                asked = {"id": f"d{len(self.decided)}", "question": position["question"], "decision": decision}
                client.post(f"/{self.table}/decide", json=asked, headers=bearer(key)).raise_for_status()
                self.decided.append(decision)
                decisions -= 1

    def say_hello(self, server):
        httpx.post(f"{server.url}/api/tables/{self.table}/say", json={"id": "h", "phrase": "hello"}, headers=bearer(self.keys[0])).raise_for_status()

    def record(self, server):
        return httpx.get(f"{server.url}/api/tables/{self.table}/record").raise_for_status().json()


async def until_closed(guest):
    try:
        while True:
            await guest.hear(10)
    except ConnectionClosed as closed:
        return closed.rcvd.code, closed.rcvd.reason


@pytest.mark.soak("it starts four servers; test_refusals.py asks an old one after a newer version has written")
@pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)
def test_servers_are_upgraded_one_after_the_other(database_url, tmp_path):
    with ExitStack() as running:
        first, second, third, fourth = (make(database_url, tmp_path) for make in (old_server, old_server, new_server, new_server))
        for server in (first, second, third, fourth):
            running.callback(lambda server=server: server.process is not None and server.stop())
        first.start(), second.start()
        games = [Played(first), Played(second)]
        for game in games:
            game.play(first), game.play(second)
        second.stop()
        third.start()  # migrates the database while the first one goes on
        for game in games:
            game.play(first), game.play(third)

        async def somebody_waves():
            watching = Guest(first.url, games[1].table, games[1].keys[1])
            await watching.connect()
            await asyncio.to_thread(games[1].say_hello, third)
            assert await until_closed(watching) == (TRY_LATER, "newer_version")
            await watching.connect()
            assert await until_closed(watching) == (TRY_LATER, "newer_version")  # not for good: a proxy may choose another server next time
            watching.server = third.url
            await watching.connect()  # with its cursor, so that it misses nothing
            assert watching.events[-1]["event"] == "say"
            await watching.close()

        asyncio.run(somebody_waves())
        refused = state_of(first, games[1].table, games[1].keys[0])
        assert (refused.status_code, refused.json()["code"]) == (503, "newer_version")
        assert int(refused.headers["retry-after"]) > 0
        games[0].play(first)  # where nothing new was written, the old one goes on
        games[1].play(third)
        first.stop()
        fourth.start()
        for game in games:
            game.play(third), game.play(fourth, -1)
            numbers = Game("london", 2).number
            assert game.record(fourth)["decisions"] == [numbers(decision) for decision in game.decided]
