"""Who wins: by order of play, by bot, by seat."""

from __future__ import annotations

from typing import Any

from branchline.report import words
from branchline.report.drawing import charts
from branchline.report.drawing.groups import Groups
from branchline.report.drawing.html_parts import Drawings, card, row, section
from branchline.report.figures import Figures
from branchline.report.numbers import percent, span, whole

LEAST = 0.04  # of a scale: what differs less looks alike
ROOM = 0.15  # at its ends


def wins(figures: Figures, groups: Groups, drawings: Drawings) -> str:
    ways = ways_to_look(figures)
    cards = [card(chart(figures, groups, drawings, by), words.BY[by]) for by in ways]
    note = words.FAIR.format(share=percent(figures.simulation.fair))
    return section("wins", row(*cards, kind="thirds" if len(cards) > 2 else "") + f'<p class="note">{note}</p>', said(figures))


def ways_to_look(figures: Figures) -> list[str]:
    """By seat, too, unless each bot has one: that would be the same once more."""
    numbers = {by: figures.win_rates.filter(by=by).height for by in ("order", "bot", "seat")}
    if numbers["bot"] == numbers["seat"]:
        del numbers["seat"]
    return [by for by, number in numbers.items() if number]


def scale(rows: list[dict[str, Any]]) -> tuple[float, float]:
    """As far as the intervals reach, the fair share among them: seats differ by a tenth of what bots do."""
    low, high = min(min(one["low"], one["fair"]) for one in rows), max(max(one["high"], one["fair"]) for one in rows)
    room = ROOM * max(high - low, LEAST)
    return low - room, high + room  # beyond 0 and 1 too: a dot at the very end would stand on the names


def said(figures: Figures) -> str:
    text = words.beginning(figures.first)
    bots = figures.win_rates.filter(by="bot").sort("rate", descending=True).rows(named=True)
    if bots:
        text += " " + words.best(bots[0]["group"], bots[0]["rate"], bots[-1]["group"], bots[-1]["rate"])
    return text


def chart(figures: Figures, groups: Groups, drawings: Drawings, by: str) -> str:
    found = figures.win_rates.filter(by=by).rows(named=True)
    if by == "bot":
        found.sort(key=lambda one: groups.keys.index(one["group"]))
    rows = [dot(groups, one) for one in found]
    described = f"{words.BY[by]}: " + "; ".join(f"{one['name']} {one['label']}" for one in rows)
    asked = [words.WON, words.INTERVAL, words.GAMES]
    return drawings.add(f"wins-{by}", charts.dots(rows, figures.simulation.fair, scale(found), described, asked))


def dot(groups: Groups, one: dict[str, Any]) -> dict[str, Any]:
    by, key = one["by"], one["group"]
    looks = {"name": words.group(by, key, groups.bots), "label": percent(one["rate"]), "colour": groups.colour(by, key)}
    told = charts.told(percent(one["rate"]), span(one["low"], one["high"]), whole(one["games"]))
    return {"share": one["rate"], "low": one["low"], "high": one["high"], **looks, **told}
