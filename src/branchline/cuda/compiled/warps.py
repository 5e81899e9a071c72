"""Whole games, one per thread. The loop contains no rules: it only makes sure that threads do the same thing at the same time.

Threads of a warp share their instructions, so one waits while others do something else. Here all wait for each other before each action. In
between they go phase by phase, and carry out together what follows from completed payments. A thread that reaches the end of a pass waits until
all have reached it, because completing tickets with cards takes long. The threads of a block begin every round together, so that they share the
instruction cache, too.
"""

from __future__ import annotations

import numpy as np
from numba import cuda

from branchline.batch.compiled.playing import begin, go_on, write_down
from branchline.compiling import rule
from branchline.rules.phases import is_over, is_paid, settle
from branchline.rules.scoring import final_count
from branchline.rules.sizes import NONE
from branchline.rules.vocabulary.phases import ACTION, COMPLETING, OVER, PAYMENT


@rule
def phase_to_do(state, everyone, paying, inner):
    """The phase that the warp does next: payments first, then whatever else is not the choice of an action."""
    if paying != 0:
        return np.int32(PAYMENT)
    if inner != 0:
        return cuda.shfl_sync(everyone, np.int32(state.phase), cuda.ffs(inner) - 1)
    return np.int32(ACTION)


@rule
def rests(board, state):
    return board.yards != 0 and state.phase == COMPLETING


@rule
def all_rest(board, state, everyone):
    """Has the whole warp, except games that are over, come to the end of a pass?"""
    return cuda.ballot_sync(everyone, not is_over(state) and not rests(board, state)) == 0


@rule
def play_together(board, state, mask, work, result, minds, telling, table, key, plays):
    """A whole game, as `play` in `batch/compiled/playing.py` plays it, by every thread of a block that `plays`; the others only keep step."""
    everyone = np.uint32(0xFFFFFFFF)
    made, course = np.int64(0), (np.int64(NONE), np.int64(NONE), np.int64(0))
    state.phase = OVER
    if plays:
        begin(board, state, None, mask, minds[4], table, key)
    while cuda.syncthreads_or(np.int32(0 if is_over(state) else 1)):
        begun, woken = False, all_rest(board, state, everyone)
        while True:
            paid = is_paid(state)
            paying = cuda.ballot_sync(everyone, state.phase == PAYMENT and not paid)
            settling = cuda.ballot_sync(everyone, paid)
            inner = cuda.ballot_sync(everyone, state.phase != ACTION and not is_over(state) and (woken or not rests(board, state)))
            if begun and inner == 0:
                break
            if paying == 0 and settling != 0:
                if paid:
                    settle(board, state, None)
                    course = write_down(board, state, course, *telling)
            else:
                phase = phase_to_do(state, everyone, paying, inner)
                if state.phase == phase and not paid:
                    made, course = go_on(board, state, None, mask, work, minds, key, None, made, course)
                    course = write_down(board, state, course, *telling)
            cuda.syncwarp(everyone)
            begun = True
    if plays:
        final_count(board, state, work, result)
    return made
