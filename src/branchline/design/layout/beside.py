"""The files of a board that no rule reads: names, texts, pictures, weights of bots, what may be balanced. Each is read as whoever needs it does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from branchline.boards.drawings import FILE as LAYOUT
from branchline.boards.drawings import GEOGRAPHY as PLACES
from branchline.boards.drawings import check_layout, places_in
from branchline.boards.examples import read_examples
from branchline.boards.lines import line_of
from branchline.boards.model import Board, BoardError
from branchline.boards.names import FILE as NAMES
from branchline.boards.names import languages_of, read_names
from branchline.boards.presentation import FILE as PAGE
from branchline.boards.presentation import read_picture, read_presentation
from branchline.boards.tables import collecting, go_on_after, header_line, header_of, read_rows, read_settings, read_text
from branchline.boards.texts import read_texts
from branchline.bots.levels import read_levels
from branchline.bots.networks import CHANCES, LEARNED, check_network
from branchline.bots.weights import read_weights
from branchline.design.balance.allowed import check_allowed
from branchline.design.editor.pictures import KINDS, kind_of
from branchline.design.editor.reading import read_background
from branchline.design.layout.settings import read_layout_settings
from branchline.words import languages, sets_of_terms

PICTURES = (*(f"background.{kind}" for kind in KINDS), "ground-light.webp", "ground-dark.webp")
GROUND = "ground.toml"
Check = Callable[[Path, Board], object]


def problems_beside(folder: Path, board: Board, to_draw: bool = False) -> list[BoardError]:
    """What is wrong with each of them, or with those that a drawing is made of."""
    found: list[BoardError] = []
    for check in TO_DRAW if to_draw else CHECKS:
        with collecting() as about_one:
            check(folder, board)
        found += about_one
    return found


def check_drawing(folder: Path, board: Board) -> None:
    if board.routes and (folder / LAYOUT).is_file():
        check_layout(f"{folder.name}/{LAYOUT}", board, (folder / LAYOUT).read_bytes())


def check_drawing_settings(folder: Path, board: Board) -> None:
    if not board.routes:
        return
    places = places_in(folder, board)
    check_places(folder, places | read_layout_settings(folder, board, places)["places"])


def check_pictures(folder: Path, board: Board) -> None:  # noqa: ARG001  # all checks take the same
    """A picture is what its first bytes say, and browsers want the name to agree."""
    for name in PICTURES:
        if (folder / name).is_file() and kind_of((folder / name).read_bytes()[:16]) != name.rpartition(".")[2]:
            reason = f"is not a {name.rpartition('.')[2].upper()} picture: save it as one, give it the name of its kind, or remove the file"
            go_on_after(BoardError(f"{folder.name}/{name}", reason))


def check_ground(folder: Path, board: Board) -> None:  # noqa: ARG001
    if (folder / GROUND).is_file():
        read_settings(folder, GROUND)


def check_names(folder: Path, board: Board) -> None:
    read_names(folder, board.cities)
    for language in languages_of(folder) if (folder / NAMES).is_file() else ():
        if language not in languages():
            reason = f"the column {language} is for no language that Branchline speaks ({', '.join(languages())}): correct or remove it"
            go_on_after(BoardError(f"{folder.name}/{NAMES}", reason, header_line(folder, NAMES)))


def check_places(folder: Path, places: dict[str, tuple[float, float]]) -> None:
    """Two dots on each other cannot be told apart, nor chosen."""
    if not (folder / PLACES).is_file():
        return
    lines = {row.cells["city"]: row.line for row in read_rows(folder, PLACES, tuple(header_of(folder, PLACES)))}
    first: dict[tuple[float, float], str] = {}
    for city, place in places.items():
        if (other := first.setdefault(place, city)) != city:
            reason = f"{city} is at the same place as {other}: move one of them, here or under [places] in layout.toml"
            go_on_after(BoardError(f"{folder.name}/{PLACES}", reason, lines.get(city)).coded("same_place"))


def check_presentation(folder: Path, board: Board) -> None:  # noqa: ARG001
    for terms in read_presentation(folder).words.terms:
        if terms not in sets_of_terms():
            reason = f"words.terms names {terms!r}, and the sets of terms are {', '.join(sets_of_terms())}: correct or remove it"
            go_on_after(BoardError(f"{folder.name}/{PAGE}", reason, line_of(read_text(folder, PAGE), ("words", "terms"))))


TO_DRAW: tuple[Check, ...] = (check_names, check_drawing_settings)
CHECKS: tuple[Check, ...] = (
    *TO_DRAW,
    check_presentation,
    lambda folder, _: read_texts(folder),
    lambda folder, _: read_picture(folder),
    lambda folder, _: read_weights(folder),
    lambda folder, _: read_levels(folder),
    lambda folder, board: check_network(folder, board, LEARNED),
    lambda folder, board: check_network(folder, board, CHANCES),
    check_allowed,
    lambda folder, _: read_background(folder),
    check_pictures,
    read_examples,
    check_ground,
    check_drawing,
)
