"""The facts of the games for clients: places, routes, cards, tickets, the table of decisions; the drawing of a board and the map beneath it."""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from importlib.resources.abc import Traversable
from typing import Any

from branchline.boards import Board, load_board
from branchline.boards.folders import board_folder
from branchline.boards.names import city_names
from branchline.boards.presentation import boards_in_order, presentation_of
from branchline.boards.shown import board_facts, given
from branchline.play.games import Game


@lru_cache(maxsize=256)
def known_game(name: str, players: int, options: tuple[tuple[str, Any], ...] = ()) -> Game:
    """Shared by all tables of a kind, because the table of decisions is large."""
    return Game(name, players, **dict(options))


@cache
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
    }


@cache
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
        "tie_breaks": list(board.settings["end"].get("tie_breaks", ())),
        "has_layout": layout(name) is not None,
        "decisions": Game(name, board.players[0]).decisions.texts,
    }


@cache
def layout(name: str) -> tuple[bytes, str] | None:
    """The contents of a board's drawing and a tag that changes with it; None if the board has none."""
    return tagged(board_folder(name) / "layout.json")


@cache
def ground(name: str, theme: str) -> tuple[bytes, str] | None:
    """The picture of the map beneath a board, by day or by night; None if the board has none."""
    return tagged(board_folder(name) / f"ground-{theme}.webp")


def tagged(file: Traversable) -> tuple[bytes, str] | None:
    if not file.is_file():
        return None
    contents = file.read_bytes()
    return contents, f'"{hashlib.sha256(contents).hexdigest()[:32]}"'
