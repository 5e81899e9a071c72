"""The face-up row: EU-3, EU-8, EU-12, LO-3, LO-8, G-6, G-7."""

import numpy as np

from branchline.modes import rule
from branchline.rules.cards import can_draw, discard, draw_openly
from branchline.rules.events import CLEAR_ROW, FILL, LAY_ROW, emit, emit_row
from branchline.rules.sizes import NONE


@rule
def wilds_in_row(board, state):
    wilds = 0
    for space in range(board.row):
        if state.row[space] == board.wild:
            wilds += 1
    return wilds


@rule
def acceptable_row_exists(board, state):
    """G-7: of all cards outside hands enough are not wild."""
    plain = np.int64(0)
    for space in range(board.row):
        if state.row[space] != NONE and state.row[space] != board.wild:
            plain += 1
    for kind in range(board.wild):
        plain += state.deck[kind] + state.discards[kind]
    return plain > board.row - board.clear_row_at


@rule
def lay_row(board, state, log):
    for space in range(board.row):
        state.row[space] = draw_openly(board, state, log, 0)
    emit(log, LAY_ROW, NONE, 0, 0)
    emit_row(log, state.row, board.row)


@rule
def clear_row(board, state, log):
    emit(log, CLEAR_ROW, NONE, 0, 0)
    emit_row(log, state.row, board.row)
    for space in range(board.row):
        if state.row[space] != NONE:
            discard(board, state, state.row[space], 1)
            state.row[space] = NONE


@rule
def replace_wild_row(board, state, log):
    """EU-12: clear and lay the row until it is acceptable; leave it if it cannot be made so (G-7)."""
    while wilds_in_row(board, state) >= board.clear_row_at and acceptable_row_exists(board, state):
        clear_row(board, state, log)
        lay_row(board, state, log)


@rule
def refill_row(board, state, log):
    """Fill every empty space for which there is a card. A row that had to stay (G-7) is looked at again: there may be cards for a better one now."""
    for space in range(board.row):
        if state.row[space] == NONE and can_draw(state, 0):
            state.row[space] = draw_openly(board, state, log, 0)
            emit(log, FILL, 0, space, state.row[space])
            replace_wild_row(board, state, log)
    replace_wild_row(board, state, log)
