"""Points: how totals are spread, and the parts that they are made of."""

from __future__ import annotations

from typing import Any

import polars as pl

from branchline.pages.html_parts import card, legend, row
from branchline.pages.numbers import decimal
from branchline.report import words
from branchline.report.counting.bars import bars
from branchline.report.counting.scores import mean_of, score_summary
from branchline.report.drawing import charts
from branchline.report.drawing.groups import Groups
from branchline.report.drawing.html_parts import Drawings, section, table
from branchline.report.figures import Figures

COLUMNS = {words.MEAN: "mean", words.DEVIATION: "deviation", words.TENTH: "tenth", words.MEDIAN: "median", words.NINE_TENTHS: "nine_tenths"}


def points(figures: Figures, groups: Groups, drawings: Drawings) -> str:
    summary = score_summary(figures.scores, figures.by).sort("mean", descending=True).rows(named=True)
    best, worst = summary[0], summary[-1]
    said = words.spread_of_points(groups.name(best[figures.by]), best["mean"], groups.name(worst[figures.by]), worst["mean"])
    chart = groups.histogram(bars(figures.scores, "total", "count", [figures.by]), words.SCORE_AXIS, words.DISTRIBUTION)
    spread = groups.legend() + drawings.add("scores", chart) + summary_table(figures, groups, summary)
    return section("scores", row(card(spread, words.DISTRIBUTION), parts_card(figures, groups, drawings)), said)


def summary_table(figures: Figures, groups: Groups, summary: list[dict[str, Any]]) -> str:
    in_order = sorted(summary, key=lambda one: groups.keys.index(str(one[figures.by])))
    numbers = [[decimal(one[column], 1 if column in ("mean", "deviation") else 0) for column in COLUMNS.values()] for one in in_order]
    return table(["", *COLUMNS], [[groups.swatch(one[figures.by]), *own] for one, own in zip(in_order, numbers, strict=True)])


def parts_card(figures: Figures, groups: Groups, drawings: Drawings) -> str:
    """Winners against the others, part by part."""
    found = figures.parts.filter(bot="").drop_nulls().rows(named=True)
    if not found:
        return ""
    names, colours = [words.WINNERS, words.OTHERS], ["var(--accent)", "var(--muted)"]
    most = max(found, key=lambda one: one["winners"] - one["others"])
    said = words.part_that_decides(most["part"], most["winners"] - most["others"])
    if figures.simulation.board.record.exchange_points:
        said += f" {words.EXCHANGES_IN_ROUTES}"
    rows = [bar(one, name) for one in found for name in names]
    chart = charts.bars(rows, names, colours, words.PARTS_AXIS, words.PARTS_OF_TOTAL, names)
    return card(legend(names, colours) + drawings.add("parts", chart) + parts_by_bot(figures, groups), words.PARTS_OF_TOTAL, said)


def bar(one: dict[str, Any], name: str) -> dict[str, Any]:
    told = charts.told(decimal(one["winners"]), decimal(one["others"]))
    return {"group": words.PARTS[one["part"]], "name": name, "value": one[name], "label": decimal(one[name]), **told}


def parts_by_bot(figures: Figures, groups: Groups) -> str:
    """The mean of each part, where there are several bots."""
    if figures.by == "seat":
        return ""
    found = figures.parts.filter(pl.col("bot") != "")
    kinds = found["part"].unique(maintain_order=True).to_list()
    means = {(one["bot"], one["part"]): decimal(one["mean"]) for one in found.rows(named=True)}
    totals = {bot: decimal(mean_of(figures.scores.filter(bot=bot), "total", "count")) for bot in groups.keys}
    rows = [[groups.swatch(bot), *(means[bot, kind] for kind in kinds), f"<b>{totals[bot]}</b>"] for bot in groups.keys]
    return table(["", *(words.PARTS[kind].lower() for kind in kinds), words.TOTAL], rows)
