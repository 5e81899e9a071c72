"""The page of two boards side by side."""

from __future__ import annotations

from html import escape
from typing import Any

from branchline.boards import Board
from branchline.design.page import words
from branchline.pages import html_parts as parts
from branchline.pages.document import document
from branchline.pages.html_parts import Cell
from branchline.pages.numbers import whole
from branchline.report import versus
from branchline.report import words as shared
from branchline.report.drawing.style import NO_CHARTS, own_script, style
from branchline.report.places import Places

Figures = dict[str, Any]


def versus_page(board: Board, found: Figures, language: str = "en") -> str:
    places = Places(board, language)
    content = top(found) + "".join(section(table, places) for table in found["tables"])
    return document(shared.VERSUS, words.KIND, content, style(), language, (own_script(),), NO_CHARTS)


def top(found: Figures) -> str:
    boards = "".join(
        f'<p class="facts-line"><b>{letter.upper()}</b> {escape(found[letter]["name"])} · fingerprint {found[letter]["fingerprint"]}</p>'
        for letter in "ab"
    )
    facts = f"{escape(found['bots'])} · seed {found['seed']} · {whole(found['games'])} games. {words.SAME_DEALS}"
    return f'<div class="top"><h1>{shared.VERSUS}</h1>{boards}<p class="facts-line">{facts}</p></div>'


def section(table: Figures, places: Places) -> str:
    """Everything about one number of players."""
    cards = [parts.card(differences("", [figure_row(one) for one in table["figures"]]))]
    if "strategies" in table:
        cards.append(
            parts.card(differences(words.STYLE[0], [named_row(escape(one["style"]), one) for one in table["strategies"]]), words.WINS_OF_STYLES)
        )
    if table["tickets"]:
        rows = [ticket_row(one, places) for one in table["tickets"]]
        headings = [shared.TICKET, shared.PRINTED, "A", "B", shared.DIFFERENCE, shared.INTERVAL]
        cards.append(parts.card(parts.table(headings, rows, sortable=True), shared.COMPLETED_TICKETS))
    if table.get("routes"):
        drawn = [named_row(escape(places.route(one["route"])), one) for one in table["routes"]]
        cards.append(parts.card(differences(shared.ROUTE, drawn, sortable=True), shared.CLAIMED_ROUTES))
    heading = f"{words.PLAYERS.format(number=table['players'])}: {shared.WHAT_DIFFERS.lower()}"
    return parts.section(f"players-{table['players']}", heading, "".join(cards), shared.READ_DIFFERENCES)


def differences(what: str, rows: list[list[Cell]], sortable: bool = False) -> str:
    return parts.table([what, "A", "B", shared.DIFFERENCE, shared.INTERVAL], rows, sortable)


def figure_row(one: Figures) -> list[Cell]:
    return [escape(one["figure"]), *versus.numbers(one, one["is_share"])]


def named_row(name: str, one: Figures) -> list[Cell]:
    return [(name, name), *versus.numbers(one, True)]


def ticket_row(one: Figures, places: Places) -> list[Cell]:
    before, after = one["printed_a"], one["printed_b"]
    name, *numbers = named_row(escape(places.ticket(one["ticket"])), one)
    return [name, (str(before) if before == after else f"{before} → {after}", before), *numbers]
