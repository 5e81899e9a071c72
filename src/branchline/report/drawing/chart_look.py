"""How charts look: our type and colours. Colours are CSS variables, so that a chart follows light, dark and paper without being redrawn."""

from __future__ import annotations

from typing import Any

import altair as alt

FONT = "'Alegreya Sans', 'Segoe UI', system-ui, sans-serif"
PERCENT = "format(datum.value * 100, '~g') + '\u202f%'"  # of an axis whose values are shares

LETTERS = {"labelColor": "var(--ink-soft)", "labelFontSize": 13, "titleColor": "var(--ink-soft)", "titleFontSize": 13, "titleFontWeight": "normal"}
CONFIG: dict[str, Any] = {
    "background": "transparent",
    "font": FONT,
    "padding": {"left": 2, "right": 10, "top": 6, "bottom": 2},
    "view": {"stroke": None},
    "axis": LETTERS
    | {
        "domainColor": "var(--line-strong)",
        "gridColor": "var(--line)",
        "ticks": False,
        "labelPadding": 6,
        "titlePadding": 8,
        "labelLimit": 220,
        "labelSeparation": 8,
        "labelFlush": False,
    },
    "text": {"fill": "var(--ink)", "fontSize": 13},
}


def palette(names: list[str], colours: list[str]) -> alt.Color:
    """A colour for each name. The legend is beside the chart as text, where it wraps and can be read aloud."""
    return alt.Color("name:N", scale=alt.Scale(domain=names, range=colours), legend=None)


def spec_of(chart: Any, described: str, height: int) -> dict[str, Any]:
    """What Vega-Lite is given: as wide as its place on the page."""
    size = alt.AutoSizeParams(type="fit-x", contains="padding")
    spec: dict[str, Any] = chart.properties(width="container", height=height, description=described, autosize=size).to_dict()
    return {name: value for name, value in spec.items() if name not in ("$schema", "config")}
