"""Claiming routes, double routes, ferries: EU-15 to EU-21, LO-10 to LO-12.

A ferry is a route whose payment must hold some wilds (EU-21), so it needs no code but its number of symbols.
"""

import numpy as np

from branchline.modes import rule
from branchline.rules.bits import drop, put
from branchline.rules.events import CLAIM, emit, emit_cards
from branchline.rules.payments import ANY_COLOUR, begin_payment, discard_all, end_payment, most_of_a_colour, show_paid
from branchline.rules.row import refill_row
from branchline.rules.sizes import GRAY, LENGTHS, NONE, ROUTE_WORDS
from branchline.rules.state import FOR_ROUTE
from branchline.rules.turns import end_turn

LONGEST = LENGTHS - 1


@rule
def open_routes(board, state):
    """At set-up every seat may claim every route."""
    for seat in range(state.players):
        for word in range(ROUTE_WORDS):
            state.open_to[seat, word] = board.within[LONGEST, word]


@rule
def payable_routes(board, hand, routes):
    """EU-16, EU-21: the routes that a hand can pay for."""
    wilds = np.int64(hand[board.wild])
    most = min(most_of_a_colour(board, hand), LONGEST)
    for word in range(ROUTE_WORDS):
        routes[word] = board.payable[GRAY, most, word]
    for colour in range(board.colours):
        cards = min(hand[colour] + wilds, LONGEST)
        for word in range(ROUTE_WORDS):
            routes[word] |= board.payable[colour, cards, word]
    for word in range(ROUTE_WORDS):
        routes[word] &= board.ferries[min(wilds, LONGEST), word]


@rule
def legal_claims(board, state, mask):
    """Claims are the first block of the decision table, so a set of routes is the mask's first words."""
    pieces = min(np.int64(state.pieces[state.seat, 0]), LONGEST)
    payable_routes(board, state.hands[state.seat], mask)
    for word in range(ROUTE_WORDS):
        mask[word] &= state.open_to[state.seat, word] & board.within[pieces, word]  # EU-17: a piece for every space


@rule
def begin_claim(board, state, route):
    colour = ANY_COLOUR if board.colour[route] == GRAY else board.colour[route]
    begin_payment(state, FOR_ROUTE, route, colour, board.length[route], board.ferry[route])


@rule
def close_route(board, state, route):
    """Nobody can claim it again. EU-19: its owner never gets the twin; EU-20: with few players nobody does."""
    twin = board.twin[route]
    for seat in range(state.players):
        drop(state.open_to[seat], route)
        if twin != NONE and (seat == state.seat or state.players < board.both_tracks_from):
            drop(state.open_to[seat], twin)


@rule
def complete_claim(board, state, log):
    """The route is paid for: `paid`, and what was laid for a tunnel, are all the cards spent."""
    route, seat = state.target, state.seat
    show_paid(board, state)
    for kind in range(board.kinds):
        state.paid[kind] += state.laid[kind]
        state.laid[kind] = 0
    points = board.route_points[board.length[route]]
    emit(log, CLAIM, seat, route, points)
    emit_cards(log, board.kinds, state.paid)
    put(state.owned[seat], route)
    close_route(board, state, route)
    state.points[seat] += points
    state.pieces[seat, 0] -= board.length[route]
    discard_all(board, state, state.paid)
    discard_all(board, state, state.revealed)
    end_payment(state)
    refill_row(board, state, log)
    end_turn(board, state, log)
