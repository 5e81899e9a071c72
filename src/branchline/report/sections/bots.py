"""Bots against each other, and statistics that were added."""

from __future__ import annotations

from typing import Any

from branchline.pages.html_parts import card, matrix, row
from branchline.pages.numbers import percent, signed, span, tidy
from branchline.report import words
from branchline.report.drawing.groups import Groups
from branchline.report.drawing.html_parts import Drawings, section, table, without
from branchline.report.figures import Figures, Table

STATISTICS = {
    words.MEAN: "mean",
    words.DEVIATION: "deviation",
    words.LEAST: "least",
    words.TENTH: "tenth",
    words.MEDIAN: "median",
    words.NINE_TENTHS: "nine_tenths",
    words.MOST: "most",
}


def bots(figures: Figures, groups: Groups) -> str:
    if figures.head_to_head is None:
        return without("bots", words.ONE_BOT)
    pairs = {(one["bot"], one["other"]): one for one in figures.head_to_head.rows(named=True)}
    drawn = matrix(groups.keys, {bot: groups.swatch(bot) for bot in groups.keys}, lambda bot, other: share(pairs.get((bot, other))))
    best = figures.head_to_head.sort("rate", "margin", "bot", descending=[True, True, False]).row(0, named=True)
    return section("bots", card(drawn, note=words.MATRIX), words.strongest(best["bot"], best["other"], best["rate"], best["margin"]))


def share(one: dict[str, Any] | None) -> tuple[float, str] | None:
    if one is None:
        return None
    told = f"<b>{percent(one['rate'])}</b><small>{span(one['low'], one['high'])}</small><small>{signed(one['margin'])} {words.POINTS}</small>"
    return one["rate"], told


def statistics(figures: Figures, groups: Groups, drawings: Drawings) -> str:
    """Nothing where nothing was added."""
    if figures.statistics is None or figures.statistics_bars is None:
        return ""
    by_bot, cards = Groups("bot", groups.bots), []
    kinds = figures.simulation.seats.schema
    for number, (name, spread) in enumerate(figures.statistics_bars.group_by("statistic", maintain_order=True)):
        title = str(name[0]).replace("_", " ")
        chart = drawings.add(f"statistic-{number}", by_bot.histogram(spread, title, title, not kinds[str(name[0])].is_float()))
        cards.append(card(by_bot.legend() + chart + summary(figures.statistics.filter(statistic=name[0]), by_bot), title))
    return section("statistics", row(*cards))


def summary(found: Table, groups: Groups) -> str:
    rows = {one["bot"]: one for one in found.rows(named=True)}
    lines = [[groups.swatch(bot), *(tidy(rows[bot][column]) for column in STATISTICS.values())] for bot in groups.keys if bot in rows]
    return table(["", *STATISTICS], lines)
