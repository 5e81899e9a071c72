"""Who wins: by seat, bot and order of play, and who finishes ahead of whom."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import polars as pl

from branchline.report.counting.exact import WIN, rounded, rows, sixtieths, total, with_interval
from branchline.report.counting.tallies import Tally
from branchline.report.source import Batch, Simulation


def counts(simulation: Simulation, batch: Batch) -> pl.LazyFrame:
    """Wins by seat, bot and order of play: few rows, from which everything else follows."""
    order = (pl.col("seat").cast(pl.Int64) - pl.col("first_seat") + simulation.players) % simulation.players
    return batch.seats.group_by("seat", "bot", order=order).agg(rows=rows(), wins=sixtieths().sum())


WINS = Tally(("seat", "bot", "order"), counts)


def win_rates(simulation: Simulation, counted: pl.DataFrame) -> pl.DataFrame:
    """A row per seat, bot and place in the order of play (0 begins): the win rate per seat, with its interval."""
    ways = [rates_by(counted, by, simulation) for by in ("order", "seat", "bot") if by != "bot" or len(simulation.kinds) > 1]
    return rounded(pl.concat(ways))


def rates_by(counted: pl.DataFrame, by: str, simulation: Simulation) -> pl.DataFrame:
    sums = counted.group_by(by).agg(pl.col("rows").sum(), (pl.col("wins").sum() / WIN).alias("wins")).sort(by)
    seats = pl.col("rows") / simulation.games if by == "bot" else pl.lit(1.0)
    rates = sums.select(
        by=pl.lit(by),
        group=pl.col(by).cast(pl.String),
        games=pl.lit(simulation.games, pl.Int64) if by == "bot" else pl.col("rows"),
        seats=seats,
        wins="wins",
        rate=pl.col("wins") / pl.col("rows"),
        fair=pl.lit(simulation.fair),
    )
    return with_interval(rates, "rate", "games", "seats")


def seat_rates(rates: pl.DataFrame) -> pl.DataFrame:
    """Each seat's share of wins."""
    return rates.filter(by="seat").select(seat=pl.col("group").cast(pl.Int8), seat_rate="rate")


def rivals(simulation: Simulation) -> list[tuple[int, int]]:
    """Pairs of seats with different bots."""
    bots = simulation.bots
    return [seats for seats in combinations(range(len(bots)), 2) if bots[seats[0]] != bots[seats[1]]]


def compared(batch: Batch, seat: int, other: int) -> pl.LazyFrame:
    """Two seats, game by game."""
    own, rival = (batch.seats.filter(pl.col("seat") == number).select("game", "total") for number in (seat, other))
    margin = pl.col("total").cast(pl.Int64) - pl.col("total_right")
    found = {"ahead": total(margin > 0), "behind": total(margin < 0), "level": total(margin == 0), "margin": margin.sum()}
    return own.join(rival, on="game").select(seat=pl.lit(seat), other_seat=pl.lit(other), pairs=rows(), **found)


PAIRS = Tally(("seat", "other_seat"), lambda simulation, batch: pl.concat([compared(batch, *seats) for seats in rivals(simulation)]))


def head_to_head(simulation: Simulation, pairs: pl.DataFrame) -> pl.DataFrame:
    """How often a bot's total beats another's at the same table; a tie counts half, and several seats count by their mean."""
    names = dict(enumerate(simulation.bots))
    bots = {"bot": pl.col("seat").replace_strict(names), "other": pl.col("other_seat").replace_strict(names)}
    counted = pairs.sort("seat", "other_seat").select("pairs", "ahead", "behind", "level", "margin", **bots)
    turned: dict[str, Any] = {"bot": "other", "other": "bot", "ahead": "behind", "behind": "ahead", "margin": -pl.col("margin")}
    both = pl.concat([counted, counted.with_columns(**turned)])
    sums = both.group_by("bot", "other").agg(pl.col("pairs", "ahead", "behind", "level", "margin").sum())
    rate, margin = (pl.col("ahead") + pl.col("level") / 2) / pl.col("pairs"), pl.col("margin") / pl.col("pairs")
    rates = sums.with_columns(games=pl.lit(simulation.games, pl.Int64), rate=rate, margin=margin)
    return rounded(with_interval(rates, "rate", "games").sort("bot", "other"))


def of_winners(_: Simulation, batch: Batch) -> pl.LazyFrame:
    parts = sixtieths()
    shared = parts.filter(parts < WIN).sum()  # the shares of a game add up to one, so those below one add up to the shared games
    return batch.seats.filter("won").select(shared=shared, winning_total=(parts * pl.col("total")).sum())


WINNERS = Tally((), of_winners)


def key_numbers(simulation: Simulation, winners: pl.DataFrame) -> dict[str, float]:
    """The share of games with several winners, and the mean winning total."""
    return {name: sixtieths / WIN / simulation.games for name, sixtieths in winners.row(0, named=True).items()}
