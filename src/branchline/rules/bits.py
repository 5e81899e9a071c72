"""Sets as bits in 64-bit words: of cities (one word), routes (three), tickets (two), decisions (a mask)."""

import numpy as np

from branchline.modes import rule, wrapping

ONE = np.uint64(1)
EMPTY = np.uint64(0)


@rule
def bit(index):
    return ONE << np.uint64(index & 63)


@wrapping
def ones(word):
    """How many bits are set (compilers recognise this form and use one instruction)."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@rule
def lowest(word):
    """Index of the lowest bit of a word that is not empty."""
    return ones((word & (~word + ONE)) - ONE)


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


@rule
def clear(words):
    for i in range(words.shape[0]):
        words[i] = EMPTY


@rule
def count(words):
    total = np.int64(0)
    for i in range(words.shape[0]):
        total += ones(words[i])
    return total


@rule
def put_word(words, index, word):
    """Put the 64 bits of `word` at `index` and after."""
    place = np.uint64(index & 63)
    words[index >> 6] |= word << place
    if place != EMPTY and (index >> 6) + 1 < words.shape[0]:
        words[(index >> 6) + 1] |= word >> (np.uint64(64) - place)


@rule
def nth(words, which):
    """Index of the `which`-th set bit, counted from 0."""
    for i in range(words.shape[0]):
        here = ones(words[i])
        if which < here:
            word = words[i]
            for _ in range(which):
                word = drop_lowest(word)
            return 64 * i + lowest(word)
        which -= here
    return np.int64(-1)
