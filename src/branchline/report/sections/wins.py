"""Who wins: by order of play, by bot, by seat."""

from __future__ import annotations

from html import escape
from typing import Any

from branchline.pages.html_parts import card, row
from branchline.pages.lines import Line, lines
from branchline.pages.prose import Prose
from branchline.report import words
from branchline.report.drawing.groups import Groups
from branchline.report.drawing.html_parts import section
from branchline.report.figures import Figures

LEAST = 0.04  # of a scale: what differs less looks alike
ROOM = 0.15  # at its ends


def wins(figures: Figures, groups: Groups) -> str:
    says = groups.says
    cards = [card(chart(figures, groups, by), says(f"report.by.{by}")) for by in ways_to_look(figures)]
    note = says("report.fair", share=says.percent(figures.simulation.fair))
    return section(says, "wins", row(*cards, kind="thirds" if len(cards) > 2 else "") + f'<p class="note">{note}</p>', said(figures, says))


def ways_to_look(figures: Figures) -> list[str]:
    """By seat, too, unless each bot has one: that would say the same twice."""
    numbers = {by: figures.win_rates.filter(by=by).height for by in ("order", "bot", "seat")}
    if numbers["bot"] == numbers["seat"]:
        del numbers["seat"]
    return [by for by, number in numbers.items() if number]


def scale(rows: list[dict[str, Any]]) -> tuple[float, float]:
    """As far as the intervals reach, including the fair share: seats differ a tenth as much as bots do."""
    low, high = min(min(one["low"], one["fair"]) for one in rows), max(max(one["high"], one["fair"]) for one in rows)
    room = ROOM * max(high - low, LEAST)
    return low - room, high + room  # beyond 0 and 1 too: a dot at the very end would stand on the names


def said(figures: Figures, says: Prose) -> str:
    text = words.beginning(says, figures.first)
    bots = figures.win_rates.filter(by="bot").sort("rate", descending=True).rows(named=True)
    if bots:
        text += " " + words.best(says, bots[0]["group"], bots[0]["rate"], bots[-1]["group"], bots[-1]["rate"])
    return text


def chart(figures: Figures, groups: Groups, by: str) -> str:
    found = figures.win_rates.filter(by=by).rows(named=True)
    if by == "bot":
        found.sort(key=lambda one: groups.keys.index(one["group"]))
    return lines([line(groups, one) for one in found], *scale(found), figures.simulation.fair)


def line(groups: Groups, one: dict[str, Any]) -> Line:
    says, by, key = groups.says, one["by"], one["group"]
    label = f"{says.percent(one['rate'])} <small>{says.span(one['low'], one['high'])}</small>"
    name = f"<span>{escape(words.group(says, by, key, groups.bots))}</span>"
    return Line(name, label, groups.colour(by, key), one["rate"], one["low"], one["high"])
