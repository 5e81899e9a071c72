"""Why a bot decided as it did, in the words of the game, for hints and analysis."""

from __future__ import annotations

from typing import Any

from branchline.bots.compiled.planner_longest import LONGEST
from branchline.bots.compiled.planner_supply import RARE
from branchline.play.bitsets import members
from branchline.play.games import View

HUNDREDTHS = 100
RARELY = 50  # percent below the other colours


def explain_plan(view: View, thoughts: Any) -> dict[str, Any]:
    """A planner's plan, from its memory after a decision on this view."""
    return yard_plan(view, thoughts) if view.game.board.record.yards else route_plan(view, thoughts)


def route_plan(view: View, thoughts: Any) -> dict[str, Any]:
    """The routes wanted, most urgent first; the tickets they complete; what cards are worth in points, if that was worked out; rare cards; paths."""
    board, seat = view.game.board, view.seat
    if not thoughts["planned"]:  # before there are tickets, and in the last turns
        paths = longest_paths(view, thoughts)
        return {"longest_path": paths} if paths else {}
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
        "rare": rare_cards(view, thoughts),
        "longest_path": longest_paths(view, thoughts),
    }


def rare_cards(view: View, thoughts: Any) -> list[str]:
    """The cards that the planner hardly expects to draw, because most are in hands or will not come back soon."""
    board = view.game.board.record
    rarity = [thoughts["rarity"][board.deck_of[kind], board.colour_of[kind]] for kind in range(board.wild)]
    return [card.id for card, percent in zip(view.game.board.cards, rarity, strict=False) if thoughts["weights"][RARE] and percent >= RARELY]


def longest_paths(view: View, thoughts: Any) -> dict[str, int] | None:
    """How long the own path is and the longest of a rival, where that earns points."""
    if not view.game.board.record.longest_points or not thoughts["weights"][LONGEST]:
        return None
    own = int(thoughts["path"][view.seat])
    return {"own": own, "rival": own - int(thoughts["lead"])}


def yard_plan(view: View, thoughts: Any) -> dict[str, Any]:
    """The cards that the tickets lack, and the points that placing the best cards now would bring."""
    board = view.game.board
    colours = [card.id for card in board.cards][: board.record.colours]
    lacking = {colour: int(thoughts["lacking"][number]) for number, colour in enumerate(colours) if thoughts["lacking"][number] > 0}
    return {"cards_lacking": lacking, "placing": int(thoughts["place_value"]) / HUNDREDTHS if thoughts["place_value"] > -HUNDREDTHS * 1000 else None}
