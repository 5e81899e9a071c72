"""The planner and the longest path (EU-37): how long each seat's is, and what a route is worth to its own."""

import numpy as np

from branchline.bots.compiled.thoughts import FAR, INDEX
from branchline.compiling import rule
from branchline.rules.bits import EMPTY
from branchline.rules.network import label_cities, lay_out, longest_from, longest_trail
from branchline.rules.sizes import ROUTE_WORDS

LONGEST, DOUBT = INDEX["longest"], INDEX["doubt"]


@rule
def has_grown(seen, seat, thoughts):
    """Has a seat claimed routes since its path was measured?"""
    for word in range(ROUTE_WORDS):
        if thoughts.measured[seat, word] != seen.owned[seat, word]:
            return True
    return False


@rule
def measure_rival(board, seen, rival, thoughts):
    lay_out(board, seen.owned[rival], thoughts)
    thoughts.path[rival] = longest_trail(thoughts)


@rule
def measure_own(board, seen, seat, thoughts):
    """Also to every city of the network, because that is where a route would make it longer."""
    lay_out(board, seen.owned[seat], thoughts)
    label_cities(board, thoughts)
    longest = np.int64(0)
    for city in range(board.cities):
        path = np.int64(0)
        if thoughts.incident[city] != EMPTY:
            path = longest_from(thoughts, city, np.int64(0), np.int64(FAR))
        thoughts.path_to[city] = path
        longest = max(longest, path)
    thoughts.path[seat] = longest


@rule
def measure_paths(board, seen, seat, again, thoughts):
    """The longest paths of all seats whose networks have grown."""
    for one in range(seen.players):
        if again or has_grown(seen, one, thoughts):
            if one == seat:
                measure_own(board, seen, seat, thoughts)
            else:
                measure_rival(board, seen, one, thoughts)
            for word in range(ROUTE_WORDS):
                thoughts.measured[one, word] = seen.owned[one, word]


@rule(on_gpu="called")
def compare_paths(board, seen, seat, turns, thoughts):
    """How far ahead is the own path, and how much can that still change in the turns left?"""
    measure_paths(board, seen, seat, not thoughts.planned or thoughts.measured_for != seat, thoughts)
    thoughts.measured_for = seat
    longest = np.int64(0)
    for rival in range(seen.players):
        if rival != seat:
            longest = max(longest, np.int64(thoughts.path[rival]))
    thoughts.lead = np.int64(thoughts.path[seat]) - longest
    thoughts.doubt = 1 + thoughts.weights[DOUBT] * turns // 10_000
    thoughts.per_space = thoughts.weights[LONGEST] * np.int64(board.longest_points) // (2 * np.int64(thoughts.doubt))


@rule
def undecided(lead, thoughts):
    """The part of a lead that is in doubt: half of the points are behind it if nobody leads, all if it is certain to last."""
    return min(max(lead, -np.int64(thoughts.doubt)), np.int64(thoughts.doubt))


@rule
def worth_of_longer(board, route, thoughts):
    """What a route is worth because it makes the own path longer."""
    if board.longest_points == 0 or thoughts.weights[LONGEST] == 0:
        return np.int64(0)
    a, b = board.route_a[route], board.route_b[route]
    one, other = np.int64(thoughts.path_to[a]), np.int64(thoughts.path_to[b])
    before = one + other if thoughts.label[a] != thoughts.label[b] else max(one, other)
    longer = before + board.length[route] - thoughts.path[thoughts.measured_for]
    if longer <= 0:
        return np.int64(0)
    lead = np.int64(thoughts.lead)
    return thoughts.per_space * (undecided(lead + longer, thoughts) - undecided(lead, thoughts))
