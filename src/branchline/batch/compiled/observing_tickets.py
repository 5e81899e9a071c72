"""The part of an observation about tickets; for the rest see `observing.py`."""

import numpy as np

from branchline.batch.compiled.places import seat_at
from branchline.batch.compiled.writing import HUNDREDTH, TENTH, WHOLE, write_number, write_set, write_zeros
from branchline.compiling import lowest, rule
from branchline.rules.bits import EMPTY
from branchline.rules.network import all_edges, cities_of, component, lay_out
from branchline.rules.sizes import NONE


@rule
def observe_offers(board, seen, out, at):
    """The tickets offered: their places in the offer, the next to decide on, those kept so far, and known ones offered to others."""
    after = write_zeros(out, at, 4 * board.tickets)
    for i in range(seen.offer_size[seen.viewer]):
        ticket = at + seen.offer[seen.viewer, i]
        out[ticket] = np.float32(i + 1) * TENTH
        if seen.seat == seen.viewer and seen.offer_at[seen.viewer] == i:
            out[board.tickets + ticket] = WHOLE
        if (seen.kept[seen.viewer] >> i) & 1:
            out[2 * board.tickets + ticket] = WHOLE
    for seat in range(seen.players):
        if seat != seen.viewer:
            for i in range(seen.offer_size[seat]):
                if seen.offer[seat, i] != NONE:
                    out[at + 3 * board.tickets + seen.offer[seat, i]] = np.float32(i + 1) * TENTH
    return after


@rule
def observe_tickets(board, seen, seats, out, at):
    """Tickets: who holds them, as far as the viewer knows; offers; the ticket deck; what else the viewer knows about each."""
    for place in range(seats):
        at = write_set(out, at, seen.tickets[seat_at(seen, place)], board.tickets)
    at = observe_offers(board, seen, out, at)
    after = write_zeros(out, at, board.tickets)
    for place in range(seen.queue_size):
        if seen.queue[place] != NONE:
            out[at + seen.queue[place]] = np.float32(place + 1) * HUNDREDTH
    at = write_number(out, after, seen.queue_size, HUNDREDTH)
    for ticket in range(board.tickets):
        at = write_number(out, at, 1 if seen.knows[ticket] else 0, WHOLE)
    for ticket in range(board.tickets):
        at = write_number(out, at, 1 if seen.returned_by[ticket] else 0, WHOLE)
    return at


@rule
def observe_joined(board, seen, work, out, at):
    """All tickets, whoever holds them, whose cities the viewer's own routes join."""
    after = write_zeros(out, at, board.tickets)
    lay_out(board, seen.owned[seen.viewer], work)
    left = all_edges(work)
    while left != EMPTY:
        edges = component(work, lowest(left))
        left &= ~edges
        apart = ~cities_of(work, edges)
        for ticket in range(board.tickets):
            if board.ticket_cities[ticket] & apart == EMPTY:
                out[at + ticket] = WHOLE
    return after
