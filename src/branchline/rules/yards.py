"""Yards and track piles: CG-4 to CG-8. Placing cards in a yard: placing.py.

A row is stored as its number of cards of the colour, and the number of wilds on top.
"""

import numpy as np

from branchline.compiling import rule
from branchline.rules.log import emit
from branchline.rules.sizes import NONE
from branchline.rules.vocabulary.events import MOVE_TO_TRACK
from branchline.rules.vocabulary.fields import CARD_ROW
from branchline.rules.vocabulary.phases import ACTION


@rule
def row_size(state, seat, colour):
    return np.int64(state.yards[seat, colour]) + state.yard_wilds[seat, colour]


@rule
def row_owner(state, colour):
    """The seat with a row of the colour, or NONE. CG-14, CG-15: there is never more than one."""
    for seat in range(state.players):
        if state.yards[seat, colour] > 0 or state.yard_wilds[seat, colour] > 0:
            return seat
    return NONE


@rule
def yard_is_empty(board, state, seat):
    for colour in range(board.colours):
        if row_size(state, seat, colour) > 0:
            return False
    return True


@rule
def move_to_track(board, state, log, seat):
    """CG-5: one card of each row goes to the track pile; CG-6: wilds lie on top and go first."""
    state.phase = ACTION
    if yard_is_empty(board, state, seat):
        return
    emit(log, MOVE_TO_TRACK, seat, 0, 0)
    for colour in range(board.colours):
        if state.yard_wilds[seat, colour] > 0:
            state.yard_wilds[seat, colour] -= 1
            state.track[seat, board.colours] += 1
            emit(log, CARD_ROW, NONE, board.wild, 1)
        elif state.yards[seat, colour] > 0:
            state.yards[seat, colour] -= 1
            state.track[seat, colour] += 1
            emit(log, CARD_ROW, NONE, board.kinds_of[0, colour, 0], 1)
