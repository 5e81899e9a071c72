"""Routes: the board with its routes coloured by how often they are claimed, and tables of them."""

from __future__ import annotations

from html import escape
from typing import Any

from branchline.boards.model import Route
from branchline.pages.html_parts import Cell, card, details, leaning, row
from branchline.pages.numbers import decimal, percent, points, span, whole
from branchline.report import words
from branchline.report.drawing import heat
from branchline.report.drawing.board_map import Heat, board_map, scale
from branchline.report.drawing.html_parts import section, table, without
from branchline.report.figures import Figures
from branchline.report.places import Places
from branchline.report.sections.tickets import meter

FEW = 10  # rows of the short tables
Row = dict[str, Any]


def routes(figures: Figures, places: Places) -> str:
    if figures.routes is None:
        return without("routes", words.not_written("claims", figures.simulation.file.name))
    found = figures.routes.sort("rate", "route", descending=[True, False]).rows(named=True)
    kinds = {route.id: route for route in figures.simulation.board.routes}
    named = {one["route"]: name_of(kinds[one["route"]], places) for one in found}
    most, least = found[0], found[-1]
    said = words.most_claimed(named[most["route"]], most["rate"], named[least["route"]], least["rate"])
    drawn = card(map_of(figures, found, kinds, places), kind="map")
    tables = row(card(short_table(found[:FEW], named), words.HIGHER), card(short_table(found[::-1][:FEW], named), words.LOWER))
    whole_table = details(words.ALL_ROUTES.format(number=len(found)), f'<p class="note">{words.SORT}</p>' + long_table(found, named, kinds))
    return section("routes", drawn + tables + card(whole_table), said)


def name_of(route: Route, places: Places) -> str:
    """A double route has two of the same name: its colour tells them apart."""
    return f"{places.route(route.id)} ({words.COLOURS.get(route.colour, route.colour)})" if route.double else places.route(route.id)


def facts_of(route: Route) -> str:
    kinds = {words.TUNNEL: route.tunnel, words.FERRY: route.ferry, words.SEA: route.sea, words.PAIR: route.pair}
    return words.route_facts(route.colour, route.length, [kind for kind, there in kinds.items() if there])


def map_of(figures: Figures, found: list[Row], kinds: dict[str, Route], places: Places) -> str:
    top = heat.top_of(found[0]["rate"])
    said = {one["route"]: words.route_told(places.route(one["route"]), facts_of(kinds[one["route"]]), one) for one in found}
    shown = {one["route"]: Heat(heat.step_of(one["rate"], top), said[one["route"]]) for one in found}
    drawn = board_map(figures.simulation.board, places.language, shown, words.SECTIONS["routes"][0])
    return f'<div class="scroll" tabindex="0">{drawn}</div>{scale(top)}'


def short_table(found: list[Row], named: dict[str, str]) -> str:
    headings = [words.ROUTE, words.LENGTH, words.CLAIMED, words.MEAN_TURN, words.WIN_SHARE]
    return table(headings, [short_row(one, named[one["route"]]) for one in found])


def short_row(one: Row, name: str) -> list[Cell]:
    return [escape(name), whole(one["length"]), meter(one["rate"]), decimal(one["mean_turn"], 0), percent(one["win_share"])]


def long_table(found: list[Row], named: dict[str, str], kinds: dict[str, Route]) -> str:
    headings = [words.ROUTE, words.COLOUR, words.LENGTH, words.CLAIMED, words.INTERVAL, words.MEAN_TURN, words.WIN_SHARE, words.USUAL]
    return table(headings, [route_row(one, named[one["route"]], kinds[one["route"]]) for one in found], sortable=True)


def route_row(one: Row, name: str, route: Route) -> list[Cell]:
    usual = None if one["win_share"] is None else one["win_share"] - one["expected"]
    return [
        (escape(name), name),
        (f'<span class="ink" style="--own: var(--card-{route.colour})">{escape(words.COLOURS.get(route.colour, route.colour))}</span>', route.colour),
        (whole(one["length"]), one["length"]),
        (percent(one["rate"]), one["rate"]),
        (f"<small>{span(one['low'], one['high'])}</small>", one["low"]),
        (decimal(one["mean_turn"], 0), one["mean_turn"]),
        (percent(one["win_share"]), one["win_share"]),
        (leaning(usual, points(usual)), usual),
    ]
