"""Which decisions search considers: the planner's first, then others that might be better. Payments and the like are left to the planner."""

import numpy as np

from branchline.bots.compiled.thoughts import can
from branchline.compiling import rule
from branchline.rules.bits import EMPTY, count, drop_lowest, has, lowest, nth
from branchline.rules.sizes import NONE, ROUTE_WORDS
from branchline.rules.vocabulary.decisions import BUILD, CLAIM, DRAW, DRAW_TICKETS, EXCHANGE, PLACE, SUPPLY, TAKE
from branchline.rules.vocabulary.phases import ACTION, COMPLETING, FILL, PAYMENT, SECOND_CARD
from branchline.rules.vocabulary.phases import SUPPLY as CHOOSING_SUPPLY

MOST = 24  # candidates at once
CLAIMS = 8  # unplanned claims
STEPS = (-4, -2, 2, 4)  # other numbers of trains to begin with, relative to the planner's


@rule
def add(chosen, number, decision):
    """Add a candidate unless it is already there."""
    for place in range(number):
        if chosen[place] == decision:
            return number
    if number < MOST:
        chosen[number] = decision
        number += 1
    return number


@rule
def add_block(board, mask, block, chosen, number):
    for decision in range(board.starts[block], board.starts[block + 1]):
        if has(mask, decision):
            number = add(chosen, number, decision)
    return number


@rule
def add_draws(board, seen, mask, chosen, number):
    """Every deck, and one of each kind of face-up card."""
    number = add_block(board, mask, DRAW, chosen, number)
    for space in range(board.row):
        fresh = can(board, mask, TAKE, space)
        for before in range(space):
            fresh = fresh and seen.row[before] != seen.row[space]
        if fresh:
            number = add(chosen, number, board.starts[TAKE] + space)
    return number


@rule
def add_planned(mask, thoughts, chosen, number):
    for word in range(ROUTE_WORDS):
        left = thoughts.plan[word] & mask[word]
        while left != EMPTY:
            number = add(chosen, number, 64 * word + lowest(left))
            left = drop_lowest(left)
    return number


@rule
def add_claims(board, mask, chosen, number):
    """The longest routes that can be claimed."""
    for _ in range(CLAIMS):
        best, spaces = np.int64(NONE), np.int64(0)
        for route in range(board.routes):
            if can(board, mask, CLAIM, route) and board.length[route] > spaces:
                fresh = True
                for place in range(number):
                    fresh = fresh and chosen[place] != route
                if fresh:
                    best, spaces = np.int64(route), np.int64(board.length[route])
        if best == NONE:
            return number
        number = add(chosen, number, best)
    return number


@rule
def list_actions(board, seen, mask, thoughts, chosen, number):
    """Likely ones first: with little time, search considers fewer."""
    number = add_planned(mask, thoughts, chosen, number) if board.routes > 0 else add_block(board, mask, PLACE, chosen, number)
    number = add_draws(board, seen, mask, chosen, number)
    number = add_block(board, mask, DRAW_TICKETS, chosen, number)
    return add_claims(board, mask, chosen, number) if board.routes > 0 else add_rest(board, mask, chosen, number)


@rule
def add_rest(board, mask, chosen, number):
    """Everything else except exchanges and stations, which are many and seldom good."""
    for place in range(count(mask)):
        decision = nth(mask, place)
        block = board.block_of[decision]
        if block != EXCHANGE and block != BUILD and block != TAKE:
            number = add(chosen, number, decision)
    return number


@rule
def list_supplies(board, mask, chosen, number):
    first = np.int64(chosen[0])
    for step in STEPS:
        if board.starts[SUPPLY] <= first + step < board.starts[SUPPLY + 1] and has(mask, first + step):
            number = add(chosen, number, first + step)
    return number


@rule
def list_candidates(board, seen, mask, thoughts, best, chosen):
    """Write the candidates, the planner's `best` first, and return how many there are."""
    number = add(chosen, 0, best)
    if seen.phase == PAYMENT or seen.phase == FILL or seen.phase == COMPLETING:
        return number
    if seen.phase == ACTION:
        return list_actions(board, seen, mask, thoughts, chosen, number)
    if seen.phase == SECOND_CARD:
        return add_draws(board, seen, mask, chosen, number)
    if seen.phase == CHOOSING_SUPPLY:
        return list_supplies(board, mask, chosen, number)
    return add_rest(board, mask, chosen, number)
