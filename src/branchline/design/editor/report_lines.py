"""What the editor's panel is told about the games of a report, while they are played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from branchline.boards import Board
from branchline.design.watching import Question, watch
from branchline.design.words import Sentences, is_about
from branchline.words import languages

Figures = dict[str, Any]
Places = dict[tuple[str, str], Figures]


def lines(question: Question) -> Iterator[Figures]:
    """What is known so far, again and again, with sentences in all languages that are complete."""
    sentences = {code: Sentences(question.board, code) for code, language in languages().items() if language.complete}
    places = places_on(question.board)
    for figures in watch(question):
        found = [shown(one, places, sentences) for one in figures["findings"]]
        yield {name: figures[name] for name in ("games", "asked", "seconds")} | {"findings": found}


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
