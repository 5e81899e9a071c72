"""The server in the server benchmark: a real `branchline serve`, its memory and metrics; and a socket that never reads."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from rich.console import Console

LIMITS = {"sockets-per-address": 100_000, "connections-per-address": 100_000, "requests-per-minute": 10_000_000, "new-tables-per-minute": 10_000_000}
LIMITS |= {"tables-per-guest": 1_000_000, "chat-per-minute": 10_000_000, "entries-per-hour": 10**12}
PROGRAM = (sys.executable, "-m", "branchline", "serve")
SIZE_OF_SQLITE = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
SIZE_OF_POSTGRES = "SELECT pg_database_size(current_database())"
console = Console(width=120)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`branchline serve` in its own process, and what it says about itself. With `tree`, it is the version in that checkout."""

    def __init__(self, url: str, folder: str, tree: Path | None = None) -> None:
        self.database_url, self.folder = url, Path(folder)
        self.environment = dict(os.environ) if tree is None else os.environ | {"PYTHONPATH": str(tree / "src")}
        self.port, self.metrics_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.known = subprocess.check_output([*PROGRAM, "--help"], env=self.environment | {"COLUMNS": "300"}, text=True)
        if "--metrics" not in self.known:  # earlier versions show their figures to everybody
            self.metrics_port = self.port
        self.start()

    def start(self) -> None:
        options = {"port": self.port, "database-url": self.database_url, "log-level": "warning", "metrics": f"127.0.0.1:{self.metrics_port}"}
        given = [word for name, value in (options | LIMITS).items() if f"--{name} " in self.known for word in (f"--{name}", str(value))]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen([*PROGRAM, *given], stdout=log, stderr=log, env=self.environment)

    def run(self, program: str, *arguments: object) -> str:
        """Run a program of the benchmark with the server's version of Branchline; returns what it prints."""
        command = [sys.executable, str(Path(__file__).with_name(program)), *map(str, arguments)]
        return subprocess.check_output(command, env=self.environment, text=True).strip()

    def wait(self) -> None:
        end = time.monotonic() + 120
        while time.monotonic() < end and self.process.poll() is None:
            with suppress(OSError):
                if json.loads(self.ask("GET", "/health"))["status"] == "ok":
                    return
            time.sleep(0.1)
        raise SystemExit("the server does not start")

    def ask(self, method: str, path: str, key: str | None = None, body: dict[str, Any] | None = None) -> bytes:
        headers = {"content-type": "application/json"} | ({} if key is None else {"authorization": f"Bearer {key}"})
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            answer = response.read()
        if response.status >= 400:
            raise SystemExit(f"{method} {path}: {answer.decode()}")
        return answer

    def open_table(self, seats: list[str]) -> tuple[str, list[str]]:
        keys = [secrets.token_urlsafe(32) for _ in range(max(1, seats.count("person")))]
        name = json.loads(self.ask("POST", "/api/tables", keys[0], {"game": "europe", "seats": seats, "name": "Ada", "pace": 0}))["table"]
        for key in keys[1:]:
            self.ask("POST", f"/api/tables/{name}/join", key, {"name": "Ben"})
        return name, keys

    def figures(self) -> dict[str, float]:
        with urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=60) as answer:
            lines = answer.read().decode().splitlines()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}

    def memory(self) -> float:
        """Memory of the process, in MiB."""
        status = Path(f"/proc/{self.process.pid}/status")
        if status.exists():
            return int(re.findall(r"VmRSS:\s+(\d+)", status.read_text())[0]) / 1024
        return int(subprocess.check_output(["ps", "-o", "rss=", "-p", str(self.process.pid)])) / 1024

    def processor_seconds(self) -> float:
        """What the process has used of the processors so far; 0 where the system does not say."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        if not stat.exists():
            return 0.0
        fields = stat.read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def database_bytes(self) -> int:
        """The size of the database, without its write-ahead log."""
        return self.number(SIZE_OF_SQLITE if self.database_url.startswith("sqlite") else SIZE_OF_POSTGRES)

    def number(self, query: str) -> int:
        """What the database answers, without a word to the server."""
        if not self.database_url.startswith("sqlite"):
            return asyncio.run(number_of_postgres(self.database_url, query))
        with closing(sqlite3.connect(self.database_url.removeprefix("sqlite:///"))) as connection:
            [[number]] = connection.execute(query).fetchall()
        return int(number)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


async def number_of_postgres(url: str, query: str) -> int:
    import asyncpg

    connection = await asyncpg.connect(url)
    try:
        return int(await connection.fetchval(query))
    finally:
        await connection.close()


@contextmanager
def running_server(database_url: str | None, tree: Path | None = None) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(database_url or f"sqlite:///{folder}/games.db", folder, tree)
        try:
            server.wait()
            yield server
        finally:
            server.stop()


def histogram(before: dict[str, float], after: dict[str, float], name: str) -> dict[str, float]:
    """What was counted between two readings, in milliseconds; for a percentile, the upper edge of its bucket."""
    edges = re.compile(rf'{name}_bucket{{(?:.*,)?le="(.+)"}}')
    counts = sorted((float(found[1]), after[key] - before.get(key, 0)) for key in after if (found := edges.fullmatch(key)))
    total = counts[-1][1] if counts else 0
    if not total:
        return {}
    mean = 1000 * (after[f"{name}_sum"] - before.get(f"{name}_sum", 0)) / total
    ends = {f"p{part}": 1000 * next(edge for edge, count in counts if count >= total * part / 100) for part in (50, 95, 99)}
    return {"count": total, "mean": mean} | ends | {"max": 1000 * next(edge for edge, count in counts if count >= total)}


OWN_FIGURES = {
    "told_seconds": "from receipt until those who are asked next are told",
    "commit_seconds": "commit",
    "loop_lag_seconds": "lag of the event loop",
}


def own_figures(before: dict[str, float], after: dict[str, float]) -> dict[str, dict[str, float]]:
    return {words: histogram(before, after, f"branchline_{name}") for name, words in OWN_FIGURES.items()}


class SilentSocket:
    """A spectator at a table who never reads a word."""

    def __init__(self, server: Server, table: str) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.connect(("127.0.0.1", server.port))
        lines = (f"GET /api/tables/{table}/live HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket", "Connection: Upgrade")
        lines += ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", "")
        self._socket.sendall("\r\n".join(lines).encode())
        self._socket.recv(4096)
        hello = b'{"type":"hello"}'
        self._socket.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)  # one text frame, its mask all zeros

    def close(self) -> None:
        self._socket.close()
