"""What a thread needs for itself to play games: scratch records, a view, the bots' memory and dice."""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.bots.compiled.policies import FAULTS
from branchline.bots.compiled.thoughts import THOUGHTS
from branchline.bots.weights import weights_of_seats
from branchline.rules.log import new_log
from branchline.rules.sizes import MASK_WORDS, SEATS
from branchline.rules.state import STATE
from branchline.rules.work import WORK

LOG, DICE = 0, 6  # where the log and the dice are in a room


def new_room(game: str, players: int, events: int = 0, weights: Any = None) -> tuple[Any, ...]:
    """A room with a log for that many events, in which planners weigh things as usual, or each seat by its own weights."""
    return (
        new_log(events),
        np.zeros(MASK_WORDS, np.uint64),
        np.zeros(1, WORK),
        np.zeros(1, STATE),  # a view
        np.zeros(SEATS, THOUGHTS),
        weights_of_seats(game, players) if weights is None else weights,
        np.zeros((SEATS, FAULTS + 1), np.uint64),  # each seat's dice: a key of two words, how often it was used, and faults
    )
