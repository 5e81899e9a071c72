"""Two simulations side by side: means of both, and the difference with its 95 % interval.

Games of the same seed and number belong together: they begin with the same cards. Where both simulations have the same seed and seats, differences
are taken game by game, so that what both share cancels out; otherwise the two are independent. Both are read once, some games at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from branchline.pages.intervals import NORMAL, student
from branchline.report import ReportError
from branchline.report.counting.exact import read, rounded, rows, total
from branchline.report.source import Batch, Simulation

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


def numbers_of(simulation: Simulation) -> dict[str, pl.Expr]:
    """The numbers of a game that are compared."""
    seat, first = pl.col("seat").cast(pl.Int64), pl.col("first_seat").cast(pl.Int64)
    share, points = pl.col("share").cast(pl.Float64), pl.col("total").cast(pl.Float64)
    there = simulation.seats.schema
    return {
        "turns": pl.col("turns").first().cast(pl.Float64),
        "winning_total": points.max(),
        "winning_margin": points.max() - points.sort(descending=True).slice(1, 1).first(),
        "first_player_wins": share.filter(seat == first).sum(),
        "shared": (share.max() < 1).cast(pl.Float64),
        **{f"mean_{part}": pl.col(part).cast(pl.Float64).mean() for part in PARTS if part in there},
        **{name: pl.col(name).cast(pl.Float64).mean() for name in ("tickets_kept", "tickets_completed") if name in there},
        **{f"wins of {bot}": share.filter(pl.col("bot") == bot).mean() for bot in simulation.kinds if len(simulation.kinds) > 1},
    }


class Games(NamedTuple):
    """Some games of a simulation: a row of numbers for each, and the routes that were claimed in it."""

    numbers: pl.DataFrame
    claims: pl.DataFrame | None

    @classmethod
    def of(cls, simulation: Simulation, batch: Batch) -> Games:
        numbers = read(batch.seats.group_by("game").agg(**numbers_of(simulation))).sort("game")
        return cls(numbers, None if batch.claims is None else read(batch.claims.select("game", "route").unique()))

    def only(self, games: pl.DataFrame) -> Games:
        return Games(*(table if table is None else table.join(games.select("game"), on="game", how="semi") for table in self))  # type: ignore[arg-type]

    def split(self, last: float) -> tuple[Games, Games]:
        """Up to a game, and after it."""
        parts = ([table if table is None else table.filter(part) for table in self] for part in (pl.col("game") <= last, pl.col("game") > last))
        upto, after = (Games(*part) for part in parts)  # type: ignore[arg-type]
        return upto, after

    def followed_by(self, more: Games) -> Games:
        claims = None if self.claims is None or more.claims is None else pl.concat([self.claims, more.claims])
        return Games(pl.concat([self.numbers, more.numbers]), claims)


@dataclass
class Moments:
    """Means and variances of several columns, of as many rows as have been added (Chan, Golub and LeVeque)."""

    number: int = 0
    mean: Array | float = 0.0
    squares: Array | float = 0.0  # the sum of squares about the mean

    def add(self, values: Array) -> Moments:
        """A row per game."""
        if len(values):
            mean, number = values.mean(0), self.number + len(values)
            apart = mean - self.mean
            self.squares = self.squares + ((values - mean) ** 2).sum(0) + apart**2 * (self.number * len(values) / number)
            self.mean = self.mean + apart * (len(values) / number)
            self.number = number
        return self

    @property
    def variance(self) -> Array:
        return np.asarray(self.squares) / (self.number - 1)


@dataclass
class Side:
    """What is summed up of one simulation."""

    numbers: Moments = field(default_factory=Moments)
    routes: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    completed: Counter[str] = field(default_factory=Counter)

    def add_tickets(self, batch: Batch) -> None:
        if batch.tickets is not None:
            for ticket, kept, done in read(batch.tickets.group_by("ticket").agg(kept=rows(), done=total("completed"))).rows():
                self.kept[ticket] += kept
                self.completed[ticket] += done

    def add(self, games: Games, columns: list[str]) -> None:
        self.numbers.add(games.numbers.select(columns).to_numpy())
        self.routes += by_route(games.claims)


@dataclass
class Sums:
    """Of both; `apart` and `both` are about the same games in both, and stay empty if the two are independent."""

    columns: list[str]
    one: Side = field(default_factory=Side)
    other: Side = field(default_factory=Side)
    apart: Moments = field(default_factory=Moments)
    both: Counter[str] = field(default_factory=Counter)

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.one, self.other


def summed(pair: Pair) -> Sums:
    sums = Sums([name for name in numbers_of(pair.one) if name in numbers_of(pair.other)])
    if pair.paired:
        for one, other in in_step(pair, sums):
            add_pairs(sums, one, other)
    else:
        for simulation, side in zip(pair.both, sums.sides, strict=True):
            for games in games_of(simulation, side):
                side.add(games, sums.columns)
    if not (sums.one.numbers.number and sums.other.numbers.number):
        raise ReportError(f"{pair.one.file} and {pair.other.file} have no games in common")
    return sums


def games_of(simulation: Simulation, side: Side) -> Iterator[Games]:
    for batch in simulation.batches():
        side.add_tickets(batch)
        yield Games.of(simulation, batch)


def in_step(pair: Pair, sums: Sums) -> Iterator[tuple[Games, Games]]:
    """The games that both have, some at a time. Whoever is behind reads on, and what the other has further waits for it."""
    sources = [games_of(simulation, side) for simulation, side in zip(pair.both, sums.sides, strict=True)]
    waiting: list[Games | None] = [None, None]
    last = [-1.0, -1.0]
    while min(last) < float("inf"):
        behind = 0 if last[0] <= last[1] else 1
        more, held = next(sources[behind], None), waiting[behind]
        last[behind] = float("inf") if more is None else float(more.numbers["game"].max())  # type: ignore[arg-type]  # they are numbers
        waiting[behind] = held if more is None else more if held is None else held.followed_by(more)
        one, other = waiting
        if one is None or other is None:
            continue
        (ready, waiting[0]), (other_ready, waiting[1]) = one.split(min(last)), other.split(min(last))
        yield ready.only(other_ready.numbers), other_ready.only(ready.numbers)


def add_pairs(sums: Sums, one: Games, other: Games) -> None:
    for side, games in zip(sums.sides, (one, other), strict=True):
        side.add(games, sums.columns)
    sums.apart.add((other.numbers.select(sums.columns) - one.numbers.select(sums.columns)).to_numpy())
    if one.claims is not None and other.claims is not None:
        sums.both += by_route(one.claims.join(other.claims, on=["game", "route"]))


def by_route(claims: pl.DataFrame | None) -> Counter[str]:
    return Counter({} if claims is None else dict(claims.group_by("route").len().rows()))


def comparison(sums: Sums) -> pl.DataFrame:
    """What both have, in order: the mean of each, and the difference."""
    found = difference(sums.one.numbers, sums.other.numbers, sums.apart if sums.apart.number else None)
    rows = [
        {"figure": name, **{key: None if value is None else float(value[place]) for key, value in found.items()}}
        for place, name in enumerate(sums.columns)
    ]
    return rounded(pl.DataFrame(rows))


def difference(one: Moments, other: Moments, apart: Moments | None) -> dict[str, Array | None]:
    """The other's mean, less the first one's. `apart`: of the differences game by game, if they are the same games."""
    a, b = np.asarray(one.mean), np.asarray(other.mean)
    found = {"a": a, "b": b, "difference": b - a}
    if one.number < 2 or other.number < 2:
        return {**found, "low": None, "high": None}
    if apart is not None:
        spread = student(apart.number - 1) * apart.variance**0.5 / apart.number**0.5
    else:
        spread = NORMAL * (one.variance / one.number + other.variance / other.number) ** 0.5
    return {**found, "low": b - a - spread, "high": b - a + spread}


def compared_routes(pair: Pair, sums: Sums) -> pl.DataFrame | None:
    """In which share of games each route is claimed; routes that only one of the boards has are left out."""
    if pair.one.claims is None or pair.other.claims is None:
        return None
    a, b = (side.routes for side in sums.sides)
    sizes = sums.one.numbers.number, sums.other.numbers.number
    other = {route.id for route in pair.other.board.routes}
    rows = [
        {"route": route.id, **of_shares(a[route.id], b[route.id], sums.both[route.id] if pair.paired else None, *sizes)}
        for route in pair.one.board.routes
        if route.id in other
    ]
    return rounded(pl.DataFrame(rows)) if rows else None


def of_shares(one: int, other: int, both: int | None, games: int, other_games: int) -> dict[str, float]:
    """Shares of games, of which `both` are the same games in both simulations; None: they are independent."""
    a, b = one / games, other / other_games
    alone, paired = a * (1 - a) / games + b * (1 - b) / other_games, a + b - (b - a) ** 2
    variance = alone if both is None else (paired - 2 * both / games) / games
    spread = NORMAL * max(variance, 0.0) ** 0.5
    return {"a": a, "b": b, "difference": b - a, "low": b - a - spread, "high": b - a + spread}


def compared_tickets(pair: Pair, sums: Sums) -> pl.DataFrame | None:
    """How often each ticket that both boards have is completed, of the times it is kept. Different games keep it, so the two are independent."""
    if pair.one.tickets is None or pair.other.tickets is None:
        return None
    points = {ticket.id: ticket.points for ticket in pair.other.board.tickets}
    rows = [
        {
            "ticket": one.id,
            "printed_a": one.points,
            "printed_b": points[one.id],
            **rates(*((side.kept[one.id], side.completed[one.id]) for side in sums.sides)),
        }
        for one in pair.one.board.tickets
        if one.id in points and all(side.kept[one.id] for side in sums.sides)
    ]
    return rounded(pl.DataFrame(rows)) if rows else None


def rates(one: tuple[int, int], other: tuple[int, int]) -> dict[str, float]:
    (kept, done), (other_kept, other_done) = one, other
    a, b = done / kept, other_done / other_kept
    spread = NORMAL * (a * (1 - a) / kept + b * (1 - b) / other_kept) ** 0.5
    return {"a": a, "b": b, "difference": b - a, "low": b - a - spread, "high": b - a + spread}
