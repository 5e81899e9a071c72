"""Reading a board's files, TOML settings and CSV tables. pydantic checks them; an error names file, line and reason."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from branchline.boards.model import BoardError

LARGEST_FILE = 1_000_000  # bytes; a board is a few kilobytes
LISTS = ("cards", "cities")  # columns whose cells hold words with spaces between
NEEDS = {"int_parsing": "it should be a whole number", "bool_parsing": "write 'yes' or leave it empty"}

Model = TypeVar("Model", bound=BaseModel)


class Row:
    """One line of a table: the cells that are not empty by column, and where it stands."""

    def __init__(self, file: str, line: int, cells: dict[str, str]) -> None:
        self.file, self.line, self.cells = file, line, cells

    def error(self, reason: str) -> BoardError:
        return BoardError(self.file, reason, self.line)

    def made(self, kind: Any, known: dict[str, Any]) -> Any:
        """The line as a fact. `known` has the names that a fact may refer to."""
        values = {column: tuple(cell.split()) if column in LISTS else cell for column, cell in self.cells.items()}
        try:
            return validator(kind).validate_python(values, context=known)
        except ValidationError as error:
            raise self.error(reason_of(error, "empty")) from None


@cache
def validator(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def reason_of(error: ValidationError, absent: str = "missing") -> str:
    """The first thing that is wrong, in words."""
    first = error.errors(include_url=False)[0]
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"] if part != "[key]").removeprefix(".")
    found, needed = repr(first["input"]), NEEDS.get(first["type"], first["msg"].replace("Input", "it", 1))
    match first["type"]:
        case "missing":
            return f"{place} is {absent}"
        case "extra_forbidden":
            return f"{place} is not a known setting"
        case "not_one_of":
            return f"{place} {found} is {needed}"
        case "value_error":
            return str(first["ctx"]["error"])
    return f"{place} is {found if len(found) < 60 else found[:59] + '…'}; {needed}"


def checked(model: type[Model], label: str, tables: dict[str, Any]) -> Model:
    """A file's tables as a model of them."""
    try:
        return model.model_validate(tables)
    except ValidationError as error:
        raise BoardError(label, reason_of(error)) from None


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
        raise BoardError(label, f"the header must have {', '.join(required)}; also allowed: {', '.join(optional) or 'nothing'}", 1)
    for line, cells in enumerate(lines[1:], start=2):
        row = Row(label, line, {column: cell for column, cell in zip(header, cells, strict=False) if cell})
        if len(cells) != len(header):
            raise row.error(f"has {len(cells)} cells; the header has {len(header)}")
        yield row


def read_facts(
    folder: Traversable,
    file: str,
    kind: type[Any],
    known: dict[str, Any],
    optional: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
    wrong: Callable[[Any], str | None] = lambda _fact: None,
) -> dict[Row, Any]:
    """A fact for each row; its first field must differ from row to row.

    The columns are the fields without a default and those in `also`; `optional` columns need not be there. `wrong` says what else is wrong.
    """
    required = tuple(one.name for one in fields(kind) if one.default is MISSING)
    facts: dict[Row, Any] = {}
    seen: dict[str, int] = {}
    for row in read_rows(folder, file, (*required, *also), optional):
        fact = facts[row] = row.made(kind, known)
        if reason := wrong(fact):
            raise row.error(reason)
        if (name := getattr(fact, required[0])) in seen:
            raise row.error(f"{required[0]} {name!r} is already in line {seen[name]}")
        seen[name] = row.line
    return facts
