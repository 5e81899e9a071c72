"""What a thread needs for itself to play games: scratch records, a view, the bots' memory and dice."""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.bots.thoughts import THOUGHTS
from branchline.bots.weights import weights_for
from branchline.rules.events import new_log
from branchline.rules.sizes import MASK_WORDS, SEATS
from branchline.rules.state import STATE
from branchline.rules.work import WORK

DICE = 5  # where the dice are in a room


def new_room(game: str) -> tuple[Any, ...]:
    thoughts: Any = np.zeros(SEATS, THOUGHTS)
    thoughts["weights"] = weights_for(game)
    return (
        new_log(0),
        np.zeros(MASK_WORDS, np.uint64),
        np.zeros(1, WORK),
        np.zeros(1, STATE),  # a view
        thoughts,
        np.zeros((SEATS, 4), np.uint64),  # each seat's dice: a key of two words, how often it was used, and FAULTS of `own_bots.py`
    )
