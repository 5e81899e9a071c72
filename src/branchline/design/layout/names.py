"""The names on the board: split into lines, and the box each one needs in every language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.boards.letters import in_lines, text_width
from branchline.boards.sizes import FONT_SIZE, LABEL_MARGIN, LINE_HEIGHT
from branchline.design.layout.board import Board, City


@dataclass(frozen=True)
class Name:
    lines: tuple[str, ...]
    width: float
    height: float


def name_of(city: City, language: str, longest: int) -> Name:
    if city.waypoint:
        return Name((), 0.0, 0.0)
    lines = in_lines(city.names[language], FONT_SIZE, longest)
    return Name(lines, max(text_width(line, FONT_SIZE) for line in lines) + 2 * LABEL_MARGIN, LINE_HEIGHT * len(lines))


def names_of(board: Board) -> list[dict[str, Name]]:
    longest = board.settings["two_lines"]
    return [{language: name_of(city, language, longest) for language in board.languages} for city in board.cities]


def boxes(names: list[dict[str, Name]]) -> np.ndarray[Any, Any]:
    """The box that holds a city's name in any language."""
    return np.array([[max(one.width for one in name.values()), max(one.height for one in name.values())] for name in names])
