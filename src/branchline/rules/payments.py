"""Paying card by card: EU-16, EU-31, LO-10.

A payment is a number of cards of one colour and wilds in any mix that the payer chooses. So that one payment is one
sequence of decisions, the colour's cards come first: who pays a wild pays wilds to the end.
"""

import numpy as np

from branchline.modes import rule
from branchline.rules.cards import discard, show
from branchline.rules.decisions import PAY, allow
from branchline.rules.sizes import NONE
from branchline.rules.state import PAYMENT

ANY_COLOUR = NONE


@rule
def most_of_a_colour(board, hand):
    """The largest set of one colour and wilds in a hand."""
    most = np.int64(0)
    for kind in range(board.wild):
        most = max(most, np.int64(hand[kind]))
    return most + hand[board.wild]


@rule
def begin_payment(state, paying_for, target, colour, cards, wilds):
    """Ask the seat for `cards` cards of a colour (or ANY_COLOUR), `wilds` of them at least wild."""
    state.phase = PAYMENT
    state.paying_for = paying_for
    state.target = target
    state.pay_colour = colour
    state.owed = cards
    state.wilds_owed = wilds


@rule
def legal_payment(board, state, mask):
    """The kinds with which the payment can go on and be completed."""
    hand = state.hands[state.seat]
    wilds = hand[board.wild]
    if wilds >= state.owed:
        allow(board, mask, PAY, board.wild)
    if wilds < state.wilds_owed or state.owed <= state.wilds_owed:
        return
    for kind in range(board.wild):
        colour_fits = state.pay_colour == kind or state.pay_colour == ANY_COLOUR
        if colour_fits and hand[kind] > 0 and hand[kind] + wilds >= state.owed:
            allow(board, mask, PAY, kind)


@rule
def pay(board, state, kind):
    state.hands[state.seat, kind] -= 1
    state.paid[kind] += 1
    state.owed -= 1
    state.pay_colour = kind
    if kind == board.wild and state.wilds_owed > 0:
        state.wilds_owed -= 1


@rule
def colour_of(board, cards):
    """The colour of a set of cards; the wild if there is nothing else in it."""
    for kind in range(board.wild):
        if cards[kind] > 0:
            return kind
    return board.wild


@rule
def show_paid(board, state):
    """The payment is complete: everybody sees it."""
    for kind in range(board.kinds):
        show(state, state.seat, kind, state.paid[kind])


@rule
def discard_all(board, state, cards):
    for kind in range(board.kinds):
        discard(board, state, kind, cards[kind])
        cards[kind] = 0


@rule
def end_payment(state):
    state.paying_for = NONE
    state.target = NONE
    state.pay_colour = NONE
    state.owed = 0
    state.wilds_owed = 0
