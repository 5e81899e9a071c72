"""`branchline serve`: run the application until it is told to stop."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_network

import structlog
import uvicorn
from fastapi import FastAPI
from prometheus_client import start_http_server

from branchline.boards.folders import own_boards
from branchline.bots.registry import look_up
from branchline.design.editor.edited import opened_board
from branchline.errors import BranchlineError, UsageError
from branchline.play.facts import game_facts
from branchline.server import first_start
from branchline.server.app import create_app
from branchline.server.http.connections import watched
from branchline.server.logs import set_up_logs
from branchline.server.metrics import Metrics
from branchline.server.settings import Settings
from branchline.server.store.store import Store
from branchline.server.tables.further_bots import introduced

log = structlog.get_logger()
EVERYWHERE = ("0.0.0.0", "127.0.0.1", "::", "::1")
CUT_OFF_AFTER = 60  # seconds
FILES_BESIDE = 200  # for the database, workers, logs, and files of the page
SEND_BUFFER = 131_072  # bytes that the system buffers for a slow reader
STOP_WITHIN = 10  # seconds for requests in progress when the server stops


class CannotListen(BranchlineError):
    """The server cannot listen there."""


def listen(host: str, port: int) -> socket.socket:
    """Bind before doing anything else, so that an address in use is reported at once."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            take(listening, host, port)
        except OSError:
            listening.close()
            raise
    except OSError as error:
        raise CannotListen(f"cannot listen on {host} port {port}: {error.strerror or error}; choose another with --port") from None
    return listening


def take(listening: socket.socket, host: str, port: int) -> None:
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # without uvloop, the body of an answer would arrive 40 ms after its headers
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # the system disconnects clients that stop reading, whatever is still in their buffers
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * CUT_OFF_AFTER)
    listening.bind((host, port))
    listening.listen(2048)


async def check_database(url: str, key: str = "", wait: float = 0.0) -> None:
    """Open, check and migrate the database, so that errors are reported in one line before anything is served."""
    await (await Store.open(url, key, wait, check=True)).close()


def serve(settings: Settings, host: str, port: int, log_level: str, open_page: bool = False) -> None:
    """Serve until SIGTERM or Ctrl-C (KeyboardInterrupt): requests in progress are finished and sockets closed with 1012, so that clients return."""
    set_up_logs(log_level)
    for bot in settings.bot_names:
        look_up(bot)  # a wrong name is said as every command says it, and not by a process that ended
    settings = within_file_limit(settings)
    before = first_start.handed_on()
    with before or (listen_somewhere(host, port) if open_page else listen(host, port)) as listening:
        if before is None:
            asyncio.run(check_database(settings.database_url, settings.key_file, settings.database_wait))
            introduced(settings.bot_names)  # a bot that does not start is reported in the same way
            if settings.editor:
                check_code(settings.editor_code)
                opened_board(settings.editor)
            for game in own_boards():
                game_facts(game)  # and so is a board from outside that cannot be read
        if first_start.should_begin_plain():
            first_start.become(listening, plain=True)
        stops: list[int] = []
        for stop in (signal.SIGINT, signal.SIGTERM):
            signal.signal(stop, lambda number, _: stops.append(number))  # uvicorn handles signals while it serves, and raises them again afterwards
        log.info("serving", host=host, port=listening.getsockname()[1])
        if open_page and (before is None or first_start.is_first_start()):
            welcome(host, listening.getsockname()[1], first_page(settings))
        app = create_app(settings)
        with figures(settings.metrics, app.state.metrics):
            run(uvicorn.Server(configured(settings, app)), listening, stops)
    if signal.SIGINT in stops:
        raise KeyboardInterrupt


def run(server: uvicorn.Server, listening: socket.socket, stops: list[int]) -> None:
    if not first_start.is_first_start():
        server.run(sockets=[listening])
        return
    stays_open = listening.dup()  # uvicorn closes the one it has
    if asyncio.run(first_start.serve_first(server, listening)) and not stops:
        first_start.become(stays_open, plain=False)


@contextmanager
def figures(where: str, metrics: Metrics) -> Iterator[None]:
    """Serve the figures for Prometheus on an address of their own: what they count is not for everybody."""
    if not where:
        yield
        return
    host, _, port = where.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise CannotListen(f"--metrics is an address and a port, such as 127.0.0.1:9100, not {where!r}")
    try:
        server, thread = start_http_server(int(port), host.strip("[]"), metrics.registry)
    except OSError as error:
        raise CannotListen(f"cannot serve metrics on {where}: {error.strerror or error}; choose another with --metrics") from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def within_file_limit(settings: Settings) -> Settings:
    """Use all files that the system allows, and let in fewer connections than that: out of files, a server hears nobody."""
    try:
        import resource
    except ImportError:  # Windows
        return settings
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.most_connections + FILES_BESIDE
    if allowed < wanted:
        allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    if allowed < wanted:
        log.warning("fewer connections than asked for, because of the limit on open files", connections=allowed - FILES_BESIDE, files=allowed)
    return replace(settings, most_connections=max(1, min(settings.most_connections, allowed - FILES_BESIDE)))


def in_ipv6(proxy: str) -> str:
    """How an IPv4 proxy looks to a server that listens on `::`."""
    network = ip_network(proxy)
    return f"::ffff:{network.network_address}/{96 + network.prefixlen}" if network.version == 4 else proxy


def configured(settings: Settings, app: FastAPI) -> uvicorn.Config:
    http, socket_ = watched(app.state.gate)
    return uvicorn.Config(
        app,
        http=http,
        ws=socket_,
        timeout_keep_alive=settings.idle_within,
        access_log=False,
        log_config=None,
        server_header=False,
        date_header=False,
        ws_max_size=settings.largest_message,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=40,
        timeout_graceful_shutdown=STOP_WITHIN,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=[form for proxy in settings.trusted_proxies for form in (proxy, in_ipv6(proxy))],
    )


def listen_somewhere(host: str, port: int) -> socket.socket:
    """For people who just want to play: take the next free port."""
    for attempt in range(port, min(port + 20, 65_536)):
        try:
            return listen(host, attempt)
        except CannotListen:
            continue
    return listen(host, port)


def check_code(code: str) -> None:
    """It stands in a link, and nobody should be able to guess it."""
    if code and not re.fullmatch(r"[A-Za-z0-9_-]{8,100}", code):
        raise UsageError("--editor-code has 8 to 100 letters, digits, hyphens and underscores, because it stands in a link: choose another")


def first_page(settings: Settings) -> str:
    """With the code of the editor, if it needs one: what stands after # is not sent to any server."""
    return f"/edit#{settings.editor_code}".rstrip("#") if settings.editor else "/"


def welcome(host: str, port: int, path: str) -> None:
    """Say where the page is, and open it if there is a screen."""
    address = f"http://{host if host not in EVERYWHERE else 'localhost'}:{port}{path}"
    print(f"Branchline is ready: {address}\nCtrl-C stops it. Games are saved and continue where you left off.", flush=True)
    if sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
