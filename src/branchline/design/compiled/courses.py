"""The course of a finished game, found again from who owns which route since when: who led, and why tickets failed.

A ticket fails at the claim after which its holder could no longer join its cities with the pieces it had left: over its own routes and those still
open to it and, where there are stations, over as many routes of others as a seat has stations. The legs of a tour are joined one after the other.
"""

import numpy as np

from branchline.bots.compiled.paths import leg_end, legs_of
from branchline.compiling import kept, record, rule
from branchline.rules.bits import has
from branchline.rules.network import other_end
from branchline.rules.sizes import CITIES, NONE, ROUTES, SEATS, STATIONS, TICKETS

LOOKS = 10  # times at which the leader is noted: after each tenth of the turns

# why a ticket failed: its holder had pieces and a way, but no more turns; a rival's claim cut it off; its holder laid its pieces elsewhere;
# there was no way from the beginning
NOT_FAILED, OUT_OF_TURNS, BLOCKED, SPENT, HOPELESS = range(5)

COURSE = record(
    [
        ("why", np.int8, TICKETS),
        ("cut_by", np.int16, TICKETS),  # the route with which a rival cut it off, or NONE
        ("leader", np.int8, LOOKS),  # the seat ahead on the score track, or NONE if several are
        ("lead_changes", np.int16),  # how often another seat took the lead alone
    ]
)

FAR = 10_000
LENT = -1  # the price of a route of others: no piece, but a station

TRACE = record(
    [
        ("order", np.int16, ROUTES),  # the claimed routes, by turn
        ("claims", np.int64),  # how many
        ("owner", np.int8, ROUTES),
        ("pieces", np.int16, SEATS),
        ("points", np.int16, SEATS),
        ("price", np.int16, ROUTES),  # pieces that a route takes; zero for own ones, LENT, or FAR
        ("distance", np.int16, (STATIONS + 1, CITIES)),  # pieces to a city, over at most this many routes of others
        ("arrived_by", np.int16, (STATIONS + 1, CITIES)),
    ]
)


@rule
def order_claims(board, tally, trace):
    trace.claims = 0
    for route in range(board.routes):
        if tally.claimed_in[route] > 0:
            place = np.int64(trace.claims)
            while place > 0 and tally.claimed_in[trace.order[place - 1]] > tally.claimed_in[route]:
                trace.order[place] = trace.order[place - 1]
                place -= 1
            trace.order[place] = route
            trace.claims += 1


@rule
def go_to_end(board, state, trace):
    """Who owns what, and how many pieces are left, at the end of the game."""
    for route in range(board.routes):
        trace.owner[route] = NONE
    for seat in range(state.players):
        trace.pieces[seat] = np.int64(state.pieces[seat, 0]) + state.pieces[seat, 1]
        for route in range(board.routes):
            if has(state.owned[seat], route):
                trace.owner[route] = seat


@rule
def take_back(board, trace, route):
    trace.pieces[trace.owner[route]] += board.length[route]
    trace.owner[route] = NONE


@rule
def leader_of(players, trace):
    """The seat with the most points, or NONE if several have them."""
    best, most = NONE, np.int64(-1)
    for seat in range(players):
        if trace.points[seat] > most:
            best, most = seat, np.int64(trace.points[seat])
        elif trace.points[seat] == most:
            best = NONE
    return best


@rule
def follow_lead(board, state, tally, trace, course):
    """Lay the claims down again, and look who is ahead. Points that exchanged pieces cost are not on this track."""
    for seat in range(state.players):
        trace.points[seat] = 0
    look, leading = 0, np.int64(NONE)
    for place in range(trace.claims):
        route = np.int64(trace.order[place])
        while look < LOOKS and LOOKS * np.int64(tally.claimed_in[route]) > (look + 1) * np.int64(state.turn):
            course.leader[look] = leader_of(state.players, trace)
            look += 1
        trace.points[trace.owner[route]] += board.route_points[board.length[route]]
        ahead = np.int64(leader_of(state.players, trace))
        if ahead not in (NONE, leading):
            course.lead_changes += leading != NONE
            leading = ahead
    while look < LOOKS:
        course.leader[look] = leader_of(state.players, trace)
        look += 1


@rule
def price_for(board, players, seat, route, trace):
    owner, twin = trace.owner[route], np.int64(board.twin[route])
    if owner == seat:
        return np.int64(0)
    if owner != NONE:
        return np.int64(LENT)
    if twin != NONE and trace.owner[twin] != NONE and (trace.owner[twin] == seat or players < board.both_tracks_from):
        return np.int64(FAR)
    return np.int64(board.length[route])


@rule
def step(board, lent, city, route, trace):
    """Try to reach a city over a route; says whether that is shorter than known."""
    start, price, fewer = np.int64(other_end(board, route, city)), np.int64(trace.price[route]), lent
    if price == LENT:
        price, fewer = np.int64(0), lent - 1
    if fewer < 0 or trace.distance[fewer, start] + price >= trace.distance[lent, city]:
        return False
    trace.distance[lent, city] = trace.distance[fewer, start] + price
    trace.arrived_by[lent, city] = route
    return True


@rule
def measure_from(board, start, trace):
    """The fewest pieces to every city, with none, one, … routes of others."""
    for lent in range(board.stations + 1):
        for city in range(board.cities):
            trace.distance[lent, city] = FAR
            trace.arrived_by[lent, city] = NONE
        trace.distance[lent, start] = 0
        shorter = True
        while shorter:
            shorter = False
            for route in range(board.routes):
                if trace.price[route] < FAR:
                    ahead = step(board, lent, np.int64(board.route_b[route]), route, trace)
                    back = step(board, lent, np.int64(board.route_a[route]), route, trace)
                    shorter = shorter or ahead or back


@rule
def lay_way(board, end, trace):
    """The routes on the way to a city cost the next leg nothing."""
    lent, city = np.int64(board.stations), np.int64(end)
    while trace.arrived_by[lent, city] != NONE:
        route = np.int64(trace.arrived_by[lent, city])
        city = np.int64(other_end(board, route, city))
        if trace.price[route] == LENT:
            lent -= 1
        trace.price[route] = 0


@rule
def can_complete(board, players, seat, ticket, trace):
    """Has the seat a way, and the pieces for it?"""
    for route in range(board.routes):
        trace.price[route] = price_for(board, players, seat, route, trace)
    pieces = np.int64(0)
    for leg in range(legs_of(board, ticket)):
        measure_from(board, leg_end(board, ticket, leg), trace)
        end = leg_end(board, ticket, leg + 1)
        pieces += trace.distance[board.stations, end]
        if pieces > trace.pieces[seat]:
            return False
        if ticket >= board.first_tour:
            lay_way(board, end, trace)
    return True


@rule
def explain(board, state, seat, ticket, trace, course):
    """Go back from the end to the claim that made the ticket impossible."""
    go_to_end(board, state, trace)
    left = np.int64(trace.claims)
    while left > 0 and not can_complete(board, state.players, seat, ticket, trace):
        left -= 1
        take_back(board, trace, trace.order[left])
    if left == trace.claims:
        course.why[ticket] = OUT_OF_TURNS
    elif left == 0 and not can_complete(board, state.players, seat, ticket, trace):
        course.why[ticket] = HOPELESS
    elif has(state.owned[seat], trace.order[left]):
        course.why[ticket] = SPENT
    else:
        course.why[ticket] = BLOCKED
        course.cut_by[ticket] = trace.order[left]


@rule
def explain_failures(board, state, result, trace, course):
    for ticket in range(board.tickets):
        course.cut_by[ticket] = NONE
        for seat in range(state.players):
            if has(state.tickets[seat], ticket) and not has(result.completed[seat], ticket):
                explain(board, state, seat, ticket, trace, course)


@kept
def look_back(boards, states, results, tallies, traces, courses):
    """For Python: the courses of finished games on a board with routes; `courses` are records of zeros, and `traces` has one for scratch."""
    for game in range(states.shape[0]):
        order_claims(boards[0], tallies[game], traces[0])
        go_to_end(boards[0], states[game], traces[0])
        follow_lead(boards[0], states[game], tallies[game], traces[0], courses[game])
        explain_failures(boards[0], states[game], results[game], traces[0], courses[game])
