"""The charts of a report, as Vega-Lite made with Altair. Each takes rows that are ready to be drawn; their words are in `words`."""

from __future__ import annotations

from typing import Any

import altair as alt

from branchline.report.drawing.chart_look import PERCENT, palette, spec_of

Rows = list[dict[str, Any]]
Spec = dict[str, Any]
HEIGHT = 250
BAR = 26  # for a horizontal bar


def rows_of(rows: Rows) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=rows))


def told(*values: str) -> dict[str, str]:
    """What the tooltip of a row says; `tips` has the names, which may be anything, so they are not columns."""
    return {f"t{place}": value for place, value in enumerate(values)}


def tips(names: list[str]) -> list[alt.Tooltip]:
    return [alt.Tooltip(f"t{place}:N", title=name) for place, name in enumerate(names)]


def histogram(rows: Rows, bands: Rows, names: list[str], colours: list[str], title: str, described: str, asked: list[str]) -> Spec:
    """How something is spread, one stepped line per group: `middle`, `share`, `name`; `bands` hold the tooltip of each bar, `start` to `end`."""
    x = alt.X("middle:Q", title=title, scale=alt.Scale(nice=False, zero=False), axis=alt.Axis(grid=False, tickCount=8))
    y = alt.Y("share:Q", title=None, stack=None, axis=alt.Axis(labelExpr=PERCENT, tickCount=4, domain=False))
    line: Any = {"strokeWidth": 2, "interpolate": "step"}
    areas = rows_of(rows).mark_area(interpolate="step", fillOpacity=0.16, line=line).encode(x=x, y=y, color=palette(names, colours))
    return spec_of(alt.layer(areas, hover(bands, asked)), described, HEIGHT)


def hover(bands: Rows, asked: list[str]) -> alt.Chart:
    """Invisible bands over the whole height, `start` to `end`: pointing anywhere shows what is there."""
    marks: alt.Chart = rows_of(bands).mark_rect(fill="var(--ink)", fillOpacity=0).encode(x=alt.X("start:Q"), x2="end:Q", tooltip=tips(asked))
    return marks


def bars(rows: Rows, names: list[str], colours: list[str], title: str, described: str, asked: list[str]) -> Spec:
    """Groups of horizontal bars: `group`, `name`, `value`, `label`."""
    y = alt.Y("group:N", sort=None, title=None, axis=alt.Axis(domain=False, grid=False, labelColor="var(--ink)", labelFontSize=14))
    base = rows_of(rows).encode(y=y, yOffset=alt.YOffset("name:N", sort=names), tooltip=tips(asked))
    room = alt.Scale(padding=45 if any(row["value"] < 0 for row in rows) else 0)  # for numbers at the left of bars, beside the groups' names
    x = alt.X("value:Q", title=title, scale=room, axis=alt.Axis(tickCount=6, domain=False))
    drawn = base.mark_bar(cornerRadiusEnd=3, height={"band": 0.86}).encode(x=x, color=palette(names, colours))
    beside = alt.expr("datum.value < 0 ? 'right' : 'left'")
    labels = base.mark_text(align=beside, dx=alt.expr("datum.value < 0 ? -5 : 5")).encode(x=x, text="label:N")
    groups = len({row["group"] for row in rows})
    return spec_of(alt.layer(drawn, labels), described, BAR * groups * len(names))


def columns(rows: Rows, mean: float, title: str, described: str, asked: list[str], until: float | None = None) -> Spec:
    """One histogram, and a mark at the mean: `start`, `end`, `share`. Beyond `until` a bar stands for all that is more, and the axis says so."""
    more: Spec = {} if until is None else {"labelExpr": f"datum.value <= {until} ? datum.label : '…'"}
    x = alt.X("start:Q", bin="binned", title=title, scale=alt.Scale(nice=False, zero=False), axis=alt.Axis(grid=False, tickCount=8, **more))
    y = alt.Y("share:Q", title=None, axis=alt.Axis(labelExpr=PERCENT, tickCount=4, domain=False))
    drawn = (
        rows_of(rows)
        .mark_bar(fill="var(--accent)", fillOpacity=0.75, stroke="var(--panel)", strokeWidth=1)
        .encode(x=x, x2="end:Q", y=y, tooltip=tips(asked))
    )
    mark = rows_of([{"start": mean}]).mark_rule(stroke="var(--ink)", strokeWidth=2, strokeDash=[4, 3]).encode(x="start:Q")
    return spec_of(alt.layer(drawn, mark), described, HEIGHT)


def scatter(rows: Rows, x: alt.X, y: alt.Y, lines: list[Any], described: str, asked: list[str]) -> Spec:
    """Points sized by `weight`; `named` is written beside some, on the `side` where there is room."""
    size = alt.Size("weight:Q", scale=alt.Scale(range=[24, 320]), legend=None)
    paint = alt.Color("colour:N", scale=None)
    base = rows_of(rows).encode(x=x, y=y)
    points = base.mark_circle(opacity=0.72, stroke="var(--panel)", strokeWidth=1).encode(size=size, color=paint, tooltip=tips(asked))
    aside = alt.expr("datum.side == 'left' ? 10 : -10")
    names = base.mark_text(align=alt.expr("datum.side"), dx=aside, baseline="middle").encode(text="named:N")
    return spec_of(alt.layer(*lines, points, names), described, 340)


def areas(rows: Rows, bands: Rows, names: list[str], colours: list[str], title: str, described: str, asked: list[str]) -> Spec:
    """Shares stacked on each other, round by round: `round`, `name`, `share`, `rank`."""
    span = (min(row["round"] for row in rows), max(row["round"] for row in rows))
    x = alt.X("round:Q", title=title, scale=alt.Scale(domain=list(span), nice=False), axis=alt.Axis(grid=False, tickCount=8, tickMinStep=1))
    y = alt.Y("share:Q", title=None, stack="zero", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(labelExpr=PERCENT, tickCount=4, domain=False))
    order = alt.Order("rank:Q")
    drawn = rows_of(rows).mark_area(interpolate="monotone", opacity=0.92).encode(x=x, y=y, color=palette(names, colours), order=order)
    return spec_of(alt.layer(drawn, hover(bands, asked)), described, HEIGHT)
