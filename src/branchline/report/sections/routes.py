"""Routes: the board with its routes coloured by how often they are claimed, and tables of them."""

from __future__ import annotations

from html import escape
from typing import Any

from branchline.boards.model import Route
from branchline.pages.html_parts import Cell, card, details, leaning, row
from branchline.pages.prose import Prose
from branchline.report import words
from branchline.report.drawing import heat
from branchline.report.drawing.board_map import Heat, board_map, scale
from branchline.report.drawing.html_parts import section, table, without
from branchline.report.figures import Figures
from branchline.report.places import Places
from branchline.report.sections.tickets import meter

FEW = 10  # rows of the short tables
Row = dict[str, Any]


def routes(figures: Figures, places: Places, says: Prose) -> str:
    if figures.routes is None:
        return without(says, "routes", words.not_written(says, "claims", figures.simulation.file.name))
    found = figures.routes.sort("rate", "route", descending=[True, False]).rows(named=True)
    kinds = {route.id: route for route in figures.simulation.board.routes}
    named = {one["route"]: name_of(says, kinds[one["route"]], places) for one in found}
    most, least = found[0], found[-1]
    said = words.most_claimed(says, named[most["route"]], most["rate"], named[least["route"]], least["rate"])
    drawn = card(map_of(says, figures, found, kinds, places), kind="map")
    most_and_least = {"most_claimed": found[:FEW], "least_claimed": found[::-1][:FEW]}
    tables = row(*(card(short_table(says, rows, named), says(f"report.{which}")) for which, rows in most_and_least.items()))
    every = f'<p class="note">{says("report.sort")}</p>' + long_table(says, found, named, kinds)
    whole_table = details(says("report.all_routes", count=len(found)), every)
    return section(says, "routes", drawn + tables + card(whole_table), said)


def name_of(says: Prose, route: Route, places: Places) -> str:
    """A double route has two of the same name: its colour tells them apart."""
    return f"{places.route(route.id)} ({words.colour(says, route.colour)})" if route.double else places.route(route.id)


def facts_of(says: Prose, route: Route) -> str:
    kinds = [kind for kind in ("tunnel", "ferry", "sea", "pair") if getattr(route, kind)]
    return words.route_facts(says, route.colour, route.length, kinds)


def map_of(says: Prose, figures: Figures, found: list[Row], kinds: dict[str, Route], places: Places) -> str:
    top = heat.top_of(found[0]["rate"])
    said = {one["route"]: words.route_told(says, places.route(one["route"]), facts_of(says, kinds[one["route"]]), one) for one in found}
    shown = {one["route"]: Heat(heat.step_of(one["rate"], top), said[one["route"]]) for one in found}
    drawn = board_map(figures.simulation.board, places.language, shown, says("report.heading.routes"))
    return f'<div class="scroll" tabindex="0">{drawn}</div>{scale(says, top)}'


def short_table(says: Prose, found: list[Row], named: dict[str, str]) -> str:
    headings = words.columns(says, "route", "spaces", "claimed", "mean_turn", "win_share")
    return table(says, headings, [short_row(says, one, named[one["route"]]) for one in found])


def short_row(says: Prose, one: Row, name: str) -> list[Cell]:
    return [escape(name), says.whole(one["length"]), meter(says, one["rate"]), says.decimal(one["mean_turn"], 0), says.percent(one["win_share"])]


def long_table(says: Prose, found: list[Row], named: dict[str, str], kinds: dict[str, Route]) -> str:
    headings = words.columns(says, "route", "colour", "spaces", "claimed", "interval", "mean_turn", "win_share", "usual")
    return table(says, headings, [route_row(says, one, named[one["route"]], kinds[one["route"]]) for one in found], sortable=True)


def route_row(says: Prose, one: Row, name: str, route: Route) -> list[Cell]:
    usual = None if one["win_share"] is None else one["win_share"] - one["expected"]
    return [
        (escape(name), name),
        (f'<span class="ink" style="--own: var(--card-{route.colour})">{escape(words.colour(says, route.colour))}</span>', route.colour),
        (says.whole(one["length"]), one["length"]),
        (says.percent(one["rate"]), one["rate"]),
        (f"<small>{says.span(one['low'], one['high'])}</small>", one["low"]),
        (says.decimal(one["mean_turn"], 0), one["mean_turn"]),
        (says.percent(one["win_share"]), one["win_share"]),
        (leaning(usual, says.points(usual)), usual),
    ]
