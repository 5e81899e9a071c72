"""Pair routes: WO-18.

Each space of a pair route costs two train cards of one colour, with wilds for one or both; spaces may differ in colour. So a set of cards
is a payment if every colour in it occurs an even number of times, or has a wild to go with the odd card.
"""

import numpy as np

from branchline.compiling import rule
from branchline.rules.sizes import ALIKE, NONE
from branchline.rules.vocabulary.decisions import PAY, allow

PAIR = 2


@rule
def cards_from(board, hand, deck, colour, kind):
    """A hand's cards of a colour, from this kind on."""
    cards = np.int64(0)
    for place in range(ALIKE):
        other = board.kinds_of[deck, colour, place]
        if other != NONE and other >= kind:
            cards += hand[other]
    return cards


@rule
def pairs_with_wilds(pairs, singles, wilds):
    """How many pairs can be made: two of a colour, a card and a wild, or two wilds."""
    helped = min(singles, wilds)
    return pairs + helped + (wilds - helped) // 2


@rule
def most_pairs(board, hand, deck):
    """How many pairs a hand can make."""
    pairs, singles = np.int64(0), np.int64(0)
    for colour in range(board.colours):
        cards = cards_from(board, hand, deck, colour, 0)
        pairs += cards // 2
        singles += cards & 1
    return pairs_with_wilds(pairs, singles, np.int64(hand[board.wild]))


@rule
def paid_of(board, state, colour):
    return cards_from(board, state.paid, state.pay_deck, colour, 0)


@rule
def can_finish_pairs(board, state, hand, kind):
    """Can the payment be completed, in order, with a card of this kind and those after it?"""
    open_colour = board.colour_of[kind]
    wilds, pairs, singles = np.int64(hand[board.wild]), np.int64(0), np.int64(0)
    odd = np.int64(0)  # colours with an odd card already paid that still needs a partner
    for colour in range(board.colours):
        cards = cards_from(board, hand, state.pay_deck, colour, kind)
        if paid_of(board, state, colour) & 1:
            odd += 1
            if colour == open_colour and cards > 0:
                cards -= 1
            else:
                wilds -= 1
        pairs += cards // 2
        singles += cards & 1
    owed = np.int64(state.owed)
    return wilds >= 0 and odd <= owed <= odd + PAIR * pairs_with_wilds(pairs, singles, wilds)


@rule
def legal_pair_payment(board, state, mask):
    """A card may be paid if the payment can be completed after it."""
    hand = state.hands[state.seat]
    if hand[board.wild] >= state.owed:
        allow(board, mask, PAY, board.wild)
    for kind in range(state.pay_from, board.wild):
        if hand[kind] > 0 and board.deck_of[kind] == state.pay_deck:
            hand[kind] -= 1
            state.paid[kind] += 1
            state.owed -= 1
            if can_finish_pairs(board, state, hand, kind):
                allow(board, mask, PAY, kind)
            hand[kind] += 1
            state.paid[kind] -= 1
            state.owed += 1
