"""Harbours: WO-22, WO-23, WO-29, WO-30. Harbours are stored like stations."""

import numpy as np

from branchline.compiling import rule
from branchline.rules.bits import EMPTY, drop_lowest, lowest, put_word
from branchline.rules.completion import tickets_naming
from branchline.rules.payments import ANY_COLOUR, begin_payment
from branchline.rules.sizes import HARBOUR_STEPS
from branchline.rules.state import FOR_HARBOUR
from branchline.rules.stations import built_by_anyone
from branchline.rules.vocabulary.decisions import BUILD, PAY, allow

COST = 4
OF_EACH_DECK = 2


@rule
def usable(hand, paid, kind):
    """Cards of a kind with the symbol that can still be paid: at most two per deck."""
    return min(np.int64(hand[kind]), OF_EACH_DECK - np.int64(paid[kind]))


@rule
def cards_for_harbour(board, hand, paid, colour, first):
    """Cards of a colour with the symbol that can be paid, from the kind `first` on, and wilds."""
    cards = np.int64(hand[board.wild])
    for kind in range(first, board.wild):
        if board.colour_of[kind] == colour and board.symbol[kind]:
            cards += usable(hand, paid, kind)
    return cards


@rule
def can_pay_harbour(board, state):
    """WO-23: can the hand pay for a harbour? Called before anything is paid."""
    for colour in range(board.colours):
        if cards_for_harbour(board, state.hands[state.seat], state.paid, colour, 0) >= COST:
            return True
    return False


@rule
def legal_harbours(board, state, mask):
    """WO-22: in a port that a route of the seat reaches and where nobody has a harbour."""
    seat = state.seat
    if state.unbuilt[seat] == 0:
        return
    cities = board.ports & state.reached[seat] & ~built_by_anyone(state)
    if cities != EMPTY and can_pay_harbour(board, state):
        put_word(mask, board.starts[BUILD], cities)


@rule
def begin_harbour(state, city):
    begin_payment(state, FOR_HARBOUR, city, 0, ANY_COLOUR, COST, 0)


@rule
def legal_harbour_payment(board, state, mask):
    """Cards are paid in the order of their kinds, as always; later kinds must be able to complete the payment."""
    hand = state.hands[state.seat]
    if hand[board.wild] >= state.owed:
        allow(board, mask, PAY, board.wild)
    for kind in range(state.pay_from, board.wild):
        colour = board.colour_of[kind]
        fits = board.symbol[kind] == 1 and (state.pay_colour == colour or state.pay_colour == ANY_COLOUR)
        if fits and usable(hand, state.paid, kind) > 0 and cards_for_harbour(board, hand, state.paid, colour, kind) >= state.owed:
            allow(board, mask, PAY, kind)


@rule
def count_harbours(board, state, seat, result):
    """WO-29, WO-30."""
    points = -board.unbuilt_loss * state.unbuilt[seat]
    left = state.built[seat]
    while left != EMPTY:
        named = tickets_naming(board, result.completed[seat], lowest(left))
        points += board.harbour_points[min(named, HARBOUR_STEPS - 1)]
        left = drop_lowest(left)
    result.harbours[seat] = points
