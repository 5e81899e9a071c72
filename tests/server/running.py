"""Servers and guests for tests: a real `branchline serve` in its own process, a real PostgreSQL, clients that hold the server to its word."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import websockets

from branchline.play.patches import patched
from tests.server.hosts import Host

START_WITHIN = 90.0
PORTS = (10_000 + number % 20_000 for number in itertools.count(331 * os.getpid()))  # below those that systems lend
JUMPING_CLOCK = Path(__file__).with_name("jumping_clock.py")
NO_LIMITS = [f"--{name}=100000" for name in ("chat-per-minute", "messages-per-second", "tables-per-guest")]
NO_LIMITS += [f"--{name}=1000000" for name in ("requests-per-minute", "new-tables-per-minute")]
NO_LIMITS += ["--entries-per-hour=1000000000"]
NO_LIMITS += ["--longest-wait=60"]  # the tests' own machine may be slow
NO_LIMITS += [f"--{name}=5000" for name in ("sockets-per-address", "connections-per-address")]


class ServerProcess:
    """`branchline serve`, on a port of its own; can be killed and started again on the same database."""

    def __init__(
        self, database_url: str, folder: Path, *options: str, files: int | None = None, host: Host | None = None, clock: Path | None = None
    ) -> None:
        self.database_url, self.folder, self.options = database_url, folder, options
        self.program = ["-m", "branchline"] if clock is None else [str(JUMPING_CLOCK), str(clock)]
        self.host, self.address = host, "127.0.0.1" if host is None else host.address
        self.files = files  # that it may open, if this is not what the tests may
        self.port, self.metrics_port = free_port(), free_port()
        self.log = folder / f"server-{self.port}.log"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://{self.address}:{self.port}"

    def start(self, wait: bool = True) -> ServerProcess:
        command = [] if self.host is None else self.host.inside
        command += [] if self.files is None else ["sh", "-c", 'ulimit -n "$0" && exec "$@"', str(self.files)]
        command += [sys.executable, *self.program, "serve", "--port", str(self.port), "--database-url", self.database_url]
        command += ["--host", self.address, "--metrics", f"{self.address}:{self.metrics_port}"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([*command, *NO_LIMITS, *self.options], stdout=log, stderr=log, cwd=self.folder)
        if wait:
            self.wait_until_ready()
        return self

    def wait_until_ready(self) -> None:
        end = time.monotonic() + START_WITHIN
        while time.monotonic() < end:
            assert self.process is not None
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended with {self.process.returncode}:\n{self.log.read_text()[-3000:]}")
            if self.is_ready():
                return
            time.sleep(0.05)
        raise AssertionError(f"the server was not ready in time:\n{self.log.read_text()[-3000:]}")

    def is_ready(self) -> bool:
        """Asked in the plainest way: httpx would load the certificates of the whole world each time, while the server needs the core."""
        connection = HTTPConnection(self.address, self.port, timeout=2)
        try:
            connection.request("GET", "/health")
            return json.loads(connection.getresponse().read())["status"] == "ok"
        except (OSError, HTTPException, ValueError):
            return False
        finally:
            connection.close()

    def figures(self) -> str:
        """What Prometheus would read."""
        connection = HTTPConnection(self.address, self.metrics_port, timeout=10)
        try:
            connection.request("GET", "/metrics")
            return connection.getresponse().read().decode()
        finally:
            connection.close()

    def kill(self) -> None:
        """Immediately, without any tidying up."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """Gracefully; returns the exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the server did not stop:\n{self.log.read_text()[-3000:]}") from None


@contextmanager
def running_server(folder: Path, database_url: str | None = None, *options: str, files: int | None = None) -> Iterator[ServerProcess]:
    server = ServerProcess(database_url or f"sqlite:///{folder / 'games.db'}", folder, *options, files=files)
    try:
        yield server.start()
    finally:
        if server.process is not None and server.process.poll() is None:
            server.stop()


def free_port() -> int:
    """A port that nobody else is about to take: no other process of the tests begins to look here, and no system lends it to a connection."""
    return next(port for port in PORTS if is_free(port))


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do: connections that have just ended keep it from nobody
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def new_key() -> str:
    return secrets.token_urlsafe(32)


class Guest:
    """A person's client over a WebSocket. It keeps its state by the server's patches alone, and complains about any gap or repetition."""

    def __init__(self, server: str, table: str, key: str | None, trust: ssl.SSLContext | None = None) -> None:
        self.server, self.table, self.key, self.trust = server, table, key, trust
        self.cursor: int | None = None
        self.state: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.socket: Any = None
        self.answers: dict[str, dict[str, Any]] = {}

    async def connect(self) -> None:
        """Connect, or reconnect with the cursor it has, so that only news arrives."""
        address = f"{self.server.replace('http', 'ws', 1)}/api/tables/{self.table}/live"
        # a guest may be slow to take things in, but it never stops reading
        self.socket = await websockets.connect(address, max_size=None, max_queue=None, ping_interval=None, ssl=self.trust)
        hello: dict[str, Any] = {"type": "hello"}
        if self.key is not None:
            hello["key"] = self.key
        if self.cursor is not None:
            hello["after"] = self.cursor
        await self.socket.send(json.dumps(hello))
        await self.hear()

    async def hear(self, within: float = 20) -> dict[str, Any]:
        """The next message, once it is applied."""
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), within))
        if message["type"] == "snapshot":
            self.cursor, self.state = message["cursor"], message["state"]
            self.events = message["recent"].copy()
        elif message["type"] == "update":
            assert message["after"] == self.cursor, f"a gap or repetition: at {self.cursor}, got what follows {message['after']}"
            assert message["cursor"] >= message["after"]
            self.cursor = message["cursor"]
            self.state = patched(self.state, message["patch"]) if "patch" in message else message["state"]
            self.events += message["events"]
        elif "id" in message:
            self.answers[message["id"]] = message
        return message

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def ask(self, **message: Any) -> dict[str, Any]:
        """Send, and wait for the answer and for its effects."""
        name = message.setdefault("id", secrets.token_hex(8))
        await self.send(**message)
        while name not in self.answers:
            await self.hear()
        answer = self.answers.pop(name)
        while answer["type"] == "done" and answer["cursor"] > (self.cursor or 0):
            await self.hear()
        return answer

    @property
    def question(self) -> int | None:
        return self.state.get("position", {}).get("question")

    @property
    def legal(self) -> list[str]:
        return self.state["position"]["legal"]

    async def close(self) -> None:
        await self.socket.close()


# PostgreSQL


DEBIAN = Path("/usr/lib/postgresql")  # not on the path; one folder per version


def postgres_programs() -> Path | None:
    """The folder of PostgreSQL's programs, if it is installed."""
    found = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: int(re.sub(r"\D", "", path.parts[-3]) or 0))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).resolve().parent if on_path else None


def has_postgres() -> bool:
    """Is it installed, and is there a user to run it? It refuses to run as root."""
    return postgres_programs() is not None and (os.geteuid() != 0 or "postgres" in {user.pw_name for user in pwd.getpwall()})


@contextmanager
def running_postgres(host: Host | None = None) -> Iterator[str]:
    """A separate PostgreSQL server, on loopback or on a host of its own; yields its address.

    It refuses to run as root, so root runs it as the package's user, in a folder that this user can enter (pytest's own is closed to it).
    """
    programs, port = postgres_programs(), free_port()
    assert programs is not None
    data = Path(tempfile.mkdtemp(prefix="branchline-postgres-"))
    who: dict[str, Any] = {}
    if os.geteuid() == 0:
        who = {"user": "postgres", "group": "postgres", "extra_groups": []}
        shutil.chown(data, "postgres", "postgres")
    run = lambda *command: subprocess.run([*map(str, command)], check=True, capture_output=True, cwd=data, **who)  # noqa: E731
    run(programs / "initdb", "-D", data / "db", "-U", "branchline", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
    address = "127.0.0.1"
    if host is not None:
        address = host.address
        (data / "db" / "pg_hba.conf").write_text(f"local all all trust\nhost all all {address}/24 trust\n")
        who, as_root = {}, run
        run = lambda *command: as_root(*host.inside, "runuser", "-u", "postgres", "--", *command)  # noqa: E731
    options = f"-c listen_addresses={address} -c port={port} -c unix_socket_directories={data} -c max_connections=100"
    run(programs / "pg_ctl", "-D", data / "db", "-l", data / "log", "-w", "-o", options, "start")
    try:
        yield f"postgresql://branchline@{address}:{port}/postgres"
    finally:
        run(programs / "pg_ctl", "-D", data / "db", "-m", "immediate", "-w", "stop")
        shutil.rmtree(data, ignore_errors=True)


def new_database(address: str, name: str) -> str:
    """An empty database of the running server."""
    import asyncpg

    async def create() -> None:
        connection = await asyncpg.connect(address)
        await connection.execute(f'CREATE DATABASE "{name}"')
        await connection.close()

    asyncio.run(create())
    return address.rsplit("/", 1)[0] + f"/{name}"
