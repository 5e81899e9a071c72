"""Statistics added to a simulation: any columns of its table that are not our own."""

from __future__ import annotations

import polars as pl

from branchline.batch.actions import COUNTS
from branchline.play.results import SCORE_PARTS
from branchline.report.counting.bars import bar_of, whole_bars, width_of
from branchline.report.counting.exact import read, rounded
from branchline.report.source import SEATS, Simulation

OURS = {
    *SEATS,
    *SCORE_PARTS,
    *("decisions", "longest_path_length", "tickets_kept", "tickets_completed", "pieces_left"),
    *COUNTS,
}


def extra_columns(simulation: Simulation) -> list[str]:
    """Added columns of numbers; words cannot be averaged."""
    schema = simulation.seats.collect_schema()
    return [name for name, kind in schema.items() if name not in OURS and (kind.is_numeric() or kind == pl.Boolean)]


def extras(simulation: Simulation) -> pl.DataFrame | None:
    """Each statistic by bot: mean, standard deviation, minimum and maximum, and the 10th, 50th and 90th percentiles."""
    columns, value = extra_columns(simulation), pl.col("value")
    figures = {
        "seats": value.count(),
        "mean": value.mean(),
        "deviation": value.std(),
        "least": value.min(),
        "tenth": value.quantile(0.1),
        "median": value.median(),
        "nine_tenths": value.quantile(0.9),
        "most": value.max(),
    }
    found = [read(values(simulation, column).group_by("bot").agg(**figures)) for column in columns]
    tables = [table.select(pl.lit(column).alias("statistic"), pl.all()).sort("bot") for column, table in zip(columns, found, strict=True)]
    whole = pl.concat(tables) if tables else pl.DataFrame()
    return None if whole.is_empty() else rounded(whole)


def values(simulation: Simulation, column: str) -> pl.LazyFrame:
    return simulation.seats.select("bot", value=pl.col(column).cast(pl.Float64)).filter(pl.col("value").is_finite())


def extra_bars(simulation: Simulation, summary: pl.DataFrame) -> pl.DataFrame:
    """A histogram of each statistic by bot."""
    return pl.concat([bars_of(simulation, str(column), rows) for (column,), rows in summary.group_by("statistic", maintain_order=True)])


def bars_of(simulation: Simulation, column: str, summary: pl.DataFrame) -> pl.DataFrame:
    whole = not simulation.seats.collect_schema()[column].is_float()
    width = width_of(float(summary["least"].min()), float(summary["most"].max()), whole)  # type: ignore[arg-type]  # they are numbers
    counted = read(values(simulation, column).group_by("bot", bar=bar_of("value", width)).agg(count=pl.len()))
    return whole_bars(counted, ["bot"], width).select(pl.lit(column).alias("statistic"), pl.all())
