"""Views: a state as one seat may know it (G-2, EU-6, EU-28, WO-5, CG-7, CG-8, G-11).

A view is written into a blank record, field by field, so nothing can leak unless it is written here. What a seat has decided
but not yet shown (an incomplete payment, cards half placed, tickets half chosen) is left out of the others' views: they see the seat
as it was when it last acted in the open. Track piles are in every view: everyone has seen each card pass through the open yard (CG-8).
"""

import numpy as np

from branchline.compiling import kept, rule
from branchline.rules.at_once import asked
from branchline.rules.bits import has, put
from branchline.rules.setup import write_blanks
from branchline.rules.sizes import COLOURS, DECKS, KINDS, PIECES, ROUTE_WORDS, ROW, SEATS, TICKET_WORDS
from branchline.rules.state import FOR_TUNNEL
from branchline.rules.tunnels import ask_for_more
from branchline.rules.vocabulary.phases import ACTION, PAYMENT, PLACING, TUNNEL


@rule
def view_table(state, out):
    """What lies on the table, and how many cards and tickets there are."""
    out.players = state.players
    out.options = state.options
    out.second_pass = state.second_pass
    out.to_draw = state.to_draw
    out.decided = state.decided
    out.first_seat = state.first_seat
    out.passes = state.passes
    out.last_turns = state.last_turns
    out.turn = state.turn
    out.queue_size = state.queue_size
    for kind in range(KINDS):
        out.deck_most[kind] = state.deck_most[kind]
        out.discards[kind] = state.discards[kind]
        out.laid[kind] = state.laid[kind]
        out.revealed[kind] = state.revealed[kind]
    for deck in range(DECKS):
        out.deck_size[deck] = state.deck_size[deck]
        out.discards_size[deck] = state.discards_size[deck]
    for space in range(ROW):
        out.row[space] = state.row[space]


@rule
def view_seats(state, out):
    """What everybody knows about each seat."""
    for seat in range(state.players):
        for word in range(ROUTE_WORDS):
            out.owned[seat, word] = state.owned[seat, word]
            out.open_to[seat, word] = state.open_to[seat, word]
        for piece in range(PIECES):
            out.pieces[seat, piece] = state.pieces[seat, piece]
            out.box[seat, piece] = state.box[seat, piece]
        out.reached[seat] = state.reached[seat]
        out.built[seat] = state.built[seat]
        out.unbuilt[seat] = state.unbuilt[seat]
        out.points[seat] = state.points[seat]
        out.ticket_count[seat] = state.ticket_count[seat]
        out.opening_kept[seat] = state.opening_kept[seat]
        out.offer_size[seat] = state.offer_size[seat]
        for kind in range(KINDS):
            out.known[seat, kind] = state.known[seat, kind]
        view_yard(state, seat, out)


@rule
def view_yard(state, seat, out):
    for colour in range(COLOURS):
        out.yards[seat, colour] = state.yards[seat, colour]
        out.yard_wilds[seat, colour] = state.yard_wilds[seat, colour]
    for place in range(COLOURS + 1):
        out.track[seat, place] = state.track[seat, place]
    for word in range(TICKET_WORDS):
        out.completed[seat, word] = state.completed[seat, word]


@rule
def view_hand(board, state, seat, own, out):
    """The viewer's own hand. Of other hands, the part everybody knows and how many more cards of each deck there are."""
    for kind in range(board.kinds):
        if own:
            out.hands[seat, kind] = state.hands[seat, kind]
            out.drawn[seat, kind] = state.drawn[seat, kind]
        else:
            out.hands[seat, kind] = state.known[seat, kind]
            hidden = state.hands[seat, kind] - state.known[seat, kind]
            if seat == state.seat:
                hidden += state.paid[kind]
            out.unseen[seat, board.deck_of[kind]] += hidden


@rule
def view_known_tickets(board, state, viewer, out):
    """Where the tickets that the viewer has seen are."""
    for ticket in range(board.tickets):
        if viewer < SEATS:
            out.returned_by[ticket] = state.returned_by[ticket] & np.uint8(1 << viewer)
        if knows(state, viewer, ticket):
            out.knows[ticket] = np.uint8(1 << viewer)
            for seat in range(state.players):
                if has(state.tickets[seat], ticket):
                    put(out.tickets[seat], ticket)
    for place in range(state.queue_size):
        if knows(state, viewer, state.queue[place]):
            out.queue[place] = state.queue[place]
    for seat in range(state.players):
        for i in range(state.offer_size[seat]):
            if knows(state, viewer, state.offer[seat, i]):
                out.offer[seat, i] = state.offer[seat, i]


@rule
def knows(state, viewer, ticket):
    return viewer < SEATS and (state.knows[ticket] >> viewer) & 1 == 1


@rule
def view_waiting(board, state, own, out):
    """What the game is waiting for. Others do not see a payment in progress: to them, the seat is still choosing its action, or facing the tunnel."""
    in_tunnel = state.phase == TUNNEL or (state.phase == PAYMENT and state.paying_for == FOR_TUNNEL)
    if own:
        view_decision(board, state, out)
    elif in_tunnel:
        ask_for_more(board, out, state.laid, state.target, state.owed + cards_in(board, state.paid))
    else:
        out.phase = ACTION if state.phase == PAYMENT or state.phase == PLACING else state.phase


@rule
def view_decision(board, state, out):
    """The decision in progress, for the seat that makes it."""
    out.phase = state.phase
    out.paying_for = state.paying_for
    out.target = state.target
    out.pay_deck = state.pay_deck
    out.pay_colour = state.pay_colour
    out.pay_from = state.pay_from
    out.owed = state.owed
    out.wilds_owed = state.wilds_owed
    out.offer_at[out.seat] = state.offer_at[out.seat]
    for kind in range(board.kinds):
        out.paid[kind] = state.paid[kind]


@rule
def cards_in(board, cards):
    total = np.int64(0)
    for kind in range(board.kinds):
        total += cards[kind]
    return total


@kept(on_gpu="called")
def view(board, state, viewer, out):
    """Write into `out`, a record of zeros, what `viewer` (a seat, or SPECTATOR) may know."""
    write_blanks(out)
    out.viewer = viewer
    out.seat = asked(state, viewer)
    view_table(state, out)
    view_seats(state, out)
    for seat in range(state.players):
        view_hand(board, state, seat, seat == viewer, out)
    view_known_tickets(board, state, viewer, out)
    view_waiting(board, state, out.seat == viewer, out)
    if viewer < SEATS:
        out.kept[viewer] = state.kept[viewer]
        out.supply[viewer] = state.supply[viewer]
        for word in range(TICKET_WORDS):
            out.chosen[viewer, word] = state.chosen[viewer, word]
