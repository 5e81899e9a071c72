"""Statistics added to a simulation: any columns of its table that are not our own."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import polars as pl

from branchline.batch.actions import COUNTS
from branchline.play.results import SCORE_PARTS
from branchline.report.counting.bars import bar_of, whole_bars, width_of
from branchline.report.counting.exact import read, rounded, rows
from branchline.report.counting.tallies import added
from branchline.report.source import SEATS, Batch, Simulation

OURS = {
    *SEATS,
    *SCORE_PARTS,
    *("decisions", "longest_path_length", "tickets_kept", "tickets_completed", "pieces_left"),
    *COUNTS,
}
DIFFERENT = 200_000  # values that are counted one by one; where there are more, neighbours are counted together


def extra_columns(simulation: Simulation) -> list[str]:
    """Added columns of numbers; words cannot be averaged."""
    schema = simulation.seats.schema
    return [name for name, kind in schema.items() if name not in OURS and (kind.is_numeric() or kind == pl.Boolean)]


class Spread(NamedTuple):
    """The values of a statistic, by bot: how many, their mean, sum of squares about it, least and most; and how often each value occurs."""

    moments: pl.DataFrame
    values: pl.DataFrame

    def add(self, more: Spread) -> Spread:
        return Spread(joined(pl.concat([self.moments, more.moments])), coarser(added(self.values, more.values, ("bot", "value"))))


def spread_of(batch: Batch, column: str) -> Spread:
    value = pl.col("value")
    values = batch.seats.select("bot", value=pl.col(column).cast(pl.Float64)).filter(value.is_finite())
    squares = ((value - value.mean()) ** 2).sum()
    moments = values.group_by("bot").agg(seats=rows(), mean=value.mean(), squares=squares, least=value.min(), most=value.max())
    return Spread(read(moments), coarser(read(values.group_by("bot", "value").agg(count=rows()))))


def joined(moments: pl.DataFrame) -> pl.DataFrame:
    """The moments of batches together (Chan, Golub and LeVeque): a plain sum of squares loses its digits where the mean is large."""
    seats, mean = pl.col("seats"), pl.col("mean")
    together = (seats * mean).sum() / seats.sum()
    squares = pl.col("squares").sum() + (seats * (mean - together) ** 2).sum()
    return moments.group_by("bot").agg(seats=seats.sum(), mean=together, squares=squares, least=pl.col("least").min(), most=pl.col("most").max())


def coarser(values: pl.DataFrame) -> pl.DataFrame:
    """Neighbours counted together if there are too many. Steps are powers of two: those of later batches fall together with those of earlier ones."""
    if values.height <= DIFFERENT:
        return values
    least, most = (float(end) for end in (values["value"].min(), values["value"].max()))  # type: ignore[arg-type]  # they are numbers
    step = 2.0 ** math.ceil(math.log2((most - least) / (DIFFERENT / 2 / values["bot"].n_unique())))
    return values.with_columns((pl.col("value") / step).floor() * step).group_by("bot", "value").agg(pl.col("count").sum())


def extras(spreads: dict[str, Spread]) -> pl.DataFrame | None:
    """Each statistic by bot: mean, standard deviation, minimum and maximum, and the 10th, 50th and 90th percentiles."""
    found = [
        {"statistic": column, **of_bot(spread, row)} for column, spread in spreads.items() for row in spread.moments.sort("bot").rows(named=True)
    ]
    return rounded(pl.DataFrame(found, infer_schema_length=None)) if found else None


def of_bot(spread: Spread, moments: dict[str, Any]) -> dict[str, Any]:
    seats = moments["seats"]
    values = spread.values.filter(bot=moments["bot"]).sort("value")
    return {
        "bot": moments["bot"],
        "seats": seats,
        "mean": moments["mean"],
        "deviation": (moments["squares"] / (seats - 1)) ** 0.5 if seats > 1 else None,
        "least": moments["least"],
        "tenth": at(values, int(0.1 * (seats - 1) + 0.5)),
        "median": (at(values, (seats - 1) // 2) + at(values, seats // 2)) / 2,
        "nine_tenths": at(values, int(0.9 * (seats - 1) + 0.5)),
        "most": moments["most"],
    }


def at(values: pl.DataFrame, place: int) -> float:
    """The value at a place, if all were written in order."""
    return float(values["value"].filter(values["count"].cum_sum() > place)[0])


def extra_bars(simulation: Simulation, spreads: dict[str, Spread]) -> pl.DataFrame:
    """A histogram of each statistic by bot."""
    there = {column: spread for column, spread in spreads.items() if spread.moments.height}
    return pl.concat([bars_of(column, spread, not simulation.seats.schema[column].is_float()) for column, spread in there.items()])


def bars_of(column: str, spread: Spread, whole: bool) -> pl.DataFrame:
    least, most = spread.moments["least"].min(), spread.moments["most"].max()
    width = width_of(float(least), float(most), whole)  # type: ignore[arg-type]  # they are numbers
    counted = spread.values.select("bot", "count", bar=bar_of("value", width))
    return whole_bars(counted, ["bot"], width).select(pl.lit(column).alias("statistic"), pl.all())
