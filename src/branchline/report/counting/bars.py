"""Histograms: counts in bars of a round width."""

from __future__ import annotations

import polars as pl

BARS = 40  # roughly the most
UNITS = (1, 2, 5)  # times a power of ten: widths that read well


def width_of(least: float, most: float, whole: bool) -> float:
    """The width of bars, at least 1 for whole numbers. If all values are the same, any width is fine."""
    power = 0 if whole or least == most else -9
    while True:
        for unit in UNITS:
            width = unit * 10.0**power
            if (most - least) / width < BARS:
                return width
        power += 1


def bar_of(value: str, width: float) -> pl.Expr:
    """The number of the bar that a value is in."""
    return (pl.col(value) / width).floor().cast(pl.Int64)


def whole_bars(counted: pl.DataFrame, by: list[str], width: float) -> pl.DataFrame:
    """All bars between the first and the last, including empty ones, from counts by number: `start`, `end` and the share of their group."""
    sums = counted.group_by(*by, "bar").agg(pl.col("count").sum())
    first, last = int(sums["bar"].min()), int(sums["bar"].max())  # type: ignore[arg-type]  # they are whole numbers
    every = pl.DataFrame({"bar": range(first, last + 1)})
    frame = counted.select(by).unique().join(every, how="cross") if by else every
    filled = frame.join(sums, on=[*by, "bar"], how="left").with_columns(pl.col("count").fill_null(0))
    total = pl.col("count").sum().over(by) if by else pl.col("count").sum()
    ends = {"start": (pl.col("bar") * width).round(9), "end": ((pl.col("bar") + 1) * width).round(9)}
    return filled.with_columns(**ends, share=(pl.col("count") / total).round_sig_figs(6)).drop("bar").sort(*by, "start")


def bars(counted: pl.DataFrame, value: str, count: str, by: list[str]) -> pl.DataFrame:
    """A histogram of whole numbers that were counted one by one."""
    width = width_of(float(counted[value].min()), float(counted[value].max()), whole=True)  # type: ignore[arg-type]  # they are numbers
    return whole_bars(counted.select(*by, bar=bar_of(value, width), count=pl.col(count)), by, width)
