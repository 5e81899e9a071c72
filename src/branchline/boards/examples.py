"""Worked examples for the rules page: `examples.json` in a board's folder. No rule uses them, and a board can do without.

What a language says about an example is with the board's other texts (`texts.py`). Whether an example is true, the tests find out by playing it.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources.abc import Traversable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from branchline.boards.folders import board_folder, kept_per_board
from branchline.boards.loader import load_board
from branchline.boards.model import Board, BoardError
from branchline.boards.tables import checked, read_json
from branchline.errors import did_you_mean

FILE = "examples.json"
# the fields of a step that name something, by what they name; whatever else a step states is the page's business and the tests'
NAMING = {
    "routes": ("route", "claims", "path"),
    "cities": ("city", "cities", "buildings"),
    "tickets": ("tickets", "completed"),
    "cards": ("cards", "laid", "turned", "added", "placed", "pile"),
}
Id = Annotated[str, Field(pattern="^[a-z0-9_-]+$", max_length=60)]


class Step(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)

    id: Id
    kind: Literal["payment", "tunnel", "count", "placing", "completing"]


class Example(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Id
    section: str
    rules: tuple[str, ...]
    map: tuple[str, ...] = ()
    steps: Annotated[tuple[Step, ...], Field(min_length=1, max_length=8)]


class Examples(BaseModel):
    examples: tuple[Example, ...]


@kept_per_board
def examples_of(game: str) -> list[dict[str, Any]]:
    """The examples as the page reads them; none if the board brings none."""
    return read_examples(board_folder(game), load_board(game))


def read_examples(folder: Traversable, board: Board) -> list[dict[str, Any]]:
    if not (folder / FILE).is_file():
        return []
    label = f"{folder.name}/{FILE}"
    written = read_json(folder, FILE)
    for example in checked(Examples, label, {"examples": written}).examples:
        check_names(label, example, board)
    return list(written)


def check_names(label: str, example: Example, board: Board) -> None:
    known = {kind: [one.id for one in getattr(board, kind)] for kind in NAMING}
    named = [("cities", city) for city in example.map] + [pair for step in example.steps for pair in names_in(step.model_dump())]
    for kind, name in named:
        if name not in known[kind]:
            raise BoardError(
                label, f"the example {example.id} names {name!r}, which is not among the board's {kind}{did_you_mean(name, known[kind])}"
            )


def names_in(step: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for kind, fields in NAMING.items():
        for field in fields:
            value = step.get(field, ())
            yield from ((kind, name) for name in ([value] if isinstance(value, str) else value))
