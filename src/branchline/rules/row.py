"""The face-up row: EU-3, EU-8, EU-12, LO-3, LO-8, WO-3, WO-11, WO-12, CG-2, CG-9, G-6, G-7."""

import numpy as np

from branchline.compiling import rule
from branchline.rules.cards import discard, draw_openly, supplier
from branchline.rules.log import emit, emit_row
from branchline.rules.sizes import NONE
from branchline.rules.vocabulary.events import CLEAR_ROW, FILL, LAY_ROW


@rule
def wilds_in_row(board, state):
    wilds = 0
    for space in range(board.row):
        if state.row[space] == board.wild:
            wilds += 1
    return wilds


@rule
def cards_outside_hands(board, state, deck):
    """Cards of a deck that could make up a new row, without wilds: from deck, discards and row."""
    plain = np.int64(0)
    for kind in range(board.wild):
        if board.deck_of[kind] == deck:
            plain += state.deck[kind] + state.discards[kind]
    for space in range(board.row):
        if state.row[space] != NONE and state.row[space] != board.wild and board.deck_of[state.row[space]] == deck:
            plain += 1
    return plain


@rule
def acceptable_row_exists(board, state):
    """G-7: are enough cards outside hands not wild? Each deck lays its own share (WO-12), and more only if another falls short."""
    wild_deck = board.deck_of[board.wild]
    from_others = np.int64(0)
    for deck in range(board.decks):
        if deck != wild_deck:
            from_others += min(np.int64(board.row_from[deck]), cards_outside_hands(board, state, deck))
    plain = cards_outside_hands(board, state, wild_deck)
    return board.row - from_others - plain < board.clear_row_at


@rule
def lay_row(board, state, log):
    """WO-12: each deck lays its share; if one falls short, another helps out."""
    space = 0
    for deck in range(board.decks):
        for _ in range(board.row_from[deck]):
            state.row[space] = draw_openly(board, state, log, supplier(board, state, deck))
            space += 1
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


@rule(on_gpu="called")
def replace_wild_row(board, state, log):
    """EU-12: clear and re-lay the row until it is acceptable; leave it if that is impossible (G-7)."""
    while wilds_in_row(board, state) >= board.clear_row_at and acceptable_row_exists(board, state):
        clear_row(board, state, log)
        lay_row(board, state, log)


@rule
def fill_space(board, state, log, space, deck):
    state.row[space] = draw_openly(board, state, log, deck)
    emit(log, FILL, deck, space, state.row[space])
    replace_wild_row(board, state, log)


@rule
def refill_row(board, state, log):
    """Fill every empty space while there are cards, from the first deck that has one (WO-11).

    A row that had to stay (G-7) is checked again: there may be cards for a better one now.
    """
    for space in range(board.row):
        if state.row[space] == NONE:
            deck = supplier(board, state, 0)
            if deck != NONE:
                fill_space(board, state, log, space, deck)
    replace_wild_row(board, state, log)
