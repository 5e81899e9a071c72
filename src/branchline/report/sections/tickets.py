"""Tickets: what they promise and what they bring; and the colours that tickets completed with cards ask for."""

from __future__ import annotations

from html import escape
from typing import Any

import altair as alt

from branchline.pages.html_parts import Cell, card, leaning, legend, row
from branchline.pages.numbers import decimal, percent, points, span, whole
from branchline.report import words
from branchline.report.drawing import charts
from branchline.report.drawing.chart_look import PERCENT
from branchline.report.drawing.html_parts import Drawings, section, table, without
from branchline.report.figures import Figures
from branchline.report.places import Places

NAMED = 6  # the most tickets whose names are written in a chart
NAME = (0.42, 0.05)  # what a name takes of a chart's width and height, on a phone
Row = dict[str, Any]


def tickets(figures: Figures, places: Places, drawings: Drawings) -> str:
    if figures.tickets is None:
        return without("tickets", words.not_written("tickets", figures.simulation.file.name))
    every = figures.tickets.rows(named=True)
    kept = [one for one in every if one["kept"]]
    if not kept:
        return without("tickets", words.NOTHING_KEPT)
    easy, hard = max(kept, key=lambda one: one["rate"]), min(kept, key=lambda one: one["rate"])
    said = words.hardest_ticket(places.ticket(hard["ticket"]), hard["rate"], places.ticket(easy["ticket"]), easy["rate"])
    shown = row(worth_card(kept, places, drawings), wins_card(kept, places, drawings, figures.simulation.fair))
    asks = {ticket.id: ticket.cards for ticket in figures.simulation.board.tickets}
    return section("tickets", shown + card(ticket_table(every, places, asks), note=words.SORT), said)


def worth_card(kept: list[Row], places: Places, drawings: Drawings) -> str:
    """Printed against realised points."""
    spoilt = sorted(kept, key=lambda one: one["realised"] - one["printed"])
    least, most = min(0.0, *(one["realised"] for one in kept)), float(max(one["printed"] for one in kept))
    rows = points_of(kept, places, spoilt, ("printed", "realised"), (most, most - least))
    x = alt.X("printed:Q", title=words.PRINTED_AXIS, axis=alt.Axis(grid=False))
    y = alt.Y("realised:Q", title=words.REALISED_AXIS, axis=alt.Axis(domain=False, tickCount=6))
    ends = [{"printed": end, "realised": end} for end in (0.0, most)]
    line = charts.rows_of(ends).mark_line(stroke="var(--ink-soft)", strokeDash=[3, 3], strokeWidth=1.5).encode(x=x, y=y)
    chart = charts.scatter(rows, x, y, [line], words.PRINTED_AND_REALISED, TOLD)
    return card(key_of(kept) + drawings.add("tickets-worth", chart), words.PRINTED_AND_REALISED, words.DIAGONAL)


def wins_card(kept: list[Row], places: Places, drawings: Drawings, fair: float) -> str:
    """Completion against victories of the holders."""
    far = sorted(kept, key=lambda one: -abs(one["win_share"] - fair))
    spans = [max(one[way] for one in kept) - min(one[way] for one in kept) for way in ("rate", "win_share")]
    rows = points_of(kept, places, far, ("rate", "win_share"), (spans[0], spans[1]))
    shares = alt.Axis(labelExpr=PERCENT, tickCount=6)
    x = alt.X("rate:Q", title=words.RATE_AXIS, scale=alt.Scale(zero=False), axis=shares.copy())
    y = alt.Y("wins:Q", title=words.WIN_AXIS, scale=alt.Scale(zero=False), axis=shares.copy())
    mark = charts.rows_of([{"wins": fair}]).mark_rule(stroke="var(--ink-soft)", strokeDash=[3, 3], strokeWidth=1.5).encode(y="wins:Q")
    chart = charts.scatter(rows, x, y, [mark], words.RATE_AND_WINS, TOLD)
    return card(key_of(kept) + drawings.add("tickets-wins", chart), words.RATE_AND_WINS, words.FAIR.format(share=percent(fair)))


def key_of(kept: list[Row]) -> str:
    """Long tickets have a colour of their own, where there are any; larger circles were kept more often."""
    kinds = {words.LONG: "var(--c1)", words.SHORT: "var(--c0)"} if any(one["long"] for one in kept) else {words.ANY: "var(--c0)"}
    return legend(list(kinds), list(kinds.values()))


TOLD = [words.TICKET, words.KEPT, words.COMPLETED, words.PRINTED, words.REALISED, words.WIN_SHARE]


def points_of(kept: list[Row], places: Places, ranked: list[Row], ways: tuple[str, str], spans: tuple[float, float]) -> list[Row]:
    """The circles; the first of a ranking have their names beside them. `ways` are what goes across and up, `spans` how far the axes reach."""
    names = named(ranked, ways, spans)
    beside = {one["ticket"]: places.ticket_in_short(one["ticket"]) if one["ticket"] in names else "" for one in kept}
    return [point(one, places) | {"named": beside[one["ticket"]], "side": side(one, ranked, ways[0])} for one in kept]


def side(one: Row, kept: list[Row], across: str) -> str:
    """The end of a name that is next to its circle: names extend towards the middle of the chart."""
    return "left" if 2 * one[across] < min(other[across] for other in kept) + max(other[across] for other in kept) else "right"


def point(one: Row, places: Places) -> Row:
    name, looks = places.ticket(one["ticket"]), {"weight": one["kept"], "colour": "var(--c1)" if one["long"] else "var(--c0)"}
    told = charts.told(name, whole(one["kept"]), percent(one["rate"]), whole(one["printed"]), decimal(one["realised"]), percent(one["win_share"]))
    return looks | told | {"rate": one["rate"], "wins": one["win_share"], "realised": one["realised"], "printed": one["printed"]}


def named(ranked: list[Row], ways: tuple[str, str], spans: tuple[float, float]) -> list[str]:
    """The first of a ranking whose names cover no other circle and no other name."""
    across, up = ways
    width, height = (share * span for share, span in zip(NAME, spans, strict=True))
    found: list[str] = []
    for one in ranked[: 2 * NAMED]:
        ahead = 1 if side(one, ranked, across) == "left" else -1
        rest = [(ahead * (other[across] - one[across]), abs(other[up] - one[up]), other["ticket"] in found) for other in ranked if other is not one]
        if len(found) < NAMED and not any(away < height and -width * is_named < along < width * (1 + is_named) for along, away, is_named in rest):
            found.append(one["ticket"])
    return found


def ticket_table(every: list[Row], places: Places, asks: dict[str, tuple[str, ...]]) -> str:
    """`asks`: the colours of the cards that complete a ticket, where cards do."""
    headings = [words.TICKET, words.KEPT, words.COMPLETED, words.INTERVAL, words.PRINTED, words.REALISED, words.WIN_SHARE, words.USUAL]
    return table(headings, [ticket_row(one, places, asks[one["ticket"]]) for one in sorted(every, key=lambda one: -one["kept"])], sortable=True)


def ticket_row(one: Row, places: Places, colours: tuple[str, ...]) -> list[Cell]:
    name, usual = places.ticket(one["ticket"]), None if one["win_share"] is None else one["win_share"] - one["expected"]
    return [
        (escape(name) + cards(colours), name),
        (whole(one["kept"]), one["kept"]),
        (percent(one["rate"]), one["rate"]),
        (f"<small>{span(one['low'], one['high'])}</small>", one["low"]),
        (whole(one["printed"]), one["printed"]),
        (decimal(one["realised"]), one["realised"]),
        (percent(one["win_share"]), one["win_share"]),
        (leaning(usual, points(usual)), usual),
    ]


def cards(colours: tuple[str, ...]) -> str:
    if not colours:
        return ""
    drawn = "".join(f'<i style="--own: var(--card-{colour})"></i>' for colour in colours)
    return f' <span class="cards" role="img" aria-label="{escape(", ".join(colours))}">{drawn}</span>'


def colours(figures: Figures) -> str:
    """In place of a map."""
    if figures.colours is None:
        return without("colours", words.not_written("tickets", figures.simulation.file.name))
    headings = [words.COLOUR, words.TICKETS, words.KEPT, words.COMPLETED, words.INTERVAL, words.PRINTED, words.REALISED, words.WIN_SHARE]
    return section("colours", card(table(headings, [colour_row(one) for one in figures.colours.rows(named=True)], sortable=True), note=words.SORT))


def colour_row(one: Row) -> list[Cell]:
    return [
        (f'<span class="ink" style="--own: var(--card-{one["colour"]})">{escape(one["colour"])}</span>', one["colour"]),
        (whole(one["tickets"]), one["tickets"]),
        (whole(one["kept"]), one["kept"]),
        (meter(one["rate"]), one["rate"]),
        (f"<small>{span(one['low'], one['high'])}</small>", one["low"]),
        (decimal(one["printed"]), one["printed"]),
        (decimal(one["realised"]), one["realised"]),
        (percent(one["win_share"]), one["win_share"]),
    ]


def meter(share: float | None) -> str:
    return f'<span class="meter" style="--share: {100 * (share or 0):.1f}%">{percent(share)}</span>'
