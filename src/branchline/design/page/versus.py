"""The page of two boards side by side."""

from __future__ import annotations

from html import escape
from typing import Any

from branchline.boards import Board
from branchline.design.page.sections import figure, style_name
from branchline.pages import html_parts as parts
from branchline.pages.document import document
from branchline.pages.html_parts import Cell
from branchline.pages.prose import Prose
from branchline.report import versus
from branchline.report.drawing.style import NO_CHARTS, own_script, style
from branchline.report.places import Places

Figures = dict[str, Any]


def versus_page(boards: tuple[Board, Board], found: Figures, language: str = "en") -> str:
    places, says = Places(boards[0], language), Prose(language, *boards)
    content = top(says, found) + "".join(section(says, table, places) for table in found["tables"])
    return document(says("report.versus"), says("board_report.kind"), content, style(), language, (own_script(),), NO_CHARTS)


def top(says: Prose, found: Figures) -> str:
    named = {letter: says("board_report.fingerprint", fingerprint=found[letter]["fingerprint"]) for letter in "ab"}
    boards = "".join(
        f'<p class="facts-line"><b>{letter.upper()}</b> {escape(found[letter]["name"])} · {fingerprint}</p>' for letter, fingerprint in named.items()
    )
    facts = " · ".join((escape(found["bots"]), says("report.seed", seed=found["seed"]), says.games(found["games"])))
    about = f'<p class="facts-line">{facts}. {says("board_report.same_deals")}</p>'
    return f'<div class="top"><h1>{says("report.versus")}</h1>{boards}{about}</div>'


def section(says: Prose, table: Figures, places: Places) -> str:
    """Everything about one number of players."""
    cards = [parts.card(versus.differences(says, "", [figure_row(says, one) for one in table["figures"]]))]
    if "strategies" in table:
        rows = [named_row(says, escape(style_name(says, one["style"])), one) for one in table["strategies"]]
        cards.append(parts.card(versus.differences(says, says("board_report.style.style"), rows), says("board_report.wins_of_styles")))
    if table["tickets"]:
        rows = [ticket_row(says, one, places) for one in table["tickets"]]
        cards.append(parts.card(versus.ticket_differences(says, rows), says("report.completed_tickets")))
    if table.get("routes"):
        rows = [named_row(says, escape(places.route(one["route"])), one) for one in table["routes"]]
        cards.append(parts.card(versus.differences(says, says("report.column.route"), rows, sortable=True), says("report.claimed_routes")))
    heading = says("board_report.differs_with", players=says.players(table["players"]))
    return parts.section(f"players-{table['players']}", heading, "".join(cards), says("report.read_differences"))


def figure_row(says: Prose, one: Figures) -> list[Cell]:
    return [escape(figure(says, one["figure"])), *versus.numbers(says, one, one["is_share"])]


def named_row(says: Prose, name: str, one: Figures) -> list[Cell]:
    return [(name, name), *versus.numbers(says, one, True)]


def ticket_row(says: Prose, one: Figures, places: Places) -> list[Cell]:
    before, after = one["printed_a"], one["printed_b"]
    name, *numbers = named_row(says, escape(places.ticket(one["ticket"])), one)
    return [name, (str(before) if before == after else f"{before} → {after}", before), *numbers]
