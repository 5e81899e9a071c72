"""Sets held as bits in 64-bit words, read by Python."""

from __future__ import annotations

from typing import Any

import numpy as np

FEW = 4  # words: as one number they are read faster than as an array


def members(words: Any) -> list[int]:
    """The numbers in a set, in ascending order; `words` is one word or an array of them."""
    words = np.asarray(words, np.uint64)
    if words.size > FEW:
        return np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little")).tolist()
    found, left = [], int.from_bytes(words.tobytes(), "little")
    while left:
        lowest = left & -left
        found.append(lowest.bit_length() - 1)
        left ^= lowest
    return found


def is_member(words: Any, number: int) -> bool:
    return bool(int(words[number >> 6]) >> (number & 63) & 1)
