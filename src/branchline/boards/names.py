"""What cities are called in other languages: `names.csv`. For people to read: no rule uses it."""

from __future__ import annotations

from dataclasses import make_dataclass
from importlib.resources.abc import Traversable
from typing import Any

from branchline.boards.folders import board_folder, kept_per_board
from branchline.boards.loader import load_board
from branchline.boards.model import City, CityId

FILE = "names.csv"


@kept_per_board
def city_names(game: str) -> dict[str, dict[str, str]]:
    """City to language to name; empty for a board without such names. A language without a column has the names on the board."""
    board = load_board(game)
    return read_names(board_folder(game), board.cities)


def read_names(folder: Traversable, cities: tuple[City, ...]) -> dict[str, dict[str, str]]:
    if not (folder / FILE).is_file():
        return {}
    from branchline.boards.tables import read_facts

    languages = languages_of(folder)
    row: Any = make_dataclass("CityNames", [("city", CityId), *((language, str) for language in languages)])
    names = read_facts(folder, FILE, row, {"cities": {city.id: None for city in cities}})
    return {one.city: {language: getattr(one, language) for language in languages} for one in names.values()}


def languages_of(folder: Traversable) -> list[str]:
    """The languages in which the cities have names, by the headings of the table."""
    from branchline.boards.tables import header_of

    return header_of(folder, FILE)[1:]
