"""What somebody finds who tries every port of some processes."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from http.client import HTTPException
from typing import NamedTuple
from urllib.request import urlopen

import psutil

PAGES = ("sitemap.json", "info/main/workers.html", "json/identity.json", "metrics", "health", "status")  # of Dask's web servers
NO_PAGES = {"sitemap.json": b'{"paths": ["/sitemap.json"]}'}  # what such a server shows if it has nothing to show


class Door(NamedTuple):
    host: str
    port: int

    @property
    def is_here_alone(self) -> bool:
        return self.host in ("127.0.0.1", "::1")


def doors(*pids: int) -> set[Door]:
    """Where these processes listen, and all that they have started."""
    family = [process for pid in pids for process in (psutil.Process(pid), *psutil.Process(pid).children(recursive=True))]
    return {Door(*one.laddr) for process in family for one in process.net_connections("inet") if one.status == psutil.CONN_LISTEN}


def pages(door: Door) -> dict[str, bytes]:
    """What a browser gets there."""
    found = {}
    host = f"[{door.host}]" if ":" in door.host else door.host
    for page in PAGES:
        with suppress(OSError, HTTPException), urlopen(f"http://{host}:{door.port}/{page}", timeout=5) as answer:
            found[page] = answer.read()
    return found


def greeting(door: Door, security: ssl.SSLContext) -> bytes:
    """How Dask begins to speak with whoever has these certificates; nothing if it hangs up."""
    with suppress(OSError), socket.create_connection(door, timeout=5) as line, security.wrap_socket(line) as secure:
        return secure.recv(64)
    return b""


def nobody() -> ssl.SSLContext:
    """Speaks TLS, trusts everybody, and has no certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def check_closed(found: set[Door], friend: ssl.SSLContext) -> None:
    """Whoever has the certificates is heard, and nobody else. Web servers show nothing, and that to this machine only."""
    by_http = {door: shown for door in found if (shown := pages(door))}
    for door, shown in by_http.items():
        assert door.is_here_alone
        assert shown == NO_PAGES
    for door in found - set(by_http):
        assert greeting(door, friend)
        assert not greeting(door, nobody())
    assert found - set(by_http)
