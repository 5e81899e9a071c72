"""Seeds: what all chance in a game follows from."""

from __future__ import annotations

import operator
import secrets

import numpy as np

from branchline.errors import GameOptionError

SEED_BITS = 128
_WORD = (1 << 64) - 1


def seed_number(seed: int | str | None) -> int:
    """A seed as a number: given as one, as a hex string, or drawn from the system's secret generator."""
    if seed is None:
        return secrets.randbits(SEED_BITS)
    try:
        number = int(seed, 16) if isinstance(seed, str) else operator.index(seed)
    except (TypeError, ValueError):
        raise GameOptionError(f"the seed {seed!r:.80} is neither a whole number nor a hex string") from None
    if not 0 <= number < 1 << SEED_BITS:
        raise GameOptionError(f"the seed must be from 0 to 2**{SEED_BITS} - 1")
    return number


def words_of(seed: int) -> tuple[np.uint64, np.uint64]:
    """As the rules take it."""
    return np.uint64(seed >> 64), np.uint64(seed & _WORD)
