"""Completed tickets, including with the help of stations: EU-33 to EU-35, LO-15, WO-26, WO-27."""

import numpy as np

from branchline.compiling import rule
from branchline.rules.bits import EMPTY, bit, drop_lowest, has, lowest, put
from branchline.rules.network import other_end
from branchline.rules.sizes import NONE, ROUTE_WORDS, STATIONS


@rule
def labels_of(cities, work):
    """The labels of a set of cities: a single one if they are all joined."""
    labels = EMPTY
    while cities != EMPTY:
        labels |= bit(work.label[lowest(cities)])
        cities = drop_lowest(cities)
    return labels


@rule
def list_tickets(board, state, seat, work, result):
    """Mark the tickets whose cities are joined; list the others in `work`."""
    work.open_count = 0
    for ticket in range(board.tickets):
        if has(state.tickets[seat], ticket):
            labels = labels_of(board.ticket_cities[ticket], work)
            if drop_lowest(labels) == EMPTY:
                put(result.completed[seat], ticket)
            else:
                work.open_labels[work.open_count] = labels
                work.open_points[work.open_count] = board.ticket_points[ticket]
                work.open_count += 1


@rule
def others_routes(state, seat, word):
    routes = EMPTY
    for other in range(state.players):
        if other != seat:
            routes |= state.owned[other, word]
    return routes


@rule
def list_lent_routes(board, state, seat, station, city, work):
    """Other seats' routes into the city that would join something new. Option 0 borrows nothing; of routes that join the same, the first counts."""
    work.lent_route[station, 0] = NONE
    work.lent_groups[station, 0] = EMPTY
    options = 1
    for word in range(ROUTE_WORDS):
        left = board.touching[city, word] & others_routes(state, seat, word)
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            group = bit(work.label[city]) | bit(work.label[other_end(board, route, city)])
            fresh = work.label[city] != work.label[other_end(board, route, city)]
            for option in range(options):
                fresh = fresh and work.lent_groups[station, option] != group
            if fresh:
                work.lent_route[station, options] = route
                work.lent_groups[station, options] = group
                options += 1
    work.lent_count[station] = options


@rule
def list_stations(board, state, seat, work, result):
    """Read the seat's stations; missing ones borrow nothing."""
    left = state.built[seat]
    for station in range(STATIONS):
        result.station_city[seat, station] = NONE
        result.station_route[seat, station] = NONE
        work.lent_count[station] = 1
        work.lent_groups[station, 0] = EMPTY
        work.lent_route[station, 0] = NONE
        if left != EMPTY:
            city = lowest(left)
            left = drop_lowest(left)
            result.station_city[seat, station] = city
            list_lent_routes(board, state, seat, station, city, work)


@rule
def merged(group, other):
    return group | other if group & other != EMPTY else group


@rule
def value_of(work, x, y, z):
    """Points and tickets gained by joining the labels of each group, as one number in the order of EU-35."""
    x = merged(merged(merged(x, y), z), y)
    y = merged(y, z)
    value = np.int64(0)
    for i in range(work.open_count):
        ends = work.open_labels[i]
        if (ends & ~x) == EMPTY or (ends & ~y) == EMPTY or (ends & ~z) == EMPTY:
            value += 256 * np.int64(work.open_points[i]) + 1
    return value


@rule
def choose_lent_routes(work, result, seat):
    """EU-35: choose one route per station: the most points, then the most tickets, then the first such choice."""
    best = np.int64(0)
    for x in range(work.lent_count[0]):
        for y in range(work.lent_count[1]):
            for z in range(work.lent_count[2]):
                value = value_of(work, work.lent_groups[0, x], work.lent_groups[1, y], work.lent_groups[2, z])
                if value > best:
                    best = value
                    result.station_route[seat, 0] = work.lent_route[0, x]
                    result.station_route[seat, 1] = work.lent_route[1, y]
                    result.station_route[seat, 2] = work.lent_route[2, z]


@rule
def join_labels(board, work, route):
    old, new = work.label[board.route_a[route]], work.label[board.route_b[route]]
    for city in range(board.cities):
        if work.label[city] == old:
            work.label[city] = new


@rule
def use_stations(board, state, seat, work, result):
    list_stations(board, state, seat, work, result)
    if work.open_count == 0 or state.built[seat] == EMPTY:
        return
    choose_lent_routes(work, result, seat)
    for station in range(STATIONS):
        if result.station_route[seat, station] != NONE:
            join_labels(board, work, result.station_route[seat, station])
    list_tickets(board, state, seat, work, result)


@rule
def complete_tickets(board, state, seat, work, result):
    """EU-33: find the tickets whose cities are joined. The labels in `work` come from the seat's own routes; stations (not harbours) change them."""
    list_tickets(board, state, seat, work, result)
    if board.stations > 0:
        use_stations(board, state, seat, work, result)


@rule
def tickets_naming(board, completed, city):
    """How many completed tickets name a city."""
    named = np.int64(0)
    for ticket in range(board.tickets):
        if has(completed, ticket) and board.ticket_cities[ticket] & bit(city) != EMPTY:
            named += 1
    return named
