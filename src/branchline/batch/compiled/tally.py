"""The Tally record: what is noted about a game while a batch plays it, in addition to its last state and result."""

import numpy as np

from branchline.compiling import record, rule
from branchline.rules.bits import has
from branchline.rules.sizes import ROUTES, SEATS
from branchline.rules.vocabulary.decisions import BUILD, CLAIM, DRAW_TICKETS, EXCHANGE, PASS, PLACE

ROUNDS = 100  # rounds recorded one by one; `actions` has only the last of any later ones, `counts` has all

# what a seat did with a turn
NOTHING, DREW_CARDS, CLAIMED, ABANDONED, DREW_TICKETS, BUILT, EXCHANGED, PLACED, PASSED = range(9)
ACTIONS = ("nothing", "cards", "claim", "abandoned", "tickets", "build", "exchange", "place", "pass")

TALLY = record(
    [
        ("claimed_in", np.int16, ROUTES),  # the turn, counted from 1, in which a route was claimed; 0: never
        ("counts", np.int16, (SEATS, len(ACTIONS))),  # how many turns each seat spent on each action
        ("actions", np.int8, (SEATS, ROUNDS)),  # what each seat did in each round
    ]
)


@rule
def kind_of_action(board, state, seat, decision):
    """What a seat did in the turn that has just ended, given the decision it began with."""
    block = board.block_of[decision]
    if block == CLAIM:
        return CLAIMED if has(state.owned[seat], decision) else ABANDONED  # claims are the first block, so their numbers are those of the routes
    if block == DRAW_TICKETS:
        return DREW_TICKETS
    if block == BUILD:
        return BUILT
    if block == EXCHANGE:
        return EXCHANGED
    if block == PLACE:
        return PLACED
    if block == PASS:
        return PASSED
    return DREW_CARDS


@rule
def tally_turn(board, state, seat, decision, turn, tally):
    """Note that a turn is over: `turn` is its number, `decision` the one it began with, and `state` the state after it."""
    action = kind_of_action(board, state, seat, decision)
    tally.counts[seat, action] += 1
    round_number = np.int64(np.uint32(turn - 1) // np.uint32(state.players))  # in 32 bits: GPUs have no wider division
    tally.actions[seat, min(round_number, ROUNDS - 1)] = action
    if action == CLAIMED:
        tally.claimed_in[decision] = turn
