"""Which tickets to complete with the track pile (CG-19): the best choice by points, one ticket after the other."""

import numpy as np

from branchline.compiling import rule
from branchline.rules.best_tickets import best_to_add
from branchline.rules.sizes import NONE
from branchline.rules.track_tickets import by_hand
from branchline.rules.vocabulary.decisions import COMPLETE, DONE


@rule
def choose_completed(board, seen, thoughts):
    """Where tickets are completed for the players, there is nothing to choose."""
    if by_hand(board, seen):
        ticket = best_to_add(board, seen, seen.seat, thoughts)
        if ticket != NONE:
            return np.int64(board.starts[COMPLETE] + ticket)
    return np.int64(board.starts[DONE])
