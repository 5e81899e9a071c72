"""Compiled bots by number: `decide` asks the right one."""

import numpy as np

from branchline.bots.compiled.greedy import choose_greedy
from branchline.bots.compiled.planner import choose_planner
from branchline.bots.compiled.thoughts import THOUGHTS
from branchline.bots.compiled.whims import choose_learned
from branchline.compiling import kept, rule, shared
from branchline.rules.bits import count, nth
from branchline.rules.chance import below, siphash

RANDOM, GREEDY, PLANNER, LEARNED = 0, 1, 2, 3
FAULTS = 3  # where dice have room for it: how often a bot of somebody's own answered with something that is not legal
POLICIES = {"random": RANDOM, "greedy": GREEDY, "planner": PLANNER, "learned": LEARNED}

__all__ = ["FAULTS", "POLICIES", "THOUGHTS", "ask_greedy", "ask_planner", "ask_without_network", "decide", "pick", "pick_with"]


@rule
def pick_with(key0, key1, mask, choices, dice):
    """Any of this many legal decisions; the dice have the key and count only how often it was used."""
    which = below(siphash(key0, key1, dice[2]), choices)
    dice[2] += np.uint64(1)
    return nth(mask, which)


@rule
def pick(mask, choices, dice):
    """Any of this many legal decisions. `dice` are a key of two words and how often it was used."""
    return pick_with(dice[0], dice[1], mask, choices, dice)


@shared
def ask_without_network(policy, board, seen, mask, thoughts, dice):
    """`choose` where nobody has learned: networks do not think on a GPU."""
    if policy == GREEDY:
        return choose_greedy(board, seen, mask, thoughts)
    if policy == PLANNER:
        return choose_planner(board, seen, mask, thoughts)
    return pick(mask, count(mask), dice)


@shared
def choose(policy, board, seen, mask, thoughts, dice):
    """The decision of a policy that sees the view `seen` and the legal decisions in `mask`."""
    if policy == LEARNED:
        return choose_learned(board, seen, mask, thoughts, dice)
    return ask_without_network(policy, board, seen, mask, thoughts, dice)


@rule
def ask_greedy(_, board, seen, mask, thoughts, dice):  # noqa: ARG001  # as `choose`
    """`choose` where nobody else is asked: a GPU's code is short without the others."""
    return choose_greedy(board, seen, mask, thoughts)


@rule
def ask_planner(_, board, seen, mask, thoughts, dice):  # noqa: ARG001
    return choose_planner(board, seen, mask, thoughts)


@kept
def decide(policy, boards, views, mask, thoughts, dice):
    """For Python: the decision of a policy that sees the one view of `views`."""
    return choose(policy, boards[0], views[0], mask, thoughts[0], dice)
