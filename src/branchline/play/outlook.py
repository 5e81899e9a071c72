"""How many turns a way may take, from the seat's own hand; and how many are left, once the last turns are announced (EU-32, LO-14, WO-25)."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.boards.model import Board
from branchline.play.games import View
from branchline.rules import state as st
from branchline.rules.vocabulary import phases

CARDS_PER_TURN = 1.6  # useful ones, when drawing
PAIR = 2  # cards per space of a pair route
CLAIMING = (phases.ACTION, phases.PAYMENT, phases.TUNNEL)  # what is done in these still counts for this turn


@dataclass(frozen=True)
class Work:
    """What a way takes, whatever the seat holds."""

    actions: int  # claims and stations
    coloured: tuple[tuple[tuple[str, str], int], ...]  # deck, colour, and spaces of all routes of that colour
    any_colour: tuple[int, ...]  # cards for the others and for stations, the most first


NO_WORK = Work(0, (), ())


@dataclass(frozen=True)
class Hand:
    colours: dict[tuple[str, str], int]  # spaces that the cards cover, by deck and colour
    wilds: int


def turns_left(view: View) -> int | None:
    """Of the viewer, in which something can still be claimed or built; None until they are announced."""
    if view.records["last_turns"][0] == st.NOT_ANNOUNCED:
        return None
    record, seat = view.record, view.viewer
    if seat is None or view.seat is None:
        return None
    away = (seat - view.seat) % int(record.players)
    left = -((away - int(record.last_turns)) // int(record.players))
    return max(0, left - (away == 0 and record.phase not in CLAIMING))


def work_of(board: Board, free: list[int], stations: int) -> Work:
    coloured: dict[tuple[str, str], int] = {}
    others = list(range(1, stations + 1))
    for route in (board.routes[number] for number in free):
        if route.colour in board.colours and not route.pair:
            kind = board.decks[-1] if route.sea else board.decks[0], route.colour
            coloured[kind] = coloured.get(kind, 0) + route.length
        else:
            others.append(route.length * (PAIR if route.pair else 1))
    return Work(len(free) + stations, tuple(coloured.items()), tuple(sorted(others, reverse=True)))


def hand_of(view: View) -> Hand:
    colours: dict[tuple[str, str], int] = {}
    wilds = 0
    for card, count in zip(view.game.board.cards, view.records["hands"][0, view.viewer].tolist(), strict=False):
        if card.colour is None:
            wilds += count
        elif count:
            colours[card.deck, card.colour] = colours.get((card.deck, card.colour), 0) + count * card.covers
    return Hand(colours, wilds)


def turns_for(work: Work, hand: Hand) -> int:
    """One for each claim and station, and those in which the missing cards are drawn."""
    return work.actions + -(-round(10 * cards_missing(work, hand)) // round(10 * CARDS_PER_TURN))


def cards_missing(work: Work, hand: Hand) -> int:
    """Spaces that the hand does not pay for: each colour goes to its own routes first, the best of the rest to grey routes, wilds to what is left."""
    left, missing = hand.colours.copy(), 0
    for kind, wanted in work.coloured:
        there = left.get(kind, 0)
        missing += max(0, wanted - there)
        left[kind] = max(0, there - wanted)
    counts = list(left.values())
    for wanted in work.any_colour:
        best = max(counts, default=0)
        missing += max(0, wanted - best)
        if best:
            counts[counts.index(best)] = max(0, best - wanted)
    return max(0, missing - hand.wilds)
