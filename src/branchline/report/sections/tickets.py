"""Tickets: what they promise and what they bring; and the colours that tickets completed with cards ask for."""

from __future__ import annotations

from html import escape
from typing import Any

import altair as alt

from branchline.pages.html_parts import Cell, card, leaning, legend, row
from branchline.pages.prose import Prose
from branchline.report import words
from branchline.report.drawing import charts
from branchline.report.drawing.chart_look import PERCENT
from branchline.report.drawing.html_parts import Drawings, section, table, without
from branchline.report.figures import Figures
from branchline.report.places import Places

NAMED = 6  # the most tickets whose names are written in a chart
NAME = (0.42, 0.05)  # what a name takes of a chart's width and height, on a phone
Row = dict[str, Any]


def tickets(figures: Figures, places: Places, drawings: Drawings, says: Prose) -> str:
    if figures.tickets is None:
        return without(says, "tickets", words.not_written(says, "tickets", figures.simulation.file.name))
    every = figures.tickets.rows(named=True)
    kept = [one for one in every if one["kept"]]
    if not kept:
        return without(says, "tickets", says("report.nothing_kept"))
    easy, hard = max(kept, key=lambda one: one["rate"]), min(kept, key=lambda one: one["rate"])
    said = words.hardest_ticket(says, places.ticket(hard["ticket"]), hard["rate"], places.ticket(easy["ticket"]), easy["rate"])
    shown = row(worth_card(says, kept, places, drawings), wins_card(says, kept, places, drawings, figures.simulation.fair))
    asks = {ticket.id: ticket.cards for ticket in figures.simulation.board.tickets}
    return section(says, "tickets", shown + card(ticket_table(says, every, places, asks), note=says("report.sort")), said)


def worth_card(says: Prose, kept: list[Row], places: Places, drawings: Drawings) -> str:
    """Printed against realised points."""
    spoilt = sorted(kept, key=lambda one: one["realised"] - one["printed"])
    least, most = min(0.0, *(one["realised"] for one in kept)), float(max(one["printed"] for one in kept))
    rows = points_of(says, kept, places, spoilt, ("printed", "realised"), (most, most - least))
    x = alt.X("printed:Q", title=says("report.axis.printed"), axis=alt.Axis(grid=False))
    y = alt.Y("realised:Q", title=says("report.axis.realised"), axis=alt.Axis(domain=False, tickCount=6))
    ends = [{"printed": end, "realised": end} for end in (0.0, most)]
    line = charts.rows_of(ends).mark_line(stroke="var(--ink-soft)", strokeDash=[3, 3], strokeWidth=1.5).encode(x=x, y=y)
    heading = says("report.printed_and_realised")
    chart = charts.scatter(rows, x, y, [line], heading, words.columns(says, *TOLD))
    return card(key_of(says, kept) + drawings.add("tickets-worth", chart), heading, says("report.diagonal"))


def wins_card(says: Prose, kept: list[Row], places: Places, drawings: Drawings, fair: float) -> str:
    """Completion against victories of the holders."""
    far = sorted(kept, key=lambda one: -abs(one["win_share"] - fair))
    spans = [max(one[way] for one in kept) - min(one[way] for one in kept) for way in ("rate", "win_share")]
    rows = points_of(says, kept, places, far, ("rate", "win_share"), (spans[0], spans[1]))
    shares = alt.Axis(labelExpr=PERCENT, tickCount=6)
    x = alt.X("rate:Q", title=says("report.column.completed"), scale=alt.Scale(zero=False), axis=shares.copy())
    y = alt.Y("wins:Q", title=says("report.axis.holders"), scale=alt.Scale(zero=False), axis=shares.copy())
    mark = charts.rows_of([{"wins": fair}]).mark_rule(stroke="var(--ink-soft)", strokeDash=[3, 3], strokeWidth=1.5).encode(y="wins:Q")
    heading = says("report.rate_and_wins")
    chart = charts.scatter(rows, x, y, [mark], heading, words.columns(says, *TOLD))
    return card(key_of(says, kept) + drawings.add("tickets-wins", chart), heading, says("report.fair", share=says.percent(fair)))


def key_of(says: Prose, kept: list[Row]) -> str:
    """Long tickets have a colour of their own, where there are any; larger circles were kept more often."""
    has_long = any(one["long"] for one in kept)
    kinds = {"long_tickets": "var(--c1)", "other_tickets": "var(--c0)"} if has_long else {"any_tickets": "var(--c0)"}
    return legend([says(f"report.{kind}") for kind in kinds], list(kinds.values()))


TOLD = ("ticket", "kept", "completed", "printed", "realised", "win_share")  # in the tips of circles


def points_of(says: Prose, kept: list[Row], places: Places, ranked: list[Row], ways: tuple[str, str], spans: tuple[float, float]) -> list[Row]:
    """The circles; the first of a ranking have their names beside them. `ways` are what goes across and up, `spans` how far the axes reach."""
    names = named(ranked, ways, spans)
    beside = {one["ticket"]: places.ticket_in_short(one["ticket"]) if one["ticket"] in names else "" for one in kept}
    return [point(says, one, places) | {"named": beside[one["ticket"]], "side": side(one, ranked, ways[0])} for one in kept]


def side(one: Row, kept: list[Row], across: str) -> str:
    """The end of a name that is next to its circle: names extend towards the middle of the chart."""
    return "left" if 2 * one[across] < min(other[across] for other in kept) + max(other[across] for other in kept) else "right"


def point(says: Prose, one: Row, places: Places) -> Row:
    name, looks = places.ticket(one["ticket"]), {"weight": one["kept"], "colour": "var(--c1)" if one["long"] else "var(--c0)"}
    numbers = says.decimal(one["realised"]), says.percent(one["win_share"])
    told = charts.told(name, says.whole(one["kept"]), says.percent(one["rate"]), says.whole(one["printed"]), *numbers)
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


def ticket_table(says: Prose, every: list[Row], places: Places, asks: dict[str, tuple[str, ...]]) -> str:
    """`asks`: the colours of the cards that complete a ticket, where cards do."""
    headings = words.columns(says, "ticket", "kept", "completed", "interval", "printed", "realised", "win_share", "usual")
    rows = [ticket_row(says, one, places, asks[one["ticket"]]) for one in sorted(every, key=lambda one: -one["kept"])]
    return table(says, headings, rows, sortable=True)


def ticket_row(says: Prose, one: Row, places: Places, colours: tuple[str, ...]) -> list[Cell]:
    name, usual = places.ticket(one["ticket"]), None if one["win_share"] is None else one["win_share"] - one["expected"]
    return [
        (escape(name) + cards(says, colours), name),
        (says.whole(one["kept"]), one["kept"]),
        (says.percent(one["rate"]), one["rate"]),
        (f"<small>{says.span(one['low'], one['high'])}</small>", one["low"]),
        (says.whole(one["printed"]), one["printed"]),
        (says.decimal(one["realised"]), one["realised"]),
        (says.percent(one["win_share"]), one["win_share"]),
        (leaning(usual, says.points(usual)), usual),
    ]


def cards(says: Prose, colours: tuple[str, ...]) -> str:
    if not colours:
        return ""
    drawn = "".join(f'<i style="--own: var(--card-{colour})"></i>' for colour in colours)
    return f' <span class="cards" role="img" aria-label="{escape(", ".join(words.colour(says, colour) for colour in colours))}">{drawn}</span>'


def colours(figures: Figures, says: Prose) -> str:
    """In place of a map."""
    if figures.colours is None:
        return without(says, "colours", words.not_written(says, "tickets", figures.simulation.file.name))
    headings = words.columns(says, "colour", "tickets", "kept", "completed", "interval", "printed", "realised", "win_share")
    rows = [colour_row(says, one) for one in figures.colours.rows(named=True)]
    return section(says, "colours", card(table(says, headings, rows, sortable=True), note=says("report.sort")))


def colour_row(says: Prose, one: Row) -> list[Cell]:
    return [
        (f'<span class="ink" style="--own: var(--card-{one["colour"]})">{escape(words.colour(says, one["colour"]))}</span>', one["colour"]),
        (says.whole(one["tickets"]), one["tickets"]),
        (says.whole(one["kept"]), one["kept"]),
        (meter(says, one["rate"]), one["rate"]),
        (f"<small>{says.span(one['low'], one['high'])}</small>", one["low"]),
        (says.decimal(one["printed"]), one["printed"]),
        (says.decimal(one["realised"]), one["realised"]),
        (says.percent(one["win_share"]), one["win_share"]),
    ]


def meter(says: Prose, share: float | None) -> str:
    return f'<span class="meter" style="--share: {100 * (share or 0):.1f}%">{says.percent(share)}</span>'
