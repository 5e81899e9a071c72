"""What to reach: a measure of imbalance, as a figure of sums, and the limit below which it is good enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.boards import Board
from branchline.design.balance.allowed import BalanceError
from branchline.design.blocks import Array, Estimates, jackknife
from branchline.design.figures import kinds_of
from branchline.design.strategies import StyleSums
from branchline.design.sums import Sums
from branchline.design.worths import centred, solved


@dataclass(frozen=True)
class Goal:
    """A measure that should be at most `limit`. It is computed from arrays of sums, each with blocks first; `arrays` says which."""

    name: str
    limit: float
    said: str
    needs_styles: bool
    arrays: Callable[[Any], tuple[Array, ...]]
    measure: Callable[..., Array]


def first_player(board: Board, limit: float) -> Goal:  # noqa: ARG001  # all goals take the same
    def advantage(games: Array, wins: Array) -> Array:
        return np.asarray(np.abs(wins[0] / games - 1 / len(wins)))

    return Goal("first-player", limit, "first-player advantage", False, lambda sums: (sums.in_block, sums.order_wins), advantage)


def tickets(board: Board, limit: float) -> Goal:
    kinds = kinds_of(board)

    def spread(squares: Array, products: Array, offered: Array) -> Array:
        excess = centred(solved(squares, products), offered, kinds)[:, 0]
        return np.asarray(np.sqrt((offered * excess**2).sum() / max(offered.sum(), 1)))

    return Goal(
        "tickets",
        limit,
        "spread of what tickets are worth, in points",
        False,
        lambda sums: (sums.tickets_drawn.squares, sums.tickets_drawn.products, sums.tickets_drawn.held),
        spread,
    )


def strategies(board: Board, limit: float) -> Goal:  # noqa: ARG001
    def largest(seats: Array, wins: Array) -> Array:
        return np.asarray(np.abs(wins / seats - wins.sum() / seats.sum()).max())

    return Goal("strategies", limit, "largest advantage or disadvantage of a strategy", True, lambda sums: (sums.seats, sums.wins), largest)


GOALS = {"first-player": (first_player, 0.01), "tickets": (tickets, 1.0), "strategies": (strategies, 0.05)}


def goals_of(board: Board, texts: Sequence[str]) -> list[Goal]:
    """Goals such as `first-player`, or with a limit of one's own `tickets=0.5`; shares are in per cent."""
    found = []
    for text in texts:
        name, _, limit = text.partition("=")
        if name not in GOALS:
            raise BalanceError(f"there is no goal {name!r}: choose from {', '.join(GOALS)}")
        make, usual = GOALS[name]
        found.append(make(board, as_limit(name, limit) if limit else usual))
    if not found:
        raise BalanceError(f"name a goal: --goal {' or --goal '.join(GOALS)}")
    if not board.routes and any(goal.needs_styles for goal in found):
        raise BalanceError(f"{board.name} has no routes, so there are no strategies to balance")
    return found


def as_limit(name: str, text: str) -> float:
    try:
        value = float(text.rstrip("%"))
    except ValueError:
        value = 0.0
    if value <= 0:
        raise BalanceError(f"--goal {name}={text}: the limit is a number above 0, such as {name}=1")
    return value if name == "tickets" else value / 100


Played = dict[tuple[str, int], Sums | StyleSums]  # by what is played (games, or styles) and number of players


def key_of(goal: Goal) -> str:
    return "styles" if goal.needs_styles else "games"


def estimate(goal: Goal, played: Played) -> Estimates:
    """The measure, as the mean over all numbers of players, with its interval."""
    sums = [one for (kind, _), one in played.items() if kind == key_of(goal)]
    return jackknife(mean_of(goal, len(sums)), *(array for one in sums for array in goal.arrays(one)))


def verdict(goal: Goal, found: Estimates) -> str:
    """Does the whole interval lie on one side of the limit?"""
    if float(found.high) <= goal.limit:
        return "reached"
    return "missed" if float(found.low) > goal.limit else "not shown"


def mean_of(goal: Goal, number: int) -> Callable[..., Array]:
    def mean(*arrays: Array) -> Array:
        size = len(arrays) // number
        return np.asarray(np.mean([goal.measure(*arrays[size * place : size * (place + 1)]) for place in range(number)]))

    return mean


def gain(goals: Sequence[Goal], before: Played, after: Played) -> Estimates:
    """By how much the sum of all measures, each in units of its limit, has become smaller: paired, for both play the same deals."""
    parts = [(goal, [one for (kind, _), one in played.items() if kind == key_of(goal)]) for played in (before, after) for goal in goals]
    arrays = [[array for one in sums for array in goal.arrays(one)] for goal, sums in parts]
    sizes = np.cumsum([0, *map(len, arrays)])

    def difference(*given: Array) -> Array:
        losses = [mean_of(goal, len(sums))(*given[sizes[place] : sizes[place + 1]]) / goal.limit for place, (goal, sums) in enumerate(parts)]
        return np.asarray(sum(losses[: len(goals)]) - sum(losses[len(goals) :]))

    return jackknife(difference, *(array for some in arrays for array in some))
