"""The generator: SipHash-1-3, checked against Python's own, and fair."""

import subprocess
import sys

import numpy as np
import pytest

from branchline import Game
from branchline.compiling import kept
from branchline.rules import chance
from tests.conftest import PLAIN


@kept
def siphash(key0, key1, counter):
    return chance.siphash(key0, key1, counter)


@kept
def below(word, sides):
    return chance.below(word, sides)


NUMBERS = (0x6162636465666768, 2**63 + 12345, 10**15)


@pytest.mark.skipif(sys.hash_info.algorithm != "siphash13", reason="this Python hashes strings otherwise, so there is nothing to compare with")
def test_g_1_the_mixer_is_siphash_1_3():
    """PYTHONHASHSEED=0 makes Python's key zero: its hash of 8 bytes is the mixer's of the same number."""
    script = f"print(*(hash(n.to_bytes(8, 'little')) for n in {NUMBERS}))"
    run = subprocess.run([sys.executable, "-c", script], env={"PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=True)
    numbers = np.array([siphash(np.uint64(0), np.uint64(0), np.uint64(n)) for n in NUMBERS], np.uint64)
    ours = numbers.view(np.int64).tolist()
    assert ours == [int(word) for word in run.stdout.split()]


def test_numbers_are_below_and_even():
    words = [siphash(np.uint64(3), np.uint64(4), np.uint64(i)) for i in range(6000)]
    counts = np.bincount([int(below(np.uint64(word), 6)) for word in words], minlength=6)
    assert counts.sum() == 6000
    assert counts.min() > 900
    assert counts.max() < 1100


def test_draws_follow_the_deck():
    """Over many games, the first cards dealt are locomotives as often as the deck suggests."""
    cards = [card for seed in range(100 if PLAIN else 400) for card in Game("europe", 2).start(seed).events[1]["cards"]]
    assert abs(cards.count("wild") / len(cards) - 14 / 110) < (0.06 if PLAIN else 0.03)
