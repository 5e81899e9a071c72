"""Who wins: by seat, bot and order of play, and who finishes ahead of whom."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import polars as pl

from branchline.report.counting.exact import WIN, read, rounded, sixtieths, wins, with_interval
from branchline.report.source import Simulation


def win_rates(simulation: Simulation) -> pl.DataFrame:
    """A row per seat, bot and place in the order of play (0 begins): the win rate per seat, with its interval."""
    counted = counts(simulation)
    ways = [rates_by(counted, by, simulation) for by in ("order", "seat", "bot") if by != "bot" or len(simulation.kinds) > 1]
    return rounded(pl.concat(ways))


def counts(simulation: Simulation) -> pl.DataFrame:
    """Wins by seat, bot and order of play: few rows, from which everything else follows."""
    order = (pl.col("seat").cast(pl.Int64) - pl.col("first_seat") + simulation.players) % simulation.players
    groups = simulation.seats.group_by("seat", "bot", order=order).agg(rows=pl.len(), wins=wins())
    return read(groups).sort("seat", "bot", "order")


def rates_by(counted: pl.DataFrame, by: str, simulation: Simulation) -> pl.DataFrame:
    sums = counted.group_by(by, maintain_order=True).agg(pl.col("rows", "wins").sum()).sort(by)
    seats = pl.col("rows") / simulation.games if by == "bot" else pl.lit(1.0)
    rates = sums.select(
        by=pl.lit(by),
        group=pl.col(by).cast(pl.String),
        games=pl.lit(simulation.games) if by == "bot" else pl.col("rows").cast(pl.Int32),
        seats=seats,
        wins="wins",
        rate=pl.col("wins") / pl.col("rows"),
        fair=pl.lit(simulation.fair),
    )
    return with_interval(rates, "rate", "games", "seats")


def seat_rates(rates: pl.DataFrame) -> pl.DataFrame:
    """Each seat's share of wins."""
    return rates.filter(by="seat").select(seat=pl.col("group").cast(pl.Int8), seat_rate="rate")


def head_to_head(simulation: Simulation) -> pl.DataFrame:
    """How often a bot's total beats another's at the same table; a tie counts half, and several seats count by their mean."""
    bots = simulation.bots
    counted = pl.concat([compared(simulation, *seats) for seats in combinations(range(len(bots)), 2) if bots[seats[0]] != bots[seats[1]]])
    turned: dict[str, Any] = {"bot": "other", "other": "bot", "ahead": "behind", "behind": "ahead", "margin": -pl.col("margin")}
    both = pl.concat([counted, counted.with_columns(**turned)])
    sums = both.group_by("bot", "other").agg(pl.col("pairs", "ahead", "behind", "level", "margin").sum())
    rate, margin = (pl.col("ahead") + pl.col("level") / 2) / pl.col("pairs"), pl.col("margin") / pl.col("pairs")
    rates = sums.with_columns(games=pl.lit(simulation.games), rate=rate, margin=margin)
    return rounded(with_interval(rates, "rate", "games").sort("bot", "other"))


def compared(simulation: Simulation, seat: int, other: int) -> pl.DataFrame:
    """Compare two seats over all games. Comparing all pairs at once would take five times the memory."""
    own, rival = (simulation.seats.filter(pl.col("seat") == number).select("game", "total") for number in (seat, other))
    margin = pl.col("total").cast(pl.Int64) - pl.col("total_right")
    found = {"pairs": pl.len(), "ahead": (margin > 0).sum(), "behind": (margin < 0).sum(), "level": (margin == 0).sum(), "margin": margin.sum()}
    sums = read(own.join(rival, on="game").select(**found))
    return sums.with_columns(bot=pl.lit(simulation.bots[seat]), other=pl.lit(simulation.bots[other]))


def key_numbers(simulation: Simulation) -> dict[str, float]:
    """The share of games with several winners, and the mean winning total."""
    parts = sixtieths()
    shared = parts.filter(parts < WIN).sum()  # the shares of a game add up to one, so those below one add up to the shared games
    sums = simulation.seats.filter("won").select(shared=shared, winning_total=(parts * pl.col("total")).sum())
    return {name: total / WIN / simulation.games for name, total in read(sums).row(0, named=True).items()}
