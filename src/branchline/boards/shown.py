"""The facts of a board as JSON: places, routes, cards, tickets, and how much of everything there is."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from branchline.boards.model import PIECES, Board
from branchline.rules.sizes import NONE

KINDS = ("cards", "cities", "routes", "tickets", "big_cities")


def board_facts(board: Board) -> dict[str, Any]:
    facts: dict[str, Any] = {kind: [given(asdict(one)) for one in getattr(board, kind)] for kind in KINDS}
    for route in facts["routes"]:
        route["points"] = int(board.record.route_points[route["length"]])
    return {
        **numbers(board),
        "yards": bool(board.record.yards),
        "decks": list(board.decks),
        "colours": list(board.colours),
        "districts": list(board.districts),
        **facts,
    }


def numbers(board: Board) -> dict[str, Any]:
    """How much each seat has and the table holds."""
    record = board.record
    pieces = {piece: int(number) for piece, number in zip(PIECES, record.pieces, strict=True) if number}
    there = {name: int(record[name]) for name in ("row", "supply", "stations", "harbours") if record[name]}
    if board.routes and record.last_pieces != NONE:
        there["last_pieces"] = int(record.last_pieces)
    return there | ({"pieces": pieces} if pieces else {})


def given(facts: dict[str, Any]) -> dict[str, Any]:
    """Without what does not apply."""
    return {name: value for name, value in facts.items() if value is not None and value is not False and value != ()}
