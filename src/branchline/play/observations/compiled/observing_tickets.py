"""The part of an observation about tickets; for the rest see `observing.py`."""

import numpy as np

from branchline.compiling import lowest, meet, rule
from branchline.play.observations.compiled.places import seat_at
from branchline.play.observations.compiled.writing import number_of, turns_of, write_known, write_marks, write_number, write_zeros
from branchline.rules.bits import EMPTY, bit, drop, drop_lowest, put
from branchline.rules.sizes import NONE, ROUTE_WORDS, TICKET_WORDS
from branchline.rules.views import knows


@rule
def is_known(seen, viewer, ticket):
    """Does the viewer know what stands here? In a view, NONE stands where not."""
    return ticket != NONE and knows(seen, viewer, ticket)


@rule
def observe_offers(board, seen, viewer, out, at, units, lane):
    """The tickets offered: their places in the offer, the next to decide on, those kept so far, and known ones offered to others."""
    after = write_zeros(out, at, 4 * board.tickets, lane)
    meet()
    for turn in range(turns_of(lane, seen.offer_size[viewer])):
        i = number_of(lane, turn)
        ticket = at + seen.offer[viewer, i]
        out[ticket] = np.float32(i + 1) * units[0]
        if seen.seat == viewer and seen.offer_at[viewer] == i:
            out[board.tickets + ticket] = 1
        if (seen.kept[viewer] >> i) & 1:
            out[2 * board.tickets + ticket] = 1
    for seat in range(seen.players):
        if seat != viewer:
            for turn in range(turns_of(lane, seen.offer_size[seat])):
                i = number_of(lane, turn)
                if is_known(seen, viewer, seen.offer[seat, i]):
                    out[at + 3 * board.tickets + seen.offer[seat, i]] = np.float32(i + 1) * units[0]
    return after


@rule
def observe_tickets(board, seen, viewer, seats, out, at, units, lane):
    """Tickets: who holds them, as far as the viewer knows; offers; the ticket deck; what else the viewer knows about each."""
    for place in range(seats):
        at = write_known(out, at, seen.tickets[seat_at(seen, viewer, place)], seen.knows, viewer, board.tickets, lane)
    at = observe_offers(board, seen, viewer, out, at, units, lane)
    after = write_zeros(out, at, board.tickets, lane)
    meet()
    for turn in range(turns_of(lane, seen.queue_size)):
        place = number_of(lane, turn)
        if is_known(seen, viewer, seen.queue[place]):
            out[at + seen.queue[place]] = np.float32(place + 1) * units[1]
    at = write_number(out, after, seen.queue_size, units[1], lane)
    at = write_marks(out, at, seen.knows, viewer, board.tickets, lane)
    return write_marks(out, at, seen.returned_by, viewer, board.tickets, lane)


@rule
def group_cities(board, routes, groups):
    """The sets of cities that routes join, one word each. Returns how many there are."""
    number = np.int64(0)
    for word in range(ROUTE_WORDS):
        left = routes[word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            group, others = bit(board.route_a[route]) | bit(board.route_b[route]), np.int64(0)
            for i in range(number):
                if groups[i] & group != EMPTY:
                    group |= groups[i]
                else:
                    groups[others] = groups[i]
                    others += 1
            groups[others] = group
            number = others + 1
    return number


@rule
def is_within(cities, groups, number):
    for i in range(number):
        if cities & ~groups[i] == EMPTY:
            return True
    return False


@rule
def find_reached(board, reached, tickets):
    """The tickets all of whose cities are in a set. Returns whether there are any."""
    found, apart = False, ~reached
    for word in range(TICKET_WORDS):
        tickets[word] = EMPTY
    for ticket in range(board.tickets):
        if board.ticket_cities[ticket] & apart == EMPTY:
            put(tickets, ticket)
            found = True
    return found


@rule
def find_joined(board, seen, viewer, groups, joined):
    """All tickets, whoever holds them, whose cities the viewer's own routes join. Most have a city that no route of the viewer reaches."""
    if not find_reached(board, seen.reached[viewer], joined):
        return
    number = group_cities(board, seen.owned[viewer], groups)
    for word in range(TICKET_WORDS):
        left = joined[word]
        while left != EMPTY:
            ticket = 64 * word + lowest(left)
            left = drop_lowest(left)
            if not is_within(board.ticket_cities[ticket], groups, number):
                drop(joined, ticket)
