"""More than the server can do: many tables ask at once, and some guests use HTTP beside them."""

from __future__ import annotations

import json
import secrets
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from threading import Event, Thread
from typing import Any

from server_people import PeopleElsewhere, spread
from server_process import Server

EVERY = 0.05  # seconds
GUESTS = 10
OPENING_AT_ONCE = 8


def open_tables(server: Server, many: int, seats: int) -> list[tuple[str, list[str]]]:
    with ThreadPoolExecutor(OPENING_AT_ONCE) as pool:
        return list(pool.map(lambda _: server.open_table(["person"] * seats), range(many)))


class Guest(Thread):
    """Says something at a table twenty times a second, or as fast as the answers come."""

    def __init__(self, server: Server, table: str, key: str) -> None:
        super().__init__(daemon=True)
        self.server, self.path = server, f"/api/tables/{table}/say"
        self.headers = {"content-type": "application/json", "authorization": f"Bearer {key}"}
        self.has_gone = Event()
        self.answers: list[tuple[int, str | None, float]] = []  # status, Retry-After, seconds

    def run(self) -> None:
        while not self.has_gone.wait(EVERY):
            began = time.perf_counter()
            status, retry_after = self.say()
            self.answers.append((status, retry_after, time.perf_counter() - began))

    def say(self) -> tuple[int, str | None]:
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=120)
        try:
            connection.request("POST", self.path, json.dumps({"id": secrets.token_hex(8), "text": "hello"}), self.headers)
            response = connection.getresponse()
            response.read()
            return response.status, response.getheader("retry-after")
        except OSError:
            return 0, None
        finally:
            connection.close()

    def go(self) -> list[tuple[int, str | None, float]]:
        self.has_gone.set()
        self.join()
        return self.answers


def report(answers: list[tuple[int, str | None, float]]) -> dict[str, Any]:
    return {
        "answers": {f"{status}": count for status, count in Counter(status for status, _, _ in answers).items()},
        "retry after": sorted({after for status, after, _ in answers if status == 503 and after is not None}),
        "served": spread(seconds for status, _, seconds in answers if status == 200),
        "refused": spread(seconds for status, _, seconds in answers if status == 503),
    }


def crowded(server: Server, tables: int, seats: int, rate: float, seconds: float) -> dict[str, Any]:
    """All these tables on a schedule that the server cannot keep up with; returns what became of it, and what the guests were answered."""
    crowd = PeopleElsewhere(server.port, open_tables(server, tables, seats))
    crowd.do("come")
    guests = [Guest(server, name, keys[0]) for name, keys in open_tables(server, GUESTS, seats)]
    for guest in guests:
        guest.start()
    played = crowd.played("play", slice(None), rate, seconds)
    answers = [answer for guest in guests for answer in guest.go()]
    crowd.do("go")
    return played | {"over HTTP": report(answers)}
