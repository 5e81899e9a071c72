"""One decision in every slot, by the threads of a block together. There are no rules here: the loop only makes sure that threads do the same at
the same time, so that they share the cache of instructions.

A game that ends takes long to count, and few end in a step: their slots go on a list, and another kernel counts them side by side.
"""

from __future__ import annotations

import numpy as np
from numba import cuda

from branchline.batch.compiled.stepping import BEGIN, LEAVE
from branchline.compiling import rule
from branchline.rules.bits import first
from branchline.rules.phases import carry_out, is_paid, legal, settle


@rule
def advance_together(board, states, masks, work, i, decision):
    """Carry out a slot's decision and every forced one after it; returns how many legal ones there are then. LEAVE and BEGIN only keep step."""
    choices = np.int64(0 if decision == LEAVE or decision == BEGIN else 1)
    while cuda.syncthreads_or(np.int32(1 if choices == 1 else 0)):
        if choices == 1:
            carry_out(board, states[i], None, work, decision)
        cuda.syncthreads()
        if choices == 1 and is_paid(states[i]):
            settle(board, states[i], None)
        cuda.syncthreads()
        if choices == 1:
            choices = np.int64(legal(board, states[i], masks[i]))
            decision = np.int64(first(masks[i])) if choices == 1 else np.int64(0)
    return choices
