"""Attractions: NY-6."""

import numpy as np

from branchline.compiling import rule
from branchline.rules.bits import bit, ones


@rule
def count_attractions(board, state, seat, result):
    """NY-6: everyone with a route to it gets the points of an attraction, however many come."""
    result.attractions[seat] = board.attraction_points * np.int64(ones(board.attractions & state.reached[seat]))


@rule
def points_of_claim(board, reached, route):
    """What a route is worth to a seat that has been to these cities: its own points, and those of attractions that it is the first to lead to."""
    points = np.int64(board.route_points[board.length[route]])
    if board.attraction_points > 0:
        ends = bit(board.route_a[route]) | bit(board.route_b[route])
        points += board.attraction_points * np.int64(ones(ends & board.attractions & ~reached))
    return points
