"""Connections: how many, from whom, and how long they may take. What a proxy usually does, so that a server alone on an open port is safe.

Uvicorn limits neither the time nor the size of a request's head; its protocols are kept and only watched here. When there is no room for a new
connection, the one that has waited longest without a complete request gives way: honest clients send theirs at once.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from typing import Any

import structlog
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from branchline.server.http.security import exact_address
from branchline.server.limits import BURST, UNKNOWN, Bucket, Networks, limited_as
from branchline.server.metrics import Metrics
from branchline.server.settings import Settings

log = structlog.get_logger()
MOST_UNSENT = 4_194_304  # bytes for a client that sends and does not read
FRAMING = 8  # bytes around each byte of a body sent in pieces, at most
MOST_PIPELINED = 8  # requests that wait for the answers to those before them
SLICE = 2_048  # bytes of a WebSocket that are parsed at once: a few hundred frames, if they are small
FLOOD = 5  # times as many frames as messages are allowed: whoever sends more does not heed refusals
NOT_YOU, NO_ROOM, TOO_SLOW, HEAD_TOO_LARGE = 403, 503, 408, 431


class Gate:
    """All open connections of this process: who came from where, and who has not sent a request yet."""

    def __init__(self, settings: Settings, metrics: Metrics, blocked: Networks) -> None:
        self.settings, self.metrics, self.blocked = settings, metrics, blocked
        self._proxies = Networks(settings.trusted_proxies)  # everybody comes through them, so they have no limit of their own
        self._open: dict[Any, str] = {}  # transports, and whom they count for
        self._addresses: dict[Any, str] = {}
        self._per_address: Counter[str] = Counter()
        self._waiting: defaultdict[str, dict[Any, None]] = defaultdict(dict)  # transports without a complete request, longest waiting first
        self._all_waiting: dict[Any, None] = {}

    @property
    def open(self) -> int:
        return len(self._open)

    def enter(self, transport: Any, address: str) -> int | None:
        """Let a connection in, if there is room or somebody gives way; otherwise the status that says why not."""
        if self.blocked.has(address):
            return self._refuse(NOT_YOU, "blocked", address)
        asker = limited_as(address)
        if self._has_too_many(asker, address) and not self._gives_way(self._waiting.get(asker, {})):
            return self._refuse(NO_ROOM, "too many connections from one address", address)
        if len(self._open) >= self.settings.most_connections and not self._gives_way(self._all_waiting):
            return self._refuse(NO_ROOM, "too many connections", address)
        self._open[transport], self._addresses[transport] = asker, address
        self._per_address[asker] += 1
        return None

    def _refuse(self, status: int, why: str, address: str) -> int:
        self.metrics.turned_away.labels(why).inc()
        log.warning("connection refused", reason=why, address=address)
        return status

    def _has_too_many(self, asker: str, address: str) -> bool:
        return self._per_address[asker] >= self.settings.connections_per_address and not self._proxies.has(address)

    def _gives_way(self, waiting: dict[Any, None]) -> bool:
        transport = next(iter(waiting), None)
        if transport is None:
            return False
        self.metrics.turned_away.labels("gave way").inc()
        log.warning("connection closed", reason="gave way to another", address=self._addresses[transport])
        self.leave(transport)
        transport.abort()
        return True

    def cut_off(self, transport: Any, why: str, address: str) -> None:
        """End a connection at once, whatever it still has to say or hear."""
        self.metrics.turned_away.labels(why).inc()
        log.warning("connection closed", reason=why, address=address)
        transport.abort()

    def waits(self, transport: Any) -> None:
        """No request has begun, or its head is not complete."""
        asker = self._open.get(transport)
        if asker is not None:
            self._waiting[asker][transport] = self._all_waiting[transport] = None

    def works(self, transport: Any) -> None:
        """A whole head has arrived."""
        self._all_waiting.pop(transport, None)
        asker = self._open.get(transport)
        if asker is not None and asker in self._waiting:
            self._waiting[asker].pop(transport, None)
            if not self._waiting[asker]:
                del self._waiting[asker]

    def leave(self, transport: Any) -> None:
        self.works(transport)
        asker = self._open.pop(transport, None)
        self._addresses.pop(transport, None)
        if asker is not None:
            self._per_address[asker] -= 1
            if not self._per_address[asker]:
                del self._per_address[asker]

    def close_blocked(self) -> None:
        """Somebody was blocked who is here already."""
        for transport, address in list(self._addresses.items()):
            if self.blocked.has(address):
                transport.abort()


class WatchedHttp(HttpToolsProtocol):
    """Uvicorn's protocol, with limits for a request's head and the time it takes."""

    gate: Gate  # set in a subclass for each server

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._timer: asyncio.TimerHandle | None = None
        self._in_body = False
        self._head_size = self._body_sent = self._body_size = 0
        self._status = 400  # what a request that cannot be parsed is answered with

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        refused = self.gate.enter(transport, self.client[0] if self.client else UNKNOWN)
        if refused is not None:
            self._turn_away(refused)
        else:
            self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self.gate.leave(self.transport)
        super().connection_lost(exc)

    def _await_head(self) -> None:
        self._in_body, self._head_size = False, 0
        self.gate.waits(self.transport)
        self._start_timer(self.gate.settings.head_within)

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self._turn_away, TOO_SLOW)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _turn_away(self, status: int) -> None:
        self._stop_timer()
        if not self.transport.is_closing():
            self.gate.metrics.turned_away.labels(str(status)).inc()
            if not (self._is_answering() and self.cycle.response_started):  # nothing may stand in the middle of an answer
                self.transport.write(STATUS_LINE[status] + b"retry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if not self._in_body and self._timer is None and not self._is_answering():  # the next request of a connection that was idle
            self._await_head()
        self._head_size += 0 if self._in_body else len(data)
        self._body_sent += len(data) if self._in_body else 0
        super().data_received(data)
        if self._is_too_large() and not self.transport.is_closing():
            self._turn_away(HEAD_TOO_LARGE)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _is_too_large(self) -> bool:
        """A head, or what stands around a body: sizes of its pieces, and further header lines after it."""
        most = self.gate.settings.largest_head
        return len(self.headers or ()) > self.gate.settings.most_headers or (
            self._body_sent - FRAMING * self._body_size > most if self._in_body else self._head_size > most
        )

    def on_headers_complete(self) -> None:
        self._refuse_long_pipeline()
        self._head_size = sum(len(name) + len(value) + 4 for name, value in self.headers) + len(self.url)
        if self._is_too_large():
            self._status = HEAD_TOO_LARGE
            raise ValueError("the head is too large")
        self.gate.works(self.transport)
        self._in_body, self._body_sent, self._body_size = True, 0, 0
        self._start_timer(self.gate.settings.body_within)
        super().on_headers_complete()

    def _refuse_long_pipeline(self) -> None:
        """Uvicorn queues whatever a chunk holds, which may be thousands of requests."""
        if len(self.pipeline) >= MOST_PIPELINED:
            self.gate.cut_off(self.transport, "too many pipelined requests", self.client[0] if self.client else UNKNOWN)
            raise ValueError("the rest of the chunk must not be parsed")

    def on_body(self, body: bytes) -> None:
        self._body_size += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_body, self._head_size = False, 0
        self._stop_timer()
        if self.cycle is not None and self.cycle.response_complete:  # answered before it had arrived: uvicorn has stopped its own timer
            self._await_head()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and not self.pipeline and not self._in_body:
            self.gate.waits(self.transport)
            if self._head_size:  # the next request has begun
                self._start_timer(self.gate.settings.head_within)

    def send_400_response(self, msg: str) -> None:
        if self.transport.is_closing():
            return
        if self._status == 400:
            super().send_400_response(msg)
        else:
            self._turn_away(self._status)

    def handle_websocket_upgrade(self) -> None:
        self._stop_timer()
        super().handle_websocket_upgrade()


class WatchedSocket(WebSocketsSansIOProtocol):
    """A WebSocket that came through the gate as a request."""

    gate: Gate

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        per_second = FLOOD * self.gate.settings.messages_per_second
        self._frames = Bucket(BURST * per_second, per_second)

    def connection_lost(self, exc: Exception | None) -> None:
        self.gate.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """In slices: a whole chunk may hold tens of thousands of frames, and nobody else is served until they are parsed."""
        for start in range(0, len(data), SLICE):
            if self.transport.get_write_buffer_size() > MOST_UNSENT:  # pings are answered at once; whoever sends them must read the answers
                self._cut_off("does not read")
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + SLICE])

    def handle_events(self) -> None:
        """Every frame counts, not only messages: also pings, parts of a message, and what still arrives after our close."""
        if self._frames.take(len(self.conn.events)):
            super().handle_events()
        else:
            self._cut_off("flood")

    def _cut_off(self, why: str) -> None:
        self.gate.cut_off(self.transport, why, exact_address(getattr(self, "scope", {"client": self.client})))


def watched(gate: Gate) -> tuple[type[WatchedHttp], type[WatchedSocket]]:
    """The protocols of one server, with its gate."""
    return type("Http", (WatchedHttp,), {"gate": gate}), type("Socket", (WatchedSocket,), {"gate": gate})
