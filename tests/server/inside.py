"""A server inside the tests' own process: every limit can be set, its store can be looked into, and parts of it can be made to fail."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import httpx
import structlog
import uvicorn
from websockets.sync.client import ClientConnection, connect

from branchline.bots import make_bot
from branchline.server.app import create_app
from branchline.server.protocol.keys import new_table_id
from branchline.server.service import Service
from branchline.server.serving import configured, listen
from branchline.server.settings import Settings
from branchline.server.store.entries import DECIDE, Entry, Header
from branchline.server.tables.commands import entry
from branchline.server.tables.table import Table

T = TypeVar("T")
Json = dict[str, Any]
NO_LIMITS: Json = {
    "longest_wait": 60.0,  # the tests' own machine may be slow
    "requests_per_minute": 10**6,
    "new_tables_per_minute": 10**6,
    "tables_per_guest": 10**6,
    "bot_tables_per_guest": 10**6,
    "bot_tables": 10**6,
    "chat_per_minute": 10**6,
    "entries_per_hour": 10**9,
    "replays_per_minute": 10**6,
    "hints_per_minute": 10**6,
    "messages_per_second": 10.0**6,
    "sockets_per_address": 5000,
    "connections_per_address": 5000,
    "trusted_proxies": ("127.0.0.1",),  # so that a test can come from any address
}
ANSWERS = ("done", "refused", "pong")


class Inside:
    """One application, served on a port of its own by a thread."""

    def __init__(self, settings: Settings) -> None:
        self.app = create_app(settings)
        self._listening = listen("127.0.0.1", 0)
        port = self._listening.getsockname()[1]
        self.url, self.live_url = f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}"
        self._server = uvicorn.Server(configured(settings, self.app))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self.http = httpx.Client(base_url=self.url, timeout=30)
        self.logged: list[Any] = []

    def _serve(self) -> None:
        asyncio.run(self._until_stopped())

    async def _until_stopped(self) -> None:
        self.loop = asyncio.get_running_loop()
        await self._server.serve(sockets=[self._listening])

    def start(self) -> None:
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        self.call(asyncio.wait_for(self.service.ready.wait(), 90))

    def stop(self) -> None:
        self.http.close()
        self._server.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive(), "the server did not stop"

    @property
    def service(self) -> Service:
        service: Service = self.app.state.service
        return service

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something in the server's event loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(100)

    # tables

    def log(self, table: str) -> list[Entry]:
        """Everything that the store has of a table."""
        return self.call(self.service.tables.store.log(table))

    def header(self, table: str) -> Header:
        header = self.call(self.service.tables.store.header(table))
        assert header is not None
        return header

    def copy(self, table: str, until: Callable[[Table], bool] = lambda _: True, **changes: Any) -> str:
        """A copy of the table under a new name, with some facts changed; bots play it on instantly until a condition holds."""
        header = replace(self.header(table), id=new_table_id(), **changes)
        log, twin = self.log(table), Table(header)
        for one in log:
            twin.apply(one)
        bot = make_bot("easy", 1)
        while not until(twin):
            assert twin.state is not None
            seat = twin.choosers[0]
            log.append(entry(twin, DECIDE, twin.changed_at, seat, decision=int(bot.decide(twin.state.view(seat)))))
            twin.apply(log[-1])
        self.call(self.service.tables.store.create(header, log, self.service.tables.summary(twin)))
        return header.id

    def failures(self) -> float:
        """How many unexpected errors there were."""
        found = self.service.metrics.registry.get_sample_value("branchline_failures_total")
        assert found is not None
        return found

    # asking

    def ask(self, method: str, path: str, body: Json | None, key: str | None = None) -> httpx.Response:
        return self.http.request(method, path, json=body, headers=bearer(key))

    def get(self, path: str, key: str | None = None, **more: Any) -> httpx.Response:
        return self.http.get(path, headers=bearer(key), **more)

    def post(self, path: str, body: Json, key: str | None = None) -> httpx.Response:
        return self.http.post(path, json=body, headers=bearer(key))

    def new_table(self, key: str, **asked: Any) -> str:
        response = self.post("/api/tables", {"game": "london", "seats": ["person", "person"], "name": "Host"} | asked, key)
        assert response.status_code == 201, response.text
        table: str = response.json()["table"]
        return table

    @contextmanager
    def socket(self, table: str, **more: Any) -> Iterator[ClientConnection]:
        """An open socket; nothing is sent on it yet."""
        with connect(f"{self.live_url}/api/tables/{table}/live", max_size=None, compression=None, **more) as socket:
            yield socket

    @contextmanager
    def live(self, table: str, key: str | None) -> Iterator[Talk]:
        """A socket that has said hello; the first answer waits in it."""
        with self.socket(table) as socket:
            talk = Talk(socket)
            talk.send({"type": "hello"} | ({} if key is None else {"key": key}))
            yield talk


class Talk:
    """A socket, message by message."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send(self, message: Json | str | bytes) -> None:
        self.socket.send(json.dumps(message) if isinstance(message, dict) else message)

    def hear(self, within: float = 20) -> Json:
        heard: Json = json.loads(self.socket.recv(within))
        return heard

    def answer(self) -> Json:
        """The next message that answers one; updates in between are skipped."""
        while (heard := self.hear())["type"] not in ANSWERS:
            pass
        return heard

    def ask(self, message: Json | str | bytes) -> Json:
        self.send(message)
        return self.answer()


def bearer(key: str | None) -> dict[str, str]:
    return {} if key is None else {"Authorization": f"Bearer {key}"}


@contextmanager
def running_inside(folder: Path, **settings: Any) -> Iterator[Inside]:
    inside = Inside(Settings(**{"database_url": f"sqlite:///{folder / 'games.db'}"} | NO_LIMITS | settings))
    with structlog.testing.capture_logs() as inside.logged:
        inside.start()
        try:
            yield inside
        finally:
            inside.stop()
