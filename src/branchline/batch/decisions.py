"""The decisions of a game in their parts, as arrays: for networks that treat routes, cards and tickets as such."""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.boards import load_board
from branchline.boards.folders import kept_per_board
from branchline.play.naming import DecisionTable
from branchline.rules.sizes import NONE
from branchline.rules.vocabulary.decisions import BLOCKS

KINDS = tuple(block.verb for block in BLOCKS)  # by number
PARTS = tuple(dict.fromkeys(block.of.name for block in BLOCKS if block.of is not None))


@kept_per_board
def decisions_of(game: str) -> np.ndarray[Any, Any]:
    """One row per decision: `kind`, its number in KINDS; and `route`, `city`, `ticket` …: which one, or NONE where a decision has none.

    Routes, cities, tickets and cards have the numbers that they have in the board's files and in observations.
    """
    table = DecisionTable(load_board(game))
    rows = np.full(len(table), NONE, [("kind", np.int16), *((part, np.int16) for part in PARTS)])
    for number, block in enumerate(table.blocks):
        parts = table.parts(number)
        rows[number]["kind"] = block
        if parts.of is not None:
            rows[number][parts.of] = parts.place
    rows.flags.writeable = False
    return rows
