"""The observation: what a seat sees, as one row of numbers. `layout.py` says what is where, and tests compare the two.

It contains everything in the seat's view, and nothing else. `seen` is the view; or, because a view takes long to write, the game itself where the
viewer decides. What else a game holds is hidden here as in `rules/views.py`, and tests compare the rows of games with those of their views.
Seats are in the order the viewer sees them: the viewer first, the others in the order of play.

Counts are written in `units`: tenths and hundredths, or whole. On a CPU `lane` is None; on a GPU the threads of a warp write a row together
(`writing.py`).
"""

import numpy as np

from branchline.compiling import rule
from branchline.play.observations.compiled.observing_tickets import observe_tickets
from branchline.play.observations.compiled.places import place_of, seat_at
from branchline.play.observations.compiled.writing import (
    WHOLE,
    number_of,
    turns_of,
    write_counts,
    write_number,
    write_one_of,
    write_rows,
    write_seats,
    write_set,
    write_word,
)
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
def observe_turn(board, seen, viewer, seats, out, at, units, lane):
    """What the game is waiting for, and how far it has got."""
    at = write_one_of(out, at, seen.phase, PHASES, lane)
    at = write_one_of(out, at, place_of(seen, viewer, seen.seat), seats, lane)
    at = write_word(out, at, (ONE << np.uint64(seen.players)) - ONE, seats, lane)
    for turn in range(turns_of(lane, seats)):
        place = number_of(lane, turn)
        out[at + place] = (seen.decided >> seat_at(seen, viewer, place)) & 1
    at = write_one_of(out, at + seats, place_of(seen, viewer, seen.first_seat), seats, lane)
    at = write_number(out, at, seen.turn, units[1], lane)
    at = write_number(out, at, seen.passes, units[0], lane)
    at = write_number(out, at, 0 if seen.last_turns == NOT_ANNOUNCED else 1, WHOLE, lane)
    at = write_number(out, at, max(np.int64(seen.last_turns), 0), units[0], lane)
    at = write_number(out, at, seen.to_draw, WHOLE, lane)
    if board.yards:
        at = write_number(out, at, seen.second_pass, WHOLE, lane)
        at = write_number(out, at, 1 if by_hand(board, seen) else 0, WHOLE, lane)
        at = write_number(out, at, 1 if seen.options & MAY_DRAW_ONE else 0, WHOLE, lane)
    return at


@rule
def observe_seats(board, seen, viewer, seats, out, at, units, lane):
    """What everybody knows about each seat, except cards and map."""
    at = write_seats(out, at, seen, viewer, seen.points, seats, units[1], lane)
    at = write_seats(out, at, seen, viewer, seen.ticket_count, seats, units[0], lane)
    at = write_seats(out, at, seen, viewer, seen.opening_kept, seats, units[0], lane)
    at = write_seats(out, at, seen, viewer, seen.offer_size, seats, units[0], lane)
    if board.routes > 0:
        at = write_rows(out, at, seen, viewer, seen.pieces, seats, board.decks, units[1], lane)
    if board.supply > 0:
        at = write_rows(out, at, seen, viewer, seen.box, seats, board.decks, units[1], lane)
        at = write_number(out, at, seen.supply[viewer], units[1], lane)
    if has_buildings(board):
        at = write_seats(out, at, seen, viewer, seen.unbuilt, seats, units[0], lane)
    return at


@rule
def unseen_cards(board, seen, viewer, seat, deck):
    """Cards of a deck in another hand that not everybody knows, those of an unfinished payment among them. In a view they are counted already."""
    cards = np.int64(seen.unseen[seat, deck])
    if seat != viewer:
        for kind in range(board.kinds):
            if board.decks == 1 or board.deck_of[kind] == deck:
                cards += np.int64(seen.hands[seat, kind]) - seen.known[seat, kind]
                if seat == seen.seat:
                    cards += seen.paid[kind]
    return cards


@rule
def observe_cards(board, seen, viewer, seats, out, at, units, lane):
    """Hands as far as the viewer knows them, the face-up row, deck and discards."""
    at = write_counts(out, at, seen.hands[viewer], board.kinds, units[0], lane)
    at = write_rows(out, at, seen, viewer, seen.known, seats, board.kinds, units[0], lane)
    for turn in range(turns_of(lane, seats * board.decks)):
        i = number_of(lane, turn)
        place = i if board.decks == 1 else i // board.decks
        cards = unseen_cards(board, seen, viewer, seat_at(seen, viewer, place), i - board.decks * place)
        out[at + i] = np.float32(cards) * units[0]
    at = write_counts(out, at + seats * board.decks, seen.drawn[viewer], board.kinds, units[0], lane)
    for space in range(board.row):
        at = write_one_of(out, at, seen.row[space], board.kinds, lane)
    at = write_counts(out, at, seen.deck_size, board.decks, units[1], lane)
    at = write_counts(out, at, seen.deck_most, board.kinds, units[0], lane)
    at = write_counts(out, at, seen.discards, board.kinds, units[0], lane)
    return write_counts(out, at, seen.discards_size, board.decks, units[1], lane)


@rule
def observe_payment(board, seen, out, at, units, lane):
    """A payment in progress (or cards being placed), and a tunnel."""
    at = write_counts(out, at, seen.paid, board.kinds, units[0], lane)
    at = write_number(out, at, seen.owed, units[0], lane)
    if board.routes == 0:
        return at
    for_building = seen.paying_for in (FOR_STATION, FOR_HARBOUR)
    at = write_one_of(out, at, seen.paying_for, PURPOSES, lane)
    at = write_one_of(out, at, NONE if for_building else np.int64(seen.target), board.routes, lane)
    if has_buildings(board):
        at = write_one_of(out, at, np.int64(seen.target) if for_building else NONE, board.cities, lane)
    at = write_one_of(out, at, seen.pay_deck, board.decks, lane)
    at = write_one_of(out, at, seen.pay_colour, board.colours, lane)
    at = write_one_of(out, at, seen.pay_from, board.kinds, lane)
    at = write_number(out, at, seen.wilds_owed, units[0], lane)
    at = write_counts(out, at, seen.laid, board.kinds, units[0], lane)
    return write_counts(out, at, seen.revealed, board.kinds, units[0], lane)


@rule
def observe_map(board, seen, viewer, seats, out, at, lane):
    for place in range(seats):
        at = write_set(out, at, seen.owned[seat_at(seen, viewer, place)], board.routes, lane)
    at = write_set(out, at, seen.open_to[viewer], board.routes, lane)
    for place in range(seats):
        at = write_word(out, at, seen.reached[seat_at(seen, viewer, place)], board.cities, lane)
    if has_buildings(board):
        for place in range(seats):
            at = write_word(out, at, seen.built[seat_at(seen, viewer, place)], board.cities, lane)
    return at


@rule
def observe_yards(board, seen, viewer, seats, out, at, units, lane):
    for place in range(seats):
        at = write_set(out, at, seen.completed[seat_at(seen, viewer, place)], board.tickets, lane)
    at = write_set(out, at, seen.chosen[viewer], board.tickets, lane)
    at = write_rows(out, at, seen, viewer, seen.yards, seats, board.colours, units[0], lane)
    at = write_rows(out, at, seen, viewer, seen.yard_wilds, seats, board.colours, units[0], lane)
    return write_rows(out, at, seen, viewer, seen.track, seats, board.colours + 1, units[0], lane)


@rule
def observe(board, seen, viewer, joined, seats, out, units, lane):
    """Write what a seat sees into the row `out`; there are `seats` rows for them. `joined` are the tickets whose cities its routes join
    (`find_joined`). Returns the length of the row."""
    at = observe_turn(board, seen, viewer, seats, out, np.int64(0), units, lane)
    at = observe_seats(board, seen, viewer, seats, out, at, units, lane)
    at = observe_cards(board, seen, viewer, seats, out, at, units, lane)
    at = observe_payment(board, seen, out, at, units, lane)
    if board.routes > 0:
        at = observe_map(board, seen, viewer, seats, out, at, lane)
    at = observe_tickets(board, seen, viewer, seats, out, at, units, lane)
    if board.routes > 0:
        at = write_set(out, at, joined, board.tickets, lane)
    if board.yards:
        at = observe_yards(board, seen, viewer, seats, out, at, units, lane)
    return at
