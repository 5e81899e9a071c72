"""Bots against each other, and statistics that were added."""

from __future__ import annotations

from typing import Any

from branchline.pages.html_parts import card, matrix, row
from branchline.pages.prose import Prose
from branchline.report import words
from branchline.report.drawing.groups import Groups
from branchline.report.drawing.html_parts import Drawings, section, table, without
from branchline.report.figures import Figures, Table

STATISTICS = ("mean", "deviation", "least", "tenth", "median", "nine_tenths", "most")


def bots(figures: Figures, groups: Groups) -> str:
    says = groups.says
    if figures.head_to_head is None:
        return without(says, "bots", says("report.one_bot", option="<code>--bots planner,greedy</code>"))
    pairs = {(one["bot"], one["other"]): one for one in figures.head_to_head.rows(named=True)}
    drawn = matrix(groups.keys, {bot: groups.swatch(bot) for bot in groups.keys}, lambda bot, other: share(says, pairs.get((bot, other))))
    best = figures.head_to_head.sort("rate", "margin", "bot", descending=[True, True, False]).row(0, named=True)
    return section(
        says, "bots", card(drawn, note=says("report.matrix")), words.strongest(says, best["bot"], best["other"], best["rate"], best["margin"])
    )


def share(says: Prose, one: dict[str, Any] | None) -> tuple[float, str] | None:
    if one is None:
        return None
    beside = says.span(one["low"], one["high"]), f"{says.signed(one['margin'])} {says('report.points')}"
    return one["rate"], f"<b>{says.percent(one['rate'])}</b>" + "".join(f"<small>{text}</small>" for text in beside)


def statistics(figures: Figures, groups: Groups, drawings: Drawings) -> str:
    """Nothing where nothing was added."""
    if figures.statistics is None or figures.statistics_bars is None:
        return ""
    by_bot, cards = Groups(groups.says, "bot", groups.bots), []
    kinds = figures.simulation.seats.schema
    for number, (name, spread) in enumerate(figures.statistics_bars.group_by("statistic", maintain_order=True)):
        title = str(name[0]).replace("_", " ")
        chart = drawings.add(f"statistic-{number}", by_bot.histogram(spread, title, title, not kinds[str(name[0])].is_float()))
        cards.append(card(by_bot.legend() + chart + summary(figures.statistics.filter(statistic=name[0]), by_bot), title))
    return section(groups.says, "statistics", row(*cards))


def summary(found: Table, groups: Groups) -> str:
    says, rows = groups.says, {one["bot"]: one for one in found.rows(named=True)}
    lines = [[groups.swatch(bot), *(says.tidy(rows[bot][column]) for column in STATISTICS)] for bot in groups.keys if bot in rows]
    return table(says, ["", *words.columns(says, *STATISTICS)], lines)
