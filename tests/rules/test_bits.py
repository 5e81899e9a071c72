"""Sets as bits in words."""

import random

import numpy as np

from branchline.compiling import kept
from branchline.rules.bits import count, first, next_in, nth


@kept
def members(words, found):
    """All members as `next_in` finds them; returns how many."""
    number, member = 0, next_in(words, -1)
    while member != -1:
        found[number] = member
        number += 1
        member = next_in(words, member)
    return number


@kept
def numbered(words, which):
    return first(words), nth(words, which), nth(words, count(words))


def test_a_set_is_gone_through_in_order_whatever_its_words():
    rng = random.Random(1)
    for size in (1, 2, 3):
        for share in (0.02, 0.3, 1.0):
            for _ in range(50):
                chosen = [member for member in range(64 * size) if rng.random() < share or member == 64 * size - 1]
                words, found = np.zeros(size, np.uint64), np.zeros(64 * size, np.int64)
                for member in chosen:
                    words[member >> 6] |= np.uint64(1 << (member & 63))
                assert found[: members(words, found)].tolist() == chosen
                which = rng.randrange(len(chosen))
                assert numbered(words, which) == (chosen[0], chosen[which], -1)


def test_an_empty_set_has_no_member():
    assert members(np.zeros(3, np.uint64), np.zeros(192, np.int64)) == 0
