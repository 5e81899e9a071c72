"""Bonuses of big cities while tickets are being chosen (CG-19, CG-23): what is needed for each, and what a choice would win.

A bonus that needs n tickets is credited to all tickets that name its city, up to an n-th part each. Whatever is credited, the bound of
`best_tickets.py` holds: what is not credited is simply added to it.
"""

import numpy as np

from branchline.compiling import rule
from branchline.rules.bits import EMPTY, bit
from branchline.rules.completion import tickets_naming

HALF_POINT = 32  # CG-19: of a total, one more than any number of tickets: 33 tickets more are always worth far more than a point


@rule
def forget_bonuses(board, work):
    for place in range(board.big_cities):
        work.city_bonus[place], work.city_need[place], work.city_taken[place] = 0, 1, 0


@rule
def set_bonuses(board, state, seat, work):
    """CG-23: a bonus is won with as many tickets naming the city as anyone else has completed, and at least one. Nobody knows yet what others
    are choosing now."""
    forget_bonuses(board, work)
    for place in range(board.big_cities):
        city, most = board.big_city[place], np.int64(1)
        for other in range(state.players):
            if other != seat:
                most = max(most, tickets_naming(board, state.completed[other], city))
        needed = most - tickets_naming(board, state.completed[seat], city) - tickets_naming(board, state.chosen[seat], city)
        if needed > 0:
            work.city_need[place] = needed
            work.city_bonus[place] = HALF_POINT * board.big_city_points[place]


@rule
def names(board, ticket, place):
    """Does a ticket name this big city?"""
    return board.ticket_cities[ticket] & bit(board.big_city[place]) != EMPTY


@rule
def bonuses_not_credited(board, work, credited, unit):
    """What bonuses are worth beyond what the tickets they need are credited with."""
    rest = np.int64(0)
    for place in range(board.big_cities):
        rest += unit * np.int64(work.city_bonus[place]) - np.int64(work.city_need[place]) * credited[place]
    return rest


@rule
def count_cities(board, work, ticket, times):
    """Count a ticket taken (1) or put back (-1) for the big cities it names. Returns the bonuses won or lost with it."""
    bonuses = np.int64(0)
    for place in range(board.big_cities):
        if names(board, ticket, place):
            before = work.city_taken[place] >= work.city_need[place]
            work.city_taken[place] += times
            if before != (work.city_taken[place] >= work.city_need[place]):
                bonuses += times * np.int64(work.city_bonus[place])
    return bonuses
