"""The log of a game that is over as one compact row, instead of one row per entry."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence

from branchline.server.store.entries import Entry

VERSION = 1


def packed(log: Sequence[Entry]) -> bytes:
    """Times become whole milliseconds since the entry before. Senders' own ids are left out: nothing is sent again to a game that is over."""
    rows, before = [], 0
    for entry in log:
        at = round(1000 * entry.at)
        rows.append([entry.kind, at - before, entry.seat, entry.body])
        before = at
    return zlib.compress(json.dumps([VERSION, rows], separators=(",", ":")).encode(), 9)


def unpacked(archive: bytes) -> list[Entry]:
    version, rows = json.loads(zlib.decompress(archive))
    if version != VERSION:
        raise ValueError(f"an archive of version {version}")
    log, at = [], 0
    for number, (kind, since, seat, body) in enumerate(rows, 1):
        at += since
        log.append(Entry(number, kind, at / 1000, seat, body))
    return log
