"""The sections of the page: each turns figures into a piece of it."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from branchline.boards import Board
from branchline.design.page import words
from branchline.design.styles import STYLES
from branchline.design.words import style_key
from branchline.pages import html_parts as parts
from branchline.pages.html_parts import Cell
from branchline.pages.lines import Line, lines
from branchline.pages.numbers import decimal, percent, points, signed, whole
from branchline.report.drawing import heat
from branchline.report.drawing.board_map import Heat, board_map, scale
from branchline.report.places import Places
from branchline.words import spoken_in

Figures = dict[str, Any]
FEW = 8  # findings that are shown at once
LOOKS = 10


def section(name: str, content: str, said: str = "") -> str:
    heading, about = words.SECTIONS[name]
    return parts.section(name, heading, content, about, said)


def table(headings: list[str], rows: list[list[Cell]], sortable: bool = False) -> str:
    return parts.table(headings, rows, sortable, words.EXPLAINED)


def shown(estimate: Figures | None, form: Callable[[float | None], str] = percent) -> str:
    """A mean with its interval in small."""
    if estimate is None or estimate["value"] is None:
        return "–"
    if estimate["low"] is None:
        return form(estimate["value"])
    bounds = " to ".join(form(estimate[name]).replace("\u202f%", "") for name in ("low", "high"))
    return f"{form(estimate['value'])} <small>{bounds}</small>"


def cell(estimate: Figures | None, form: Callable[[float | None], str] = percent) -> Cell:
    return shown(estimate, form), None if estimate is None else estimate["value"]


def with_players(number: int) -> str:
    return words.PLAYERS.format(number=number)


def wrong(figures: Figures) -> str:
    found = figures["findings"]
    if not found:
        return section("wrong", f'<p class="empty">{spoken_in().say("finding.nothing")}</p>')
    rest = parts.details(words.MORE.format(number=len(found)), listed(found[FEW:], FEW)) if len(found) > FEW else ""
    return section("wrong", listed(found[:FEW]) + rest)


def listed(found: list[Figures], before: int = 0) -> str:
    drawn = "".join(f'<li style="--own: {colour_of(one)}"><p>{escape(one["text"])}</p><p>{escape(one["advice"])}</p></li>' for one in found)
    return f'<ol class="findings" style="counter-reset: finding {before}">{drawn}</ol>'


def colour_of(one: Figures) -> str:
    return "var(--bad)" if one["severity"] >= 3 else "var(--warm)" if one["severity"] >= 1.5 else "var(--muted)"  # times the limit


def order(figures: Figures) -> str:
    every = [one for table in figures["tables"] for one in table["first_player"]["wins"]]
    most = min(1.0, 1.1 * max(one["high"] or one["value"] for one in every))
    cards = []
    for one in figures["tables"]:
        first = one["first_player"]
        drawn = [
            Line(f"<span>{words.PLACES[place]}</span>", shown(wins), parts.colour(place), wins["value"], wins["low"], wins["high"])
            for place, wins in enumerate(first["wins"])
        ]
        cards.append(parts.card(lines(drawn, 0, most, first["fair"]), with_players(one["players"]), f"{whole(one['games'])} games"))
    return section("order", parts.row(*cards, kind="thirds"))


def side_by_side(figures: Figures, rows: dict[str, Callable[[Figures], str]]) -> str:
    """Figures in rows, numbers of players in columns."""
    headings = ["", *(with_players(one["players"]) for one in figures["tables"])]
    return parts.card(table(headings, [[name, *(form(one) for one in figures["tables"])] for name, form in rows.items()]))


def length(figures: Figures) -> str:
    rows: dict[str, Callable[[Figures], str]] = {
        words.TURNS: lambda one: shown(one["length"]["turns"], decimal),
        words.USUAL: lambda one: f"{one['length']['short']} to {one['length']['long']}",
        words.MINUTES: lambda one: shown(one["length"]["minutes"], lambda value: decimal(value, 0)),
        words.WINNER: lambda one: shown(one["points"]["winner"], decimal),
        words.MARGIN: lambda one: shown(one["points"]["winning_margin"], decimal),
        words.SHARED: lambda one: shown(one["points"]["shared"]),
    }
    for kind, name in words.ENDS.items():
        if any(one["ends"][kind]["value"] for one in figures["tables"]):
            rows[f"ends: {name}"] = lambda one, kind=kind: shown(one["ends"][kind])  # type: ignore[misc]  # each its own
    if all("wins_of_who_ends" in one["ends"] for one in figures["tables"]):
        rows[words.ENDER] = lambda one: shown(one["ends"]["wins_of_who_ends"])
    return section("length", side_by_side(figures, rows))


def lead(figures: Figures) -> str:
    if "lead" not in figures["tables"][0]:
        return ""
    rows: dict[str, Callable[[Figures], str]] = {words.CHANGES: lambda one: shown(one["lead"]["changes"], decimal)}
    for look in range(LOOKS - 1):
        rows[words.AFTER.format(share=percent((look + 1) / LOOKS, 0))] = lambda one, look=look: shown(one["lead"]["leader_wins"][look])  # type: ignore[misc]
    half = "; ".join(f"with {with_players(one['players'])} {percent(one['lead']['half_time']['value'], 0)}" for one in figures["tables"])
    return section("lead", side_by_side(figures, rows), f"{words.HALF}: {half}.")


def by_players(figures: Figures, form: Callable[[Figures], str]) -> str:
    """The same table for each number of players; the last is open."""
    last = figures["tables"][-1]["players"]
    drawn = "".join(
        f"<details{' open' if one['players'] == last else ''}><summary>{with_players(one['players'])}</summary>{form(one)}</details>"
        for one in figures["tables"]
    )
    return parts.card(drawn, kind="tables")


def tickets(figures: Figures, places: Places) -> str:
    return section("tickets", by_players(figures, lambda one: table(list(words.TICKET), [ticket_row(row, places) for row in one["tickets"]], True)))


def ticket_row(one: Figures, places: Places) -> list[Cell]:
    name = places.ticket(one["ticket"])
    start: list[Cell] = [
        (escape(name), name),
        (whole(one["printed"]), one["printed"]),
        cell(one["offered"], lambda value: decimal(value, 2)),
        cell(one["kept"]),
    ]
    if "completed" not in one:
        return [*start, *["–"] * 8]
    why = one["why"]
    reasons = [
        (percent(why[name]["value"], 0), why[name]["value"]) if one["failed"] else ("–", None)
        for name in ("blocked", "out_of_turns", "spent", "hopeless")
    ]
    return [*start, cell(one["completed"]), cell(one["realised"], decimal), cell(one["excess"], signed), cell(one["suggested"], decimal), *reasons]


def routes(figures: Figures, board: Board, places: Places) -> str:
    if not board.routes:
        return ""
    last = figures["tables"][-1]
    drawn = parts.card(map_of(last, board, places) + scale(top_of(last)), with_players(last["players"]), kind="map")
    every = by_players(figures, lambda one: table(list(words.ROUTE), [route_row(row, places) for row in one["routes"]], True))
    return section("routes", drawn + every)


def top_of(one: Figures) -> float:
    return heat.top_of(max(row["claimed"]["value"] for row in one["routes"]))


def map_of(one: Figures, board: Board, places: Places) -> str:
    top = top_of(one)
    shades = {row["route"]: Heat(heat.step_of(row["claimed"]["value"], top), told_of(row, places)) for row in one["routes"]}
    return f'<div class="scroll" tabindex="0">{board_map(board, places.language, shades, words.SECTIONS["routes"][0])}</div>'


def told_of(row: Figures, places: Places) -> tuple[str, ...]:
    told = [places.route(row["route"]), f"{row['length']} spaces, {row['colour']}", f"claimed in {percent(row['claimed']['value'])} of games"]
    if row["worth"] is not None:
        told.append(f"worth {points(row['worth']['value'])} percentage points to its owner")
    return (*told, f"cuts off {decimal(100 * row['cuts']['value'])} tickets in 100 games")


def route_row(one: Figures, places: Places) -> list[Cell]:
    name = places.route(one["route"])
    per_hundred = {key: None if value is None else 100 * value for key, value in one["cuts"].items()}
    return [
        (escape(name), name),
        (whole(one["length"]), one["length"]),
        cell(one["claimed"]),
        (decimal(one["turn"], 0), one["turn"]),
        cell(one["wins"]),
        cell(one["worth"], points),
        cell(one["excess"], points),
        cell(per_hundred, decimal),
    ]


def styles(figures: Figures) -> str:
    if not figures["strategies"]:
        return ""
    cards = "".join(match_card(match) for match in figures["strategies"])
    said = "; ".join(f"<b>{name}</b>: {escape(spoken_in().say(f'style_text.{style_key(name)}'))}" for name in STYLES)
    return section("styles", cards, f"{said}.")


def match_card(match: Figures) -> str:
    rows: list[list[Cell]] = [
        [one["style"], shown(one["wins"]), *(shown(one[name], lambda value: decimal(value, 2)) for name in ("spaces", "tickets", "cuts"))]
        for one in match["styles"]
    ]
    names = [one["style"] for one in match["styles"]]
    swatches = {name: parts.swatch(name, parts.colour(place)) for place, name in enumerate(names)}
    against = {one["style"]: one["ahead_of"] for one in match["styles"]}

    def share(name: str, other: str) -> tuple[float, str] | None:
        found = against[name].get(other)
        return None if found is None or found["value"] is None else (found["value"], f"<b>{percent(found['value'], 0)}</b>")

    head = f"{with_players(match['players'])}, {whole(match['games'])} games"
    return parts.card(table(list(words.STYLE), rows) + parts.matrix(names, swatches, share), head, f"fair: {percent(match['fair'])}")


def method() -> str:
    drawn = "".join(f"<div><h3>{head}</h3><p>{escape(text)}</p></div>" for head, text in words.METHOD.items())
    return section("method", parts.card(drawn, kind="prose"))
