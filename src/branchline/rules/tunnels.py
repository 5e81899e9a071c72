"""Tunnels: EU-22 to EU-27."""

from branchline.compiling import rule
from branchline.rules.cards import draw_openly
from branchline.rules.log import emit, emit_cards
from branchline.rules.payments import begin_payment, colour_of, discard_all, end_payment, legal_payment, show_paid
from branchline.rules.routes import complete_claim
from branchline.rules.row import refill_row
from branchline.rules.sizes import NONE
from branchline.rules.state import FOR_TUNNEL
from branchline.rules.turns import end_turn
from branchline.rules.vocabulary.decisions import ABANDON, allow
from branchline.rules.vocabulary.events import TUNNEL_ABANDON, TUNNEL_LAY, TUNNEL_REVEAL
from branchline.rules.vocabulary.phases import TUNNEL

TURNED_UP = 3


@rule
def lay_cards(board, state, log):
    """Lay the cards for the route on the table, not among the discards (EU-26)."""
    show_paid(board, state)
    for kind in range(board.kinds):
        state.laid[kind] = state.paid[kind]
        state.paid[kind] = 0
    emit(log, TUNNEL_LAY, state.seat, state.target, 0)
    emit_cards(log, board.kinds, state.laid)


@rule
def turn_up(board, state, log):
    """Turn up three cards, or as many as there are (EU-27)."""
    for _ in range(TURNED_UP):
        kind = draw_openly(board, state, log, board.route_deck[state.target])
        if kind != NONE:
            state.revealed[kind] += 1


@rule
def cards_owed(board, state):
    """EU-23, EU-24: one per card of the colour laid, and one per wild. Wilds alone have no colour."""
    colour = colour_of(board, state.laid)
    owed = state.revealed[board.wild]
    for kind in range(board.wild):
        if board.colour_of[kind] == colour:
            owed += state.revealed[kind]
    return owed


@rule
def ask_for_more(board, state, laid, target, owed):
    """EU-23: what is owed is paid in the colour laid and wilds; if only wilds were laid, in wilds."""
    colour = colour_of(board, laid)
    begin_payment(state, FOR_TUNNEL, target, board.route_deck[target], colour, owed, 0)
    if colour == NONE:
        state.pay_from = board.wild
    state.phase = TUNNEL


@rule
def try_tunnel(board, state, log):
    lay_cards(board, state, log)
    turn_up(board, state, log)
    owed = cards_owed(board, state)
    emit(log, TUNNEL_REVEAL, NONE, 0, owed)
    emit_cards(log, board.kinds, state.revealed)
    if owed == 0:
        complete_claim(board, state, log)
    else:
        ask_for_more(board, state, state.laid, state.target, owed)


@rule
def legal_tunnel(board, state, mask):
    """Pay the first card that is owed, or give up."""
    allow(board, mask, ABANDON, 0)
    legal_payment(board, state, mask)


@rule
def abandon_tunnel(board, state, log):
    """EU-25: what was laid goes back to the hand, where everybody knows about it."""
    emit(log, TUNNEL_ABANDON, state.seat, state.target, 0)
    for kind in range(board.kinds):
        state.hands[state.seat, kind] += state.laid[kind]
        state.known[state.seat, kind] += state.laid[kind]
        state.laid[kind] = 0
    discard_all(board, state, state.revealed)
    end_payment(state)
    refill_row(board, state, log)
    end_turn(board, state, log)
