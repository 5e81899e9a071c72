"""Your own statistics: each becomes a column of the table and the summary.

branchline simulate europe --games 10000 --bots greedy --out games.parquet --statistics examples/statistics.py
"""
# ruff: noqa: ARG001  # functions of one kind have the same parameters

from branchline.batch import Games, statistic
from branchline.compiling import rule
from branchline.rules.sizes import SEATS

LONG = 6  # spaces


@rule
def is_long(board, action):
    """Whether an action (the first decision of a turn) claims a long route. Claims come first in the decision table, in the order of the routes."""
    return action < board.routes and board.length[action] >= LONG


@statistic(size=SEATS)
def wilds_left(board, state, result, out):
    """At the end of a game: the locomotives left in each hand, one number per seat."""
    for seat in range(state.players):
        out[seat] = state.hands[seat, board.wild]


@statistic
def first_long_claim(board, state, seat, action, turn, out):
    """After every turn: the turn in which somebody first claimed, or tried to claim, a long route; one number per game."""
    if out[0] == 0 and is_long(board, action):
        out[0] = turn


@statistic
def lead(games: Games):
    """For a chunk of games, in NumPy: how far each seat is ahead of the mean of its game."""
    totals = games.results["total"][:, : games.states["players"][0]]
    return totals - totals.mean(axis=1, keepdims=True)
