"""A style that weights alone do not give: the planner that first claims what would join two parts of a rival's network."""

import numpy as np

from branchline.batch.compiled.playing import play_some
from branchline.bots.compiled.policies import PLANNER, ask_without_network
from branchline.compiling import kept, rule
from branchline.rules.bits import EMPTY, bit, drop_lowest, has, lowest
from branchline.rules.network import other_end
from branchline.rules.sizes import NONE, ROUTE_WORDS
from branchline.rules.state import NOT_ANNOUNCED
from branchline.rules.vocabulary.phases import ACTION

BLOCKER = 100  # its policy number, after all others


@rule
def cities_from(board, seen, rival, start):
    """The cities that a rival's own routes join to a city."""
    found, waiting = bit(start), bit(start)
    while waiting != EMPTY:
        city = lowest(waiting)
        waiting = drop_lowest(waiting)
        for word in range(ROUTE_WORDS):
            left = board.touching[city, word] & seen.owned[rival, word]
            while left != EMPTY:
                end = bit(other_end(board, 64 * word + lowest(left), city))
                left = drop_lowest(left)
                waiting |= end & ~found
                found |= end
    return found


@rule
def would_shut(board, seen, rival, route):
    """Does the rival lose the way between these two cities, without a second track?"""
    twin = np.int64(board.twin[route])
    return has(seen.open_to[rival], route) and (twin == NONE or seen.players < board.both_tracks_from or not has(seen.open_to[rival], twin))


@rule
def would_join(board, seen, rival, route):
    """Would the route join two parts of the rival's network, and has the rival the pieces for it?"""
    a, b = np.int64(board.route_a[route]), np.int64(board.route_b[route])
    ends = bit(a) | bit(b)
    if seen.reached[rival] & ends != ends or seen.pieces[rival, board.route_deck[route]] < board.length[route]:
        return False
    return cities_from(board, seen, rival, a) & bit(b) == EMPTY


@rule
def rivals_hurt(board, seen, route):
    hurt = np.int64(0)
    for rival in range(seen.players):
        if rival != seen.seat and would_shut(board, seen, rival, route) and would_join(board, seen, rival, route):
            hurt += 1
    return hurt


@rule
def route_to_block(board, seen, mask):
    """The claim that hurts most rivals, and of these the longest; or NONE."""
    best, most = np.int64(NONE), np.int64(0)
    for word in range(ROUTE_WORDS):
        left = mask[word] & seen.open_to[seen.seat, word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            harm = 16 * rivals_hurt(board, seen, route)
            if harm > 0 and harm + board.length[route] > most:
                best, most = np.int64(route), harm + board.length[route]
    return best


@rule
def ask_style(policy, board, seen, mask, thoughts, dice):
    if policy == BLOCKER and seen.phase == ACTION and seen.last_turns == NOT_ANNOUNCED:
        route = route_to_block(board, seen, mask)
        if route != NONE:
            return route
    return np.int64(ask_without_network(PLANNER, board, seen, mask, thoughts, dice))


@kept
def play_styles(boards, games, room, table, policies, seed, first_game):
    """For Python: games between planners, some of whom block."""
    play_some(boards, games, room, table, policies, seed, first_game, ask_style, None, None, None)
