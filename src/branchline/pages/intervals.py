"""Means with 95 % intervals.

The games of one seed, with rotated seats, belong together: they share every card. So seeds are the independent observations, and the interval of a
mean is Student's t over the seeds' means. If all seeds agree (a bot that always wins), that would claim certainty; for shares, Wilson's interval over
the games is used instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

LEVEL = 0.95
NORMAL = NormalDist().inv_cdf(0.5 + LEVEL / 2)
# Student's t for one to ten degrees of freedom; beyond that, the expansion below is exact to three digits
FEW = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval; None if too little is known."""

    mean: float
    low: float | None = None
    high: float | None = None

    def divided_by(self, number: int) -> Estimate:
        return Estimate(*(None if value is None else value / number for value in (self.mean, self.low, self.high)))  # type: ignore[arg-type]  # a mean is there


def student(degrees: int) -> float:
    """The two-sided 95 % quantile of Student's t."""
    if degrees <= len(FEW):
        return FEW[degrees - 1]
    z, n = NORMAL, degrees
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    return z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2) + third


def wilson(share: float, games: float) -> tuple[float, float]:
    """Wilson's interval for a share of games."""
    z2 = NORMAL**2 / games
    middle, spread = share + z2 / 2, NORMAL * math.sqrt(share * (1 - share) / games + z2 / (4 * games))
    return max((middle - spread) / (1 + z2), 0.0), min((middle + spread) / (1 + z2), 1.0)


def score(mean: float, games: float) -> tuple[float, float]:
    """The same for how often something happens per game that may happen any number of times (Poisson's distribution)."""
    z2 = NORMAL**2 / games
    middle, spread = mean + z2 / 2, NORMAL * math.sqrt(mean / games + z2 / (4 * games))
    return max(middle - spread, 0.0), middle + spread


def mean_of(seeds: Sequence[float]) -> Estimate:
    """A mean of any size over seeds."""
    if len(seeds) < 2:
        return Estimate(fmean(seeds))
    mean, spread = fmean(seeds), student(len(seeds) - 1) * stdev(seeds) / math.sqrt(len(seeds))
    return Estimate(mean, mean - spread, mean + spread)


def share_of(seeds: Sequence[float], games: int) -> Estimate:
    """A share, such as of wins, over seeds with this many games in total."""
    estimate = mean_of(seeds)
    if estimate.low is None or estimate.high is None or math.isclose(min(seeds), max(seeds)):
        return Estimate(estimate.mean, *wilson(min(max(estimate.mean, 0.0), 1.0), games))
    return Estimate(estimate.mean, max(estimate.low, 0.0), min(estimate.high, 1.0))
