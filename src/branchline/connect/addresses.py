"""Where to go: a server's address, or the link of one of its tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from branchline.errors import UsageError

TABLE = re.compile(r"(?:^|/)([A-Za-z0-9_-]{16})/?$")


@dataclass(frozen=True)
class Address:
    server: str  # such as https://example.org/games, without a slash at its end
    table: str | None = None

    @property
    def sockets(self) -> str:
        return f"ws{self.server.removeprefix('http')}"


def read_address(url: str) -> Address:
    """`https://example.org`, or the link of a table: `https://example.org/#/table/…`."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{url!r} is not the address of a server, such as http://127.0.0.1:8000, nor the link of a table")
    found = TABLE.search(parts.fragment) or TABLE.search(parts.path)
    path = TABLE.sub("", parts.path) if found and not parts.fragment else parts.path
    base = re.sub(r"/(?:t|table|tables)?/?$", "", path.rstrip("/"))
    return Address(f"{parts.scheme}://{parts.netloc}{base}", found.group(1) if found else None)
