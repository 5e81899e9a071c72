"""The observation of a single view, as a batch makes it: for a network that learnt from a batch and now plays as a bot."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from branchline.batch.compiled.stepping import observe_view
from branchline.compiling import direct
from branchline.errors import GameOptionError
from branchline.play.calls import scratch
from branchline.play.games import View
from branchline.play.observations.layout import size_of
from branchline.rules.board import BOARD
from branchline.rules.state import STATE
from branchline.rules.work import WORK


def observation(view: View, packed: bool = False) -> np.ndarray[Any, Any]:
    """What a seat sees, as one row of numbers; `layout_of` says what is where. Packed: without rows for seats at which nobody plays."""
    if view.viewer is None:
        raise GameOptionError("an observation is made for a seat, but this is the view of a spectator")
    board, players = view.game.board, view.game.players if packed else None
    out = np.zeros(size_of(board.game, players), np.float32)
    observe()(board.records, view.records, scratch.work, players or board.players[1], out)
    return out


@cache
def observe() -> Any:
    """`observe_view`, for arguments of these types."""
    return direct(observe_view, np.zeros(1, BOARD), np.zeros(1, STATE), np.zeros(1, WORK), 0, np.zeros(1, np.float32))
