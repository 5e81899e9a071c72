"""Routes: how often each was claimed, when, and how its owners fared."""

from __future__ import annotations

import polars as pl

from branchline.report.counting.exact import rounded, total, with_interval
from branchline.report.counting.fates import by_seat, on_board, sums_of
from branchline.report.counting.tallies import Tally
from branchline.report.source import Simulation

CLAIMED = Tally(("route", "seat"), lambda _, batch: by_seat(batch, batch.claims, "route", turns=total("turn")))


def routes(simulation: Simulation, held: pl.DataFrame, seat_rates: pl.DataFrame) -> pl.DataFrame:
    """A row per route of the board, claimed or not."""
    all_routes = simulation.board.routes
    facts = pl.DataFrame(
        {
            "route": [route.id for route in all_routes],
            "length": [route.length for route in all_routes],
            "colour": [route.colour for route in all_routes],
        }
    )
    counted = on_board(simulation, facts, sums_of(held, "route", seat_rates).rename({"number": "claims"}), "route")
    claimed = pl.when(pl.col("claims") > 0).then("claims")
    rates = {"mean_turn": "turns", "win_share": "wins", "expected": "expected_wins"}
    found = counted.with_columns(
        games=pl.lit(simulation.games, pl.Int64),
        rate=pl.col("claims") / simulation.games,
        **{name: pl.col(count) / claimed for name, count in rates.items()},
    )
    return rounded(with_interval(found.drop("turns", "expected_wins"), "rate", "games"))
