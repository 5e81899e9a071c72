"""The log: what happened, as rows of four integers. `vocabulary/events.py` says what they mean; `play/events.py` gives them names.

A log is an array of rows. Row 0 holds in its first number how many rows were written; the others are
(event, seat, what, amount). Rows for single cards and tickets follow the event they belong to.
A log with room for row 0 alone records nothing and costs nothing.
"""

import numpy as np

from branchline.compiling import inlined, rule
from branchline.rules.sizes import NONE
from branchline.rules.vocabulary.fields import CARD_ROW


def new_log(capacity: int) -> np.ndarray:
    return np.zeros((capacity + 1, 4), np.int32)


@rule
def write_row(log, event, seat, what, amount):
    """Write a row. Rows that do not fit are still counted, so the caller can retry with a larger log."""
    if log is None:
        return
    room = log.shape[0] - 1
    if room == 0:
        return
    at = log[0, 0] + 1
    log[0, 0] = at
    if at <= room:
        log[at, 0] = event
        log[at, 1] = seat
        log[at, 2] = what
        log[at, 3] = amount


@inlined
def emit(log, event, seat, what, amount):
    write_row(log, np.int64(event), np.int64(seat), np.int64(what), np.int64(amount))


@rule
def emit_cards(log, kinds, counts):
    """The cards of the event just emitted, by kind."""
    if log is None or log.shape[0] == 1:
        return
    for kind in range(kinds):
        if counts[kind] > 0:
            emit(log, CARD_ROW, NONE, kind, counts[kind])


@rule
def emit_row(log, row, size):
    """The face-up cards of the event just emitted, space by space."""
    if log is None:
        return
    for space in range(size):
        emit(log, CARD_ROW, NONE, row[space], 1)
