"""What turns are spent on, round by round."""

from __future__ import annotations

from typing import Any

import polars as pl

from branchline.pages.html_parts import card, legend, row
from branchline.pages.prose import Prose
from branchline.report import words
from branchline.report.counting.turns import ACTIONS, told_rounds
from branchline.report.drawing import charts
from branchline.report.drawing.groups import Groups
from branchline.report.drawing.html_parts import Drawings, section, without
from branchline.report.figures import Figures

COLOURS = {action: f"var(--a{number})" for number, action in enumerate(ACTIONS)}


def turns(figures: Figures, groups: Groups, drawings: Drawings) -> str:
    says = groups.says
    if figures.actions is None:
        return without(says, "turns", says("report.actions_missing"))
    told = told_rounds(figures.actions)
    there = [action for action in ACTIONS if action in told["action"]]
    bots = list(dict.fromkeys(groups.bots))
    cards = [card(chart(says, told.filter(bot=bot), bot, there, drawings), bot if len(bots) > 1 else "") for bot in bots]
    key = legend(names_of(says, there), [COLOURS[action] for action in there])
    return section(says, "turns", key + row(*cards), said(says, figures.actions, bots))


def names_of(says: Prose, actions: list[str]) -> list[str]:
    return [says(f"report.action.{action}") for action in actions]


def said(says: Prose, actions: pl.DataFrame, bots: list[str]) -> str:
    """The share of each bot's turns that claim routes, or place cards."""
    sums = actions.group_by("bot", "action").agg(pl.col("count").sum())
    act = next((action for action in ("claim", "place") if action in sums["action"]), "cards")
    shares = {bot: share_of(sums.filter(bot=bot), act) for bot in bots}
    return words.turns_spent(says, act, shares)


def share_of(sums: pl.DataFrame, action: str) -> float:
    return int(sums.filter(action=action)["count"].sum()) / max(int(sums["count"].sum()), 1)


def chart(says: Prose, told: pl.DataFrame, bot: str, there: list[str], drawings: Drawings) -> str:
    rows = [area(says, one, there) for one in told.rows(named=True)]
    names, colours = names_of(says, there), [COLOURS[action] for action in there]
    described = f"{says('report.heading.turns')}: {bot}"
    asked = words.columns(says, "round", "turns")
    spec = charts.areas(rows, bands(says, told, there), names, colours, asked[0], described, [*asked, *names])
    return drawings.add(f"turns-{bot}", spec)


def area(says: Prose, one: dict[str, Any], there: list[str]) -> dict[str, Any]:
    return {"round": one["round"], "name": says(f"report.action.{one['action']}"), "share": one["share"], "rank": there.index(one["action"])}


def bands(says: Prose, told: pl.DataFrame, there: list[str]) -> list[dict[str, Any]]:
    """The tooltip of each round."""
    found = []
    for (number,), rows in told.group_by("round", maintain_order=True):
        shares = {one["action"]: says.percent(one["share"]) for one in rows.rows(named=True)}
        at: Any = number
        said = charts.told(str(at), says.whole(int(rows["count"].sum())), *(shares[action] for action in there))
        found.append({"start": at - 0.5, "end": at + 0.5, **said})
    return found
