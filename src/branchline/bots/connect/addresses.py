"""Where to go: a server's address, or the link of one of its tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from branchline.errors import UsageError

TABLE = re.compile(r"/t/([A-Za-z0-9_-]{16})/?$")


@dataclass(frozen=True)
class Address:
    server: str  # such as https://example.org, without a slash at its end
    table: str | None = None

    @property
    def for_sockets(self) -> str:
        return f"ws{self.server.removeprefix('http')}"


def read_address(url: str) -> Address:
    """`https://example.org`, or the link of a table: `https://example.org/t/…`."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    found = TABLE.search(parts.path)
    if parts.scheme not in ("http", "https") or not parts.hostname or (parts.path.strip("/") and not found):
        raise UsageError(f"{url!r} is neither the address of a server, such as http://127.0.0.1:8000, nor the link of a table")
    return Address(f"{parts.scheme}://{parts.netloc}", found.group(1) if found else None)
