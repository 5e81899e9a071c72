"""The names on the board: split into lines, and the box each one needs in every language."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from board import LANGUAGES, Board, City
from font import Font
from sizes import LABEL_MARGIN, LINE_HEIGHT


@dataclass(frozen=True)
class Name:
    lines: tuple[str, ...]
    width: float
    height: float


def break_name(text: str, font: Font, longest: int) -> tuple[str, ...]:
    """Two lines if a name is long and has a space or a hyphen, broken so that the wider line is as narrow as possible."""
    breaks = [found.end() for found in re.finditer(r"[ -]", text)]
    if len(text) < longest or not breaks:
        return (text,)
    ways = [(text[:at].rstrip(), text[at:]) for at in breaks]
    return min(ways, key=lambda way: max(font.width(line) for line in way))


def name_of(city: City, language: str, font: Font, longest: int) -> Name:
    if city.waypoint:
        return Name((), 0.0, 0.0)
    lines = break_name(city.names[language], font, longest)
    return Name(lines, max(font.width(line) for line in lines) + 2 * LABEL_MARGIN, LINE_HEIGHT * len(lines))


def names_of(board: Board, font: Font) -> list[dict[str, Name]]:
    longest = board.settings["two_lines"]
    return [{language: name_of(city, language, font, longest) for language in LANGUAGES} for city in board.cities]


def boxes(names: list[dict[str, Name]]) -> np.ndarray:
    """The box that holds a city's name in any language."""
    return np.array([[max(one.width for one in name.values()), max(one.height for one in name.values())] for name in names])
