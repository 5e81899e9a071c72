"""In which line of a TOML file a setting stands, so that an error can say it: the parser does not tell."""

from __future__ import annotations

import re
from collections.abc import Sequence

TABLE = re.compile(r"\s*\[(\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
KEY = re.compile(r"\s*((?:\"[^\"]*\"|'[^']*'|[A-Za-z0-9_.-])+)\s*=")
PART = re.compile(r"\"[^\"]*\"|'[^']*'|[^.\"']+")
Path = tuple[str | int, ...]


def line_of(text: str, wanted: Sequence[str | int]) -> int | None:
    """The line of a setting, or of the nearest table around it; None if there is neither."""
    best: tuple[int, int] | None = None
    for path, line in places(text):
        shared = common(path, tuple(wanted))
        if shared and shared == len(path) and (best is None or shared > best[0]):
            best = (shared, line)
    return best[1] if best else None


def places(text: str) -> list[tuple[Path, int]]:
    """Where each table and each key begins. A key inside a table in one line counts as that line."""
    found: list[tuple[Path, int]] = []
    table: Path = ()
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if opened := TABLE.match(line):
            names: Path = parts_of(opened[2])
            if opened[1]:
                counts[opened[2]] = counts.get(opened[2], -1) + 1
                names = (*names, counts[opened[2]])
            table = names
            found.append((table, number))
        elif key := KEY.match(line):
            found.append(((*table, *parts_of(key[1])), number))
    return found


def parts_of(name: str) -> tuple[str, ...]:
    """The parts of a dotted name; within quotation marks a dot is a letter like others."""
    return tuple(part.strip("\"' ") for part in PART.findall(name))


def common(path: Path, wanted: Path) -> int:
    """How many parts they begin with alike."""
    alike = 0
    for one, other in zip(path, wanted, strict=False):
        if str(one) != str(other):
            break
        alike += 1
    return alike
