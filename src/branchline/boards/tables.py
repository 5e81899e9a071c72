"""Reading a board's files: TOML settings and CSV tables, with errors that name file, line and reason."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable, Iterator
from importlib.resources.abc import Traversable
from typing import Any

from branchline.boards.model import BoardError

LARGEST_FILE = 1_000_000  # bytes; a board is a few kilobytes


class Row:
    """One line of a table: its cells by column, and where it stands."""

    def __init__(self, file: str, line: int, cells: dict[str, str]) -> None:
        self.file, self.line, self.cells = file, line, cells

    def error(self, reason: str) -> BoardError:
        return BoardError(self.file, reason, self.line)

    def text(self, column: str) -> str:
        if not self.cells[column]:
            raise self.error(f"{column} is empty")
        return self.cells[column]

    def number(self, column: str, least: int, most: int) -> int:
        cell = self.cells.get(column, "") or "0"
        if cell not in map(str, range(least, most + 1)):
            raise self.error(f"{column} is {cell!r}, not a whole number from {least} to {most}")
        return int(cell)

    def flag(self, column: str) -> bool:
        cell = self.cells.get(column, "")
        if cell not in ("", "yes"):
            raise self.error(f"{column} is {cell!r}; write 'yes' or leave it empty")
        return cell == "yes"

    def several(self, column: str, allowed: Any) -> tuple[str, ...]:
        """Words with spaces between."""
        words = tuple(self.text(column).split())
        for word in words:
            if word not in allowed:
                raise self.error(f"{column}: {word!r} is not one of {', '.join(map(str, allowed))}")
        return words

    def one_of(self, column: str, allowed: Any) -> str:
        cell = self.text(column)
        if cell not in allowed:
            raise self.error(f"{column} {cell!r} is not one of {', '.join(map(str, allowed))}")
        return cell


def read_text(folder: Traversable, file: str) -> str:
    path = folder / file
    label = f"{folder.name}/{file}"
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BoardError(label, f"cannot be read ({error.strerror or error})") from None
    if len(content) > LARGEST_FILE:
        raise BoardError(label, f"is {len(content)} bytes long; a board's file has at most {LARGEST_FILE}")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BoardError(label, f"is not UTF-8 text (byte {error.start})") from None


def read_settings(folder: Traversable, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(folder, file))
    except tomllib.TOMLDecodeError as error:
        raise BoardError(f"{folder.name}/{file}", f"is not valid TOML: {error}") from None


def read_rows(folder: Traversable, file: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> Iterator[Row]:
    """The rows of a CSV table whose header has all required columns and no unknown ones."""
    label = f"{folder.name}/{file}"
    lines = list(csv.reader(read_text(folder, file).splitlines()))
    header = lines[0] if lines else []
    missing = [column for column in required if column not in header]
    unknown = [column for column in header if column not in required + optional]
    if missing or unknown or len(set(header)) < len(header):
        raise BoardError(label, f"the header must hold {', '.join(required)}; allowed beside them: {', '.join(optional) or 'nothing'}", 1)
    for line, cells in enumerate(lines[1:], start=2):
        row = Row(label, line, dict(zip(header, cells, strict=False)))
        if len(cells) != len(header):
            raise row.error(f"has {len(cells)} cells; the header has {len(header)}")
        yield row


def unique_by_id(make: Callable[[Row], Any], rows: Iterator[Row]) -> tuple[Any, ...]:
    """Make one fact of each row; ids must differ."""
    seen: dict[str, int] = {}
    facts = []
    for row in rows:
        fact = make(row)
        if fact.id in seen:
            raise row.error(f"id {fact.id!r} stands already in line {seen[fact.id]}")
        seen[fact.id] = row.line
        facts.append(fact)
    return tuple(facts)
