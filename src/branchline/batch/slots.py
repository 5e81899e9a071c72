"""The arrays of a batch, one row per slot, and what each thread needs to work on them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from branchline.boards import Board
from branchline.rules.log import new_log
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import SEATS
from branchline.rules.state import STATE
from branchline.rules.work import WORK

Array = np.ndarray[Any, Any]
ALIGNMENT = 64  # bytes of a cache line


class Slots(NamedTuple):
    """In the order that `stepping.py` expects."""

    states: Array  # (n,) the games (rules/state.py)
    results: Array  # (n,) the result of the game that last ended (rules/scoring.py)
    masks: Array  # (n, words) legal decisions as bits
    legal: Array  # (n, decisions) the same as true or false
    seats: Array  # (n,) who decides
    numbers: Array  # (n,) the number of the current game
    finished: Array  # (n,) did a game end with the last step?
    scores: Array  # (n, players) the totals of the game that last ended
    shares: Array  # (n, players) each seat's share of the win of a game that ended with the last step
    dice: Array  # (n, seats, 3) what `sample` rolls, seat by seat


def aligned(shape: Any, kind: Any) -> Array:
    """Zeros aligned to a cache line: JAX copies arrays that are not."""
    room = np.zeros(np.prod(shape, dtype=np.int64) * np.dtype(kind).itemsize + ALIGNMENT, np.uint8)
    first = -room.ctypes.data % ALIGNMENT
    zeros: Array = room[first : len(room) - ALIGNMENT + first].view(kind).reshape(shape)
    return zeros


def new_slots(board: Board, players: int, number: int) -> Slots:
    slots = Slots(
        aligned(number, STATE),
        aligned(number, RESULT),
        aligned((number, board.mask_words), np.uint64),
        aligned((number, int(board.record.starts[-1])), np.bool_),
        aligned(number, np.int8),
        aligned(number, np.uint64),
        aligned(number, np.bool_),
        aligned((number, players), np.int16),
        aligned((number, players), np.float32),
        aligned((number, SEATS, 3), np.uint64),
    )
    slots.numbers[:] = np.arange(number)
    return slots


def part_of(slots: Slots, part: slice) -> tuple[Array, ...]:
    """Some of the slots, as views of the same arrays."""
    return tuple(array[part] for array in slots)


def new_slot_room() -> tuple[Array, ...]:
    """A log that records nothing, scratch, and a view."""
    return new_log(0), np.zeros(1, WORK), np.zeros(1, STATE)


def plain(array: Array) -> Array:
    """An array of records as bytes, which every file format supports; other arrays as they are."""
    return array.view(np.uint8).reshape(len(array), -1) if array.dtype.names else array
