"""Drawing cards, the action: EU-8 to EU-11, EU-14, LO-6, LO-7, WO-7 to WO-11, CG-9 to CG-11, G-5, G-14."""

from branchline.compiling import rule
from branchline.rules.bits import EMPTY, bit, put_word
from branchline.rules.cards import can_draw, draw_to_hand, supplier
from branchline.rules.log import emit
from branchline.rules.row import fill_space
from branchline.rules.sizes import NONE
from branchline.rules.state import MAY_DRAW_ONE
from branchline.rules.turns import announce_empty_deck, end_turn
from branchline.rules.vocabulary.decisions import DONE, DRAW, TAKE, allow
from branchline.rules.vocabulary.decisions import FILL as FILL_FROM
from branchline.rules.vocabulary.events import DRAW as DREW
from branchline.rules.vocabulary.events import TAKE as TOOK
from branchline.rules.vocabulary.phases import FILL, SECOND_CARD


@rule
def allow_decks(board, state, mask, block):
    """Allow the block's decision for every deck that has a card."""
    for deck in range(board.decks):
        if can_draw(board, state, deck):
            allow(board, mask, block, deck)


@rule
def row_is_closed(board, state):
    """G-14: on route boards nothing is drawn, not even a face-up card, while decks and discards are all empty."""
    return board.row_closes == 1 and supplier(board, state, 0) == NONE


@rule
def legal_first_card(board, state, mask):
    if row_is_closed(board, state):
        return
    allow_decks(board, state, mask, DRAW)
    spaces = EMPTY
    for space in range(board.row):
        if state.row[space] != NONE:
            spaces |= bit(space)
    put_word(mask, board.starts[TAKE], spaces)


@rule
def can_be_second(board, state, space):
    """EU-10: a face-up wild is never the second card."""
    return state.row[space] != NONE and state.row[space] != board.wild


@rule
def legal_second_card(board, state, mask):
    """There is a second card to draw (`go_on_drawing`). G-5: an option lets the player do without it."""
    if state.options & MAY_DRAW_ONE:
        allow(board, mask, DONE, 0)
    allow_decks(board, state, mask, DRAW)
    spaces = EMPTY
    for space in range(board.row):
        if can_be_second(board, state, space):
            spaces |= bit(space)
    put_word(mask, board.starts[TAKE], spaces)


@rule
def second_card_exists(board, state):
    if row_is_closed(board, state):
        return False
    for space in range(board.row):
        if can_be_second(board, state, space):
            return True
    return supplier(board, state, 0) != NONE


@rule
def draw_blind(board, state, log, deck):
    kind = draw_to_hand(board, state, log, deck, state.seat)
    emit(log, DREW, state.seat, deck, kind)


@rule
def take_face_up(state, log, space):
    kind = state.row[space]
    state.hands[state.seat, kind] += 1
    state.known[state.seat, kind] += 1
    state.row[space] = NONE
    emit(log, TOOK, state.seat, space, kind)
    return kind


@rule
def stop_drawing(board, state, log):
    """No second card: there is none, or one was enough (G-5)."""
    state.to_draw = 0
    end_turn(board, state, log)


@rule
def go_on_drawing(board, state, log):
    """G-5: the second card must be drawn if there is one. CG-17: an empty deck may announce the last turns."""
    announce_empty_deck(board, state, log)
    if state.to_draw > 0 and second_card_exists(board, state):
        state.phase = SECOND_CARD
    else:
        stop_drawing(board, state, log)


@rule
def replace_taken(board, state, log, space):
    """WO-8: with several decks, the taker chooses which one fills the space; otherwise it is filled at once, if possible."""
    if board.decks > 1 and supplier(board, state, 0) != NONE:
        state.phase = FILL
        return
    if can_draw(board, state, 0):
        fill_space(board, state, log, space, 0)
    go_on_drawing(board, state, log)


@rule
def draw_one(board, state, log, block, what, more):
    """Draw or take a card, with `more` to follow. EU-9: a face-up wild is the only card of the turn."""
    if block == DRAW:
        state.to_draw = more
        draw_blind(board, state, log, what)
        go_on_drawing(board, state, log)
    else:
        wild_taken = take_face_up(state, log, what) == board.wild
        state.to_draw = 0 if wild_taken else more
        replace_taken(board, state, log, what)


@rule
def draw_second(board, state, log, block, what):
    if block == DONE:
        stop_drawing(board, state, log)
    else:
        draw_one(board, state, log, block, what, 0)


@rule
def legal_fill(board, state, mask):
    allow_decks(board, state, mask, FILL_FROM)


@rule
def fill_taken(board, state, log, deck):
    """Fill the space just emptied. It is the only empty one, since there are cards to fill it with."""
    space = 0
    while state.row[space] != NONE:
        space += 1
    fill_space(board, state, log, space, deck)
    go_on_drawing(board, state, log)
