"""Simultaneous choices: G-11, WO-5, CG-19. Seats make them in any order; nothing is shown until the last one is made."""

import numpy as np

from branchline.compiling import rule
from branchline.rules.vocabulary.phases import COMPLETING, OPENING, SUPPLY


@rule
def all_choose(state):
    state.decided = np.uint8(0)
    state.seat = 0


@rule
def has_decided(state, seat):
    return (state.decided >> seat) & 1 == 1


@rule
def next_to_choose(state):
    """The first seat that has not decided, or the number of seats if all have."""
    seat = np.int64(0)
    while seat < state.players and has_decided(state, seat):
        seat += 1
    return seat


@rule
def was_last_choice(state):
    """Note that the seat has chosen, and ask another. Returns whether it was the last."""
    state.decided |= np.uint8(1 << state.seat)
    seat = next_to_choose(state)
    if seat < state.players:
        state.seat = seat
        return False
    state.decided = np.uint8(0)
    return True


@rule
def is_at_once(state):
    return state.phase == OPENING or state.phase == SUPPLY or state.phase == COMPLETING


@rule
def asked(state, viewer):
    """Whose decision a viewer sees: their own if they still have a simultaneous choice to make."""
    if not is_at_once(state):
        return np.int64(state.seat)
    if viewer < state.players and not has_decided(state, viewer):
        return np.int64(viewer)
    return next_to_choose(state)


@rule
def ask(state, seat):
    """Let a seat that has not chosen yet choose now."""
    state.seat = seat
