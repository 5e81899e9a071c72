"""How cities are called in other languages: `names.csv`. For people to read; like geography, no rule knows of it."""

from __future__ import annotations

from functools import cache
from importlib.resources.abc import Traversable

from branchline.boards.folders import board_folder
from branchline.boards.loader import load_board
from branchline.boards.model import City
from branchline.boards.tables import read_rows


@cache
def city_names(game: str) -> dict[str, dict[str, str]]:
    """City to language to name; empty for a board without such names. A language without a column has the names on the board."""
    board = load_board(game)
    return read_names(board_folder(game), board.cities)


def read_names(folder: Traversable, cities: tuple[City, ...]) -> dict[str, dict[str, str]]:
    if not (folder / "names.csv").is_file():
        return {}
    ids = {city.id: None for city in cities}
    rows = read_rows(folder, "names.csv", ("city", *languages_of(folder)))
    return {row.one_of("city", ids): {language: row.text(language) for language in languages_of(folder)} for row in rows}


def languages_of(folder: Traversable) -> list[str]:
    """The languages in which the cities have names, by the headings of the table."""
    with (folder / "names.csv").open(encoding="utf-8") as lines:
        return lines.readline().strip().split(",")[1:]
