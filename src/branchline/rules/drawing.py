"""Drawing cards, the action: EU-8 to EU-11, EU-14, LO-6, LO-7, G-5."""

from branchline.modes import rule
from branchline.rules.cards import can_draw, draw_to_hand
from branchline.rules.decisions import DRAW, TAKE, allow
from branchline.rules.events import DRAW as DREW
from branchline.rules.events import TAKE as TOOK
from branchline.rules.events import emit
from branchline.rules.row import refill_row
from branchline.rules.sizes import NONE
from branchline.rules.state import SECOND_CARD
from branchline.rules.turns import end_turn


@rule
def legal_first_card(board, state, mask):
    for deck in range(board.decks):
        if can_draw(state, deck):
            allow(board, mask, DRAW, deck)
    for space in range(board.row):
        if state.row[space] != NONE:
            allow(board, mask, TAKE, space)


@rule
def can_be_second(board, state, space):
    """EU-10: a face-up wild is never the second card."""
    return state.row[space] != NONE and state.row[space] != board.wild


@rule
def legal_second_card(board, state, mask):
    for deck in range(board.decks):
        if can_draw(state, deck):
            allow(board, mask, DRAW, deck)
    for space in range(board.row):
        if can_be_second(board, state, space):
            allow(board, mask, TAKE, space)


@rule
def second_card_exists(board, state):
    for deck in range(board.decks):
        if can_draw(state, deck):
            return True
    for space in range(board.row):
        if can_be_second(board, state, space):
            return True
    return False


@rule
def draw_blind(board, state, log, deck):
    kind = draw_to_hand(board, state, log, deck, state.seat)
    emit(log, DREW, state.seat, deck, kind)


@rule
def take_face_up(board, state, log, space):
    kind = state.row[space]
    state.hands[state.seat, kind] += 1
    state.known[state.seat, kind] += 1
    state.row[space] = NONE
    emit(log, TOOK, state.seat, space, kind)
    refill_row(board, state, log)
    return kind


@rule
def draw_one(board, state, log, block, what):
    """Draw or take a card; true if it was a face-up wild."""
    if block == DRAW:
        draw_blind(board, state, log, what)
        return False
    return take_face_up(board, state, log, what) == board.wild


@rule
def first_card(board, state, log, block, what):
    """EU-9: a face-up wild is the only card of the turn. G-5: the turn also ends when no second card may be taken."""
    wild_taken = draw_one(board, state, log, block, what)
    state.phase = SECOND_CARD
    if wild_taken or not second_card_exists(board, state):
        end_turn(board, state, log)


@rule
def second_card(board, state, log, block, what):
    draw_one(board, state, log, block, what)
    end_turn(board, state, log)
