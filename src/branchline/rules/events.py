"""Events: what happened, as rows of four integers in a log. Python gives them names (`branchline/events.py`).

A log is an array of rows: row 0 holds in its first number how many were emitted, the others are
(event, seat, what, amount). Rows for single cards and tickets follow the event they belong to.
A log with no room but for row 0 records nothing and costs nothing.
"""

import numpy as np

from branchline.compiling import inlined, rule
from branchline.rules.sizes import NONE

START, DEAL, LAY_ROW, CLEAR_ROW, OFFER_TICKETS, KEEP_TICKETS, TURN, DRAW, TAKE, FILL, RESHUFFLE = range(1, 12)
CLAIM, TUNNEL_LAY, TUNNEL_REVEAL, TUNNEL_ABANDON, STATION, PASS, LAST_TURNS, END = range(12, 20)
HARBOUR, CHOOSE_SUPPLY, EXCHANGE, MOVE_TO_TRACK, PLACE, ROB, COMPLETE_TICKETS, SECOND_PASS = range(20, 28)
CARD, TICKET_OFFERED, TICKET_KEPT, TICKET_RETURNED, TICKET_COMPLETED = range(100, 105)  # parts of the event before them


def new_log(capacity: int) -> np.ndarray:
    return np.zeros((capacity + 1, 4), np.int32)


@rule
def write_row(log, event, seat, what, amount):
    """Write a row. Rows that do not fit are counted, so that the caller can come back with a larger log."""
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
            emit(log, CARD, NONE, kind, counts[kind])


@rule
def emit_row(log, row, size):
    """The face-up cards of the event just emitted, space by space."""
    if log is None:
        return
    for space in range(size):
        emit(log, CARD, NONE, row[space], 1)
