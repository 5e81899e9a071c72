"""Strategies to set against each other: planners that think other things are worth more.

Each style multiplies weights of the board's own planner (`bots/weights.py`; what they mean: `bots/compiled/thoughts.py`), in per cent.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from branchline.bots.weights import COMMON, MOST, tuned_for

BALANCED, BLOCKING = "balanced", "blocking"
STYLES: dict[str, dict[str, int]] = {
    BALANCED: {},
    "short routes": {"turn": 50},  # a turn costs less, so more of them go into smaller claims
    "long routes": {"turn": 150},  # a turn costs more, so fewer and larger claims are planned
    "tickets": {"tickets_gain": 0, "tickets_turns": 20, "offered": 150},  # draws tickets that promise anything, and with few turns left
    BLOCKING: {},  # claims what would join two parts of a rival's network: compiled/blocking.py
}


def weights_of_style(style: str, game: str, players: int) -> dict[str, int]:
    """The weights that differ from those of the board's planner."""
    usual = COMMON | tuned_for(game, players)
    return {name: min(usual[name] * per_cent // 100, MOST) for name, per_cent in STYLES[style].items()}


def line_ups(players: int) -> Iterator[tuple[str, ...]]:
    """Every set of different styles, from each of its seats; with more seats than styles, balanced planners take the others."""
    for chosen in combinations(STYLES, min(players, len(STYLES))):
        table = chosen + (BALANCED,) * (players - len(chosen))
        for turn in range(players):
            yield table[turn:] + table[:turn]
