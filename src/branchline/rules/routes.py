"""Claiming routes, double routes, ferries: EU-15 to EU-21, LO-10 to LO-12, WO-13 to WO-20. Pair routes: pairs.py.

A ferry is a route whose payment must include some wilds (EU-21): all it needs is its number of symbols. A sea route is a route that takes
cards and pieces of the ship deck: all it needs is its deck. A waypoint is a city, and a route over the edge is a route (WO-20).
"""

import numpy as np

from branchline.compiling import rule
from branchline.rules.bits import EMPTY, bit, drop, put
from branchline.rules.log import emit, emit_cards
from branchline.rules.pairs import PAIR, most_pairs
from branchline.rules.payments import ANY_COLOUR, begin_payment, discard_all, end_payment, is_plain, reach, show_paid
from branchline.rules.row import refill_row
from branchline.rules.sizes import GRAY, LENGTHS, NONE, ROUTE_WORDS
from branchline.rules.state import FOR_PAIRS, FOR_ROUTE
from branchline.rules.turns import end_turn
from branchline.rules.vocabulary.events import CLAIM

LONGEST = LENGTHS - 1


@rule
def open_routes(board, state):
    """At set-up every seat may claim every route."""
    for seat in range(state.players):
        for deck in range(board.decks):
            for word in range(ROUTE_WORDS):
                state.open_to[seat, word] |= board.within[deck, LONGEST, word]


@rule
def with_payable(board, deck, colour, spaces, found):
    """Add the routes of a deck and colour (or GRAY) with at most this many spaces. Sets are words here, not arrays: they stay in registers."""
    payable = board.payable[deck, colour, min(spaces, LONGEST)]
    return found[0] | payable[0], found[1] | payable[1], found[2] | payable[2]


@rule
def payable_routes(board, hand, routes):
    """EU-16, EU-21, WO-14, WO-18: the routes that a hand can pay for."""
    wilds, plain = np.int64(hand[board.wild]), is_plain(board)
    found = EMPTY, EMPTY, EMPTY
    for deck in range(board.decks):
        most = np.int64(0)
        for colour in range(board.colours):
            spaces = np.int64(hand[colour]) if plain else reach(board, hand, deck, colour)
            most = max(most, spaces)
            found = with_payable(board, deck, colour, spaces + wilds, found)
        found = with_payable(board, deck, GRAY, most + wilds, found)
    routes[0], routes[1], routes[2] = found
    for word in range(ROUTE_WORDS):
        routes[word] &= board.ferries[min(wilds, LONGEST), word]
    if board.pair_routes > 0:
        pairs = min(most_pairs(board, hand, 0), LONGEST)
        for word in range(ROUTE_WORDS):
            routes[word] |= board.pair_payable[pairs, word]


@rule
def legal_claims(board, state, mask):
    """Claims are the first block of the decision table, so a set of routes is the mask's first words."""
    seat = state.seat
    payable_routes(board, state.hands[seat], mask)
    trains, ships = min(np.int64(state.pieces[seat, 0]), LONGEST), min(np.int64(state.pieces[seat, 1]), LONGEST)
    for word in range(ROUTE_WORDS):  # EU-17, WO-14: a piece for every space
        mask[word] &= state.open_to[seat, word] & (board.within[0, trains, word] | board.within[1, ships, word])


@rule
def begin_claim(board, state, route):
    colour = ANY_COLOUR if board.colour[route] == GRAY else board.colour[route]
    deck, length = board.route_deck[route], board.length[route]
    if board.pair_routes > 0 and board.pair[route]:
        begin_payment(state, FOR_PAIRS, route, deck, colour, PAIR * length, 0)
    else:
        begin_payment(state, FOR_ROUTE, route, deck, colour, length, board.ferry[route])


@rule
def close_route(board, state, route):
    """Nobody can claim the route again. EU-19, WO-19: its owner never gets the twin; EU-20: with few players nobody does."""
    twin = board.twin[route]
    for seat in range(state.players):
        drop(state.open_to[seat], route)
        if twin != NONE and (seat == state.seat or state.players < board.both_tracks_from):
            drop(state.open_to[seat], twin)


@rule(on_gpu="called")
def complete_claim(board, state, log):
    """The route is paid for: `paid`, and what was laid for a tunnel, are all the cards spent."""
    route, seat = state.target, state.seat
    show_paid(board, state)
    if board.tunnel[route]:
        for kind in range(board.kinds):
            state.paid[kind] += state.laid[kind]
            state.laid[kind] = 0
    points = board.route_points[board.length[route]]
    emit(log, CLAIM, seat, route, points)
    emit_cards(log, board.kinds, state.paid)
    put(state.owned[seat], route)
    state.reached[seat] |= bit(board.route_a[route]) | bit(board.route_b[route])
    close_route(board, state, route)
    state.points[seat] += points
    state.pieces[seat, board.route_deck[route]] -= board.length[route]
    discard_all(board, state, state.paid)
    if board.tunnel[route]:
        discard_all(board, state, state.revealed)
    end_payment(state)
    refill_row(board, state, log)
    end_turn(board, state, log)
