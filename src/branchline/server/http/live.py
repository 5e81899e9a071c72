"""Live play over a WebSocket: hello, then requests in and events out."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from typing import Any

import structlog
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from branchline.server.http.security import TRY_LATER, address_of, exact_address, is_own_origin
from branchline.server.limits import BURST, Bucket
from branchline.server.logs import where
from branchline.server.protocol import messages as m
from branchline.server.protocol.keys import TABLE, hash_of
from branchline.server.protocol.refusals import Refused
from branchline.server.service import POLICY, Service, viewer_of
from branchline.server.tables.looking import look
from branchline.server.tables.publishing import Reader
from branchline.server.tables.table import Table

HELLO_WITHIN = 10.0  # seconds
log = structlog.get_logger()
router = APIRouter()
client_id: TypeAdapter[str] = TypeAdapter(m.ClientId)


@router.websocket("/api/tables/{table}/live")
async def live(socket: WebSocket, table: str) -> None:
    service: Service = socket.app.state.service
    address = address_of(socket.scope)
    if not is_own_origin(socket.headers, service.settings.origins):
        service.metrics.refused.labels("wrong_origin").inc()
        await socket.close(POLICY)
        return
    if service.sockets[address] >= service.settings.sockets_per_address:
        service.metrics.refused.labels("too_many").inc()
        await socket.close(TRY_LATER)
        return
    service.sockets[address] += 1
    service.open_sockets[socket] = exact_address(socket.scope)
    service.metrics.sockets.inc()
    try:
        await socket.accept()
        with suppress(WebSocketDisconnect):
            await Connection(service, socket, table).serve()
    except Exception as error:
        service.metrics.failures.inc()
        log.error("a socket failed", **where(error))
    finally:
        service.metrics.sockets.dec()
        service.open_sockets.pop(socket, None)
        service.sockets[address] -= 1
        if not service.sockets[address]:
            del service.sockets[address]


class Connection:
    """One socket, from hello to its end."""

    def __init__(self, service: Service, socket: WebSocket, table: str) -> None:
        self.service, self.socket, self.name = service, socket, table
        self.address = address_of(socket.scope)
        self.key: str | None = None
        self.reader: Reader | None = None
        self.allowed = Bucket(BURST * service.settings.messages_per_second, service.settings.messages_per_second)

    async def serve(self) -> None:
        try:
            self.reader = await asyncio.wait_for(self._hello(), HELLO_WITHIN)
        except TimeoutError:
            await self.socket.close(POLICY, "no hello")
            return
        except Refused as refused:
            await self.socket.send_text(self._refusal(refused, None).decode())
            await self.socket.close(TRY_LATER if refused.status == 503 else POLICY, refused.code)
            return
        work = [asyncio.create_task(self._send(self.reader)), asyncio.create_task(self._take_all())]
        self.reader.let_go = work[0].cancel
        if self.reader.is_lost:
            work[0].cancel()
        try:
            await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.service.tables.publisher.unsubscribe(self.reader)
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
        if self.reader.is_lost:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._close_lost(), 1)
        for task in work:
            self._look_into(task)

    async def _close_lost(self) -> None:
        """Why the reader was dropped: it may no longer watch, it was too slow and can reconnect with its cursor, or the table is refused here."""
        try:
            allowed = (await self.service.table(self.name)).may_look(self.key)
        except Refused as refused:
            await self.socket.close(TRY_LATER, refused.code)
        else:
            await self.socket.close(TRY_LATER if allowed else POLICY, "too slow" if allowed else "not_watched")

    async def _hello(self) -> Reader:
        try:
            hello = m.Hello.model_validate_json(await self._receive())
        except ValidationError:
            raise Refused.because("malformed", "hello", hello='{"type": "hello", "key": …, "after": …}') from None
        self.key = hash_of(hello.key) if hello.key is not None else None
        self.service.note_address(self.key, self.address)
        table = await self._table()
        reader = Reader(self.name, self.key, viewer_of(table, self.key), self.service.settings.longest_queue)
        self.service.tables.publisher.subscribe(table, reader, hello.after)
        return reader

    async def _table(self) -> Table:
        if not re.fullmatch(TABLE, self.name):
            raise Refused("no_table")
        return await self.service.table(self.name)

    async def _receive(self) -> str:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        text = message.get("text")
        return text if text is not None else ""  # the protocol has no binary messages

    async def _send(self, reader: Reader) -> None:
        """Send what is in the queue, as fast as this reader takes it."""
        with suppress(WebSocketDisconnect):
            while True:
                await self.socket.send_text((await reader.queue.get()).decode())

    async def _take_all(self) -> None:
        with suppress(WebSocketDisconnect):
            while True:
                await self._take(await self._receive())
                await asyncio.sleep(0)  # many messages may be waiting, and receiving those never waits

    def _look_into(self, task: asyncio.Task[None]) -> None:
        """An unexpected error: the log says where."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.service.metrics.failures.inc()
            log.error("a socket failed", **where(error))

    async def _take(self, text: str) -> None:
        """Handle one message. If anything is wrong with it, the answer says so and nothing else happens."""
        assert self.reader is not None
        named = None
        try:
            allowed = self.allowed.take()
            fields = parsed(text)
            named = name_of(fields)
            if not allowed:
                raise Refused("too_many")
            await self._do(fields, named)
        except Refused as refused:
            self.reader.send(self._refusal(refused, named))
        except Exception as error:
            self.service.metrics.failures.inc()
            log.error("a message failed", **where(error))
            self.reader.send(self._refusal(Refused("failed"), named))

    async def _do(self, fields: dict[str, Any], named: str | None) -> None:
        assert self.reader is not None
        reader = self.reader
        kind = fields.pop("type", None)
        if kind == "ping" and not fields:
            reader.send(to_json({"type": "pong"}))
            return
        if kind == "look":
            reader.send(to_json({"type": "view"} | look(await self._table(), self.key, after_of(fields))))
            return
        command = command_of(kind, fields)
        await self.service.ask(
            self.name,
            self.key,
            command,
            self.address,
            lambda cursor: reader.send(to_json({"type": "done", "cursor": cursor} | ({} if named is None else {"id": named}))),
        )

    def _refusal(self, refused: Refused, named: str | None) -> bytes:
        self.service.metrics.refused.labels(refused.code).inc()
        return to_json({"type": "refused"} | refused.body() | ({} if named is None else {"id": named}))


def parsed(text: str) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused.because("malformed", "object") from None
    if not isinstance(fields, dict):
        raise Refused.because("malformed", "object")
    return fields


def name_of(fields: dict[str, Any]) -> str | None:
    """The client's own id for its message, which the answer repeats."""
    try:
        return client_id.validate_python(fields["id"]) if "id" in fields else None
    except ValidationError:
        raise Refused.because("malformed", "id") from None


def after_of(fields: dict[str, Any]) -> int:
    try:
        return m.Look.model_validate(fields | {"type": "look"}).after
    except ValidationError as error:
        raise Refused("malformed", m.what_is_wrong(error.errors(include_input=False, include_context=False, include_url=False))) from None


def command_of(kind: Any, fields: dict[str, Any]) -> m.Message:
    model = m.COMMANDS.get(kind) if isinstance(kind, str) else None
    if model is None:
        raise Refused.because("malformed", "type", types=", ".join((*m.COMMANDS, "look", "ping")))
    if "id" not in model.model_fields:
        fields.pop("id", None)
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise Refused("malformed", m.what_is_wrong(error.errors(include_input=False, include_context=False, include_url=False))) from None
