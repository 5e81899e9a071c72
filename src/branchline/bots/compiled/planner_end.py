"""The planner's last turns: what scores most right now, including the tickets it completes."""

import numpy as np

from branchline.bots.compiled.paths import clear_prices, leg_end, legs_of, measure, set_price
from branchline.bots.compiled.planner_longest import worth_of_longer
from branchline.bots.compiled.plans import POINT, has_station, ticket_value
from branchline.bots.compiled.thoughts import FAR, can
from branchline.compiling import rule
from branchline.rules.attractions import points_of_claim
from branchline.rules.bits import EMPTY, drop_lowest, has, lowest, next_in
from branchline.rules.completion import others_routes
from branchline.rules.network import other_end
from branchline.rules.sizes import NONE, ROUTE_WORDS
from branchline.rules.vocabulary.decisions import BUILD


@rule
def station_for(board, mask, route):
    """The decision to build a station that gives us a route; NONE if there is none."""
    a, b = np.int64(board.route_a[route]), np.int64(board.route_b[route])
    if can(board, mask, BUILD, a):
        return np.int64(board.starts[BUILD] + a)
    if can(board, mask, BUILD, b):
        return np.int64(board.starts[BUILD] + b)
    return np.int64(NONE)


@rule
def turns_to_use(board, seen, seat, mask, route):
    """Turns until a route is part of the network: none if it is our own or borrowed, one if it can be claimed or borrowed now."""
    if has(seen.owned[seat], route):
        return np.int64(0)
    if has(seen.open_to[seat], route):
        return np.int64(1) if has(mask, route) else np.int64(FAR)
    if has_station(board, seen, seat, route):
        return np.int64(0)
    return np.int64(1) if station_for(board, mask, route) != NONE else np.int64(FAR)


@rule
def price_turns(board, seen, seat, mask, thoughts):
    clear_prices(thoughts)
    for word in range(ROUTE_WORDS):
        left = seen.open_to[seat, word] | seen.owned[seat, word]
        if board.stations > 0:
            left |= others_routes(seen, seat, word)
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            thoughts.urgency[route] = 0
            turns = turns_to_use(board, seen, seat, mask, route)
            if turns < FAR:
                set_price(thoughts, route, turns)


@rule
def credit_way(board, end, value, thoughts):
    """Credit the routes still missing on the path measured last."""
    city = np.int64(end)
    while thoughts.arrived_by[city] != NONE:
        route = np.int64(thoughts.arrived_by[city])
        city = np.int64(other_end(board, route, city))
        if thoughts.price[route] > 0:
            thoughts.urgency[route] += value


@rule
def credit_tickets(board, seen, seat, turns, thoughts):
    """Divide the worth of each ticket among the routes that would complete it in time."""
    ticket = next_in(seen.tickets[seat], NONE)
    while ticket != NONE:
        for leg in range(legs_of(board, ticket)):
            measure(board, leg_end(board, ticket, leg), thoughts)
            end = leg_end(board, ticket, leg + 1)
            distance = np.int64(thoughts.distance[end])
            if 0 < distance <= turns:
                credit_way(board, end, ticket_value(board, ticket, thoughts) // distance, thoughts)
        ticket = next_in(seen.tickets[seat], ticket)


@rule
def gain_at_once(board, seen, mask, route, thoughts):
    """The decision that brings a route into use, and what it gains."""
    gain = np.int64(thoughts.urgency[route])
    if has(seen.open_to[seen.seat], route):
        return np.int64(route), gain + POINT * points_of_claim(board, seen.reached[seen.seat], route) + worth_of_longer(board, route, thoughts)
    return station_for(board, mask, route), gain - POINT * np.int64(board.unbuilt_points)


@rule
def best_at_once(board, seen, mask, turns, thoughts):
    """The claim or station that gains most in the turns left; or NONE."""
    price_turns(board, seen, seen.seat, mask, thoughts)
    credit_tickets(board, seen, seen.seat, turns, thoughts)
    best, most = np.int64(NONE), np.int64(0)
    for word in range(ROUTE_WORDS):
        left = thoughts.usable[word] & ~seen.owned[seen.seat, word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            if thoughts.price[route] > 0:
                decision, gain = gain_at_once(board, seen, mask, route, thoughts)
                if gain > most:
                    best, most = decision, gain
    return best
