"""The sections of the page: each turns figures into a piece of it, in the language of `says`."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from branchline.boards import Board
from branchline.design.page.words import ENDS, METHOD, ROUTE, STYLE, TICKET, explained, headings
from branchline.design.styles import STYLES
from branchline.design.words import LEAST, Sentences, figure_key, style_key
from branchline.pages import html_parts as parts
from branchline.pages.html_parts import Cell
from branchline.pages.lines import Line, lines
from branchline.pages.numbers import NONE
from branchline.pages.prose import Prose
from branchline.report.drawing import heat
from branchline.report.drawing.board_map import Heat, board_map, scale
from branchline.report.places import Places

Figures = dict[str, Any]
Form = Callable[[float | None], str]
Rows = dict[str, Callable[[Figures], str]]
FEW = 8  # findings that are shown at once
LOOKS = 10


def section(says: Prose, name: str, content: str, said: str = "") -> str:
    about = "" if name == "method" else says(f"board_report.about.{name}")
    return parts.section(name, says(f"board_report.heading.{name}"), content, about, said)


def table(says: Prose, what: str, columns: tuple[str, ...], rows: list[list[Cell]], sortable: bool = False) -> str:
    return parts.table(headings(says, what, columns), rows, sortable, explained(says, what))


def shown(says: Prose, estimate: Figures | None, form: Form | None = None) -> str:
    """A mean with its interval in small; a share, unless there is another form."""
    value, bounds = told(says, estimate, form)
    return f"{value} <small>{bounds}</small>" if bounds else value


def told(says: Prose, estimate: Figures | None, form: Form | None = None) -> tuple[str, str]:
    """A mean, and its interval where there is one."""
    form = form or says.percent
    if estimate is None or estimate["value"] is None:
        return NONE, ""
    if estimate["low"] is None:
        return form(estimate["value"]), ""
    return form(estimate["value"]), says.interval(*(form(estimate[name]).replace("\u202f%", "") for name in ("low", "high")))


def cell(says: Prose, estimate: Figures | None, form: Form | None = None) -> Cell:
    return shown(says, estimate, form), None if estimate is None else estimate["value"]


def wrong(says: Prose, figures: Figures, board: Board) -> str:
    sentences = Sentences(board, says.language)
    found = [one | dict(zip(("text", "advice"), sentences.told(one), strict=True)) for one in figures["findings"]]
    if not found:
        return section(says, "wrong", f'<p class="empty">{says("finding.nothing")}</p>')
    rest = parts.details(says("board_report.more", count=len(found)), listed(found[FEW:], FEW)) if len(found) > FEW else ""
    return section(says, "wrong", listed(found[:FEW]) + rest)


def listed(found: list[Figures], before: int = 0) -> str:
    drawn = "".join(f'<li style="--own: {colour_of(one)}"><p>{escape(one["text"])}</p><p>{escape(one["advice"])}</p></li>' for one in found)
    return f'<ol class="findings" style="counter-reset: finding {before}">{drawn}</ol>'


def colour_of(one: Figures) -> str:
    return "var(--bad)" if one["severity"] >= 3 else "var(--warm)" if one["severity"] >= 1.5 else "var(--muted)"  # times the limit


def order(says: Prose, figures: Figures) -> str:
    every = [one for table in figures["tables"] for one in table["first_player"]["wins"]]
    most = min(1.0, 1.1 * max(one["high"] or one["value"] for one in every))
    cards = []
    for one in figures["tables"]:
        first = one["first_player"]
        drawn = [place_line(says, place, wins) for place, wins in enumerate(first["wins"])]
        cards.append(parts.card(lines(drawn, 0, most, first["fair"]), says.players(one["players"]), says.games(one["games"])))
    return section(says, "order", parts.row(*cards, kind="thirds"))


def place_line(says: Prose, place: int, wins: Figures) -> Line:
    name = f"<span>{says(f'board_report.place.{place}')}</span>"
    return Line(name, shown(says, wins), parts.colour(place), wins["value"], wins["low"], wins["high"])


def side_by_side(says: Prose, figures: Figures, rows: Rows) -> str:
    """Figures in rows, numbers of players in columns."""
    columns = ["", *(says.players(one["players"]) for one in figures["tables"])]
    return parts.card(parts.table(columns, [[name, *(form(one) for one in figures["tables"])] for name, form in rows.items()]))


def figure(says: Prose, name: str) -> str:
    return says(f"board_report.figure.{figure_key(name)}")


def length(says: Prose, figures: Figures) -> str:
    rows: Rows = {
        says("board_report.row.turns"): lambda one: shown(says, one["length"]["turns"], says.decimal),
        says("board_report.row.usual"): lambda one: says.interval(one["length"]["short"], one["length"]["long"]),
        says("board_report.row.minutes"): lambda one: shown(says, one["length"]["minutes"], lambda value: says.decimal(value, 0)),
        figure(says, "winning total"): lambda one: shown(says, one["points"]["winner"], says.decimal),
        figure(says, "lead of the winner"): lambda one: shown(says, one["points"]["winning_margin"], says.decimal),
        figure(says, "shared victories"): lambda one: shown(says, one["points"]["shared"]),
    }
    for kind in ENDS:
        if any(one["ends"][kind]["value"] for one in figures["tables"]):
            name = says("board_report.row.ends", how=says(f"board_report.end.{kind}"))
            rows[name] = lambda one, kind=kind: shown(says, one["ends"][kind])  # type: ignore[misc]  # each its own
    if all("wins_of_who_ends" in one["ends"] for one in figures["tables"]):
        rows[figure(says, "wins of the player who ends the game")] = lambda one: shown(says, one["ends"]["wins_of_who_ends"])
    return section(says, "length", side_by_side(says, figures, rows))


def lead(says: Prose, figures: Figures) -> str:
    if "lead" not in figures["tables"][0]:
        return ""
    rows: Rows = {figure(says, "changes of the lead"): lambda one: shown(says, one["lead"]["changes"], says.decimal)}
    for look in range(LOOKS - 1):
        name = says("board_report.row.after", share=says.percent((look + 1) / LOOKS, 0))
        rows[name] = lambda one, look=look: shown(says, one["lead"]["leader_wins"][look])  # type: ignore[misc]
    return section(says, "lead", side_by_side(says, figures, rows), half_time(says, figures))


def half_time(says: Prose, figures: Figures) -> str:
    shares = [(says.players(one["players"]), says.percent(one["lead"]["half_time"]["value"], 0)) for one in figures["tables"]]
    told = [says("board_report.half_time_with", players=players, share=share) for players, share in shares]
    return says("board_report.half_time", shares="; ".join(told))


def by_players(says: Prose, figures: Figures, form: Callable[[Figures], str]) -> str:
    """The same table for each number of players; the last is open."""
    last = figures["tables"][-1]["players"]
    drawn = "".join(
        f"<details{' open' if one['players'] == last else ''}><summary>{says.players(one['players'])}</summary>{form(one)}</details>"
        for one in figures["tables"]
    )
    return parts.card(drawn, kind="tables")


def tickets(says: Prose, figures: Figures, places: Places) -> str:
    def drawn(one: Figures) -> str:
        return table(says, "ticket", TICKET, [ticket_row(says, row, places) for row in one["tickets"]], True)

    return section(says, "tickets", by_players(says, figures, drawn))


def ticket_row(says: Prose, one: Figures, places: Places) -> list[Cell]:
    name = places.ticket(one["ticket"])
    start: list[Cell] = [
        (escape(name), name),
        (says.whole(one["printed"]), one["printed"]),
        cell(says, one["offered"], lambda value: says.decimal(value, 2)),
        cell(says, one["kept"]),
    ]
    if "completed" not in one:
        return [*start, *["–"] * (len(TICKET) - len(start))]
    why = one["why"]
    reasons = [
        (says.percent(why[name]["value"], 0), why[name]["value"]) if one["failed"] else ("–", None)
        for name in ("blocked", "out_of_turns", "spent", "hopeless")
    ]
    worth = [
        cell(says, one["realised"], says.decimal),
        cell(says, one["excess"], says.signed),
        cell(says, one["suggested"], lambda value: value_of(says, value)),
    ]
    return [*start, cell(says, one["completed"]), *worth, *reasons]


def value_of(says: Prose, points: float | None) -> str:
    """What to print; less than a point cannot be."""
    return says.decimal(points) if points is None or round(points) >= LEAST else escape(f"< {LEAST}")


def routes(says: Prose, figures: Figures, board: Board, places: Places) -> str:
    if not board.routes:
        return ""
    last = figures["tables"][-1]
    drawn = parts.card(map_of(says, last, board, places) + scale(says, top_of(last)), says.players(last["players"]), kind="map")

    def rows(one: Figures) -> str:
        return table(says, "route", ROUTE, [route_row(says, row, places) for row in one["routes"]], True)

    return section(says, "routes", drawn + by_players(says, figures, rows))


def top_of(one: Figures) -> float:
    return heat.top_of(max(row["claimed"]["value"] for row in one["routes"]))


def map_of(says: Prose, one: Figures, board: Board, places: Places) -> str:
    top = top_of(one)
    shades = {row["route"]: Heat(heat.step_of(row["claimed"]["value"], top), told_of(says, row, places)) for row in one["routes"]}
    return f'<div class="scroll" tabindex="0">{board_map(board, places.language, shades, says("board_report.heading.routes"))}</div>'


def told_of(says: Prose, row: Figures, places: Places) -> tuple[str, ...]:
    facts = ", ".join((says("report.spaces", count=row["length"]), says(f"colour.{row['colour']}")))
    told = [places.route(row["route"]), facts, says("board_report.tip.claimed", share=says.percent(row["claimed"]["value"]))]
    if row["worth"] is not None:
        told.append(says("board_report.tip.worth", points=says.points(row["worth"]["value"])))
    return (*told, says("board_report.tip.cuts", count=says.decimal(100 * row["cuts"]["value"])))


def route_row(says: Prose, one: Figures, places: Places) -> list[Cell]:
    name = places.route(one["route"])
    per_hundred = {key: None if value is None else 100 * value for key, value in one["cuts"].items()}
    return [
        (escape(name), name),
        (says.whole(one["length"]), one["length"]),
        cell(says, one["claimed"]),
        (says.decimal(one["turn"], 0), one["turn"]),
        cell(says, one["wins"]),
        cell(says, one["worth"], says.points),
        cell(says, one["excess"], says.points),
        cell(says, per_hundred, says.decimal),
    ]


def style_name(says: Prose, style: str) -> str:
    return says(f"style.{style_key(style)}")


def styles(says: Prose, figures: Figures) -> str:
    if not figures["strategies"]:
        return ""
    cards = "".join(match_card(says, match) for match in figures["strategies"])
    said = "; ".join(f"<b>{style_name(says, style)}</b>: {escape(says(f'style_text.{style_key(style)}'))}" for style in STYLES)
    return section(says, "styles", cards, f"{said}.")


def match_card(says: Prose, match: Figures) -> str:
    rows: list[list[Cell]] = [
        [
            style_name(says, one["style"]),
            shown(says, one["wins"]),
            *(shown(says, one[name], lambda value: says.decimal(value, 2)) for name in ("spaces", "tickets", "cuts")),
        ]
        for one in match["styles"]
    ]
    styles = [one["style"] for one in match["styles"]]
    swatches = {style: parts.swatch(style_name(says, style), parts.colour(place)) for place, style in enumerate(styles)}
    against = {one["style"]: one["ahead_of"] for one in match["styles"]}

    def share(style: str, other: str) -> tuple[float, str] | None:
        found = against[style].get(other)
        return None if found is None or found["value"] is None else (found["value"], f"<b>{says.percent(found['value'], 0)}</b>")

    head = f"{says.players(match['players'])}, {says.games(match['games'])}"
    wins, pairs = (says("board_report.fair", share=says.percent(fair)) for fair in (match["fair"], 0.5))
    drawn = table(says, "style", STYLE, rows) + f'<p class="note apart">{wins}</p>' + parts.matrix(styles, swatches, share)
    return parts.card(drawn, head, pairs)


def method(says: Prose) -> str:
    values = {"command": "<code>branchline serve --boards FOLDER</code>"}
    texts = [(says(f"board_report.method.{name}"), says(f"board_report.method.{name}_text", **values)) for name in METHOD]
    return section(says, "method", parts.card("".join(f"<div><h3>{head}</h3><p>{text}</p></div>" for head, text in texts), kind="prose"))
