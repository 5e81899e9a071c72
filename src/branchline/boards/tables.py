"""Reading a board's files, TOML settings and CSV tables. pydantic checks them; an error names file, line and reason."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, fields
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from branchline.boards.lines import line_of
from branchline.boards.model import BoardError
from branchline.errors import did_you_mean

LARGEST_FILE = 1_000_000  # bytes; a board is a few kilobytes
LISTS = ("cards", "cities")  # columns whose cells hold words with spaces between
A_TABLE, A_LIST = "it should be a table of names and values", "it should be a list in square brackets"
WHOLE, NUMBER = "it should be a whole number", "it should be a number, such as 24.1"
NEEDS = {
    "int_parsing": WHOLE,
    "int_type": WHOLE,
    "int_from_float": WHOLE,
    "float_parsing": NUMBER,
    "float_type": NUMBER,
    "string_type": "it should be a text in quotation marks",
    "bool_type": "it should be true or false",
    "tuple_type": A_LIST,
    "list_type": A_LIST,
    "bool_parsing": "write 'yes' or leave it empty",
    "model_type": A_TABLE,
    "dict_type": A_TABLE,
}
SEPARATORS = {";": "semicolons", "\t": "tabs"}  # what spreadsheets write instead of commas, in many languages

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
            raise found_wrong(*(with_code(self.error(reason_of(one, "empty")), one) for one in error.errors(include_url=False))) from None


@cache
def validator(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def place_of(error: Any, reason: str) -> list[str | int]:
    """The setting that an error is about. One that is about several begins with the name of the first."""
    about = reason.split(maxsplit=1)[0].split(".") if error["type"] == "value_error" else []
    return [part for part in error["loc"] if part != "[key]"][: 0 if about else None] + about


def reason_of(first: Any, absent: str = "missing", model: type[BaseModel] | None = None) -> str:
    """What is wrong, in words. The model knows what might have been meant."""
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"] if part != "[key]").removeprefix(".")
    table = table_at(model, first["loc"][:-1]) if model else None
    found, needed = repr(first["input"]), NEEDS.get(first["type"], first["msg"].replace("Input", "it", 1).replace("String", "it", 1))
    if first["type"] == "float_parsing" and place in ("lat", "lon"):
        needed += ", and below zero in the south and west"
    match first["type"]:
        case "missing":
            return f"{place} is {absent}: add it{example_of(table, first)}"
        case "extra_forbidden":
            return f"{place} is {unknown_setting(str(first['loc'][-1]), table.model_fields if table else ())}"
        case "not_one_of":
            return f"{place} {found} is {needed}{instead(str(first['input']), first['ctx'])}"
        case "list_type" | "too_short" | "too_long" if example := example_of(table, first):
            needed = f"{A_LIST}{example}"
        case "value_error":
            return str(first["ctx"]["error"])
        case "string_pattern_mismatch":
            needed = f"it should be {_patterns[pattern]}" if (pattern := first["ctx"]["pattern"]) in _patterns else needed
    place += f" ({spoken})" if (spoken := SPOKEN.get(place)) else ""
    return f"{place} is {found if len(found) < 60 else found[:59] + '…'}; {needed}".lstrip()


SPOKEN = {"players[0]": "the fewest players", "players[1]": "the most players"}


def unknown_setting(name: str, known: Iterable[str]) -> str:
    return f"not a known setting: remove it, or correct its name{did_you_mean(name, known)}"


def instead(found: str, context: dict[str, str]) -> str:
    """A name that looks like it, or else what to do; numbers that look alike have nothing in common."""
    near = "" if found.isdigit() else did_you_mean(found, context["allowed"].split(", "))
    return near or (f": {context['advice']}" if context["advice"] else "")


def example_of(table: type[BaseModel] | None, error: Any) -> str:
    examples = table.model_fields[name].examples if table and (name := str(error["loc"][-1])) in table.model_fields else None
    return f", such as {examples[0]}" if examples else ""


def table_at(model: type[BaseModel], place: Iterable[str | int]) -> type[BaseModel] | None:
    """The table that a place in a file leads to; None if it leads into something else."""
    table: type[BaseModel] | None = model
    for part in place:
        if table and isinstance(part, str):  # a number is a place in a list of tables
            table = table_in(table.model_fields[part].annotation) if part in table.model_fields else None
    return table


def table_in(annotation: Any) -> type[BaseModel] | None:
    """The one table that a setting may hold, be it in a list, or absent."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for one in get_args(annotation) if (found := table_in(one))), None)


_patterns: dict[str, str] = {}


def written_as(pattern: str, words: str) -> Any:
    """A text of this pattern; errors say it in words."""
    _patterns[pattern] = words
    return Field(pattern=pattern)


LIMITS = {"less_than_equal": ("at_most", "le"), "greater_than_equal": ("at_least", "ge")}


def with_code(error: BoardError, found: Any) -> BoardError:
    """What pages have words for: numbers out of their range, and names that are not known."""
    if found["type"] in LIMITS:
        code, limit = LIMITS[found["type"]]
        return error.coded(code, limit=found["ctx"][limit])
    return error.coded("not_one_of", found=str(found["input"]), allowed=found["ctx"]["allowed"]) if found["type"] == "not_one_of" else error


def checked(model: type[Model], label: str, tables: dict[str, Any], text: str = "") -> Model:
    """A file's tables as a model of them. All that is wrong is reported, each with its line in the text."""
    try:
        return model.model_validate(tables)
    except ValidationError as error:
        found = error.errors(include_url=False)
        wrong = [BoardError(label, reason := reason_of(one, model=model), line_of(text, place_of(one, reason)) or 1) for one in found]
        raise found_wrong(*map(with_code, wrong, found)) from None


def found_wrong(first: BoardError, *others: BoardError) -> BoardError:
    """The first of several errors, to be raised; the others go where errors are collected."""
    for error in others:
        collect(error)
    return first


# where `branchline board check` gathers everything that is wrong; elsewhere the first error is raised
_collected: ContextVar[list[BoardError] | None] = ContextVar("collected", default=None)


@contextmanager
def collecting() -> Iterator[list[BoardError]]:
    """Go on after an error in a row, as long as that makes sense, and gather them all."""
    found: list[BoardError] = []
    before = _collected.set(found)
    try:
        yield found
    except BoardError as error:
        found.append(error)
    finally:
        _collected.reset(before)


def collect(error: BoardError) -> None:
    if (found := _collected.get()) is not None:
        found.append(error)


def go_on_after(error: BoardError) -> None:
    """Raise it, unless errors are collected."""
    if _collected.get() is None:
        raise error
    collect(error)


def has_collected() -> bool:
    return bool(_collected.get())


def read_text(folder: Traversable, file: str) -> str:
    path = folder / file
    label = f"{folder.name}/{file}"
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BoardError(label, f"cannot be read ({error.strerror or error}): a board needs this file") from None
    if len(content) > LARGEST_FILE:
        raise BoardError(label, f"is {len(content)} bytes long; a board's file has at most {LARGEST_FILE}")
    try:
        return content.decode("utf-8-sig")  # spreadsheets put a mark before the first letter
    except UnicodeDecodeError as error:
        raise BoardError(label, f"is not UTF-8 text (byte {error.start}): save it as UTF-8", 1 + content[: error.start].count(b"\n")) from None


def read_settings(folder: Traversable, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(folder, file))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        advice = "a line is [table] or name = value, with texts in quotation marks: correct it"
        raise BoardError(f"{folder.name}/{file}", f"is not valid TOML: {error}; {advice}", int(place[1]) if place else None) from None


def read_model(model: type[Model], folder: Traversable, file: str) -> Model:
    """A file of settings, read and checked."""
    return checked(model, f"{folder.name}/{file}", read_settings(folder, file), read_text(folder, file))


def read_json(folder: Traversable, file: str) -> Any:
    """A file that a board can do without."""
    try:
        return json.loads(read_text(folder, file))
    except json.JSONDecodeError as error:
        raise BoardError(f"{folder.name}/{file}", f"is not JSON ({error.msg}): correct it, or remove the file", error.lineno) from None


def read_rows(folder: Traversable, file: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> Iterator[Row]:
    """The rows of a CSV table whose header has all required columns and no unknown ones."""
    label = f"{folder.name}/{file}"
    lines = [(number, cells) for number, cells in enumerate(csv.reader(read_text(folder, file).splitlines()), start=1) if not is_comment(cells)]
    first, header = lines[0] if lines else (1, [])
    missing = [column for column in required if column not in header]
    unknown = [column for column in header if column not in required + optional]
    if missing or unknown or len(set(header)) < len(header):
        raise BoardError(label, separator_fault(header) or header_fault(missing, unknown, required, optional), first)
    for line, cells in lines[1:]:
        row = Row(label, line, {column: cell for column, cell in zip(header, cells, strict=False) if cell})
        if len(cells) != len(header):
            go_on_after(row.error(f"has {len(cells)} cells; the header has {len(header)}: add or remove commas"))
        else:
            yield row


def header_of(folder: Traversable, file: str) -> list[str]:
    """The columns of a table, whatever they are; none if the file is empty."""
    return next((cells for cells in csv.reader(read_text(folder, file).splitlines()) if not is_comment(cells)), [])


def header_line(folder: Traversable, file: str) -> int:
    """Where these columns are named."""
    cells = enumerate(csv.reader(read_text(folder, file).splitlines()), start=1)
    return next((number for number, one in cells if not is_comment(one)), 1)


def is_comment(cells: list[str]) -> bool:
    """An empty line, or one that begins with #."""
    return not cells or cells[0].startswith("#")


def separator_fault(header: list[str]) -> str | None:
    found = next((name for sign, name in SEPARATORS.items() if len(header) == 1 and sign in header[0]), None)
    return f"has {found} between its cells: put commas there, as a spreadsheet does if you choose the comma when you export CSV" if found else None


def header_fault(missing: list[str], unknown: list[str], required: tuple[str, ...], optional: tuple[str, ...]) -> str:
    fault = f"has no column {missing[0]}" if missing else f"there is no column {unknown[0]}" if unknown else "has a column twice"
    return f"{fault}: the header must have {', '.join(required)}; also allowed: {', '.join(optional) or 'nothing'}"


def read_facts(
    folder: Traversable,
    file: str,
    kind: type[Any],
    known: dict[str, Any],
    optional: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
    wrong: Callable[[Any], str | None] = lambda _fact: None,
    spoilt: list[Row] | None = None,
) -> dict[Row, Any]:
    """A fact for each row; its first field must differ from row to row.

    The columns are the fields without a default and those in `also`; `optional` columns need not be there. `wrong` says what else is wrong.
    `spoilt` gets the rows with errors, so that nothing else is blamed for lacking them.
    """
    required = tuple(one.name for one in fields(kind) if one.default is MISSING)
    facts: dict[Row, Any] = {}
    seen: dict[str, int] = {}
    for row in read_rows(folder, file, (*required, *also), optional):
        try:
            fact = row.made(kind, known)
            if reason := wrong(fact):
                raise row.error(reason)
            if (name := getattr(fact, required[0])) in seen:
                reason = f"{required[0]} {name!r} is already in line {seen[name]}: give one of them another name, or remove it"
                raise row.error(reason).coded("twice")
        except BoardError as error:
            go_on_after(error)
            if spoilt is not None:
                spoilt.append(row)
            continue
        facts[row], seen[name] = fact, row.line
    return facts
