"""Paying card by card: EU-16, EU-31, LO-10, WO-13 to WO-16.

A payment is any mix of cards of one colour and wilds that covers what is owed. To make each payment a single sequence of decisions, cards are
paid in the order of their kinds: within a colour, those that cover most come first, and wilds come last.
Pair routes and harbours have their own rules: pairs.py, harbours.py.
"""

import numpy as np

from branchline.compiling import inlined, rule
from branchline.rules.bits import EMPTY, bit, put_word
from branchline.rules.cards import discard, show
from branchline.rules.sizes import ALIKE, NONE
from branchline.rules.vocabulary.decisions import PAY, allow
from branchline.rules.vocabulary.phases import PAYMENT

ANY_COLOUR = NONE


@inlined
def is_plain(board):
    """Is there one kind of card per colour? Then kinds and colours have the same numbers, which saves lookups."""
    return board.kinds == board.colours + 1


@inlined
def colour_of_kind(board, kind):
    """The colour of a card that is not wild."""
    return np.int64(kind) if is_plain(board) else np.int64(board.colour_of[kind])


@rule
def reach(board, hand, deck, colour):
    """The spaces that a hand's cards of a deck and colour cover, without wilds."""
    spaces = np.int64(0)
    for place in range(ALIKE):
        kind = board.kinds_of[deck, colour, place]
        if kind != NONE:
            spaces += np.int64(hand[kind]) * board.covers[kind]
    return spaces


@rule
def most_of_a_colour(board, hand, deck):
    """The most spaces that cards of one colour and wilds cover."""
    most, plain = np.int64(0), is_plain(board)
    for colour in range(board.colours):
        most = max(most, np.int64(hand[colour]) if plain else reach(board, hand, deck, colour))
    return most + hand[board.wild]


@rule
def begin_payment(state, paying_for, target, deck, colour, owed, wilds):
    """Ask the seat for cards of a deck and a colour (or ANY_COLOUR) that cover what is `owed`, at least `wilds` of them wild."""
    state.phase = PAYMENT
    state.paying_for = paying_for
    state.target = target
    state.pay_deck = deck
    state.pay_colour = colour
    state.pay_from = 0
    state.owed = owed
    state.wilds_owed = wilds


@rule
def can_cover(rest, doubles, singles):
    """Can `rest` spaces be covered without a superfluous card (WO-15), if only doubles have been paid so far?

    Either singles and wilds cover exactly what doubles leave, or doubles alone cover an odd rest and the last one is half wasted.
    """
    if rest <= 0:
        return True
    return singles >= rest - 2 * min(doubles, rest // 2) or (rest & 1 == 1 and 2 * doubles > rest)


@rule
def can_pay_with(board, hand, owed, wilds, kind):
    """Can the payment continue with a card of this kind and be completed, in order, with later ones?"""
    if is_plain(board):
        return hand[kind] + wilds >= owed
    after, alike = wilds, board.next_alike[kind]
    if alike != NONE:
        after += hand[alike]
    if board.covers[kind] > 1:
        return can_cover(owed - board.covers[kind], hand[kind] - 1, after)
    return hand[kind] + after >= owed


@rule
def legal_payment(board, state, mask):
    """The kinds with which the payment can continue and be completed."""
    hand = state.hands[state.seat]
    owed, wilds = np.int64(state.owed), np.int64(hand[board.wild])
    if wilds >= owed:
        allow(board, mask, PAY, board.wild)
    if wilds < state.wilds_owed or owed <= state.wilds_owed:
        return
    deck, colour, kinds = state.pay_deck, state.pay_colour, EMPTY
    for kind in range(state.pay_from, board.wild):
        fits = (colour == ANY_COLOUR or colour == colour_of_kind(board, kind)) and (board.decks == 1 or board.deck_of[kind] == deck)
        if fits and hand[kind] > 0 and can_pay_with(board, hand, owed, wilds, kind):
            kinds |= bit(kind)
    put_word(mask, board.starts[PAY], kinds)


@rule
def pay(board, state, kind):
    state.hands[state.seat, kind] -= 1
    state.paid[kind] += 1
    state.owed = state.owed - 1 if is_plain(board) else max(state.owed - board.covers[kind], 0)
    state.pay_from = kind
    if kind != board.wild:
        state.pay_colour = colour_of_kind(board, kind)
    elif state.wilds_owed > 0:
        state.wilds_owed -= 1


@rule
def colour_of(board, cards):
    """The colour of a set of cards; NONE if all are wild."""
    for kind in range(board.wild):
        if cards[kind] > 0:
            return colour_of_kind(board, kind)
    return NONE


@rule
def show_paid(board, state):
    """The payment is complete: everybody sees it."""
    for kind in range(board.kinds):
        if state.paid[kind] > 0:
            show(state, state.seat, kind, state.paid[kind])


@rule
def discard_all(board, state, cards):
    for kind in range(board.kinds):
        if cards[kind] > 0:
            discard(board, state, kind, cards[kind])
            cards[kind] = 0


@rule
def end_payment(state):
    state.paying_for = NONE
    state.target = NONE
    state.pay_deck = 0
    state.pay_colour = NONE
    state.pay_from = 0
    state.owed = 0
    state.wilds_owed = 0
