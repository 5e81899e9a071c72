"""Scratch for compiled bots: distances over the board."""

import numpy as np

from branchline.modes import record
from branchline.rules.sizes import CITIES

FAR = 10_000  # no way

THOUGHTS = record(
    [
        ("distance", np.int16, CITIES),  # spaces still to claim from the start city
        ("arrived_by", np.int16, CITIES),  # the route by which a city is reached, or NONE
    ]
)
