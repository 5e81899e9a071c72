"""The whole page."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from branchline.boards import Board
from branchline.design.page import sections, words
from branchline.pages import html_parts as parts
from branchline.pages.document import document, style_sheet
from branchline.pages.numbers import decimal, percent, points, whole
from branchline.report.drawing.style import NO_CHARTS, own_script, style
from branchline.report.places import Places

Figures = dict[str, Any]


def page(board: Board, figures: Figures, language: str = "en") -> str:
    """The page of a board's figures, as `watching.watch` yields them."""
    places = Places(board, language)
    found = {
        "wrong": sections.wrong(figures),
        "order": sections.order(figures),
        "length": sections.length(figures),
        "lead": sections.lead(figures),
        "tickets": sections.tickets(figures, places),
        "routes": sections.routes(figures, board, places),
        "styles": sections.styles(figures),
        "method": sections.method(),
    }
    there = {name: text for name, text in found.items() if text}
    content = top(board, figures, list(there)) + "\n".join(there.values())
    return document(
        f"{board.name} – {words.KIND}", words.KIND, content, style() + style_sheet(Path(__file__).parent), language, (own_script(),), NO_CHARTS
    )


def top(board: Board, figures: Figures, names: list[str]) -> str:
    links = "".join(f'<a href="#{name}">{words.NAVIGATION[name]}</a>' for name in names)
    played = f"{whole(figures['games'])} games in {decimal(figures['seconds'], 0)} s"
    facts = f"{escape(figures['bots'])} · seed {figures['seed']} · {played} · fingerprint {figures['fingerprint']}"
    return f'<div class="top"><h1>{escape(board.name)}</h1><p class="facts-line">{facts}</p>{tiles(figures)}<nav>{links}</nav></div>'


def tiles(figures: Figures) -> str:
    """With the most players."""
    last = figures["tables"][-1]
    with_players, ahead = words.PLAYERS.format(number=last["players"]), last["first_player"]["advantage"]
    span = "" if ahead["low"] is None else f" ({points(ahead['low'])} to {points(ahead['high'])})"
    numbers = [
        (whole(len(figures["findings"])), "findings", "with all numbers of players"),
        (points(ahead["value"]), "first-player advantage", f"percentage points{span}, {with_players}"),
        (decimal(last["length"]["turns"]["value"], 0), "turns", f"about {decimal(last['length']['minutes']['value'], 0)} minutes, {with_players}"),
    ]
    if "lead" in last:
        numbers.append((percent(last["lead"]["half_time"]["value"], 0), "wins of the leader at half-time", with_players))
    return parts.tiles(numbers)
