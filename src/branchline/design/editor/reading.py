"""Reads a board's folder into a document. It may be unfinished or wrong, as long as every cell is what its column holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from branchline.boards.model import GRAY, GREY, BoardError
from branchline.boards.tables import header_of, read_model, read_rows, read_settings, reason_of
from branchline.design.editor.document import (
    Background,
    Document,
    EditedBonus,
    EditedCard,
    EditedCity,
    EditedRoute,
    EditedTicket,
    EditedTour,
    EditorSettings,
)

Model = TypeVar("Model", bound=BaseModel)
SETTINGS, BACKGROUND = "board.toml", "editor.toml"
# the columns of each table: those that it must have, then those that it may have
COLUMNS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "cards.csv": (("id", "deck", "colour", "count"), ("covers", "harbour")),
    "cities.csv": (("id", "name"), ("port", "attraction")),
    "geography.csv": (("city", "lat", "lon"), ()),
    "districts.csv": (("city", "district"), ()),
    "routes.csv": (("id", "a", "b", "length", "colour"), ("double", "ferry", "tunnel", "sea", "pair", "over_the_edge")),
    "tickets.csv": (("id", "a", "b", "points"), ("long", "cards")),
    "tours.csv": (("id", "cities", "in_order", "connected", "failed"), ()),
    "big_cities.csv": (("city", "points"), ()),
}
NAMES = "names.csv"  # its columns are languages
FILES = (SETTINGS, *COLUMNS, NAMES, BACKGROUND)  # all that the document holds
IDS_THAT_FOLLOW = ("routes.csv", "tickets.csv", "tours.csv")
LISTS = ("cards", "cities")


def read_document(folder: Path) -> Document:
    """The document of a folder; a BoardError says what to mend first if it cannot be edited."""
    settings = read_settings(folder, SETTINGS)
    if "yards" in settings:
        reason = "has yards instead of routes, and the editor is for boards with routes: edit the files by hand"
        raise BoardError(f"{folder.name}/{SETTINGS}", reason)
    return Document(
        settings=settings,
        cards=read_table(folder, "cards.csv", EditedCard),
        cities=read_cities(folder),
        routes=read_table(folder, "routes.csv", EditedRoute),
        tickets=read_table(folder, "tickets.csv", EditedTicket),
        tours=read_table(folder, "tours.csv", EditedTour),
        big_cities=read_table(folder, "big_cities.csv", EditedBonus),
        background=read_background(folder),
    )


def read_table(folder: Path, file: str, kind: type[Model]) -> list[Model]:
    """A model for each row; none if there is no such file."""
    return [made(kind, row, cells) for row, cells in rows_of(folder, file)]


def made(kind: type[Model], row: Any, cells: dict[str, Any]) -> Model:
    try:
        return kind.model_validate(cells)
    except ValidationError as error:
        raise row.error(f"{reason_of(error.errors(include_url=False)[0], 'empty')}. The editor needs that mended first") from None


def rows_of(folder: Path, file: str) -> list[tuple[Any, dict[str, Any]]]:
    """The rows and their cells, without ids that follow from the rest."""
    if not (folder / file).is_file():
        return []
    required, optional = COLUMNS[file]
    rows: list[tuple[Any, dict[str, Any]]] = [(row, dict(row.cells)) for row in read_rows(folder, file, required, optional)]
    for _, cells in rows:
        if file in IDS_THAT_FOLLOW:
            cells.pop("id", None)
        if file == "routes.csv" and cells.get("colour") == GREY:
            cells["colour"] = GRAY
        cells.update({column: str(cells[column]).split() for column in LISTS if column in cells})
    return rows


def read_cities(folder: Path) -> list[EditedCity]:
    """Cities with their places, districts and names, which have files of their own."""
    beside = {file: {cells.pop("city", ""): cells for _, cells in rows_of(folder, file)} for file in ("geography.csv", "districts.csv")}
    names = read_names(folder)
    found = []
    for row, cells in rows_of(folder, "cities.csv"):
        id_ = cells.get("id", "")
        for table in beside.values():
            cells.update(table.get(id_, {}))
        found.append(made(EditedCity, row, cells | {"names": names.get(id_, {})}))
    return found


def read_names(folder: Path) -> dict[str, dict[str, str]]:
    if not (folder / NAMES).is_file():
        return {}
    rows = list(read_rows(folder, NAMES, ("city", *languages_in(folder))))
    return {row.cells.get("city", ""): {language: name for language, name in row.cells.items() if language != "city"} for row in rows}


def languages_in(folder: Path) -> tuple[str, ...]:
    """The columns of the table of names after the first."""
    return tuple(header_of(folder, NAMES)[1:]) if (folder / NAMES).is_file() else ()


def read_background(folder: Path) -> Background:
    if not (folder / BACKGROUND).is_file():
        return Background()  # type: ignore[call-arg]  # all have defaults
    return read_model(EditorSettings, folder, BACKGROUND).background
