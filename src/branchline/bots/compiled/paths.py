"""Cheapest paths across the board, for bots. Each bot decides what a route costs, and sets the prices first."""

import numpy as np

from branchline.bots.compiled.thoughts import FAR
from branchline.compiling import rule
from branchline.rules.bits import EMPTY, bit, drop_lowest, lowest, put
from branchline.rules.network import other_end
from branchline.rules.sizes import NONE, ROUTE_WORDS

RING = 63  # the ring of waiting cities has 64 places, more than there are cities


@rule
def clear_prices(thoughts):
    for word in range(ROUTE_WORDS):
        thoughts.usable[word] = EMPTY


@rule
def set_price(thoughts, route, price):
    thoughts.price[route] = price
    put(thoughts.usable, route)


@rule
def forget_ways(board, thoughts):
    for city in range(board.cities):
        thoughts.distance[city] = FAR
        thoughts.arrived_by[city] = NONE


@rule(on_gpu="called")
def measure(board, start, thoughts):
    """Find the cheapest paths from a city to all others."""
    forget_ways(board, thoughts)
    thoughts.distance[start] = 0
    thoughts.waiting[0] = start
    first, end, queued = np.int64(0), np.int64(1), bit(start)
    while first != end:
        city = np.int64(thoughts.waiting[first])
        first = (first + 1) & RING
        queued &= ~bit(city)
        for word in range(ROUTE_WORDS):
            left = board.touching[city, word] & thoughts.usable[word]
            while left != EMPTY:
                route = 64 * word + lowest(left)
                left = drop_lowest(left)
                next_city = np.int64(other_end(board, route, city))
                distance = thoughts.distance[city] + thoughts.price[route]
                if distance < thoughts.distance[next_city]:
                    thoughts.distance[next_city] = distance
                    thoughts.arrived_by[next_city] = route
                    if queued & bit(next_city) == EMPTY:
                        queued |= bit(next_city)
                        thoughts.waiting[end] = next_city
                        end = (end + 1) & RING


@rule
def legs_of(board, ticket):
    """A ticket has one leg, from city to city; a tour has several."""
    return board.tour_size[ticket - board.first_tour] - 1 if ticket >= board.first_tour else np.int64(1)


@rule
def leg_end(board, ticket, leg):
    """The city where a leg begins and the previous one ends."""
    if ticket >= board.first_tour:
        return np.int64(board.tour_city[ticket - board.first_tour, leg])
    return np.int64(board.ticket_a[ticket] if leg == 0 else board.ticket_b[ticket])


@rule
def price_of_ticket(board, ticket, thoughts):
    """The price of the cheapest path, leg by leg; FAR or more if there is none."""
    price = np.int64(0)
    for leg in range(legs_of(board, ticket)):
        measure(board, leg_end(board, ticket, leg), thoughts)
        price += thoughts.distance[leg_end(board, ticket, leg + 1)]
    return price
