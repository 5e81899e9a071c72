"""The cards of tickets that are completed with cards, as the seat's own view shows them."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from branchline import Game, State, load_board
from branchline.play.gathering import Gathering, gathering
from tests.table import changed, give

BOARD = load_board("card-game")
TICKET = next(ticket for ticket in BOARD.tickets if max(Counter(ticket.cards).values()) >= 2 and len(ticket.cards) >= 3)


def at_the_table(**options: bool) -> State:
    """Seat 0 has an empty hand, and nothing in yard or pile."""
    state = Game("card-game", 2, first_seat=0, **options).start(1)
    while state.phase == "opening tickets":
        state.apply(state.legal[0])
    state.record.yards[0] = state.record.yard_wilds[0] = state.record.track[0] = 0
    return give(state, 0, "")


def found(state: State) -> Gathering:
    """As if seat 0 held one ticket alone."""
    view = state.view(0)
    number = [ticket.id for ticket in BOARD.tickets].index(TICKET.id)
    view.record.tickets[0] = 0
    view.record.tickets[0, number >> 6] = np.uint64(1 << (number & 63))
    return gathering(view)[TICKET.id]


def test_without_cards_all_are_missing() -> None:
    assert found(at_the_table()) == Gathering(missing=sorted(TICKET.cards, key=TICKET.cards.index))


def test_cards_are_found_in_hand_and_yard_and_wilds_stand_for_the_rest() -> None:
    state = at_the_table()
    colours = list(dict.fromkeys(TICKET.cards))
    state.record.yards[0, BOARD.colours.index(colours[0])] = 1
    give(state, 0, f"{colours[1]} wild")
    now = found(state)
    assert now.yard == [colours[0]]
    assert colours[1] in now.hand
    assert len(now.hand) == 2
    assert Counter(now.yard + now.hand + now.missing) == Counter(TICKET.cards)


@pytest.mark.parametrize("may_look", [True, False])
def test_cg_7_the_pile_counts_only_where_its_owner_may_look(may_look: bool) -> None:
    state = at_the_table(look_into_own_pile=may_look)
    for colour, count in Counter(TICKET.cards).items():
        state.record.track[0, BOARD.colours.index(colour)] = count
    now = found(changed(state))
    assert (now.missing == []) is may_look
    assert bool(now.pile) is may_look


def test_cg_18_nothing_is_missing_exactly_when_wilds_make_up_for_what_the_pile_lacks() -> None:
    complete = Counter[bool]()
    rng = random.Random(4)
    for _ in range(200):
        state = at_the_table(look_into_own_pile=True)
        pile = {colour: rng.randrange(3) for colour in BOARD.colours}
        state.record.track[0, : len(BOARD.colours)] = list(pile.values())
        state.record.track[0, len(BOARD.colours)] = wilds = rng.randrange(3)
        lacking = sum((Counter(TICKET.cards) - Counter(pile)).values())
        missing = found(changed(state)).missing
        assert len(missing) == max(0, lacking - wilds)
        complete[not missing] += 1
    assert min(complete[True], complete[False]) > 10


def test_boards_with_routes_and_spectators_gather_nothing() -> None:
    assert gathering(Game("europe", 2).start(1).view(0)) == {}
    assert gathering(Game("card-game", 2).start(1).view(None)) == {}
