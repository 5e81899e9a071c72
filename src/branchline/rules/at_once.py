"""Choices that all make at once: G-11, WO-5, CG-19. They can be made in any order; none shows before the last is made."""

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
    """The first seat that has not decided; the number of seats if all have."""
    seat = np.int64(0)
    while seat < state.players and has_decided(state, seat):
        seat += 1
    return seat


@rule
def was_last_choice(state):
    """The seat has chosen: was it the last to do so? If not, another is asked."""
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
    """Whose decision it is, to a viewer: the own, of a choice that all make at once and the viewer has not made."""
    if not is_at_once(state):
        return np.int64(state.seat)
    if viewer < state.players and not has_decided(state, viewer):
        return np.int64(viewer)
    return next_to_choose(state)


@rule
def ask(state, seat):
    """Let a seat choose now that has not done so."""
    state.seat = seat
