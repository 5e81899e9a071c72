"""What all counting shares: exact shares, intervals, rounding. The same tables give the same figures, in whatever order threads get to the rows."""

from __future__ import annotations

import polars as pl

from branchline.pages.intervals import wilson
from branchline.report import ReportError

WIN = 60  # a win in sixtieths: shared by up to five it is still a whole number, and sums of whole numbers are exact
DIGITS = 6  # for figures that are not counts; the last bits of a sum of fractions depend on the order of rows


def read(table: pl.LazyFrame) -> pl.DataFrame:
    """Collect in pieces, without ever holding a whole table. Files with a broken middle or wrong column types are only found here."""
    try:
        return table.collect(engine="streaming")
    except pl.exceptions.PolarsError as error:
        raise ReportError(f"the simulation's tables cannot be read: {str(error).splitlines()[0]}") from None


def rows() -> pl.Expr:
    """How many there are, in 64 bits: those of polars have 32, and their sums wrap without a word."""
    return pl.len().cast(pl.Int64)


def total(values: pl.Expr | str) -> pl.Expr:
    return (pl.col(values) if isinstance(values, str) else values).cast(pl.Int64).sum()


def sixtieths() -> pl.Expr:
    """A seat's share of the win."""
    return (pl.col("share").cast(pl.Float64) * WIN).round().cast(pl.Int64)


def in_wins(sixtieths: str = "wins") -> pl.Expr:
    """A sum of sixtieths, in wins."""
    return pl.col(sixtieths) / WIN


def with_interval(table: pl.DataFrame, share: str, games: str, seats: str | None = None) -> pl.DataFrame:
    """`low` and `high`, Wilson's interval of a share. If several `seats` have the share each, their sum is what varies from game to game."""
    many = table[seats].to_list() if seats else [1.0] * table.height
    rows = zip(table[share].to_list(), table[games].to_list(), many, strict=True)
    bounds = [(None, None) if rate is None or not number else interval(rate, number, each) for rate, number, each in rows]
    low, high = (pl.Series(name, [bound[place] for bound in bounds], pl.Float64) for place, name in enumerate(("low", "high")))
    names = table.columns
    names[names.index(share) + 1 : names.index(share) + 1] = ["low", "high"]  # next to the share
    return table.with_columns(low, high).select(names)


def interval(share: float, games: float, seats: float) -> tuple[float, float]:
    low, high = wilson(min(share * seats, 1.0), int(games))
    return low / seats, high / seats


def rounded(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(pl.col(pl.Float32, pl.Float64).round_sig_figs(DIGITS))
