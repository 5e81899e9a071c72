"""Sets held as bits in 64-bit words, read by Python."""

from __future__ import annotations

from typing import Any

import numpy as np


def members(words: Any) -> list[int]:
    """The numbers in a set, in ascending order; `words` is one word or an array of them."""
    bits = np.unpackbits(np.atleast_1d(np.asarray(words, np.uint64)).view(np.uint8), bitorder="little")
    return np.flatnonzero(bits).tolist()


def is_member(words: Any, number: int) -> bool:
    return bool(int(words[number >> 6]) >> (number & 63) & 1)
