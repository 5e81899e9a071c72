"""The result of a game by name, as the game record has it."""

from __future__ import annotations

from typing import Any

from branchline.bitsets import members
from branchline.boards import Board
from branchline.rules.state import OVER


def named_result(board: Board, state: Any, result: Any) -> dict[str, Any]:
    scores = [seat_score(board, state, result, seat) for seat in range(state.players)]
    if state.phase != OVER:
        return {"scores": scores}
    return {"winners": members(result.winners), "scores": scores}


def seat_score(board: Board, state: Any, result: Any, seat: int) -> dict[str, Any]:
    score: dict[str, Any] = {"total": int(result.total[seat]), "routes": int(result.routes[seat]), "tickets": int(result.tickets[seat])}
    if board.record.stations:
        score["stations"] = int(result.stations[seat])
    if board.record.longest_points:
        score["longest_path"] = int(result.longest_path[seat])
    if board.districts:
        score["districts"] = int(result.districts[seat])
    score["completed"] = [board.tickets[number].id for number in members(result.completed[seat])]
    score["failed"] = [board.tickets[number].id for number in members(state.tickets[seat] & ~result.completed[seat])]
    if board.record.stations:
        score["station_routes"] = station_routes(board, result, seat)
    if board.record.longest_points:
        score["longest_path_length"] = int(result.longest_path_length[seat])
    if board.districts:
        score["districts_completed"] = [name for name, done in zip(board.districts, result.districts_completed[seat], strict=False) if done]
    return score


def station_routes(board: Board, result: Any, seat: int) -> dict[str, str | None]:
    """City of each station to the route it borrows."""
    pairs = zip(result.station_city[seat], result.station_route[seat], strict=True)
    return {board.cities[city].id: board.routes[route].id if route >= 0 else None for city, route in pairs if city >= 0}
