"""What is wrong with a board: figures that are further from what they should be than chance explains, worst first.

A figure counts only if its whole interval lies beyond the limit, so that few games find little, and nothing wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from branchline.boards import Board
from branchline.design.styles import BALANCED
from branchline.design.ways import on_shortest_ways
from branchline.design.words import Sentences

Figures = dict[str, Any]

# from where on something is wrong
FIRST_PLAYER = 0.01  # share of wins that the first player has more, or less, than is fair
TICKET = 2.0  # points that it is worth more, or less, to draw a ticket than the average one
FAILING = 0.5  # a ticket completed less often than this
REFUSED = 0.15  # a ticket kept less often than this, of the times it is offered
DEAD = 0.02  # a route claimed in fewer games than this
DECIDES = 0.1  # a route whose owners win by this share more often than owners of other routes with as many points
CUTS = 0.05  # a route that cuts off this many tickets per game
STUCK = 0.01  # games that end because nobody can do anything
STYLE = 0.05  # share of wins by which a strategy is better or worse than fair


@dataclass(frozen=True)
class Finding:
    """Something that is wrong, about a `subject` (a ticket, a route, a style, or nothing in particular), with a number of players."""

    kind: str
    subject: str
    players: int
    estimate: Figures
    severity: float  # how many times the limit
    facts: Figures


def findings_of(board: Board, figures: Figures) -> list[Figures]:
    """The findings of all numbers of players, one for each thing that is wrong, worst first; with sentences in English."""
    sentences = Sentences(board)
    groups: dict[tuple[str, str], list[Finding]] = {}
    for table in figures["tables"]:
        for look in (first_player, ticket_values, ticket_fates, dead_routes, strong_routes, leads, ends):
            for one in look(board, table):
                groups.setdefault((one.kind, one.subject), []).append(one)
    for match in figures["strategies"]:
        for one in strategies(match):
            groups.setdefault((one.kind, one.subject), []).append(one)
    dead = len(figures["tables"])  # a route is dead only if nobody wants it with any number of players
    told = [told_of(found, sentences) for (kind, _), found in groups.items() if kind != "route_dead" or len(found) == dead]
    return sorted(told, key=lambda one: -one["severity"])


def told_of(found: list[Finding], sentences: Sentences) -> Figures:
    worst = max(found, key=lambda one: one.severity)
    told: Figures = {
        "kind": worst.kind,
        "subject": worst.subject,
        "players": sorted(one.players for one in found),
        "worst_with": worst.players,
        **worst.estimate,
        "severity": round(worst.severity, 3),
        "facts": worst.facts,
    }
    text, advice = sentences.told(told)
    return told | {"text": text, "advice": advice}


def beyond(estimate: Figures, limit: float) -> int:
    """1 if the whole interval is above the limit, -1 if it is below its negative, 0 otherwise."""
    if estimate["low"] is None or estimate["high"] is None:
        return 0
    return 1 if estimate["low"] > limit else -1 if estimate["high"] < -limit else 0


def first_player(board: Board, table: Figures) -> Iterator[Finding]:  # noqa: ARG001  # all looks take the same
    found = table["first_player"]
    if side := beyond(found["advantage"], FIRST_PLAYER):
        severity = abs(found["advantage"]["value"]) / FIRST_PLAYER
        yield Finding("first_player", "", table["players"], found["advantage"], severity, {"fair": found["fair"], "side": side})


def ticket_values(board: Board, table: Figures) -> Iterator[Finding]:  # noqa: ARG001
    for one in table["tickets"]:
        if "excess" in one and (side := beyond(one["excess"], TICKET)):
            kind = "ticket_too_much" if side > 0 else "ticket_too_little"
            severity = abs(one["excess"]["value"]) / TICKET
            facts = {name: one[name] for name in ("printed", "kept", "completed", "suggested")}
            yield Finding(kind, one["ticket"], table["players"], one["excess"], severity, facts)


def ticket_fates(board: Board, table: Figures) -> Iterator[Finding]:  # noqa: ARG001
    for one in table["tickets"]:
        if one["kept"]["high"] is not None and one["kept"]["high"] < REFUSED:
            yield Finding("ticket_refused", one["ticket"], table["players"], one["kept"], 1 + REFUSED - one["kept"]["value"], {})
        elif "completed" in one and one["completed"]["high"] is not None and one["completed"]["high"] < FAILING:
            severity = 1 + 4 * (FAILING - one["completed"]["value"])
            yield Finding("ticket_fails", one["ticket"], table["players"], one["completed"], severity, {"why": one["why"]})


def dead_routes(board: Board, table: Figures) -> Iterator[Finding]:
    for one in table.get("routes", []):
        if one["claimed"]["high"] < DEAD:
            facts = {"length": one["length"], "tickets": on_shortest_ways(board, one["route"])}
            yield Finding("route_dead", one["route"], table["players"], one["claimed"], 3 - one["claimed"]["value"] / DEAD, facts)


def strong_routes(board: Board, table: Figures) -> Iterator[Finding]:  # noqa: ARG001
    for one in table.get("routes", []):
        if one["excess"] is not None and beyond(one["excess"], DECIDES) > 0:
            facts = {name: one[name] for name in ("claimed", "length", "worth")}
            yield Finding("route_decides", one["route"], table["players"], one["excess"], one["excess"]["value"] / DECIDES, facts)
        if beyond(one["cuts"], CUTS) > 0:
            yield Finding("bottleneck", one["route"], table["players"], one["cuts"], one["cuts"]["value"] / CUTS, {"length": one["length"]})


def leads(board: Board, table: Figures) -> Iterator[Finding]:  # noqa: ARG001
    """The leader at half-time should win more often than others, but not nearly always: half-way between the fair share and all is the limit."""
    if "lead" not in table:
        return
    half, fair = table["lead"]["half_time"], table["first_player"]["fair"]
    limit = (1 + fair) / 2
    if half["low"] is not None and half["low"] > limit:
        yield Finding("decided_early", "", table["players"], half, half["value"] / limit, {"fair": fair})
    elif half["high"] is not None and half["high"] < fair:
        yield Finding("lead_is_nothing", "", table["players"], half, 2 - half["value"] / fair, {"fair": fair})


def ends(board: Board, table: Figures) -> Iterator[Finding]:  # noqa: ARG001
    for kind in ("passed", "limit"):
        if beyond(table["ends"][kind], STUCK) > 0:
            share = table["ends"][kind]
            yield Finding(f"ends_{kind}", "", table["players"], share, min(share["value"] / STUCK, 20.0), {"turns": table["length"]["turns"]})


def strategies(match: Figures) -> Iterator[Finding]:
    """It is not the board's fault when balanced planners are good."""
    for one in match["styles"]:
        if one["style"] != BALANCED and (side := beyond(one["advantage"], STYLE)):
            kind = "style_wins" if side > 0 else "style_loses"
            severity = abs(one["advantage"]["value"]) / STYLE * (1.0 if side > 0 else 0.5)
            yield Finding(kind, one["style"], match["players"], one["advantage"], severity, {"fair": match["fair"]})
