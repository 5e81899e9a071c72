"""Two simulations side by side: means of both, and the difference with its 95 % interval.

Games of the same seed and number belong together: they begin with the same cards. Where both simulations have the same seed and seats, differences
are taken game by game, so that what both share cancels out; otherwise the two are independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from branchline.pages.intervals import NORMAL, student
from branchline.report.counting.exact import read, rounded
from branchline.report.source import Simulation

Array = np.ndarray[Any, Any]
PARTS = ("total", "routes", "tickets", "longest_path", "stations", "districts", "harbours", "bonuses", "attractions")


@dataclass(frozen=True)
class Pair:
    """Two simulations to compare. `paired`: are their games the same deals?"""

    one: Simulation
    other: Simulation

    @property
    def paired(self) -> bool:
        same = ("seed", "players", "options")
        return all(self.one.facts.get(name) == self.other.facts.get(name) for name in same)

    @property
    def both(self) -> tuple[Simulation, Simulation]:
        return self.one, self.other


def per_game(simulation: Simulation) -> pl.DataFrame:
    """A row per game, with the numbers that are compared."""
    seat, first = pl.col("seat").cast(pl.Int64), pl.col("first_seat").cast(pl.Int64)
    share, total = pl.col("share").cast(pl.Float64), pl.col("total").cast(pl.Float64)
    there = simulation.seats.collect_schema().names()
    numbers = {
        "turns": pl.col("turns").first().cast(pl.Float64),
        "winning_total": total.max(),
        "winning_margin": total.max() - total.sort(descending=True).slice(1, 1).first(),
        "first_player_wins": share.filter(seat == first).sum(),
        "shared": (share.max() < 1).cast(pl.Float64),
        **{f"mean_{part}": pl.col(part).cast(pl.Float64).mean() for part in PARTS if part in there},
        **{name: pl.col(name).cast(pl.Float64).mean() for name in ("tickets_kept", "tickets_completed") if name in there},
        **{f"wins of {bot}": share.filter(pl.col("bot") == bot).mean() for bot in simulation.kinds if len(simulation.kinds) > 1},
    }
    return read(simulation.seats.group_by("game").agg(**numbers)).sort("game")


def comparison(pair: Pair) -> pl.DataFrame:
    """What both have, in order: the mean of each, and the difference."""
    tables = [per_game(one) for one in pair.both]
    columns = [name for name in tables[0].columns if name != "game" and name in tables[1].columns]
    if pair.paired:
        joined = tables[0].join(tables[1], on="game", suffix=" of the other")
        tables = [joined.select(columns), joined.select(pl.col(f"{name} of the other").alias(name) for name in columns)]
    rows = [{"figure": name, **difference(tables[0][name].to_numpy(), tables[1][name].to_numpy(), pair.paired)} for name in columns]
    return rounded(pl.DataFrame(rows))


def difference(one: Array, other: Array, paired: bool) -> dict[str, float | None]:
    """The other's mean, less the first one's."""
    means = {"a": float(one.mean()), "b": float(other.mean())}
    if len(one) < 2 or len(other) < 2:
        return {**means, "difference": means["b"] - means["a"], "low": None, "high": None}
    if paired:
        spread = student(len(one) - 1) * float((other - one).std(ddof=1)) / len(one) ** 0.5
    else:
        spread = NORMAL * float(one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other)) ** 0.5
    middle = means["b"] - means["a"]
    return {**means, "difference": middle, "low": middle - spread, "high": middle + spread}


def compared_routes(pair: Pair) -> pl.DataFrame | None:
    """In which share of games each route is claimed; routes that only one of the boards has are left out."""
    if pair.one.claims is None or pair.other.claims is None:
        return None
    sizes = (common_games(pair),) * 2 if pair.paired else (pair.one.games, pair.other.games)
    claims = [
        one.select("game", "route").unique().filter(pl.col("game") < size)
        for one, size in zip((pair.one.claims, pair.other.claims), sizes, strict=True)
    ]
    a, b = (by_route(one) for one in claims)
    both = by_route(claims[0].join(claims[1], on=["game", "route"])) if pair.paired else None
    other = {route.id for route in pair.other.board.routes}
    rows = [
        {"route": route.id, **of_shares(a.get(route.id, 0), b.get(route.id, 0), None if both is None else both.get(route.id, 0), *sizes)}
        for route in pair.one.board.routes
        if route.id in other
    ]
    return rounded(pl.DataFrame(rows)) if rows else None


def by_route(claims: pl.LazyFrame) -> dict[str, int]:
    counted = read(claims.group_by("route").len())
    return dict(zip(counted["route"], counted["len"], strict=True))


def common_games(pair: Pair) -> int:
    """The games that are in both."""
    return min(pair.one.games, pair.other.games)


def of_shares(one: int, other: int, both: int | None, games: int, other_games: int) -> dict[str, float]:
    """Shares of games, of which `both` are the same games in both simulations; None: they are independent."""
    a, b = one / games, other / other_games
    alone, paired = a * (1 - a) / games + b * (1 - b) / other_games, a + b - (b - a) ** 2
    variance = alone if both is None else (paired - 2 * both / games) / games
    spread = NORMAL * max(variance, 0.0) ** 0.5
    return {"a": a, "b": b, "difference": b - a, "low": b - a - spread, "high": b - a + spread}


def compared_tickets(pair: Pair) -> pl.DataFrame | None:
    """How often each ticket that both boards have is completed, of the times it is kept. Different games keep it, so the two are independent."""
    if pair.one.tickets is None or pair.other.tickets is None:
        return None
    tables = [
        {
            row["ticket"]: (row["len"], row["completed"])
            for row in read(one.tickets.group_by("ticket").agg(pl.len(), pl.col("completed").sum())).rows(named=True)
        }
        for one in pair.both
        if one.tickets is not None
    ]
    points = {ticket.id: ticket.points for ticket in pair.other.board.tickets}
    rows = [
        {"ticket": ticket.id, "printed_a": ticket.points, "printed_b": points[ticket.id], **rates(tables[0][ticket.id], tables[1][ticket.id])}
        for ticket in pair.one.board.tickets
        if ticket.id in points and ticket.id in tables[0] and ticket.id in tables[1]
    ]
    return rounded(pl.DataFrame(rows)) if rows else None


def rates(one: tuple[int, int], other: tuple[int, int]) -> dict[str, float]:
    (kept, done), (other_kept, other_done) = one, other
    a, b = done / kept, other_done / other_kept
    spread = NORMAL * (a * (1 - a) / kept + b * (1 - b) / other_kept) ** 0.5
    return {"a": a, "b": b, "difference": b - a, "low": b - a - spread, "high": b - a + spread}
