"""How long games are."""

from __future__ import annotations

from typing import Any

import polars as pl

from branchline.pages.html_parts import card
from branchline.pages.prose import Prose
from branchline.report import words
from branchline.report.counting.bars import bars
from branchline.report.drawing import charts
from branchline.report.drawing.groups import reach, shift
from branchline.report.drawing.html_parts import Drawings, section
from branchline.report.figures import Figures

NEARLY_ALL = 0.9  # of the games
FAR = 2  # times as long as nearly all: a chart up to there would show two bars and an empty axis


def length(figures: Figures, drawings: Drawings, says: Prose) -> str:
    mean = figures.keys["turns"]
    until = last_drawn(figures.lengths)
    drawn, longer = figures.lengths.filter(pl.col("turns") <= until), figures.lengths.filter(pl.col("turns") > until)
    beyond = share_of(longer, figures.lengths)
    rows = [bar(one | {"share": one["share"] * (1 - beyond)}, says) for one in bars(drawn, "turns", "games", []).rows(named=True)]
    note = says("report.mean", mean=says.decimal(mean))
    if beyond:
        rows.append(last_bar(rows, until, mean, beyond, says))
        most = says.whole(int(longer["turns"].max()))  # type: ignore[arg-type]  # they are numbers
        note += f". {says('report.longer_games', share=says.percent(beyond), turns=says.whole(until), most=most)}"
    turns = says("report.column.turns")
    chart = charts.columns(
        rows, mean, turns, says("report.heading.length"), words.columns(says, "turns", "share"), max(until, mean) if beyond else None
    )
    said = words.length_of_games(says, mean, below(figures.lengths, 0.1), below(figures.lengths, 0.9))
    return section(says, "length", card(drawings.add("length", chart), note=note), said)


def last_drawn(lengths: pl.DataFrame) -> int:
    """The longest game that has a bar among the others: a few may be far longer."""
    return int(lengths["turns"].filter(lengths["turns"] <= FAR * below(lengths, NEARLY_ALL)).max())  # type: ignore[arg-type]  # it is a number


def share_of(some: pl.DataFrame, every: pl.DataFrame) -> float:
    return int(some["games"].sum()) / int(every["games"].sum())


def last_bar(rows: list[dict[str, Any]], until: int, mean: float, share: float, says: Prose) -> dict[str, Any]:
    """All longer games, apart from the others and beyond the mark at the mean."""
    width = rows[-1]["end"] - rows[-1]["start"]
    start = max(rows[-1]["end"], mean) + width
    return {"start": start, "end": start + width, "share": share} | charts.told(f"> {says.whole(until)}", says.percent(share))


def bar(one: dict[str, Any], says: Prose) -> dict[str, Any]:
    place = {"start": one["start"] - shift(whole=True), "end": one["end"] - shift(whole=True), "share": one["share"]}
    return place | charts.told(reach(says, one["start"], one["end"]), says.percent(one["share"]))


def below(lengths: pl.DataFrame, share: float) -> int:
    """The number of turns that this share of the games did not exceed."""
    upto = lengths["games"].cum_sum()
    return int(lengths["turns"].filter(upto >= share * upto[-1])[0])
