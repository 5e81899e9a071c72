"""Cheapest ways over a board's routes: what the ticket compass asks for most."""

import numpy as np

from branchline.compiling import kept, lowest, rule

FAR = 1 << 20  # the price of a route that cannot be used


@kept
def measure(first, routes, others, prices, goal, start, distance, by, after):
    """Write for every city the price of its cheapest way to the goal, the route that it begins with, and the city after that.

    The routes of a city are routes[first[city]:first[city + 1]]; `others` are the cities they lead to. If the start is not -1, it is enough to reach
    that. Of equally near cities the one with the lowest number comes first: the same way is found every time.
    """
    for city in range(distance.shape[0]):
        distance[city], by[city], after[city] = FAR, -1, goal
    distance[goal] = 0
    waiting = np.uint64(1) << np.uint64(goal)
    while waiting != 0:
        city = nearest(waiting, distance)
        if city == start:
            return
        waiting &= ~(np.uint64(1) << np.uint64(city))
        for place in range(first[city], first[city + 1]):
            other, further = others[place], distance[city] + prices[routes[place]]
            if further < distance[other]:
                distance[other], by[other], after[other] = further, routes[place], city
                waiting |= np.uint64(1) << np.uint64(other)


@rule
def nearest(waiting, distance):
    left, best = waiting, lowest(waiting)
    while left != 0:
        city = lowest(left)
        if distance[city] < distance[best]:
            best = city
        left &= left - np.uint64(1)
    return best
