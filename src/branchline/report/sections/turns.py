"""What turns are spent on, round by round."""

from __future__ import annotations

from typing import Any

import polars as pl

from branchline.pages.html_parts import card, legend, row
from branchline.pages.numbers import percent, whole
from branchline.report import words
from branchline.report.counting.turns import ACTIONS, told_rounds
from branchline.report.drawing import charts
from branchline.report.drawing.groups import Groups
from branchline.report.drawing.html_parts import Drawings, section, without
from branchline.report.figures import Figures

COLOURS = {action: f"var(--a{number})" for number, action in enumerate(ACTIONS)}


def turns(figures: Figures, groups: Groups, drawings: Drawings) -> str:
    if figures.actions is None:
        return without("turns", words.ACTIONS_MISSING)
    told = told_rounds(figures.actions)
    there = [action for action in ACTIONS if action in told["action"]]
    bots = list(dict.fromkeys(groups.bots))
    cards = [card(chart(told.filter(bot=bot), bot, there, drawings), bot if len(bots) > 1 else "") for bot in bots]
    key = legend([words.ACTIONS[action] for action in there], [COLOURS[action] for action in there])
    return section("turns", key + row(*cards), said(figures.actions, bots))


def said(actions: pl.DataFrame, bots: list[str]) -> str:
    """The share of each bot's turns that claim routes, or place cards."""
    sums = actions.group_by("bot", "action").agg(pl.col("count").sum())
    act = next((action for action in ("claim", "place") if action in sums["action"]), "cards")
    shares = {bot: share_of(sums.filter(bot=bot), act) for bot in bots}
    return words.turns_spent(act, shares)


def share_of(sums: pl.DataFrame, action: str) -> float:
    return int(sums.filter(action=action)["count"].sum()) / max(int(sums["count"].sum()), 1)


def chart(told: pl.DataFrame, bot: str, there: list[str], drawings: Drawings) -> str:
    rows = [area(one, there) for one in told.rows(named=True)]
    names, colours = [words.ACTIONS[action] for action in there], [COLOURS[action] for action in there]
    described = f"{words.SECTIONS['turns'][0]}: {bot}"
    spec = charts.areas(rows, bands(told, there), names, colours, words.ROUND_AXIS, described, [words.ROUND, words.TURNS, *names])
    return drawings.add(f"turns-{bot}", spec)


def area(one: dict[str, Any], there: list[str]) -> dict[str, Any]:
    return {"round": one["round"], "name": words.ACTIONS[one["action"]], "share": one["share"], "rank": there.index(one["action"])}


def bands(told: pl.DataFrame, there: list[str]) -> list[dict[str, Any]]:
    """The tooltip of each round."""
    found = []
    for (number,), rows in told.group_by("round", maintain_order=True):
        shares = {one["action"]: percent(one["share"]) for one in rows.rows(named=True)}
        at: Any = number
        said = charts.told(str(at), whole(int(rows["count"].sum())), *(shares[action] for action in there))
        found.append({"start": at - 0.5, "end": at + 0.5, **said})
    return found
