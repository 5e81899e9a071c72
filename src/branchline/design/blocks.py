"""Sums over many games, kept in blocks, and estimates with 95 % intervals from them.

Game i of a seed belongs to block i mod 32. Blocks are independent of each other, whatever goes together within a game, so every figure that follows
from sums has an interval: compute it again without each block in turn, and see how far it moves (the jackknife), with Student's t.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.pages.intervals import student, wilson

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
    """Ratios between none and all. Where all blocks agree, as on a route that nobody ever claims, the interval is Wilson's."""
    found = means(over, under)
    number = np.broadcast_to(under.sum(0), found.mean.shape)
    low, high = np.clip(found.low, 0, 1), np.clip(found.high, 0, 1)
    for place in np.ndindex(found.mean.shape):
        if number[place] > 0 and (found.high[place] - found.low[place] < 1e-12 or not np.isfinite(found.low[place])):  # equal but for rounding
            low[place], high[place] = wilson(float(np.clip(found.mean[place], 0, 1)), int(number[place]))
            low[place], high[place] = min(low[place], found.mean[place]), max(high[place], found.mean[place])  # but for rounding
    return Estimates(found.mean, low, high)
