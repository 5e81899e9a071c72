"""Bonuses for big cities: CG-23."""

import numpy as np

from branchline.compiling import rule
from branchline.rules.completion import tickets_naming


@rule
def most_naming(board, state, city, result):
    most = np.int64(0)
    for seat in range(state.players):
        most = max(most, tickets_naming(board, result.completed[seat], city))
    return most


@rule
def award_bonuses(board, state, result):
    """Everyone who ties earns a city. Nobody earns a city that no completed ticket names."""
    for place in range(board.big_cities):
        city = board.big_city[place]
        most = most_naming(board, state, city, result)
        for seat in range(state.players):
            if most > 0 and tickets_naming(board, result.completed[seat], city) == most:
                result.bonuses[seat] += board.big_city_points[place]
                result.bonus_cities[seat] |= np.uint8(1 << place)
