"""Strategies to set against each other: planners that think other things are worth more.

Each style multiplies weights of the board's own planner (`bots/weights.py`; what they mean: `bots/compiled/thoughts.py`), in per cent.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from branchline.bots.weights import COMMON, MOST, tuned_for

BALANCED = "balanced"
STYLES: dict[str, dict[str, int]] = {
    BALANCED: {},
    # many small claims: a turn counts little, a piece much, points of routes nothing
    "short routes": {"turn": 20, "points": 0, "piece": 200, "extra": 0},
    # few large claims: a turn costs much, and points of routes count double
    "long routes": {"turn": 250, "points": 200, "piece": 50},
    # more tickets, and earlier: they need to promise less, and fewer turns need to be left
    "tickets": {"tickets_gain": 25, "tickets_turns": 40, "offered": 130},
    # takes first what rivals could take next; it claims nothing only to spoil
    "blocking": {"near": 500, "detour": 300, "urgent": 200, "conflict": 30},
}


def weights_of_style(style: str, game: str) -> dict[str, int]:
    """The weights that differ from those of the board's planner."""
    usual = COMMON | tuned_for(game)
    return {name: min(usual[name] * per_cent // 100, MOST) for name, per_cent in STYLES[style].items()}


def line_ups(players: int) -> Iterator[tuple[str, ...]]:
    """Every set of different styles, from each of its seats; with more seats than styles, balanced planners take the others."""
    for chosen in combinations(STYLES, min(players, len(STYLES))):
        table = chosen + (BALANCED,) * (players - len(chosen))
        for turn in range(players):
            yield table[turn:] + table[:turn]
