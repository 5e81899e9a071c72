"""How the holders of something did: of a ticket, of a route."""

from __future__ import annotations

import polars as pl

from branchline.report import ReportError
from branchline.report.counting.exact import in_wins, rows, sixtieths
from branchline.report.source import Batch, Simulation


def by_seat(batch: Batch, table: pl.LazyFrame | None, key: str, **sums: pl.Expr) -> pl.LazyFrame:
    """How often each seat held each thing (`number`), and its wins with it."""
    if table is None:
        raise ValueError(f"there is no table of {key}s to count")
    return with_shares(batch, table).group_by(key, "seat").agg(number=rows(), wins=sixtieths().sum(), **sums)


def sums_of(counted: pl.DataFrame, key: str, seat_rates: pl.DataFrame) -> pl.DataFrame:
    """How often each thing was held, its holders' wins, and the average wins of their seats: strong bots win with anything."""
    joined = counted.with_columns(wins=in_wins()).join(seat_rates, on="seat").sort(key, "seat")
    expected = joined.with_columns(expected_wins=pl.col("number") * pl.col("seat_rate"))
    return expected.drop("seat", "seat_rate").group_by(key, maintain_order=True).sum()


def with_shares(batch: Batch, table: pl.LazyFrame) -> pl.LazyFrame:
    """Each row with its seat's share of the win. Only winners are looked up: they are few."""
    winners = batch.seats.filter("won").select("game", "seat", "share")
    return table.join(winners, on=["game", "seat"], how="left").with_columns(pl.col("share").fill_null(0))


def on_board(simulation: Simulation, facts: pl.DataFrame, counted: pl.DataFrame, key: str) -> pl.DataFrame:
    """The board's routes or tickets with what was counted; zero if nothing was."""
    strange = counted.join(facts, on=key, how="anti")[key].sort().to_list()
    if strange:
        raise ReportError(f"{simulation.file}: {simulation.board.name} has no {key} {strange[0]!r}; the tables are from another board version")
    counts = [name for name in counted.columns if name != key]
    return facts.join(counted, on=key, how="left", maintain_order="left").with_columns(pl.col(counts).fill_null(0))
