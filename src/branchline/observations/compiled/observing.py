"""The observation: a view as one row of whole numbers. `layout.py` says what is where, and tests compare the two; `scaling.py` makes of them
what networks like, roughly between 0 and 1.

It is made from a view alone, so it cannot show what its viewer may not know, and it contains everything in the view. Seats are in the order
the viewer sees them: the viewer first, the others in the order of play.
"""

import numpy as np

from branchline.compiling import rule
from branchline.observations.compiled.observing_tickets import observe_joined, observe_tickets
from branchline.observations.compiled.places import place_of, seat_at
from branchline.observations.compiled.writing import write_counts, write_number, write_one_of, write_set, write_word
from branchline.rules.bits import ONE
from branchline.rules.sizes import NONE
from branchline.rules.state import FOR_HARBOUR, FOR_STATION, MAY_DRAW_ONE, NOT_ANNOUNCED
from branchline.rules.track_tickets import by_hand

PHASES = 12  # written as zeros and a one: a thirteenth phase needs a new version of the observations
PURPOSES = 5  # what a payment can be for


@rule
def has_buildings(board):
    return board.stations + board.harbours > 0


@rule
def observe_turn(board, seen, seats, out, at):
    """What the game is waiting for, and how far it has got."""
    at = write_one_of(out, at, seen.phase, PHASES)
    at = write_one_of(out, at, place_of(seen, seen.seat), seats)
    at = write_word(out, at, (ONE << np.uint64(seen.players)) - ONE, seats)
    for place in range(seats):
        at = write_number(out, at, (seen.decided >> seat_at(seen, place)) & 1)
    at = write_one_of(out, at, place_of(seen, seen.first_seat), seats)
    at = write_number(out, at, seen.turn)
    at = write_number(out, at, seen.passes)
    at = write_number(out, at, 0 if seen.last_turns == NOT_ANNOUNCED else 1)
    at = write_number(out, at, max(np.int64(seen.last_turns), 0))
    at = write_number(out, at, seen.to_draw)
    if board.yards:
        at = write_number(out, at, seen.second_pass)
        at = write_number(out, at, 1 if by_hand(board, seen) else 0)
        at = write_number(out, at, 1 if seen.options & MAY_DRAW_ONE else 0)
    return at


@rule
def observe_seats(board, seen, seats, out, at):
    """What everybody knows about each seat, except cards and map."""
    for place in range(seats):
        at = write_number(out, at, seen.points[seat_at(seen, place)])
    for place in range(seats):
        at = write_number(out, at, seen.ticket_count[seat_at(seen, place)])
    for place in range(seats):
        at = write_number(out, at, seen.opening_kept[seat_at(seen, place)])
    for place in range(seats):
        at = write_number(out, at, seen.offer_size[seat_at(seen, place)])
    if board.routes > 0:
        for place in range(seats):
            at = write_counts(out, at, seen.pieces[seat_at(seen, place)], board.decks)
    if board.supply > 0:
        for place in range(seats):
            at = write_counts(out, at, seen.box[seat_at(seen, place)], board.decks)
        at = write_number(out, at, seen.supply[seen.viewer])
    if has_buildings(board):
        for place in range(seats):
            at = write_number(out, at, seen.unbuilt[seat_at(seen, place)])
    return at


@rule
def observe_cards(board, seen, seats, out, at):
    """Hands as far as the viewer knows them, the face-up row, deck and discards."""
    at = write_counts(out, at, seen.hands[seen.viewer], board.kinds)
    for place in range(seats):
        at = write_counts(out, at, seen.known[seat_at(seen, place)], board.kinds)
    for place in range(seats):
        at = write_counts(out, at, seen.unseen[seat_at(seen, place)], board.decks)
    at = write_counts(out, at, seen.drawn[seen.viewer], board.kinds)
    for space in range(board.row):
        at = write_one_of(out, at, seen.row[space], board.kinds)
    at = write_counts(out, at, seen.deck_size, board.decks)
    at = write_counts(out, at, seen.deck_most, board.kinds)
    at = write_counts(out, at, seen.discards, board.kinds)
    return write_counts(out, at, seen.discards_size, board.decks)


@rule
def observe_payment(board, seen, out, at):
    """A payment in progress (or cards being placed), and a tunnel."""
    at = write_counts(out, at, seen.paid, board.kinds)
    at = write_number(out, at, seen.owed)
    if board.routes == 0:
        return at
    for_building = seen.paying_for in (FOR_STATION, FOR_HARBOUR)
    at = write_one_of(out, at, seen.paying_for, PURPOSES)
    at = write_one_of(out, at, NONE if for_building else np.int64(seen.target), board.routes)
    if has_buildings(board):
        at = write_one_of(out, at, np.int64(seen.target) if for_building else NONE, board.cities)
    at = write_one_of(out, at, seen.pay_deck, board.decks)
    at = write_one_of(out, at, seen.pay_colour, board.colours)
    at = write_one_of(out, at, seen.pay_from, board.kinds)
    at = write_number(out, at, seen.wilds_owed)
    at = write_counts(out, at, seen.laid, board.kinds)
    return write_counts(out, at, seen.revealed, board.kinds)


@rule
def observe_map(board, seen, seats, out, at):
    for place in range(seats):
        at = write_set(out, at, seen.owned[seat_at(seen, place)], board.routes)
    at = write_set(out, at, seen.open_to[seen.viewer], board.routes)
    for place in range(seats):
        at = write_word(out, at, seen.reached[seat_at(seen, place)], board.cities)
    if has_buildings(board):
        for place in range(seats):
            at = write_word(out, at, seen.built[seat_at(seen, place)], board.cities)
    return at


@rule
def observe_yards(board, seen, seats, out, at):
    for place in range(seats):
        at = write_set(out, at, seen.completed[seat_at(seen, place)], board.tickets)
    at = write_set(out, at, seen.chosen[seen.viewer], board.tickets)
    for place in range(seats):
        at = write_counts(out, at, seen.yards[seat_at(seen, place)], board.colours)
    for place in range(seats):
        at = write_counts(out, at, seen.yard_wilds[seat_at(seen, place)], board.colours)
    for place in range(seats):
        at = write_counts(out, at, seen.track[seat_at(seen, place)], board.colours + 1)
    return at


@rule
def observe(board, seen, work, seats, out):
    """Write the view `seen` of a seat into the row `out`; there are `seats` rows for them. Returns the length of the row."""
    at = observe_turn(board, seen, seats, out, np.int64(0))
    at = observe_seats(board, seen, seats, out, at)
    at = observe_cards(board, seen, seats, out, at)
    at = observe_payment(board, seen, out, at)
    if board.routes > 0:
        at = observe_map(board, seen, seats, out, at)
    at = observe_tickets(board, seen, seats, out, at)
    if board.routes > 0:
        at = observe_joined(board, seen, work, out, at)
    if board.yards:
        at = observe_yards(board, seen, seats, out, at)
    return at
