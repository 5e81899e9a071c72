"""Tickets: how often each was kept and completed, and what it earned."""

from __future__ import annotations

import polars as pl

from branchline.report.counting.exact import rounded, total, with_interval
from branchline.report.counting.fates import by_seat, on_board, sums_of
from branchline.report.counting.tallies import Tally
from branchline.report.source import Simulation

WORTH = pl.when("completed").then(pl.col("points")).otherwise(-pl.col("points").abs()).cast(pl.Int64)  # also correct if points are the printed ones

KEPT = Tally(("ticket", "seat"), lambda _, batch: by_seat(batch, batch.tickets, "ticket", completed=total("completed"), points=total(WORTH)))


def tickets(simulation: Simulation, held: pl.DataFrame, seat_rates: pl.DataFrame) -> pl.DataFrame:
    """A row per ticket of the board, kept or not."""
    all_tickets = simulation.board.tickets
    facts = pl.DataFrame(
        {
            "ticket": [ticket.id for ticket in all_tickets],
            "printed": [ticket.points for ticket in all_tickets],
            "long": [ticket.long for ticket in all_tickets],
        }
    )
    counted = on_board(simulation, facts, sums_of(held, "ticket", seat_rates).rename({"number": "kept"}), "ticket")
    kept = pl.when(pl.col("kept") > 0).then("kept")
    rates = {"rate": "completed", "realised": "points", "win_share": "wins", "expected": "expected_wins"}
    found = counted.with_columns(**{name: pl.col(count) / kept for name, count in rates.items()}).drop("points", "expected_wins")
    return rounded(with_interval(found, "rate", "kept"))


def colours(simulation: Simulation, counted: pl.DataFrame) -> pl.DataFrame:
    """On boards where tickets are completed with cards: how the tickets that need each colour did."""
    asked = [(ticket.id, colour) for ticket in simulation.board.tickets for colour in dict.fromkeys(ticket.cards)]
    pairs = pl.DataFrame(asked, {"ticket": pl.String, "colour": pl.String}, orient="row")
    sums = [pl.col("kept", "completed", "wins").sum(), (pl.col("printed") * pl.col("kept")).sum().alias("printed")]
    sums += [(pl.col("realised").fill_null(0) * pl.col("kept")).sum().alias("realised")]
    found = pairs.join(counted, on="ticket").group_by("colour").agg(pl.len().alias("tickets"), *sums)
    kept = pl.when(pl.col("kept") > 0).then("kept")
    rates = {"rate": "completed", "printed": "printed", "realised": "realised", "win_share": "wins"}
    table = found.with_columns(**{name: pl.col(count) / kept for name, count in rates.items()})
    return rounded(with_interval(table, "rate", "kept").sort("rate", "colour", descending=[True, False], nulls_last=True))
