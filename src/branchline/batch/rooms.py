"""What a thread needs for itself to play games: scratch records, a view, the bots' memory and dice."""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.bots.compiled.policies import FAULTS
from branchline.bots.compiled.thoughts import THOUGHTS
from branchline.bots.weights import weights_for
from branchline.rules.log import new_log
from branchline.rules.sizes import MASK_WORDS, SEATS
from branchline.rules.state import STATE
from branchline.rules.work import WORK

DICE = 6  # where the dice are in a room


def new_room(game: str) -> tuple[Any, ...]:
    return (
        new_log(0),
        np.zeros(MASK_WORDS, np.uint64),
        np.zeros(1, WORK),
        np.zeros(1, STATE),  # a view
        np.zeros(SEATS, THOUGHTS),
        weights_for(game),
        np.zeros((SEATS, FAULTS + 1), np.uint64),  # each seat's dice: a key of two words, how often it was used, and faults
    )
