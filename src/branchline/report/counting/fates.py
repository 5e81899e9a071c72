"""How the holders of something did: of a ticket, of a route."""

from __future__ import annotations

import polars as pl

from branchline.report import ReportError
from branchline.report.counting.exact import read, wins
from branchline.report.source import Simulation


def sums_of(simulation: Simulation, table: pl.LazyFrame, key: str, seat_rates: pl.DataFrame, **sums: pl.Expr) -> pl.DataFrame:
    """How often each thing was held (`number`), its holders' wins, and the average wins of their seats: strong bots win with anything."""
    by_seat = with_shares(simulation, table).group_by(key, "seat").agg(number=pl.len(), wins=wins(), **sums)
    expected = read(by_seat).join(seat_rates, on="seat").sort(key, "seat").with_columns(expected_wins=pl.col("number") * pl.col("seat_rate"))
    return expected.drop("seat", "seat_rate").group_by(key, maintain_order=True).sum()


def with_shares(simulation: Simulation, table: pl.LazyFrame) -> pl.LazyFrame:
    """Each row with its seat's share of the win. Only winners are looked up: they are few."""
    winners = simulation.seats.filter("won").select("game", "seat", "share")
    return table.join(winners, on=["game", "seat"], how="left").with_columns(pl.col("share").fill_null(0))


def on_board(simulation: Simulation, facts: pl.DataFrame, counted: pl.DataFrame, key: str) -> pl.DataFrame:
    """The board's routes or tickets with what was counted; zero if nothing was."""
    strange = counted.join(facts, on=key, how="anti")[key].sort().to_list()
    if strange:
        raise ReportError(f"{simulation.file}: {simulation.board.name} has no {key} {strange[0]!r}; the tables are from another board version")
    counts = [name for name in counted.columns if name != key]
    return facts.join(counted, on=key, how="left", maintain_order="left").with_columns(pl.col(counts).fill_null(0))
