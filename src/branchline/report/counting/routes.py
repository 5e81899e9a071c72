"""Routes: how often each was claimed, when, and how its owners fared."""

from __future__ import annotations

import polars as pl

from branchline.report.counting.exact import rounded, with_interval
from branchline.report.counting.fates import on_board, sums_of
from branchline.report.source import Simulation


def routes(simulation: Simulation, table: pl.LazyFrame, seat_rates: pl.DataFrame) -> pl.DataFrame:
    """A row per route of the board, claimed or not."""
    all_routes = simulation.board.routes
    facts = pl.DataFrame(
        {
            "route": [route.id for route in all_routes],
            "length": [route.length for route in all_routes],
            "colour": [route.colour for route in all_routes],
        }
    )
    sums = sums_of(simulation, table, "route", seat_rates, turns=pl.col("turn").cast(pl.Int64).sum())
    counted = on_board(simulation, facts, sums.rename({"number": "claims"}), "route")
    claimed = pl.when(pl.col("claims") > 0).then("claims")
    rates = {"mean_turn": "turns", "win_share": "wins", "expected": "expected_wins"}
    found = counted.with_columns(
        games=pl.lit(simulation.games), rate=pl.col("claims") / simulation.games, **{name: pl.col(count) / claimed for name, count in rates.items()}
    )
    return rounded(with_interval(found.drop("turns", "expected_wins"), "rate", "games"))
