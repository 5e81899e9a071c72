"""The arrays of a batch, one row per slot, and what each thread needs to work on them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from branchline.boards import Board
from branchline.bots.compiled.thoughts import THOUGHTS
from branchline.bots.weights import weights_of_seats
from branchline.rules.log import new_log
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import MASK_WORDS, NONE, SEATS
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
    rewards: Array  # (n, players) what each seat earned with the last step (compiled/rewarding.py)
    potentials: Array  # (n, players) what the next step's progress is measured by, if it is rewarded
    finals: Array  # (n,) the last position of the game that last ended
    played: Array  # (n,) how many games have ended
    policies: Array  # (n, players) the opponent on each seat; NONE: you


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
        aligned((number, players), np.float32),
        aligned((number, players), np.float32),
        aligned(number, STATE),
        aligned(number, np.int64),
        aligned((number, players), np.int8),
    )
    slots.numbers[:] = np.arange(number)
    slots.policies[:] = NONE
    return slots


def part_of(slots: Slots, part: slice) -> tuple[Array, ...]:
    """Some of the slots, as views of the same arrays."""
    return tuple(array[part] for array in slots)


def new_slot_room(game: str, players: int) -> tuple[Array, ...]:
    """What a thread needs for itself: a log that records nothing, scratch, a view, a mask, a bot's thoughts and weights, a result."""
    kinds = ((1, WORK), (1, STATE), (MASK_WORDS, np.uint64), (1, THOUGHTS))
    return new_log(0), *(np.zeros(size, kind) for size, kind in kinds), weights_of_seats(game, players), np.zeros(1, RESULT)


def plain(array: Array) -> Array:
    """An array of records as bytes, which every file format supports; other arrays as they are."""
    return array.view(np.uint8).reshape(len(array), -1) if array.dtype.names else array
