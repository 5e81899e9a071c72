"""How a board is drawn: `layout.json` in its folder, as `branchline board draw` makes it, or straight tracks until there is one."""

from __future__ import annotations

import json
from importlib.resources.abc import Traversable
from typing import Any

from branchline.boards.folders import board_folder, kept_per_board
from branchline.boards.loader import load_board
from branchline.boards.model import Board, BoardError, Place
from branchline.boards.names import city_names

FILE = "layout.json"
GEOGRAPHY = "geography.csv"
AGAIN = "draw it again with `branchline board draw`, or remove the file to play on straight tracks"


@kept_per_board
def layout_of(game: str) -> bytes | None:
    """The drawing of a board, as JSON; None for a game without a map."""
    board, folder = load_board(game), board_folder(game)
    if (folder / FILE).is_file():
        contents = (folder / FILE).read_bytes()
        if board.is_own:
            check_layout(f"{folder.name}/{FILE}", board, contents)
        return contents
    return json.dumps(straight(board, folder), ensure_ascii=False, separators=(",", ":")).encode() if board.routes else None


def straight(board: Board, folder: Traversable) -> dict[str, Any]:
    from branchline.boards.straight import straight_layout

    return straight_layout(board, places_in(folder, board), city_names(board.game))


def places_in(folder: Traversable, board: Board) -> dict[str, tuple[float, float]]:
    from branchline.boards.tables import read_facts

    if not (folder / GEOGRAPHY).is_file():
        return {}
    rows = read_facts(folder, GEOGRAPHY, Place, {"cities": {city.id: None for city in board.cities}})
    return {one.city: (one.lat, one.lon) for one in rows.values()}


def check_layout(label: str, board: Board, contents: bytes) -> None:
    """A drawing of an earlier state of the board cannot be shown; ours are measured in the tests."""
    layout = read_layout(label, contents)
    drawn = {route: len(shape.spaces) for route, shape in layout.routes.items()}
    for route in board.routes:
        if drawn.get(route.id) != route.length:
            reason = f"draws {drawn.get(route.id, 0)} spaces of the route {route.id}, which has {route.length}: {AGAIN}"
            raise BoardError(label, reason).coded("drawing_outdated")
    for city in board.cities:
        if city.id not in layout.cities:
            raise BoardError(label, f"does not draw {city.id}: {AGAIN}").coded("drawing_outdated")
    for portal in layout.edge:
        if portal.to not in layout.cities:
            raise BoardError(label, f"leads over the edge to {portal.to}, which it does not draw: {AGAIN}").coded("drawing_outdated")


def read_layout(label: str, contents: bytes) -> Any:
    """The drawing, if it has the shape of one."""
    from pydantic import ValidationError

    from branchline.boards.drawn import Layout
    from branchline.boards.tables import reason_of

    try:
        return Layout.model_validate(json.loads(contents))
    except ValidationError as error:
        reason = reason_of(error.errors(include_url=False)[0]).removesuffix(": add it")
        raise BoardError(label, f"is not a drawing ({reason}): {AGAIN}") from None
    except ValueError as error:
        raise BoardError(label, f"is not JSON ({error}): {AGAIN}", getattr(error, "lineno", None)) from None
