"""What the editor's panel is told about the games of a report, while they are played."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from branchline.boards import Board
from branchline.design.page.sections import figure, told
from branchline.design.watching import Question, watch
from branchline.design.words import Sentences, is_about
from branchline.pages.prose import Prose
from branchline.words import languages

Figures = dict[str, Any]
Form = Callable[[Figures], tuple[str, str]]
Places = dict[tuple[str, str], Figures]


def lines(question: Question) -> Iterator[Figures]:
    """What is known so far, again and again, with sentences in all languages that are complete, and all figures for the whole page."""
    spoken = [code for code, language in languages().items() if language.complete]
    sentences, prose = {code: Sentences(question.board, code) for code in spoken}, {code: Prose(code, question.board) for code in spoken}
    places = places_on(question.board)
    for figures in watch(question):
        found = [shown(one, places, sentences) for one in figures["findings"]]
        said = {"head": {code: head(says, figures) for code, says in prose.items()}, "findings": found}
        yield {name: figures[name] for name in ("games", "asked", "seconds")} | said | {"figures": json.dumps(figures, ensure_ascii=False)}


def head(says: Prose, figures: Figures) -> Figures:
    """The key figures with their intervals, in rows; numbers of players in columns."""
    tables = figures["tables"]
    rows = [{"name": name, "values": [in_words(*form(one)) for one in tables]} for name, form in key_figures(says, tables).items()]
    return {"columns": [says.players(one["players"]) for one in tables], "rows": rows}


def in_words(value: str, interval: str) -> Figures:
    return {"value": value, "interval": interval}


def key_figures(says: Prose, tables: list[Figures]) -> dict[str, Form]:
    """As the top of the whole page has them, and in its words."""
    advantage = f"{says('report.tile.first')} ({says('report.tile.percentage_points')})"
    found: dict[str, Form] = {
        advantage: lambda one: told(says, one["first_player"]["advantage"], says.points),
        says("board_report.row.turns"): lambda one: told(says, one["length"]["turns"], says.decimal),
        says("board_report.row.minutes"): lambda one: told(says, one["length"]["minutes"], says.decimal),
        figure(says, "shared victories"): lambda one: told(says, one["points"]["shared"]),
    }
    if tables and all("lead" in one for one in tables):
        found[figure(says, "leader at half-time wins")] = lambda one: told(says, one["lead"]["half_time"])
    return found


def shown(finding: Figures, places: Places, sentences: dict[str, Sentences]) -> Figures:
    said = {code: dict(zip(("text", "advice"), one.told(finding), strict=True)) for code, one in sentences.items()}
    kept = {name: finding[name] for name in ("kind", "subject", "players", "severity")}
    place = places.get((is_about(finding["kind"]), finding["subject"]))
    return kept | {"said": said} | ({"place": place} if place else {})


def places_on(board: Board) -> Places:
    """Routes and tickets as the editor knows them: by their cities, routes also by their number among those between the two, in the order of the
    file. A tour cannot be selected there.
    """
    before, found = Counter[tuple[str, str]](), Places()
    for route in board.routes:
        a, b = sorted((route.a, route.b))
        found["route", route.id] = {"kind": "route", "a": a, "b": b, "track": before[a, b]}
        before[a, b] += 1
    tickets = (ticket for ticket in board.tickets if not ticket.is_tour)
    return found | {("ticket", ticket.id): {"kind": "ticket", "a": ticket.a, "b": ticket.b, "track": 0} for ticket in tickets}
