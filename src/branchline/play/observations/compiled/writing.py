"""Write numbers one after the other into a row of float32: each function `write_…` writes at a place and returns the place after it. Counts are
written in a unit (`layout.py`), so that all numbers are roughly between 0 and 1.

On a GPU the threads of a warp write a row together: `lane` is the number of a thread among them, and each writes every 32nd number. On a CPU a
thread writes rows alone, and `lane` is None. Slices let compilers write several
numbers at once.
"""

import numpy as np

from branchline.compiling import rule
from branchline.play.observations.compiled.places import seat_at
from branchline.rules.bits import EMPTY, ONE

LANES = 32
WHOLE, TENTH, HUNDREDTH = np.float32(1), np.float32(0.1), np.float32(0.01)
IN_UNITS, IN_WHOLE = (TENTH, HUNDREDTH), (WHOLE, WHOLE)  # how small and large counts are written


@rule
def turns_of(lane, size):
    """How many of `size` numbers a lane writes …"""
    if lane is None:
        return np.int64(size)
    return (np.int64(size) + (LANES - 1) - lane) >> 5


@rule
def number_of(lane, turn):
    """… and which of them comes when."""
    if lane is None:
        return turn
    return lane + LANES * turn


@rule
def write_number(out, at, number, unit, lane):
    if lane is None or lane == 0:
        out[at] = np.float32(number) * unit
    return at + 1


@rule
def write_counts(out, at, numbers, size, unit, lane):
    part = out[at : at + size]
    for turn in range(turns_of(lane, size)):
        i = number_of(lane, turn)
        part[i] = np.float32(numbers[i]) * unit
    return at + size


@rule
def write_seats(out, at, seen, viewer, numbers, seats, unit, lane):
    """A number per seat, as the viewer sees them."""
    for turn in range(turns_of(lane, seats)):
        place = number_of(lane, turn)
        out[at + place] = np.float32(numbers[seat_at(seen, viewer, place)]) * unit
    return at + seats


@rule
def write_rows(out, at, seen, viewer, numbers, seats, size, unit, lane):
    """Several numbers per seat."""
    for place in range(seats):
        at = write_counts(out, at, numbers[seat_at(seen, viewer, place)], size, unit, lane)
    return at


@rule
def write_marks(out, at, marks, viewer, size, lane):
    """A one for every number in which the viewer's bit is set."""
    part = out[at : at + size]
    for turn in range(turns_of(lane, size)):
        i = number_of(lane, turn)
        part[i] = (marks[i] >> viewer) & 1
    return at + size


@rule
def write_zeros(out, at, size, lane):
    part = out[at : at + size]
    for turn in range(turns_of(lane, size)):
        i = number_of(lane, turn)
        part[i] = 0
    return at + size


@rule
def write_one_of(out, at, which, size, lane):
    """A one at `which`, zeros elsewhere; all zeros if it is negative."""
    if lane is None:
        after = write_zeros(out, at, size, lane)
        if which >= 0:
            out[at + which] = 1
        return after
    for turn in range(turns_of(lane, size)):
        i = number_of(lane, turn)
        out[at + i] = 1 if i == which else 0
    return at + size


@rule
def write_word(out, at, word, size, lane):
    """The first bits of a word."""
    part = out[at : at + size]
    for turn in range(turns_of(lane, size)):
        i = number_of(lane, turn)
        part[i] = np.int64((word >> np.uint64(i)) & ONE)  # a signed number becomes a float more quickly
    return at + size


@rule
def write_set(out, at, words, size, lane):
    """A set, one number per possible member."""
    for word in range(size >> 6):
        write_word(out, at + 64 * word, words[word], 64, lane)
    if size & 63:
        write_word(out, at + (size & ~63), words[size >> 6], size & 63, lane)
    return at + size


@rule
def write_known(out, at, words, marks, viewer, size, lane):
    """The members of a set in whose marks the viewer's bit is set."""
    for word in range((size + 63) >> 6):
        first = 64 * word
        members, part, known = words[word], out[at + first : at + size], marks[first:size]
        for turn in range(turns_of(lane, min(64, size - first))):
            i = number_of(lane, turn)
            part[i] = np.int64((members >> np.uint64(i)) & (np.uint64(known[i]) >> np.uint64(viewer)) & ONE)
    return at + size


@rule
def spread_word(word, flags):
    for i in range(flags.shape[0]):
        flags[i] = (word >> np.uint64(i)) & ONE != EMPTY


@rule
def spread(words, flags):
    """A set as one boolean per possible member."""
    for word in range((flags.shape[0] + 63) >> 6):
        spread_word(words[word], flags[64 * word : 64 * word + 64])
