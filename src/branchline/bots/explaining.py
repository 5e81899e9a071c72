"""Why a bot decided as it did, in the words of the game, for hints and analysis."""

from __future__ import annotations

from typing import Any

from branchline.play.bitsets import members
from branchline.play.games import View

HUNDREDTHS = 100


def explain_plan(view: View, thoughts: Any) -> dict[str, Any]:
    """A planner's plan, from its memory after a decision on this view."""
    return yard_plan(view, thoughts) if view.game.board.record.yards else route_plan(view, thoughts)


def route_plan(view: View, thoughts: Any) -> dict[str, Any]:
    """The routes wanted, most urgent first; the tickets they complete; and what cards are worth in points, if that was worked out."""
    board, seat = view.game.board, view.seat
    if not thoughts["planned"]:
        return {}
    open_routes, plan = set(members(view.record.open_to[seat])), members(thoughts["plan"])
    wanted = sorted((route for route in plan if route in open_routes), key=lambda route: -int(thoughts["urgency"][route]))
    lent = [route for route in plan if route not in open_routes and route not in members(view.record.owned[seat])]
    held, served = set(members(view.record.tickets[seat])), set(members(thoughts["served"]))
    return {
        "routes": [{"route": board.routes[route].id, "urgency": int(thoughts["urgency"][route]) / HUNDREDTHS} for route in wanted],
        "by_station": [board.routes[route].id for route in lent],
        "tickets": [board.tickets[ticket].id for ticket in sorted(held & served)],
        "given_up": [board.tickets[ticket].id for ticket in sorted(held - served)],
        "extra": board.routes[int(thoughts["extra"])].id if int(thoughts["extra"]) >= 0 else None,
        "cards": {card.id: int(thoughts["worth"][kind]) / HUNDREDTHS for kind, card in enumerate(board.cards)} if thoughts["weighed"] else {},
    }


def yard_plan(view: View, thoughts: Any) -> dict[str, Any]:
    """The cards that the tickets lack, and the points that placing the best cards now would bring."""
    board = view.game.board
    colours = [card.id for card in board.cards][: board.record.colours]
    lacking = {colour: int(thoughts["lacking"][number]) for number, colour in enumerate(colours) if thoughts["lacking"][number] > 0}
    return {"cards_lacking": lacking, "placing": int(thoughts["place_value"]) / HUNDREDTHS if thoughts["place_value"] > -HUNDREDTHS * 1000 else None}
