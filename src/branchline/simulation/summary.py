"""How the seats did, as a table for the screen."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from rich.table import Table

from branchline.simulation.columns import Columns
from branchline.simulation.plan import Plan
from branchline.words.plurals import counted


class Sums(NamedTuple):
    """Sums over games, per seat, of the columns that are shown, and of how many games."""

    games: int
    sums: dict[str, Any]
    counts: dict[str, Any]


def added_columns(plan: Plan) -> list[str]:
    return [name for one in plan.statistics for name in one.names()]


def shown_columns(plan: Plan) -> list[str]:
    return ["share", "total", "tickets_completed", "tickets_kept", "turns", "decisions", *added_columns(plan)]


def sums_of(plan: Plan, columns: Columns) -> Sums:
    """NaN is skipped: that game has no such number."""
    found = {name: np.isfinite(columns[name]) for name in shown_columns(plan)}
    sums = {name: columns[name].sum(0, dtype=np.float64, where=there) for name, there in found.items()}
    return Sums(len(columns["game"]), sums, {name: there.sum(0) for name, there in found.items()})


class Summary:
    """What the sums of all chunks amount to."""

    def __init__(self, plan: Plan) -> None:
        self.games, self._bots, self.stopped = 0, plan.bots, False  # stopped: not all games were played
        self._added, self.columns = added_columns(plan), shown_columns(plan)
        self._sums = {name: np.zeros(plan.players) for name in self.columns}
        self._counts = {name: np.zeros(plan.players) for name in self.columns}

    def add(self, found: Sums) -> None:
        self.games += found.games
        for name in self.columns:
            self._sums[name] += found.sums[name]
            self._counts[name] += found.counts[name]

    @property
    def decisions(self) -> int:
        return int(self._sums["decisions"][0])

    def means(self) -> dict[str, Any]:
        """For each column, a mean per seat; NaN if there is nothing to take the mean of."""
        with np.errstate(invalid="ignore"):
            return {name: sums / self._counts[name] for name, sums in self._sums.items()}

    def table(self) -> Table:
        means = self.means()
        table = Table(title=f"{counted(self.games, 'games')}, {means['turns'][0]:.1f} turns per game")
        for heading in ("seat", "bot", "won", "points", "tickets completed", "failed"):
            table.add_column(heading, justify="left" if heading == "bot" else "right")
        for seat, bot in enumerate(self._bots):
            share, points, completed, kept = (means[name][seat] for name in self.columns[:4])
            table.add_row(str(seat), bot, f"{100 * share:.1f} %", f"{points:.1f}", f"{completed:.2f}", f"{kept - completed:.2f}")
        return table

    def added_table(self) -> Table | None:
        """The means of added statistics, one row each."""
        if not self._added:
            return None
        table, means = Table(), self.means()
        table.add_column("statistic, mean")
        for seat, bot in enumerate(self._bots):
            table.add_column(f"{seat} {bot}", justify="right")
        for name in self._added:
            table.add_row(name, *("none" if np.isnan(mean) else f"{mean:.2f}" for mean in means[name]))
        return table
