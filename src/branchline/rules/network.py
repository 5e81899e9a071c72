"""A seat's routes as a network: joined cities, the longest trail (EU-33, EU-37, LO-15, LO-16, WO-26). Ordered trails: tours.py."""

import numpy as np

from branchline.compiling import rule
from branchline.rules.bits import EMPTY, ONE, bit, drop_lowest, lowest, ones
from branchline.rules.sizes import ROUTE_WORDS


@rule
def other_end(board, route, city):
    return board.route_b[route] if board.route_a[route] == city else board.route_a[route]


@rule
def lay_out(board, routes, work):
    """Read a set of routes into `work`."""
    for city in range(board.cities):
        work.incident[city] = EMPTY
    edges = 0
    for word in range(ROUTE_WORDS):
        left = routes[word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            a, b = board.route_a[route], board.route_b[route]
            work.edge_a[edges] = a
            work.edge_b[edges] = b
            work.edge_length[edges] = board.length[route]
            work.incident[a] |= bit(edges)
            work.incident[b] |= bit(edges)
            edges += 1
    work.edges = edges


@rule
def across(work, edge, city):
    return work.edge_b[edge] if work.edge_a[edge] == city else work.edge_a[edge]


@rule
def component(work, edge):
    """All edges connected to an edge."""
    found = bit(edge)
    todo = found
    while todo != EMPTY:
        next_edge = lowest(todo)
        todo = drop_lowest(todo)
        new = (work.incident[work.edge_a[next_edge]] | work.incident[work.edge_b[next_edge]]) & ~found
        found |= new
        todo |= new
    return found


@rule
def cities_of(work, edges):
    cities = EMPTY
    while edges != EMPTY:
        edge = lowest(edges)
        edges = drop_lowest(edges)
        cities |= bit(work.edge_a[edge]) | bit(work.edge_b[edge])
    return cities


@rule
def length_of(work, edges):
    total = np.int64(0)
    while edges != EMPTY:
        total += work.edge_length[lowest(edges)]
        edges = drop_lowest(edges)
    return total


@rule
def all_edges(work):
    """The set of all edges of the network."""
    return ~EMPTY >> np.uint64(64 - work.edges) if work.edges > 0 else EMPTY


@rule
def label_cities(board, work):
    """Give joined cities the same label: the first one's."""
    for city in range(board.cities):
        work.label[city] = city
    left = all_edges(work)
    while left != EMPTY:
        edges = component(work, lowest(left))
        left &= ~edges
        cities = cities_of(work, edges)
        first = lowest(cities)
        while cities != EMPTY:
            work.label[lowest(cities)] = first
            cities = drop_lowest(cities)


@rule
def odd_cities(work, cities):
    """Cities in which an odd number of routes end."""
    odd = EMPTY
    while cities != EMPTY:
        city = lowest(cities)
        cities = drop_lowest(cities)
        if ones(work.incident[city]) & 1:
            odd |= bit(city)
    return odd


@rule
def shortest_at(work, city):
    shortest = np.int64(127)
    edges = work.incident[city]
    while edges != EMPTY:
        shortest = min(shortest, np.int64(work.edge_length[lowest(edges)]))
        edges = drop_lowest(edges)
    return shortest


@rule
def trail_bound(work, total, odd):
    """An upper bound for trails: every odd city except the two ends leaves a route unused, and two cities may share one."""
    unused, largest, second = np.int64(0), np.int64(0), np.int64(0)
    while odd != EMPTY:
        shortest = shortest_at(work, lowest(odd))
        odd = drop_lowest(odd)
        unused += shortest
        second = max(second, min(largest, shortest))
        largest = max(largest, shortest)
    return total - (unused - largest - second + 1) // 2


@rule
def reach(work, city, used):
    """Length of all unused edges that can still be reached from a city."""
    todo = work.incident[city] & ~used
    found = todo
    while todo != EMPTY:
        edge = lowest(todo)
        todo = drop_lowest(todo)
        new = (work.incident[work.edge_a[edge]] | work.incident[work.edge_b[edge]]) & ~used & ~found
        found |= new
        todo |= new
    return length_of(work, found)


@rule
def longest_from(work, start, best, bound):
    """The longest trail from a city, if longer than `best`: depth first, without recursion."""
    depth, length, used = 0, np.int64(0), EMPTY
    work.trail_city[0] = start
    work.trail_options[0] = work.incident[start]
    while depth >= 0 and best < bound:
        options = work.trail_options[depth]
        if options == EMPTY:
            if depth > 0:
                edge = work.trail_edge[depth]
                used &= ~bit(edge)
                length -= work.edge_length[edge]
            depth -= 1
            continue
        edge = lowest(options)
        work.trail_options[depth] = drop_lowest(options)
        city = across(work, edge, work.trail_city[depth])
        used |= bit(edge)
        length += work.edge_length[edge]
        best = max(best, length)
        depth += 1
        work.trail_city[depth] = city
        work.trail_edge[depth] = edge
        options = work.incident[city] & ~used
        # at a fork, continue only if everything still within reach would make a longer trail
        if drop_lowest_or_empty(options) != EMPTY and length + reach(work, city, used) <= best:
            options = EMPTY
        work.trail_options[depth] = options
    return best


@rule
def drop_lowest_or_empty(word):
    return word & (word - ONE) if word != EMPTY else EMPTY


@rule
def longest_trail(work):
    """The longest trail of the network: cities may be passed again, each route is used at most once.

    A longest trail that cannot use every route of its component starts in a city where an odd number of them end
    (anywhere else it could be made longer).
    """
    best = np.int64(0)
    left = all_edges(work)
    while left != EMPTY:
        edges = component(work, lowest(left))
        left &= ~edges
        total = length_of(work, edges)
        if total > best:
            odd = odd_cities(work, cities_of(work, edges))
            if ones(odd) <= 2:
                best = total
            else:
                best = longest_in(work, odd, best, trail_bound(work, total, odd))
    return best


@rule
def longest_in(work, odd, best, bound):
    while odd != EMPTY and best < bound:
        best = longest_from(work, lowest(odd), best, bound)
        odd = drop_lowest(odd)
    return best
