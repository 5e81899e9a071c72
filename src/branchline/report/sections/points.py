"""Points: how totals are spread, and the parts that they are made of."""

from __future__ import annotations

from typing import Any

import polars as pl

from branchline.pages.html_parts import card, legend, row
from branchline.pages.prose import Prose
from branchline.report import words
from branchline.report.counting.bars import bars
from branchline.report.counting.scores import mean_of, score_summary
from branchline.report.drawing import charts
from branchline.report.drawing.groups import Groups
from branchline.report.drawing.html_parts import Drawings, section, table
from branchline.report.figures import Figures

COLUMNS = ("mean", "deviation", "tenth", "median", "nine_tenths")


def points(figures: Figures, groups: Groups, drawings: Drawings) -> str:
    says = groups.says
    summary = score_summary(figures.scores, figures.by).sort("mean", descending=True).rows(named=True)
    best, worst = summary[0], summary[-1]
    said = words.spread_of_points(says, groups.name(best[figures.by]), best["mean"], groups.name(worst[figures.by]), worst["mean"])
    spread_out = says("report.distribution")
    chart = groups.histogram(bars(figures.scores, "total", "count", [figures.by]), says("report.axis.points"), spread_out)
    spread = groups.legend() + drawings.add("scores", chart) + summary_table(figures, groups, summary)
    return section(says, "scores", row(card(spread, spread_out), parts_card(figures, groups, drawings)), said)


def summary_table(figures: Figures, groups: Groups, summary: list[dict[str, Any]]) -> str:
    says = groups.says
    in_order = sorted(summary, key=lambda one: groups.keys.index(str(one[figures.by])))
    numbers = [[says.decimal(one[column], 1 if column in ("mean", "deviation") else 0) for column in COLUMNS] for one in in_order]
    headings = ["", *words.columns(says, *COLUMNS)]
    return table(says, headings, [[groups.swatch(one[figures.by]), *own] for one, own in zip(in_order, numbers, strict=True)])


def parts_card(figures: Figures, groups: Groups, drawings: Drawings) -> str:
    """Winners against the others, part by part."""
    found = figures.parts.filter(bot="").drop_nulls().rows(named=True)
    if not found:
        return ""
    says = groups.says
    names, colours = [says("report.winners"), says("report.others")], ["var(--accent)", "var(--muted)"]
    most = max(found, key=lambda one: one["winners"] - one["others"])
    said = words.part_that_decides(says, most["part"], most["winners"] - most["others"])
    if figures.simulation.board.record.exchange_points:
        said += f" {says('report.said.exchanges')}"
    rows = [bar(says, one, name, kind) for one in found for name, kind in zip(names, ("winners", "others"), strict=True)]
    more_of = says("report.parts_of_total")
    chart = charts.bars(rows, names, colours, says("report.axis.mean_points"), more_of, names)
    return card(legend(names, colours) + drawings.add("parts", chart) + parts_by_bot(figures, groups), more_of, said)


def bar(says: Prose, one: dict[str, Any], name: str, kind: str) -> dict[str, Any]:
    told = charts.told(says.decimal(one["winners"]), says.decimal(one["others"]))
    return {"group": words.part_of_total(says, one["part"]), "name": name, "value": one[kind], "label": says.decimal(one[kind]), **told}


def parts_by_bot(figures: Figures, groups: Groups) -> str:
    """The mean of each part, where there are several bots."""
    if figures.by == "seat":
        return ""
    says, found = groups.says, figures.parts.filter(pl.col("bot") != "")
    kinds = found["part"].unique(maintain_order=True).to_list()
    means = {(one["bot"], one["part"]): says.decimal(one["mean"]) for one in found.rows(named=True)}
    totals = {bot: says.decimal(mean_of(figures.scores.filter(bot=bot), "total", "count")) for bot in groups.keys}
    rows = [[groups.swatch(bot), *(means[bot, kind] for kind in kinds), f"<b>{totals[bot]}</b>"] for bot in groups.keys]
    return table(says, ["", *(words.part_of_total(says, kind).lower() for kind in kinds), says("report.column.total")], rows)
