"""The groups that a page compares, bots or seats: their names, their colours, and how something is spread among them."""

from __future__ import annotations

from typing import Any

import polars as pl

from branchline.pages.html_parts import colour, legend, swatch
from branchline.pages.numbers import NONE
from branchline.pages.prose import Prose
from branchline.report import words
from branchline.report.drawing import charts
from branchline.report.figures import Figures


class Groups:
    """`keys` are as in the figures: bots, or numbers of seats."""

    def __init__(self, says: Prose, by: str, bots: tuple[str, ...]) -> None:
        self.says, self.by, self.bots = says, by, bots
        self.keys = list(dict.fromkeys(bots)) if by == "bot" else [str(seat) for seat in range(len(bots))]
        self.names = [words.group(says, by, key, bots) for key in self.keys]
        self.colours = [colour(number) for number in range(len(self.keys))]

    @staticmethod
    def of(figures: Figures, says: Prose) -> Groups:
        return Groups(says, figures.by, figures.simulation.bots)

    def name(self, key: Any) -> str:
        return self.names[self.keys.index(str(key))]

    def colour(self, by: str, key: str) -> str:
        """The colour of a row by order of play, seat or bot."""
        if by == "order":
            return "var(--accent)"
        own = self.bots[int(key)] if by == "seat" and self.by == "bot" else key
        return self.colours[self.keys.index(own)]

    def swatch(self, key: Any) -> str:
        return swatch(self.name(key), self.colours[self.keys.index(str(key))])

    def legend(self) -> str:
        return legend(self.names, self.colours)

    def histogram(self, bars: pl.DataFrame, axis: str, described: str, whole: bool = True) -> dict[str, Any]:
        """A chart of bars of each group, as `counting.bars` makes them."""
        width = bars["end"][0] - bars["start"][0]
        middle = width / 2 - shift(whole)
        rows = [{"name": self.name(one[self.by]), "middle": one["start"] + middle, "share": one["share"]} for one in bars.rows(named=True)]
        ends = (min(one["middle"] for one in rows) - width, max(one["middle"] for one in rows) + width)
        closed = [{"name": name, "middle": end, "share": 0} for name in self.names for end in ends]  # lines start and end at zero
        drawn = sorted(rows + closed, key=lambda one: (self.names.index(one["name"]), one["middle"]))
        return charts.histogram(drawn, self._bands(bars, whole), self.names, self.colours, axis, described, [axis, *self.names])

    def _bands(self, bars: pl.DataFrame, whole: bool) -> list[dict[str, Any]]:
        """The tooltip of each bar: where it is, and each group's share."""
        shares = {(one["start"], str(one[self.by])): self.says.percent(one["share"]) for one in bars.rows(named=True)}
        places = bars.select("start", "end").unique().sort("start").rows()
        half = shift(whole)
        return [
            {"start": start - half, "end": end - half}
            | charts.told(reach(self.says, start, end, whole), *(shares.get((start, key), NONE) for key in self.keys))
            for start, end in places
        ]


def shift(whole: bool) -> float:
    """A bar of whole numbers begins half before its first: the bar of 80 is over 80, not between it and 81."""
    return 0.5 if whole else 0.0


def reach(says: Prose, start: float, end: float, whole: bool = True) -> str:
    """The range of a bar; for whole numbers, up to the last of them."""
    last = end - 1 if whole else end
    return says.tidy(start) if last == start else says.interval(says.tidy(start), says.tidy(last))
