"""What may be changed on a board: declared in its `balance.toml`, or with options.

tickets = 4                    # points of each ticket, up or down by this many
lengths = 1                    # spaces of each route; both tracks of a double route together
colours = true                 # colours of routes
points = 2                     # what routes of each length earn
keep = ["berlin-oslo"]         # tickets and routes that stay as they are

[settings]                     # any number in board.toml, from … to …
"pieces.trains" = [16, 24]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from branchline.boards import Board
from branchline.boards.lines import line_of
from branchline.boards.model import BoardError
from branchline.boards.tables import go_on_after, read_model, read_settings, read_text
from branchline.errors import UsageError

FILE = "balance.toml"
TICKET, LENGTH, COLOUR, SETTING = "ticket", "length", "colour", "setting"
POINTS = "routes.points"


class BalanceError(UsageError):
    """What is allowed to change, or the goal, cannot be understood."""


@dataclass(frozen=True)
class Allowed:
    """How far each kind of number may be moved; 0: not at all."""

    tickets: int = 0
    lengths: int = 0
    colours: bool = False
    points: int = 0
    keep: tuple[str, ...] = ()
    settings: dict[str, tuple[int, int]] = field(default_factory=dict)


class AllowedInFile(BaseModel):
    """The same as the file says it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    tickets: int = Field(0, ge=0)
    lengths: int = Field(0, ge=0)
    colours: bool = False
    points: int = Field(0, ge=0)
    keep: list[str] = []
    settings: dict[str, Any] = {}


@dataclass(frozen=True)
class Knob:
    """Something that may be changed: a ticket's points, a route's length or colour, a setting; what it is now, and what it may be."""

    kind: str
    subject: str
    now: Any
    choices: tuple[Any, ...]


def read_allowed(folder: Path) -> Allowed:
    """What the board's folder allows; nothing without the file."""
    if not (folder / FILE).is_file():
        return Allowed()
    label, text = f"{folder.name}/{FILE}", read_text(folder, FILE)
    settings = {}
    for name, value in settings_in(read_settings(folder, FILE)).items():
        with at_line(label, text, "settings", name):
            settings[name] = as_range(name, value)
    told = read_model(AllowedInFile, folder, FILE)
    return Allowed(told.tickets, told.lengths, told.colours, told.points, tuple(told.keep), settings)


def settings_in(tables: dict[str, Any]) -> dict[str, Any]:
    """Those that may change, if they are written as such."""
    found = tables.get("settings")
    return found if isinstance(found, dict) else {}


@contextmanager
def at_line(label: str, text: str, *place: str) -> Iterator[None]:
    """What is wrong is said with its line of the file, and if errors are collected, that is all."""
    try:
        yield
    except BalanceError as error:
        go_on_after(BoardError(label, str(error), line_of(text, place)))


def check_allowed(folder: Path, board: Board) -> None:
    """Raise a BoardError if the folder allows something that the board does not have."""
    if not (folder / FILE).is_file():
        return
    label, text, tables = f"{folder.name}/{FILE}", read_text(folder, FILE), read_settings(folder, FILE)
    keep = tables.get("keep")
    for name in keep if isinstance(keep, list) else ():
        with at_line(label, text, "keep"):
            check_kept(board, Allowed(keep=(str(name),)))
    for name in settings_in(tables):
        with at_line(label, text, "settings", name):
            setting_of(board, name)
    read_allowed(folder)


def as_range(name: str, value: Any) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2 or not all(type(one) is int for one in value) or value[0] > value[1]:  # from, to
        raise BalanceError(f"the setting {name} may be from one number to another, such as [16, 24], not {value!r}")
    return value[0], value[1]


def parsed_settings(texts: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Options such as `pieces.trains=16-24`."""
    found = {}
    for text in texts:
        name, _, span = text.partition("=")
        low, _, high = span.partition("-")
        if not low.isdigit() or not high.isdigit():
            raise BalanceError(f"--setting is NAME=FROM-TO, such as pieces.trains=16-24, not {text!r}")
        found[name] = as_range(name, [int(low), int(high)])
    return found


def with_options(allowed: Allowed, **options: Any) -> Allowed:
    """Options count instead of what the file says, where they are given."""
    return replace(allowed, **{name: value for name, value in options.items() if value})


def knobs_of(board: Board, allowed: Allowed) -> list[Knob]:
    """Everything that may be changed, with at least one other choice."""
    check_kept(board, allowed)
    every = [*ticket_knobs(board, allowed), *route_knobs(board, allowed), *setting_knobs(board, allowed)]
    found = [one for one in every if len(one.choices) > 1]
    if not found:
        raise BalanceError(f"nothing may be changed: allow something with --tickets, --lengths, --colours, --points or --setting, or in {FILE}")
    return found


def check_kept(board: Board, allowed: Allowed) -> None:
    known = {ticket.id for ticket in board.tickets} | {route.id for route in board.routes}
    for name in allowed.keep:
        if name not in known:
            raise BalanceError(f"there is no ticket or route {name!r} to keep: correct or remove it")


def ticket_knobs(board: Board, allowed: Allowed) -> list[Knob]:
    return [
        Knob(TICKET, one.id, one.points, choices(one.points, max(1, one.points - allowed.tickets), min(100, one.points + allowed.tickets)))
        for one in board.tickets
        if allowed.tickets and not one.is_tour and one.id not in allowed.keep
    ]


def route_knobs(board: Board, allowed: Allowed) -> list[Knob]:
    """The second track of a double route goes with the first."""
    lengths = sorted(int(length) for length in board.settings["routes"]["points"]) if board.routes else []
    colours = tuple(dict.fromkeys(card.colour for card in board.cards if card.colour and card.deck == board.cards[0].deck))
    found = []
    for one in board.routes:
        if one.id in allowed.keep:
            continue
        if allowed.lengths and not (one.double and one.id.endswith(".2")):
            fitting = tuple(length for length in lengths if abs(length - one.length) <= allowed.lengths and length >= max(one.ferry, 1))
            found.append(Knob(LENGTH, one.id, one.length, fitting))
        if allowed.colours and not one.sea:
            found.append(Knob(COLOUR, one.id, one.colour, (*colours, "gray")))
    return found


def setting_knobs(board: Board, allowed: Allowed) -> list[Knob]:
    spans = dict(allowed.settings)
    if allowed.points:
        for length, points in board.settings["routes"]["points"].items():
            spans.setdefault(f"{POINTS}.{length}", (max(0, points - allowed.points), points + allowed.points))
    found = []
    for name, (low, high) in spans.items():
        now = setting_of(board, name)
        found.append(Knob(SETTING, name, now, choices(now, low, high)))
    return found


def choices(now: int, low: int, high: int) -> tuple[int, ...]:
    """What is allowed, and what it is now, which may lie outside: nothing between the two."""
    return tuple(sorted({now, *range(low, high + 1)}))


def setting_of(board: Board, name: str) -> int:
    """A number in board.toml by its path, such as `pieces.trains` or `deck.0.hand`."""
    value: Any = board.settings
    for part in name.split("."):
        value = (
            value[int(part)]
            if isinstance(value, list) and part.isdigit() and int(part) < len(value)
            else value.get(part)
            if isinstance(value, dict)
            else None
        )
    if type(value) is not int:
        raise BalanceError(f"{name} is not a number in board.toml: name one that is, such as pieces.trains")
    return value
