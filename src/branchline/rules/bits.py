"""Sets as bits in 64-bit words: of cities (one word), routes (three), tickets (two), decisions (a mask)."""

import numpy as np

from branchline.compiling import lowest, nth_one, ones, rule

ONE = np.uint64(1)
EMPTY = np.uint64(0)


@rule
def bit(index):
    return ONE << np.uint64(index & 63)


@rule
def drop_lowest(word):
    return word & (word - ONE)


@rule
def has(words, index):
    return (words[index >> 6] & bit(index)) != EMPTY


@rule
def put(words, index):
    words[index >> 6] |= bit(index)


@rule
def drop(words, index):
    words[index >> 6] &= ~bit(index)


@rule(on_gpu="unrolled")
def clear(words):
    for i in range(words.shape[0]):
        words[i] = EMPTY


@rule
def count(words):
    """How many members a set has. Without a loop: a compiler would read several words at once, and wait until those just written have arrived."""
    size, total = words.shape[0], np.int64(ones(words[0]))
    if size > 1:
        total += ones(words[1])
    if size > 2:
        total += ones(words[2])
    if size > 3:
        total += ones(words[3])
    if size > 4:
        total += ones(words[4])
    if size > 5:
        total += ones(words[5])
    if size > 6:
        total += ones(words[6])
    return total


@rule
def put_word(words, index, word):
    """Write the 64 bits of `word` from `index` on."""
    place = np.uint64(index & 63)
    words[index >> 6] |= word << place
    if place != EMPTY and (index >> 6) + 1 < words.shape[0]:
        words[(index >> 6) + 1] |= word >> (np.uint64(64) - place)


@rule(on_gpu="unrolled")
def first(words):
    """Index of the first set bit of a set that is not empty."""
    i = 0
    while words[i] == EMPTY:
        i += 1
    return 64 * i + lowest(words[i])


@rule(on_gpu="unrolled")
def nth(words, which):
    """Index of the `which`-th set bit, counted from 0."""
    for i in range(words.shape[0]):
        here = ones(words[i])
        if which < here:
            return 64 * i + nth_one(words[i], which)
        which -= here
    return np.int64(-1)


@rule(on_gpu="unrolled")
def next_in(words, index):
    """The first member of a set after `index`, or -1 if there is none. After -1 comes the first member.

    Use this to walk through a set if there is much to do for each member: the threads of a GPU then do it together, each for its own member.
    """
    index += 1
    i = index >> 6
    if i >= words.shape[0]:
        return np.int64(-1)
    left = words[i] & (~EMPTY << np.uint64(index & 63))
    while left == EMPTY and i + 1 < words.shape[0]:
        i += 1
        left = words[i]
    return 64 * i + lowest(left) if left != EMPTY else np.int64(-1)
