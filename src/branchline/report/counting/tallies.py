"""What is counted in every batch of games: small tables of whole numbers, which are added up."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import polars as pl

from branchline.report.counting.exact import read
from branchline.report.source import Batch, Simulation


class Tally(NamedTuple):
    """Counts, and what they are counted by."""

    by: tuple[str, ...]
    counts: Callable[[Simulation, Batch], pl.LazyFrame]

    def add(self, sums: pl.DataFrame | None, simulation: Simulation, batch: Batch) -> pl.DataFrame:
        more = read(self.counts(simulation, batch))
        return more if sums is None else added(sums, more, self.by)


def added(one: pl.DataFrame, more: pl.DataFrame, by: tuple[str, ...]) -> pl.DataFrame:
    both = pl.concat([one, more])
    return both.group_by(by).agg(pl.all().sum()) if by else both.sum()
