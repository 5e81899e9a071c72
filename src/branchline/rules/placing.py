"""Placing cards in the yard, robbery: CG-12 to CG-15.

Cards are placed one by one: a row's colour first and then its wilds, or three single cards in the order of their colours. So each way of placing
cards is a single sequence of decisions.
"""

import numpy as np

from branchline.compiling import ones, rule
from branchline.rules.bits import EMPTY, bit, put_word
from branchline.rules.cards import discard
from branchline.rules.log import emit, emit_cards
from branchline.rules.payments import show_paid
from branchline.rules.sizes import NONE
from branchline.rules.turns import end_turn
from branchline.rules.vocabulary.decisions import DONE, PLACE, allow
from branchline.rules.vocabulary.events import PLACE as PLACED
from branchline.rules.vocabulary.events import ROB
from branchline.rules.vocabulary.fields import CARD_ROW
from branchline.rules.vocabulary.phases import PLACING
from branchline.rules.yards import row_owner, row_size

SINGLES = 3  # CG-13
SMALLEST_ROW = 2  # CG-12


@rule
def row_needed(state, colour):
    """How many cards a new row of the colour needs, on its own or to rob another (CG-15); NONE if there can be no row (CG-14)."""
    owner = row_owner(state, colour)
    if owner == state.seat:
        return NONE
    if owner == NONE:
        return SMALLEST_ROW
    return max(SMALLEST_ROW, row_size(state, owner, colour) + 1)


@rule
def can_be_single(board, state, colour):
    """CG-15: a single card never beats a row, so it must be of a colour that nobody has a row of."""
    return state.hands[state.seat, board.kinds_of[0, colour, 0]] > 0 and row_owner(state, colour) == NONE


@rule
def possible_singles(board, state):
    """The colours of which a card can be single, as bits."""
    colours = EMPTY
    for colour in range(board.colours):
        if can_be_single(board, state, colour):
            colours |= bit(colour)
    return colours


@rule
def is_one_of(singles, colour, more):
    """Is a colour among the possible singles, with at least this many after it?"""
    return singles & bit(colour) != EMPTY and ones(singles >> np.uint64(colour)) > more


@rule
def can_make_row(board, state, colour):
    """CG-12: at least one card is of the colour."""
    hand, kind, needed = state.hands[state.seat], board.kinds_of[0, colour, 0], row_needed(state, colour)
    return needed != NONE and hand[kind] > 0 and hand[kind] + hand[board.wild] >= needed


@rule
def legal_places(board, state, mask):
    """The first card: of a row, or the first of three."""
    singles, kinds = possible_singles(board, state), EMPTY
    for colour in range(board.colours):
        if is_one_of(singles, colour, SINGLES - 1) or can_make_row(board, state, colour):
            kinds |= bit(board.kinds_of[0, colour, 0])
    put_word(mask, board.starts[PLACE], kinds)


@rule
def last_colour(board, state):
    """The colour of the last card placed, wilds aside."""
    colour = board.colours - 1
    while state.paid[board.kinds_of[0, colour, 0]] == 0:
        colour -= 1
    return colour


@rule
def legal_placing(board, state, mask):
    colour = last_colour(board, state)
    kind = board.kinds_of[0, colour, 0]
    if state.owed == 0:
        legal_row(board, state, mask, colour, kind)
    if state.owed > 0 or (state.paid[kind] == 1 and state.paid[board.wild] == 0 and row_owner(state, colour) == NONE):
        legal_single(board, state, mask, colour)


@rule
def legal_row(board, state, mask, colour, kind):
    """Add to the row, or stop if it is long enough."""
    hand, needed = state.hands[state.seat], row_needed(state, colour)
    if needed == NONE:
        return
    placed = np.int64(state.paid[kind]) + state.paid[board.wild]
    if state.paid[board.wild] == 0 and hand[kind] > 0 and placed + hand[kind] + hand[board.wild] >= needed:
        allow(board, mask, PLACE, kind)
    if hand[board.wild] > 0 and placed + hand[board.wild] >= needed:
        allow(board, mask, PLACE, board.wild)
    if placed >= needed:
        allow(board, mask, DONE, 0)


@rule
def legal_single(board, state, mask, colour):
    """The next of three single cards; enough must remain for the others."""
    missing, singles = state.owed if state.owed > 0 else SINGLES - 1, possible_singles(board, state)
    for other in range(colour + 1, board.colours):
        if is_one_of(singles, other, missing - 1):
            allow(board, mask, PLACE, board.kinds_of[0, other, 0])


@rule
def place_card(board, state, log, kind):
    """A second colour means three single cards; `owed` is then how many are still missing."""
    second_colour = state.phase == PLACING and kind != board.wild and state.paid[kind] == 0
    state.phase = PLACING
    state.hands[state.seat, kind] -= 1
    state.paid[kind] += 1
    if second_colour:
        state.owed = state.owed - 1 if state.owed > 0 else SINGLES - 2
        if state.owed == 0:
            complete_placing(board, state, log)


@rule
def discard_robbed(board, state, log, kind, number):
    if number > 0:
        emit(log, CARD_ROW, NONE, kind, number)
        discard(board, state, kind, number)


@rule
def rob(board, state, log, victim, colour):
    """CG-15: the whole row is discarded."""
    emit(log, ROB, state.seat, victim, colour)
    discard_robbed(board, state, log, np.int64(board.kinds_of[0, colour, 0]), state.yards[victim, colour])
    discard_robbed(board, state, log, np.int64(board.wild), state.yard_wilds[victim, colour])
    state.yards[victim, colour] = 0
    state.yard_wilds[victim, colour] = 0


@rule
def complete_placing(board, state, log):
    seat = state.seat
    emit(log, PLACED, seat, 0, 0)
    emit_cards(log, board.kinds, state.paid)
    show_paid(board, state)
    for colour in range(board.colours):
        kind = board.kinds_of[0, colour, 0]
        if state.paid[kind] > 0:
            owner = row_owner(state, colour)
            if owner != NONE:
                rob(board, state, log, owner, colour)
            state.yards[seat, colour] = state.paid[kind]
            state.yard_wilds[seat, colour] = state.paid[board.wild]  # wilds come only with a single row
            state.paid[kind] = 0
    state.paid[board.wild] = 0
    state.owed = 0
    end_turn(board, state, log)
