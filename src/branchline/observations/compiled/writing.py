"""Write whole numbers one after the other into a row: each function `write_…` writes at a place and returns the place after it.

They write a word at a time into a slice, which lets compilers write several numbers at once.
"""

import numpy as np

from branchline.compiling import rule
from branchline.rules.bits import EMPTY, ONE

BITS = np.array([[byte >> bit & 1 for bit in range(8)] for byte in range(256)], np.float32)


@rule
def write_number(out, at, number):
    out[at] = number
    return at + 1


@rule
def write_counts(out, at, numbers, size):
    part = out[at : at + size]
    for i in range(size):
        part[i] = numbers[i]
    return at + size


@rule
def write_flags(out, at, numbers, size):
    """A one for every number that is not zero."""
    part = out[at : at + size]
    for i in range(size):
        part[i] = numbers[i] != 0
    return at + size


@rule
def write_zeros(out, at, size):
    part = out[at : at + size]
    for i in range(size):
        part[i] = 0
    return at + size


@rule
def write_one_of(out, at, which, size):
    """A one at `which`, zeros elsewhere; all zeros if it is negative."""
    after = write_zeros(out, at, size)
    if which >= 0:
        out[at + which] = 1
    return after


@rule
def write_byte(out, at, byte):
    """Eight bits at once, from a table."""
    bits, part = BITS[byte], out[at : at + 8]
    for i in range(8):
        part[i] = bits[i]


@rule
def write_bits(out, at, word, size):
    part = out[at : at + size]
    for i in range(size):
        part[i] = (word >> np.uint64(i)) & ONE
    return at + size


@rule
def write_word(out, at, word, size):
    """The first bits of a word. In rows of float32, which a CPU writes, a table is twice as fast; a GPU writes them one by one."""
    if out.itemsize != BITS.itemsize:
        return write_bits(out, at, word, size)
    for byte in range(size >> 3):
        write_byte(out, at + 8 * byte, np.int64((word >> np.uint64(8 * byte)) & np.uint64(255)))
    return write_bits(out, at + (size & ~7), word >> np.uint64(size & ~7), size & 7)


@rule
def write_set(out, at, words, size):
    """A set, one number per possible member."""
    for word in range(size >> 6):
        write_word(out, at + 64 * word, words[word], 64)
    if size & 63:
        write_word(out, at + (size & ~63), words[size >> 6], size & 63)
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
