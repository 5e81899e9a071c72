"""Events by name, as in the game record: read from the rules' log, and redacted for a viewer.

Their names and fields are declared in `rules/vocabulary/events.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from branchline.boards import Board
from branchline.rules.board import TO_BOTTOM, TO_BOX, TO_DECK
from branchline.rules.sizes import NONE
from branchline.rules.vocabulary import fields as f
from branchline.rules.vocabulary.events import EVENTS
from branchline.rules.vocabulary.fields import CARD_ROW, PARTS, Field

Event = dict[str, Any]
Rows = list[list[int]]

BY_NAME = {event.name: event for event in EVENTS.values()}
DESTINATIONS = {TO_BOX: "box", TO_BOTTOM: "bottom", TO_DECK: "deck"}


def named_events(board: Board, log: Rows) -> list[Event]:
    """The rows of a log, without its row 0, as events."""
    return [named(board, row, parts) for row, parts in grouped(log)]


def grouped(log: Rows) -> Iterator[tuple[list[int], Rows]]:
    """Each event's row with the rows of its cards and tickets."""
    at = 0
    while at < len(log):
        end = at + 1
        while end < len(log) and log[end][0] >= CARD_ROW:
            end += 1
        yield log[at], log[at + 1 : end]
        at = end


def named(board: Board, row: list[int], parts: Rows) -> Event:
    declared = EVENTS[row[0]]
    event: Event = {"event": declared.name}
    for name, field in declared.fields.items():
        if field.column == PARTS:
            event[name] = LISTS[field.type](board, field, parts)
        elif not (field.optional and row[field.column] == NONE):
            event[name] = VALUES[field.type](board, -row[field.column] if field.negated else row[field.column])
    return event


VALUES: dict[f.FieldType, Callable[[Board, int], Any]] = {
    f.SEAT: lambda _, seat: seat,
    f.SPACE: lambda _, space: space,
    f.NUMBER: lambda _, number: number,
    f.DESTINATION: lambda _, destination: DESTINATIONS[destination],
    f.ROUTE: lambda board, route: board.routes[route].id,
    f.CITY: lambda board, city: board.cities[city].id,
    f.CARD: lambda board, kind: board.cards[kind].id,
    f.DECK: lambda board, deck: board.decks[deck],
    f.COLOUR: lambda board, colour: board.colours[colour],
}


def cards(board: Board, _: Field, parts: Rows) -> list[str]:
    return [board.cards[kind].id for row, _, kind, count in parts if row == CARD_ROW for _ in range(count)]


def row_cards(board: Board, _: Field, parts: Rows) -> list[str | None]:
    """Face-up cards by space; None for an empty space."""
    return [board.cards[kind].id if kind >= 0 else None for _, _, kind, _ in parts]


def tickets(board: Board, field: Field, parts: Rows) -> list[str]:
    return [board.tickets[ticket].id for row, _, ticket, _ in parts if row == field.rows]


def completions(board: Board, field: Field, parts: Rows) -> list[dict[str, Any]]:
    """Each ticket with the cards that follow it."""
    done: list[dict[str, Any]] = []
    for part in parts:
        if part[0] == field.rows:
            done.append({"ticket": board.tickets[part[2]].id, "cards": []})
        else:
            done[-1]["cards"] += cards(board, field, [part])
    return done


LISTS: dict[f.FieldType, Callable[[Board, Field, Rows], list[Any]]] = {
    f.CARDS: cards,
    f.ROW: row_cards,
    f.TICKETS: tickets,
    f.COMPLETIONS: completions,
}

SECRETS = {event.name: {name: field for name, field in event.fields.items() if field.secret} for event in EVENTS.values()}


COVERED = {event.name: {name: field for name, field in event.fields.items() if field.covered} for event in EVENTS.values()}


def redact(event: Event, viewer: int | None) -> Event:
    """The event as a viewer may see it: a seat, or None for a spectator. Lists become their length; other hidden values are left out."""
    return event if event.get("seat") == viewer else without(event, SECRETS.get(event["event"], {}))


def for_people(event: Event) -> Event:
    """The event as people are shown it, who are not told again what lies in a pile (CG-8)."""
    return without(event, COVERED.get(event["event"], {}))


def without(event: Event, hidden: dict[str, Field]) -> Event:
    if not hidden:
        return event
    counts = {field.counted_as: len(event[name]) for name, field in hidden.items() if field.counted_as}
    return {name: value for name, value in event.items() if name not in hidden} | counts


def remembered(event: Event, viewer: int | None) -> Event:
    """A copy for a viewer, as they may see it. In an imagined game part of the event may be hidden already."""
    hidden = {} if event.get("seat") == viewer else {name: field for name, field in SECRETS[event["event"]].items() if name in event}
    return own_copy(without(event, hidden))


def own_copy(event: Event) -> Event:
    """For somebody who may change it."""
    return {name: own_list(value) if isinstance(value, list) else value for name, value in event.items()}


def own_list(values: list[Any]) -> list[Any]:
    return [own_copy(value) if isinstance(value, dict) else value for value in values]
