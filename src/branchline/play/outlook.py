"""How many turns a way may take, from the seat's own hand; and how many are left, once the last turns are announced (EU-32, LO-14, WO-25)."""

from __future__ import annotations

from branchline.play.games import View
from branchline.rules import state as st
from branchline.rules.vocabulary import phases

CARDS_PER_TURN = 1.6  # useful ones, when drawing
PAIR = 2  # cards per space of a pair route
CLAIMING = (phases.ACTION, phases.PAYMENT, phases.TUNNEL)  # what is done in these still counts for this turn


def turns_left(view: View) -> int | None:
    """Of the viewer, in which something can still be claimed or built; None until they are announced."""
    record, seat = view.record, view.viewer
    if record.last_turns == st.NOT_ANNOUNCED or seat is None or view.seat is None:
        return None
    away = (seat - view.seat) % int(record.players)
    left = -((away - int(record.last_turns)) // int(record.players))
    return max(0, left - (away == 0 and record.phase not in CLAIMING))


def turns_for(view: View, free: list[int], stations: int) -> int:
    """One for each claim and station, and those in which the missing cards are drawn."""
    return len(free) + stations + -(-round(10 * cards_missing(view, free, stations)) // round(10 * CARDS_PER_TURN))


def cards_missing(view: View, free: list[int], stations: int) -> int:
    """Spaces that the hand does not pay for: each colour goes to its own routes first, the best of the rest to gray routes, wilds to what is left."""
    board, hand = view.game.board, hand_by_colour(view)
    missing, grays = 0, list(range(1, stations + 1))
    for route in (board.routes[number] for number in free):
        deck = board.decks[-1] if route.sea else board.decks[0]
        if route.colour in board.colours and not route.pair:
            missing += pay(hand, (deck, route.colour), route.length)
        else:
            grays.append(route.length * (PAIR if route.pair else 1))
    for wanted in sorted(grays, reverse=True):
        best = max(hand, key=lambda kind: hand[kind], default=None)
        missing += pay(hand, best, wanted) if best is not None else wanted
    wilds = sum(count for card, count in zip(board.cards, view.record.hands[view.viewer].tolist(), strict=False) if card.colour is None)
    return int(max(0, missing - wilds))


def hand_by_colour(view: View) -> dict[tuple[str, str], int]:
    """Spaces that the hand covers, by deck and colour."""
    hand: dict[tuple[str, str], int] = {}
    for card, count in zip(view.game.board.cards, view.record.hands[view.viewer].tolist(), strict=False):
        if card.colour is not None and count:
            hand[card.deck, card.colour] = hand.get((card.deck, card.colour), 0) + count * card.covers
    return hand


def pay(hand: dict[tuple[str, str], int], kind: tuple[str, str], wanted: int) -> int:
    """Takes what there is from the hand; returns what is missing."""
    paid = min(hand.get(kind, 0), wanted)
    hand[kind] = hand.get(kind, 0) - paid
    return wanted - paid
