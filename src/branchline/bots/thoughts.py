"""What compiled bots share: scratch for distances over the board, and looking up the mask."""

import numpy as np

from branchline.modes import record, rule
from branchline.rules.bits import has
from branchline.rules.sizes import CITIES

FAR = 10_000  # no way

THOUGHTS = record(
    [
        ("distance", np.int16, CITIES),  # spaces still to claim from the start city
        ("arrived_by", np.int16, CITIES),  # the route by which a city is reached, or NONE
    ]
)


@rule
def can(board, mask, block, what):
    """Is a decision legal?"""
    return has(mask, np.int64(board.starts[block] + what))
