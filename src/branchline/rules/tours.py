"""Tours: WO-27, WO-28. Whether a tour's cities are joined: completion.py."""

import numpy as np

from branchline.compiling import rule
from branchline.rules.bits import EMPTY, bit, drop_lowest, has, lowest, put
from branchline.rules.network import across


@rule
def tour_points(board, seat, ticket, result):
    """What a completed tour is worth."""
    if has(result.in_order[seat], ticket):
        return board.ticket_points[ticket]
    return board.tour_connected[ticket - board.first_tour]


@rule
def can_reach(work, start, goal, used, closed):
    """Can unused routes lead from one city to another without passing through a closed city?"""
    met = bit(start) | closed
    todo = bit(start)
    while todo != EMPTY:
        city = lowest(todo)
        todo = drop_lowest(todo)
        edges = work.incident[city] & ~used
        while edges != EMPTY:
            end = across(work, lowest(edges), city)
            edges = drop_lowest(edges)
            if end == goal:
                return True
            if met & bit(end) == EMPTY:
                met |= bit(end)
                todo |= bit(end)
    return False


@rule
def step(work, depth, city, used, met, goal):
    """Extend the current trail to a city."""
    work.trail_city[depth] = city
    work.trail_used[depth] = used
    work.trail_met[depth] = met
    work.trail_goal[depth] = goal
    work.trail_options[depth] = work.incident[city] & ~used


@rule
def in_order(cities, size, all_cities, work):
    """WO-28: is there a trail from the first city to the last that visits each once, in order, and uses each route at most once?

    A trail also runs backwards, so one direction is enough. Between two cities of the tour, no city needs to be visited twice. Depth first.
    """
    depth = 0
    step(work, 0, cities[0], EMPTY, bit(cities[0]), 1)
    while depth >= 0:
        options = work.trail_options[depth]
        if options == EMPTY:
            depth -= 1
            continue
        edge = lowest(options)
        work.trail_options[depth] = drop_lowest(options)
        city, goal = across(work, edge, work.trail_city[depth]), np.int64(work.trail_goal[depth])
        used, met = work.trail_used[depth] | bit(edge), work.trail_met[depth]
        if city == cities[goal]:
            goal += 1
            if goal == size:
                return True
            met = bit(city)
        elif (met | all_cities) & bit(city) != EMPTY:
            continue
        else:
            met |= bit(city)
        if can_reach(work, city, cities[goal], used, (met | all_cities) & ~bit(city)):
            depth += 1
            step(work, depth, city, used, met, goal)
    return False


@rule
def find_tours_in_order(board, seat, work, result):
    for ticket in range(board.first_tour, board.tickets):
        if has(result.completed[seat], ticket):
            tour = ticket - board.first_tour
            if in_order(board.tour_city[tour], board.tour_size[tour], board.ticket_cities[ticket], work):
                put(result.in_order[seat], ticket)
