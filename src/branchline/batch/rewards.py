"""What a step of a batch earns: how the win, the margin and progress count."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from math import isfinite
from typing import Any

import numpy as np

from branchline.errors import GameOptionError


@dataclass(frozen=True)
class Rewards:
    """The weights of `batch.rewards`, which sum to 0 over the seats.

    When a game ends, a seat earns `win` for winning alone, and loses `win / (players - 1)` if another seat does; and `margin` times its points ahead
    of the others' mean, divided by `scale` and clipped to -1 … 1. With `shaping`, each step also earns what it adds to a potential: the margin
    (not clipped) if the game were counted now. The potential is 0 after the end, so shaping does not change which policy is best.
    """

    win: float = 1.0
    margin: float = 0.0
    shaping: float = 0.0
    scale: float = 50.0  # points

    def __post_init__(self) -> None:
        if not all(isinstance(number, int | float) and isfinite(number) for number in astuple(self)) or self.scale <= 0:
            raise GameOptionError(f"the weights of rewards must be numbers, and the scale more than 0, not {self}")

    def array(self) -> np.ndarray[Any, Any]:
        """In the order of `compiled/rewarding.py`."""
        return np.array(astuple(self), np.float32)
