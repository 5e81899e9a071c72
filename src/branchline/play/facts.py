"""The facts of the games for clients: places, routes, cards, tickets, the table of decisions; the drawing of a board and the map beneath it."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Any

from branchline.boards import Board, load_board
from branchline.boards.drawings import layout_of
from branchline.boards.folders import also_forgotten, board_folder, kept_per_board
from branchline.boards.names import city_names
from branchline.boards.presentation import boards_in_order, presentation_of, read_picture
from branchline.boards.shown import board_facts, given
from branchline.boards.texts import own_texts
from branchline.play.games import Game


@also_forgotten
@lru_cache(maxsize=256)
def known_game(name: str, players: int, options: tuple[tuple[str, Any], ...] = ()) -> Game:
    """Shared by all tables of a kind, because the table of decisions is large."""
    return Game(name, players, **dict(options))


@kept_per_board
def all_games() -> list[dict[str, Any]]:
    return [in_a_list(load_board(name)) for name in boards_in_order()]


def in_a_list(board: Board) -> dict[str, Any]:
    """A game in a list of games."""
    shown = presentation_of(board.game)
    return {
        "game": board.game,
        "name": board.name,
        "rules_version": board.rules_version,
        "players": list(board.players),
        "options": list(board.options),
        **given({"minutes": shown.minutes, "rule_ids": shown.rule_ids}),
        **(own_facts(board) if board.is_own else {}),
    }


def own_facts(board: Board) -> dict[str, Any]:
    """What a page cannot know of a board that is not part of it."""
    own = {"names": own_texts(board.game, "name"), "lines": own_texts(board.game, "line"), "picture": small_picture(board)}
    return {"is_own": True, **{name: value for name, value in own.items() if value}}


PICTURE = (260, 160)  # its size
SHOWN = 40  # routes in a picture: more would only be a tangle


def small_picture(board: Board) -> dict[str, Any]:
    """The board's own picture, or its routes as straight lines; nothing for a game without a map."""
    if (own := read_picture(board_folder(board.game))) is not None:
        return own
    if (drawing := layout_of(board.game)) is None:
        return {}
    layout = json.loads(drawing)
    _, _, width, height = layout["view_box"]
    scale = min(PICTURE[0] / width, PICTURE[1] / height)
    edges = (PICTURE[0] - width * scale) / 2, (PICTURE[1] - height * scale) / 2
    spots = {city: [round(edge + scale * spot[axis], 1) for axis, edge in zip("xy", edges, strict=True)] for city, spot in layout["cities"].items()}
    shown = [route for route in board.routes if not (route.double and route.id.endswith(".2")) and not route.over_the_edge]
    shown = shown[:: -(-len(shown) // SHOWN) or 1]
    return {"land": "M-4-4H264V164H-4Z", "lines": [[*spots[one.a], *spots[one.b], one.colour, 0, one.sea] for one in shown]}


@kept_per_board
def game_facts(name: str) -> dict[str, Any]:
    board = load_board(name)
    facts = board_facts(board)
    for city in facts["cities"]:
        if city["id"] in city_names(name):
            city["names"] = city_names(name)[city["id"]]
    return {
        **in_a_list(board),
        **presentation_of(name).model_dump(include={"words", "pictures", "rules"}),
        **facts,
        **given({"unbuilt_station": board.settings["end"].get("unbuilt_station")}),
        "tie_breaks": list(board.settings["end"].get("tie_breaks", ())),
        "has_layout": layout(name) is not None,
        "decisions": Game(name, board.players[0]).decisions.texts,
    }


@kept_per_board
def layout(name: str) -> tuple[bytes, str] | None:
    """The contents of a board's drawing and a tag that changes with it; None if the game is played without a map."""
    drawing = layout_of(name)
    return None if drawing is None else tagged(drawing)


@kept_per_board
def ground(name: str, theme: str) -> tuple[bytes, str] | None:
    """The picture of the map beneath a board, by day or by night; None if the board has none."""
    file = board_folder(name) / f"ground-{theme}.webp"
    return tagged(file.read_bytes()) if file.is_file() else None


def tagged(contents: bytes) -> tuple[bytes, str]:
    return contents, f'"{hashlib.sha256(contents).hexdigest()[:32]}"'
