"""Sums over many games, kept in blocks, and estimates with 95 % intervals from them.

Game i of a seed belongs to block i mod 32. Blocks are independent of each other, whatever goes together within a game, so every figure that follows
from sums has an interval: compute it again without each block in turn, and see how far it moves (the jackknife), with Student's t.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.pages.intervals import NORMAL, score, student, wilson

BLOCKS = 32
DIGITS = 6
Array = np.ndarray[Any, Any]


def by_block(values: Array, first: int) -> Array:
    """Sums over games (the first axis, from game `first` on) for each block."""
    return np.stack([values[(block - first) % BLOCKS :: BLOCKS].sum(0) for block in range(BLOCKS)])


@dataclass(frozen=True)
class Estimates:
    """Means with their intervals, as arrays of one shape; NaN where nothing is known."""

    mean: Array
    low: Array
    high: Array

    def at(self, *place: int) -> dict[str, float | None]:
        """One of them, for JSON."""
        found = (float(array[place]) for array in (self.mean, self.low, self.high))
        return {name: tidy(value) for name, value in zip(("value", "low", "high"), found, strict=True)}


def tidy(value: float) -> float | None:
    return round(value, DIGITS) if np.isfinite(value) else None


def jackknife(figure: Callable[..., Array], *sums: Array) -> Estimates:
    """A figure of sums over all games. The first axis of `sums` is the block, and the first of them is zero in a block without games."""
    there = sums[0].reshape(len(sums[0]), -1).any(1)
    kept = [one[there] for one in sums]
    totals = [one.sum(0) for one in kept]
    number = int(there.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.asarray(figure(*totals), float)
        if number < 2:
            unknown = np.full_like(mean, np.nan)
            return Estimates(mean, unknown, unknown)
        without = np.stack([figure(*(total - one[place] for total, one in zip(totals, kept, strict=True))) for place in range(number)])
        spread = student(number - 1) * np.sqrt((number - 1) / number * ((without - without.mean(0)) ** 2).sum(0))
    return Estimates(mean, mean - spread, mean + spread)


def means(over: Array, under: Array) -> Estimates:
    """Ratios of sums, such as points per ticket."""
    return jackknife(lambda b, a: a / b, *np.broadcast_arrays(under.astype(float), over.astype(float)))


def shares(over: Array, under: Array) -> Estimates:
    """Ratios between none and all. Where all blocks agree, as on a route that nobody ever claims, the interval is Wilson's. Where it would go
    below none or above all, it is Wilson's over as many independent cases as the blocks' spread tells of.
    """
    found = means(over, under)
    number = np.broadcast_to(under.sum(0), found.mean.shape)
    low, high = np.clip(found.low, 0, 1), np.clip(found.high, 0, 1)
    for place in np.ndindex(found.mean.shape):
        if number[place] > 0 and (cases := cases_of(found, place, float(number[place]))):
            low[place], high[place] = wilson(float(np.clip(found.mean[place], 0, 1)), cases)
            low[place], high[place] = min(low[place], found.mean[place]), max(high[place], found.mean[place])  # but for rounding
    return Estimates(found.mean, low, high)


def counts(over: Array, under: Array) -> Estimates:
    """Ratios that are never negative, such as tickets per game. Where there are none at all, or the interval would go below none, it is made for what
    happens now and then by chance.
    """
    found = means(over, under)
    number, low, high = np.broadcast_to(under.sum(0), found.mean.shape), found.low.copy(), found.high.copy()
    for place in np.ndindex(found.mean.shape):
        mean, cases = float(found.mean[place]), float(number[place])
        if cases > 0 and (mean == 0 or found.low[place] < 0):
            low[place], high[place] = score(mean, cases if is_equal(found, place) else mean / error(found, place) ** 2)
    return Estimates(found.mean, low, high)


def is_equal(found: Estimates, place: tuple[int, ...]) -> bool:
    """Do all blocks agree, but for rounding? So does a single one."""
    return not found.high[place] - found.low[place] >= 1e-12


def cases_of(found: Estimates, place: tuple[int, ...], number: float) -> float | None:
    """Over how many cases Wilson's interval of a share is taken; none where the blocks' own is a possible one."""
    share = found.mean[place]
    if is_equal(found, place):
        return number
    is_beyond = 0 < share < 1 and (found.low[place] < 0 or found.high[place] > 1)
    return float(share * (1 - share)) / error(found, place) ** 2 if is_beyond else None


def error(found: Estimates, place: tuple[int, ...]) -> float:
    """The standard error behind an interval, as if it were of a normal distribution."""
    return float(found.high[place] - found.mean[place]) / NORMAL
