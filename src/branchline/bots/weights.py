"""The planner's preferences on each board. What the weights mean: thoughts.py.

The numbers were found by playing (scripts/tune_planner.py): a set per board, and one for boards that nobody has tuned.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.bots.compiled.thoughts import INDEX, WEIGHTS

COMMON = {
    "turn": 200, "card": 100, "piece": 50, "points": 100, "wild": 150, "tunnel": 100, "station": 500, "least": 20,
    "failed": 100, "offered": 90, "rate": 110, "drawn": 170, "detour": 1500, "near": 100, "claim": 0, "conflict": 150,
    "wild_spent": 150, "tickets_turns": 1000, "tickets_gain": 600, "face_up_wild": 120, "blind": 100, "gray": 80, "harbour": 400, "urgent": 30,
    "extra": 0, "slack": 100, "needed": 400, "unneeded": 120, "wild_moved": 450, "safe": 40, "rob_slope": 60, "robbed": 100,
    "in_hand": 60, "wild_in_hand": 150, "placing": 0, "consumed": 130, "hand_supply": 85, "deck_supply": 60, "ticket": 90, "deficit": 500,
    "big_city": 100, "promise": 60, "ticket_turn": 400, "late": 500, "rob_most": 60,
}  # fmt: skip
BY_BOARD: dict[str, dict[str, int]] = {
    "card-game": {
        "needed": 347, "unneeded": 173, "wild_moved": 553, "safe": 36, "rob_slope": 73, "robbed": 531, "in_hand": 150, "wild_in_hand": 311,
        "placing": 5, "consumed": 165, "hand_supply": 32, "deck_supply": 57, "ticket": 49, "deficit": 915, "big_city": 345, "promise": 54,
        "ticket_turn": 1425, "rob_most": 59, "late": 594,
    },
    "europe": {
        "turn": 423, "card": 61, "piece": 119, "points": 113, "wild": 360, "tunnel": 496, "station": 1234, "least": 41,
        "failed": 129, "offered": 110, "rate": 432, "drawn": 299, "detour": 3490, "near": 165, "claim": 14, "conflict": 424,
        "wild_spent": 1106, "tickets_turns": 1430, "tickets_gain": 2178, "face_up_wild": 125, "blind": 114, "gray": 190, "urgent": 77, "extra": 12,
        "slack": 378,
    },
    "london": {
        "turn": 986, "card": 225, "piece": 94, "points": 208, "least": 97, "failed": 404, "offered": 133, "rate": 776,
        "drawn": 472, "detour": 3766, "near": 424, "claim": 28, "conflict": 609, "wild_spent": 581, "tickets_turns": 3832, "tickets_gain": 5183,
        "face_up_wild": 39, "blind": 128, "gray": 513, "urgent": 121, "extra": 85, "slack": 236,
    },
    "usa": {
        "turn": 526, "card": 51, "piece": 77, "points": 83, "least": 52, "failed": 97, "offered": 73, "rate": 212,
        "drawn": 418, "detour": 1635, "near": 111, "claim": 9, "conflict": 476, "wild_spent": 111, "tickets_turns": 4304, "tickets_gain": 1258,
        "face_up_wild": 52, "blind": 174, "gray": 138, "urgent": 46, "extra": 10, "slack": 265,
    },
    "world": {
        "turn": 541, "card": 93, "piece": 83, "points": 68, "least": 43, "failed": 74, "offered": 74, "rate": 228,
        "drawn": 406, "detour": 1937, "near": 170, "claim": 3, "conflict": 361, "wild_spent": 143, "tickets_turns": 2906, "tickets_gain": 642,
        "face_up_wild": 42, "blind": 141, "gray": 206, "harbour": 382, "urgent": 52, "extra": 8, "slack": 103,
    },
}  # fmt: skip


def weights_for(game: str, changes: dict[str, int] | None = None) -> Any:
    """The weights for a board, in the order of the record."""
    chosen = COMMON | BY_BOARD.get(game, {}) | (changes or {})
    weights = np.zeros(WEIGHTS, np.int32)
    for name, value in chosen.items():
        weights[INDEX[name]] = value
    return weights
