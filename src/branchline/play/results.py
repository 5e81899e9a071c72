"""The result of a game by name, as in the game record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from branchline.boards import Board
from branchline.play.bitsets import members
from branchline.rules.vocabulary.phases import OVER

# what a total consists of, and which boards have it
SCORE_PARTS: dict[str, Callable[[Board], Any]] = {
    "routes": lambda board: board.routes,
    "tickets": lambda _: True,
    "stations": lambda board: board.record.stations,
    "longest_path": lambda board: board.record.longest_points,
    "districts": lambda board: board.districts,
    "harbours": lambda board: board.record.harbours,
    "bonuses": lambda board: board.big_cities,
    "attractions": lambda board: board.record.attraction_points,
}


def named_result(board: Board, state: Any, result: Any) -> dict[str, Any]:
    scores = [seat_score(board, state, result, seat) for seat in range(state.players)]
    if state.phase != OVER:
        return {"scores": scores}
    return {"winners": members(result.winners), "scores": scores}


def seat_score(board: Board, state: Any, result: Any, seat: int) -> dict[str, Any]:
    score = parts_of_score(board, result, seat)
    done = members(result.completed[seat])
    in_order = set(members(result.in_order[seat]))
    score["completed"] = [completed_name(board, number, number in in_order) for number in done]
    score["failed"] = [board.tickets[number].id for number in members(state.tickets[seat] & ~result.completed[seat])]
    if board.record.stations:
        score["station_routes"] = station_routes(board, result, seat)
    if board.record.longest_points:
        score["longest_path_length"] = int(result.longest_path_length[seat])
    if board.districts:
        score["districts_completed"] = [name for name, done in zip(board.districts, result.districts_completed[seat], strict=False) if done]
    if board.record.attraction_points:
        score["attractions_reached"] = attractions_reached(board, state, seat)
    if board.big_cities:
        score["bonus_cities"] = [city.id for place, city in enumerate(board.big_cities) if int(result.bonus_cities[seat]) >> place & 1]
    return score


def attractions_reached(board: Board, state: Any, seat: int) -> list[str]:
    """NY-6: those to which a route of the seat leads."""
    return [board.cities[city].id for city in members(board.record.attractions & state.reached[seat])]


def parts_of_score(board: Board, result: Any, seat: int) -> dict[str, Any]:
    """The total, and the parts that the game has."""
    parts = ["total", *(part for part, is_there in SCORE_PARTS.items() if is_there(board))]
    return {part: int(result[part][seat]) for part in parts}


def completed_name(board: Board, number: int, in_order: bool) -> str | dict[str, str]:
    """A ticket's id; of a tour also how it was completed."""
    ticket = board.tickets[number]
    return {"ticket": ticket.id, "how": "in_order" if in_order else "connected"} if ticket.is_tour else ticket.id


def station_routes(board: Board, result: Any, seat: int) -> dict[str, str | None]:
    """The city of each station and the route it borrows."""
    pairs = zip(result.station_city[seat], result.station_route[seat], strict=True)
    return {board.cities[city].id: board.routes[route].id if route >= 0 else None for city, route in pairs if city >= 0}
