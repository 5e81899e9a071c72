"""The part of an observation about tickets; for the rest see `observing.py`."""

from branchline.compiling import lowest, rule
from branchline.observations.compiled.places import seat_at
from branchline.observations.compiled.writing import write_flags, write_number, write_set, write_zeros
from branchline.rules.bits import EMPTY, drop_lowest
from branchline.rules.network import label_cities, lay_out
from branchline.rules.sizes import NONE


@rule
def observe_offers(board, seen, out, at):
    """The tickets offered: their places in the offer, the next to decide on, those kept so far, and known ones offered to others."""
    after = write_zeros(out, at, 4 * board.tickets)
    for i in range(seen.offer_size[seen.viewer]):
        ticket = at + seen.offer[seen.viewer, i]
        out[ticket] = i + 1
        if seen.seat == seen.viewer and seen.offer_at[seen.viewer] == i:
            out[board.tickets + ticket] = 1
        if (seen.kept[seen.viewer] >> i) & 1:
            out[2 * board.tickets + ticket] = 1
    for seat in range(seen.players):
        if seat != seen.viewer:
            for i in range(seen.offer_size[seat]):
                if seen.offer[seat, i] != NONE:
                    out[at + 3 * board.tickets + seen.offer[seat, i]] = i + 1
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
            out[at + seen.queue[place]] = place + 1
    at = write_number(out, after, seen.queue_size)
    at = write_flags(out, at, seen.knows, board.tickets)
    return write_flags(out, at, seen.returned_by, board.tickets)


@rule
def are_joined(work, cities):
    """Have all cities of a set the same label?"""
    label = work.label[lowest(cities)]
    cities = drop_lowest(cities)
    while cities != EMPTY:
        if work.label[lowest(cities)] != label:
            return False
        cities = drop_lowest(cities)
    return True


@rule
def observe_joined(board, seen, work, out, at):
    """All tickets, whoever holds them, whose cities the viewer's own routes join. Most have a city that no route of the viewer reaches."""
    after = write_zeros(out, at, board.tickets)
    apart, labelled = ~seen.reached[seen.viewer], False
    for ticket in range(board.tickets):
        if board.ticket_cities[ticket] & apart == EMPTY:
            if not labelled:
                lay_out(board, seen.owned[seen.viewer], work)
                label_cities(board, work)
                labelled = True
            if are_joined(work, board.ticket_cities[ticket]):
                out[at + ticket] = 1
    return after
