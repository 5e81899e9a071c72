"""Seats as a viewer sees them: the viewer first, the others in the order of play."""

import numpy as np

from branchline.compiling import rule
from branchline.rules.sizes import NONE


@rule
def seat_at(seen, viewer, place):
    """The seat that sits `place` seats after the viewer. Where nobody sits, all fields are zeros."""
    if place >= seen.players:
        return np.int64(place)
    seat = np.int64(viewer) + place
    return seat - seen.players if seat >= seen.players else seat


@rule
def place_of(seen, viewer, seat):
    """How many seats after the viewer a seat sits; of NONE, NONE."""
    if seat == NONE:
        return np.int64(NONE)
    place = np.int64(seat) - viewer
    return place + seen.players if place < 0 else place
