"""The whole page."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from branchline.boards import Board
from branchline.design.page import sections
from branchline.pages import html_parts as parts
from branchline.pages.document import document, style_sheet
from branchline.pages.prose import Prose
from branchline.play.wording import Speaker
from branchline.report.drawing.style import NO_CHARTS, own_script, style
from branchline.report.places import Places

Figures = dict[str, Any]


def page(board: Board, figures: Figures, language: str = "en") -> str:
    """The page of a board's figures, as `watching.watch` yields them."""
    places, says = Places(board, language), Prose(language, board)
    found = {
        "wrong": sections.wrong(says, figures, board),
        "order": sections.order(says, figures),
        "length": sections.length(says, figures),
        "lead": sections.lead(says, figures),
        "tickets": sections.tickets(says, figures, places),
        "routes": sections.routes(says, figures, board, places),
        "styles": sections.styles(says, figures),
        "method": sections.method(says),
    }
    there = {name: text for name, text in found.items() if text}
    name, kind = Speaker(board, language).game, says("board_report.kind")
    content = top(says, name, figures, list(there)) + "\n".join(there.values())
    return document(f"{name} – {kind}", kind, content, style() + style_sheet(Path(__file__).parent), language, (own_script(),), NO_CHARTS)


def top(says: Prose, name: str, figures: Figures, there: list[str]) -> str:
    links = "".join(f'<a href="#{one}">{says(f"board_report.link.{one}")}</a>' for one in there)
    played = says("board_report.played", games=says.games(figures["games"]), seconds=says.decimal(figures["seconds"], 0))
    own = says("report.seed", seed=figures["seed"]), played, says("board_report.fingerprint", fingerprint=figures["fingerprint"])
    facts = " · ".join((escape(figures["bots"]), *own))
    return f'<div class="top"><h1>{escape(name)}</h1><p class="facts-line">{facts}</p>{tiles(says, figures)}<nav>{links}</nav></div>'


def tiles(says: Prose, figures: Figures) -> str:
    """With the most players."""
    last = figures["tables"][-1]
    players, ahead = says.players(last["players"]), last["first_player"]["advantage"]
    span = "" if ahead["low"] is None else f" ({says.interval(says.points(ahead['low']), says.points(ahead['high']))})"
    minutes = says.decimal(last["length"]["minutes"]["value"], 0)
    found = len(figures["findings"])
    numbers = [
        (says.whole(found), says("board_report.tile.findings", count=found), says("board_report.tile.findings_about")),
        (says.points(ahead["value"]), says("report.tile.first"), f"{says('report.tile.percentage_points')}{span}, {players}"),
        (
            says.decimal(last["length"]["turns"]["value"], 0),
            says("board_report.row.turns"),
            says("board_report.tile.turns_about", minutes=minutes, players=players),
        ),
    ]
    if "lead" in last:
        numbers.append((says.percent(last["lead"]["half_time"]["value"], 0), says("board_report.tile.lead"), players))
    return parts.tiles(numbers)
