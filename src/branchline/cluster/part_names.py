"""What the parts of a table are called: after the chunk of games that is in them."""

from __future__ import annotations

import re

PART = re.compile(r"(\d{12})-(\d+)\.parquet")  # the chunk's first game, and how many there are


def name_of(chunk: range) -> str:
    return f"{chunk.start:012d}-{len(chunk)}.parquet"


def chunk_of(name: str) -> range:
    first, games = map(int, PART.fullmatch(name).groups())  # type: ignore[union-attr]  # it is the name of a part
    return range(first, first + games)
