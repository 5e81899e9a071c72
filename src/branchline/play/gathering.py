"""Where tickets are completed with cards (CG-18): which cards of each ticket a seat has, and which are missing, as its own view shows them.

People may not look into their own pile before they complete tickets (CG-7), so its cards count only where they may. Each ticket is looked at
by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from branchline.play.games import View
from branchline.play.positions import Position

WILD = "wild"


@dataclass(frozen=True)
class Gathering:
    """The cards of a ticket by where they are; wilds stand for what no card of the colour is there for."""

    pile: list[str] = field(default_factory=list)
    yard: list[str] = field(default_factory=list)  # these roll into the pile, unless they are robbed
    hand: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def gathering(view: View) -> dict[str, Gathering]:
    """For every ticket that the viewer holds; empty on boards without yards."""
    board, seat = view.game.board, view.viewer
    if seat is None or not board.numbers["yards"]:
        return {}
    places = {"pile": view.track(seat) if view.may_look_into_pile(seat) else {}, "yard": in_yard(view, seat), "hand": by_colour(view, seat)}
    needed = {ticket.id: ticket.cards for ticket in board.tickets}
    return {ticket: gathered(Counter(needed[ticket]), places) for ticket in view.tickets(seat)}


def gathered(needed: Counter[str], places: Mapping[str, Mapping[str, int]]) -> Gathering:
    """Cards of the colour first, from the nearest place on; then wilds in the same order."""
    found: dict[str, list[str]] = {place: [] for place in places}
    for wanted in (lambda colour: colour, lambda _: WILD):
        for place, cards in places.items():
            left = Counter(cards)
            for colour in list(needed.elements()):
                if left[wanted(colour)]:
                    left[wanted(colour)] -= 1
                    needed[colour] -= 1
                    found[place].append(colour)
    return Gathering(**found, missing=list(needed.elements()))


def in_yard(seen: Position, seat: int) -> Counter[str]:
    return sum((Counter(row) for row in seen.yard(seat).values()), Counter())


def by_colour(seen: Position, seat: int) -> Counter[str]:
    colours = {card.id: card.colour or WILD for card in seen.game.board.cards}
    return sum((Counter({colours[card]: count}) for card, count in seen.hand(seat).items()), Counter())
