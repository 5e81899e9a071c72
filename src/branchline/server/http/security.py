"""The outermost layer: strict headers, allowed origins, size limits, rate limits, and a line in the log for every request."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import structlog
from pydantic_core import to_json
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from branchline.server.limits import UNKNOWN, Limiter, Networks, limited_as
from branchline.server.logs import where
from branchline.server.metrics import Metrics
from branchline.server.protocol.refusals import Refused
from branchline.server.settings import Settings

log = structlog.get_logger()
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",  # the address of a page is the link to its table
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
TRY_LATER = 1013
SAFE = ("GET", "HEAD", "OPTIONS")
RECORDS_COME_TO, BOARDS_COME_TO = "/api/replay", "/api/editor"


def is_own_origin(headers: Headers, others: tuple[str, ...]) -> bool:
    """Requests from a page say where it came from: this server, or an allowed site. Programs send no origin."""
    origin = headers.get("origin")
    own = [f"{scheme}://{headers.get('host')}" for scheme in ("http", "https")]
    return origin is None or origin in others or origin in own


def exact_address(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else UNKNOWN


def address_of(scope: Scope) -> str:
    """Whom a request counts for; in IPv6 that is a household's whole network."""
    return limited_as(exact_address(scope))


class SecurityMiddleware:
    """Looks at every request before anything else does: its origin, its size and how many come from its address. Adds the headers to every answer."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics, blocked: Networks) -> None:
        self.app, self.settings, self.metrics, self.blocked = app, settings, metrics, blocked
        self.limiter = Limiter(settings.requests_per_minute)
        self.warned = bool(settings.trusted_proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and (refused := self._refusal_of_anything(scope)) is not None:
            self.metrics.refused.labels(refused).inc()
            await send({"type": "websocket.close", "code": TRY_LATER})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        self._warn_about_proxies(scope)
        began = time.perf_counter()
        status, begun = 500, False

        async def answered(message: Message) -> None:
            nonlocal status, begun
            if message["type"] == "http.response.start":
                status, begun = message["status"], True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)  # the files of a ladder have a policy of their own
                if scope["path"].startswith("/api"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        try:
            await self._let_in(scope, receive, answered)
        except Exception as error:  # unexpected: the log says where, the client only learns that it happened
            self.metrics.failures.inc()
            log.error("request failed", **where(error))
            if not begun:
                await send_refusal(answered, Refused("failed"))
        finally:
            route = scope.get("route")
            log.info(
                "request",
                method=scope["method"] if scope["method"].isalpha() else "?",
                path=getattr(route, "path", "?"),  # the pattern, because an address may be a link to a table
                status=status,
                ms=round(1000 * (time.perf_counter() - began), 1),
            )

    def _warn_about_proxies(self, scope: Scope) -> None:
        """Once: behind a proxy that is not named, everybody shares the limits of one address."""
        if not self.warned and any(name == b"x-forwarded-for" for name, _ in scope["headers"]):
            self.warned = True
            log.warning("X-Forwarded-For is not believed: if you run a proxy, name it with --trusted-proxy", address=exact_address(scope))

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        code, refused = self._refusal_of_anything(scope), None
        if code is not None:
            refused = Refused(code)
        elif scope["method"] not in SAFE and not is_own_origin(headers, self.settings.origins):
            refused = Refused("wrong_origin")
        elif int_or_zero(headers.get("content-length")) > self._largest(scope):
            refused = Refused("too_large")
        if refused is not None:
            self.metrics.refused.labels(refused.code).inc()
            await send_refusal(send, refused)
        else:
            await self.app(scope, self._counted(scope, receive), send)

    def _refusal_of_anything(self, scope: Scope) -> str | None:
        """Why nothing at all is done for this address now."""
        if self.blocked.has(exact_address(scope)):
            return "blocked"
        return None if self.limiter.take(address_of(scope)) else "too_many"

    def _largest(self, scope: Scope) -> int:
        """A record or a board may be larger than any message."""
        if self.settings.editor and scope["path"].startswith(BOARDS_COME_TO):
            return self.settings.largest_board
        return self.settings.largest_record if scope["path"] == RECORDS_COME_TO else self.settings.largest_message

    def _counted(self, scope: Scope, receive: Receive) -> Callable[[], Awaitable[Message]]:
        """A body sent in pieces is counted as it arrives."""
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            if message["type"] == "http.request":
                size += len(message.get("body", b""))
                if size > self._largest(scope):
                    scope["too_large"] = True
                    raise Refused("too_large")
            return message

        return counted


def int_or_zero(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 20 else 0


async def send_refusal(send: Send, refused: Refused) -> None:
    headers = [(b"content-type", b"application/json"), *((name.encode(), value.encode()) for name, value in refused.headers.items())]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": to_json(refused.body())})
