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


def length(figures: Figures, drawings: Drawings, says: Prose) -> str:
    mean = figures.keys["turns"]
    found = bars(figures.lengths, "turns", "games", []).rows(named=True)
    rows = [bar(one, says) for one in found]
    turns = says("report.column.turns")
    chart = charts.columns(rows, mean, turns, says("report.heading.length"), words.columns(says, "turns", "share"))
    said = words.length_of_games(says, mean, below(figures.lengths, 0.1), below(figures.lengths, 0.9))
    return section(says, "length", card(drawings.add("length", chart), note=says("report.mean", mean=says.decimal(mean))), said)


def bar(one: dict[str, Any], says: Prose) -> dict[str, Any]:
    place = {"start": one["start"] - shift(whole=True), "end": one["end"] - shift(whole=True), "share": one["share"]}
    return place | charts.told(reach(says, one["start"], one["end"]), says.percent(one["share"]))


def below(lengths: pl.DataFrame, share: float) -> int:
    """The number of turns that this share of the games did not exceed."""
    upto = lengths["games"].cum_sum()
    return int(lengths["turns"].filter(upto >= share * upto[-1])[0])
