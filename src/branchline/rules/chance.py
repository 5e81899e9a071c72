"""Chance: the only source of randomness (G-1).

SipHash-1-3 of a counter, under the game's own 128-bit key: the same seed and decisions give the same game on every
machine and in every mode, and nobody at the table can work out the coming cards from those they have seen.
"""

import numpy as np

from branchline.compiling import rule, wrapping

_V0 = np.uint64(0x736F6D6570736575)
_V1 = np.uint64(0x646F72616E646F6D)
_V2 = np.uint64(0x6C7967656E657261)
_V3 = np.uint64(0x7465646279746573)
_LAST_BLOCK = np.uint64(8 << 56)  # the message is the 8 bytes of the counter
_FINAL = np.uint64(0xFF)


@wrapping
def turned(word, by):
    return (word << np.uint64(by)) | (word >> np.uint64(64 - by))


@wrapping
def sip_round(v0, v1, v2, v3):
    v0 = v0 + v1
    v2 = v2 + v3
    v1 = turned(v1, 13) ^ v0
    v3 = turned(v3, 16) ^ v2
    v0 = turned(v0, 32) + v3
    v2 = v2 + v1
    v1 = turned(v1, 17) ^ v2
    v3 = turned(v3, 21) ^ v0
    return v0, v1, turned(v2, 32), v3


@wrapping(on_gpu="unrolled")
def siphash(key0, key1, counter):
    """SipHash-1-3 of the counter's 8 bytes."""
    v0, v1, v2, v3 = key0 ^ _V0, key1 ^ _V1, key0 ^ _V2, key1 ^ _V3 ^ counter
    v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    v0, v3 = v0 ^ counter, v3 ^ _LAST_BLOCK
    v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    v0, v2 = v0 ^ _LAST_BLOCK, v2 ^ _FINAL
    for _ in range(3):
        v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3


@rule
def below(word, sides):
    """A number below `sides` from 64 random bits; the bias is under sides / 2**32."""
    return np.int64(((word >> np.uint64(32)) * np.uint64(np.uint32(sides))) >> np.uint64(32))


@rule
def roll(state, sides):
    """A random number below `sides`; the state counts the call."""
    word = siphash(state.key[0], state.key[1], state.rolls)
    state.rolls += np.uint64(1)
    return below(word, sides)
