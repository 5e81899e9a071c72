"""Points and their parts, and how long games are."""

from __future__ import annotations

import polars as pl

from branchline.play.results import SCORE_PARTS
from branchline.report.counting.exact import rounded, rows, total
from branchline.report.counting.tallies import Tally
from branchline.report.source import Batch, Simulation

TOTALS = Tally(("seat", "bot", "total"), lambda _, batch: batch.seats.group_by("seat", "bot", "total").agg(count=rows()))
LENGTHS = Tally(("turns",), lambda _, batch: batch.seats.group_by("turns").agg(rows=rows()))


def scores(totals: pl.DataFrame) -> pl.DataFrame:
    """How often each seat had each total: exact, and everything else about totals follows from it."""
    return totals.sort("seat", "bot", "total")


def score_summary(counted: pl.DataFrame, by: str) -> pl.DataFrame:
    """Mean, standard deviation, and the 10th, 50th and 90th percentiles of totals."""
    rows = []
    for (group,), part in counted.group_by(by, maintain_order=True):
        whole = part.group_by("total").agg(pl.col("count").sum()).sort("total")
        totals, counts = whole.get_columns()
        number, upto, mean = int(counts.sum()), counts.cum_sum(), mean_of(whole, "total", "count")
        variance = float((counts * (totals - mean) ** 2).sum()) / max(number - 1, 1)
        marks = {name: int(totals.filter(upto >= share * number)[0]) for name, share in (("tenth", 0.1), ("median", 0.5), ("nine_tenths", 0.9))}
        rows.append({by: group, "seats": number, "mean": mean, "deviation": variance**0.5, **marks})
    return rounded(pl.DataFrame(rows).sort(by))


def sums_of_parts(simulation: Simulation, batch: Batch) -> pl.LazyFrame:
    return batch.seats.group_by("bot", "won").agg(rows().alias("len"), *map(total, parts_in(simulation)))


PARTS = Tally(("bot", "won"), sums_of_parts)


def parts_in(simulation: Simulation) -> list[str]:
    return [part for part in SCORE_PARTS if part in simulation.seats.schema]


def parts(simulation: Simulation, sums: pl.DataFrame) -> pl.DataFrame:
    """The mean of each part of a total: for all seats, for winners, for the others, and for each bot."""
    there, counted = parts_in(simulation), sums.sort("bot", "won")
    everybody = means(counted, there, "")
    of_bots = [means(counted.filter(pl.col("bot") == bot), there, bot) for bot in simulation.kinds]
    return rounded(pl.concat([everybody, *of_bots]))


def means(counted: pl.DataFrame, there: list[str], bot: str) -> pl.DataFrame:
    """`bot` is empty for everybody."""
    groups = {"mean": counted, "winners": counted.filter("won"), "others": counted.filter(~pl.col("won"))}
    columns = {name: [ratio(int(rows[part].sum()), int(rows["len"].sum())) for part in there] for name, rows in groups.items()}
    schema = {"bot": pl.String, "part": pl.String, **dict.fromkeys(groups, pl.Float64)}
    return pl.DataFrame({"bot": [bot] * len(there), "part": there, **columns}, schema)


def ratio(total: int, number: int) -> float | None:
    return total / number if number else None


def lengths(simulation: Simulation, counted: pl.DataFrame) -> pl.DataFrame:
    """How many games had each number of turns."""
    return counted.select("turns", games=pl.col("rows") // simulation.players).sort("turns")


def mean_of(counted: pl.DataFrame, value: str, count: str) -> float:
    """The exact mean of values that were counted one by one."""
    return int((counted[value].cast(pl.Int64) * counted[count]).sum()) / int(counted[count].sum())
