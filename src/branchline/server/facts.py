"""The facts of the games for clients: places, routes, cards, tickets, and the table of decisions."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache, lru_cache
from typing import Any

from branchline.boards import available_boards, load_board
from branchline.games import Game


@lru_cache(maxsize=256)
def known_game(name: str, players: int, options: tuple[tuple[str, Any], ...] = ()) -> Game:
    """One object for all tables of a kind: the table of decisions is large."""
    return Game(name, players, **dict(options))


@cache
def all_games() -> list[dict[str, Any]]:
    boards = [load_board(name) for name in available_boards()]
    return [{"game": board.game, "name": board.name, "rules_version": board.rules_version, "players": list(board.players)} for board in boards]


@cache
def game_facts(name: str) -> dict[str, Any]:
    board = load_board(name)
    kinds = ("cards", "cities", "routes", "tickets", "big_cities")
    facts: dict[str, Any] = {kind: [given(asdict(one)) for one in getattr(board, kind)] for kind in kinds}
    return {
        "game": board.game,
        "name": board.name,
        "rules_version": board.rules_version,
        "players": list(board.players),
        "decks": list(board.decks),
        "colours": list(board.colours),
        "districts": list(board.districts),
        **facts,
        "decisions": Game(name, board.players[0]).decisions.texts,
    }


def given(facts: dict[str, Any]) -> dict[str, Any]:
    """Without what does not apply."""
    return {name: value for name, value in facts.items() if value is not None and value is not False and value != ()}
