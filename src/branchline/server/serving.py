"""`branchline serve`: runs the application until it is told to stop."""

from __future__ import annotations

import asyncio
import signal
import socket

import structlog
import uvicorn

from branchline.errors import BranchlineError
from branchline.server.app import create_app
from branchline.server.logs import set_up_logs
from branchline.server.settings import Settings
from branchline.server.store import Store

log = structlog.get_logger()
CUT_OFF_AFTER = 60  # seconds
SEND_BUFFER = 131_072  # bytes that the system keeps for one slow reader
STOP_WITHIN = 10  # seconds for requests in progress when the server stops


class AddressError(BranchlineError):
    """The server cannot listen there."""


def listen(host: str, port: int) -> socket.socket:
    """Taken before anything else, so that an address in use is said at once."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # who takes nothing any more is cut off by the system, whatever is still in its buffers
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * CUT_OFF_AFTER)
        listening.bind((host, port))
        listening.listen(2048)
    except OSError as error:
        raise AddressError(f"cannot listen on {host} port {port}: {error.strerror or error}; choose another with --port") from None
    return listening


async def check_database(url: str) -> None:
    """Migrates it too: what is wrong with the database is said in a line, before anything is served."""
    await (await Store.open(url)).close()


def serve(settings: Settings, host: str, port: int, log_level: str) -> None:
    """On SIGTERM or Ctrl-C requests in progress are finished and sockets closed with 1012: clients return when the server does."""
    set_up_logs(log_level)
    listening = listen(host, port)
    asyncio.run(check_database(settings.database_url))
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda *_: None)  # uvicorn has its own while it serves, and afterwards raises the signal again
    log.info("serving", host=host, port=listening.getsockname()[1])
    uvicorn.Server(
        uvicorn.Config(
            create_app(settings),
            access_log=False,
            log_config=None,
            server_header=False,
            date_header=False,
            ws_max_size=settings.largest_message,
            ws_per_message_deflate=False,
            ws_ping_interval=20,
            ws_ping_timeout=40,
            timeout_graceful_shutdown=STOP_WITHIN,
            proxy_headers=True,
            forwarded_allow_ips=settings.trusted_proxies,
        )
    ).run(sockets=[listening])
