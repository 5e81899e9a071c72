"""Events by name, as the game record has them: made from the rules' log, and redacted for a viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from branchline.boards import Board
from branchline.rules import events as rows
from branchline.rules.board import TO_BOTTOM, TO_BOX, TO_DECK

Event = dict[str, Any]
Parts = list[tuple[int, ...]]

TO = {TO_BOX: "box", TO_BOTTOM: "bottom", TO_DECK: "deck"}


def named_events(board: Board, log: list[list[int]]) -> list[Event]:
    """The rows of a log, without its row 0, as events."""
    return [NAMERS[kind](board, seat, what, amount, parts) for (kind, seat, what, amount), parts in grouped(log)]


def grouped(log: list[list[int]]) -> Iterator[tuple[list[int], Parts]]:
    """Each event's row with the rows of its cards and tickets."""
    at = 0
    while at < len(log):
        end = at + 1
        while end < len(log) and log[end][0] >= rows.CARD:
            end += 1
        yield log[at], [tuple(row) for row in log[at + 1 : end]]
        at = end


def cards(board: Board, parts: Parts) -> list[str]:
    return [board.cards[kind].id for _, _, kind, count in parts for _ in range(count)]


def row_cards(board: Board, parts: Parts) -> list[str | None]:
    """Face-up cards by space; None for an empty space."""
    return [board.cards[kind].id if kind >= 0 else None for _, _, kind, _ in parts]


def ticket_ids(board: Board, parts: Parts, kind: int) -> list[str]:
    return [board.tickets[ticket].id for part, _, ticket, _ in parts if part == kind]


def building(name: str) -> Namer:
    """A station or a harbour."""
    return lambda board, seat, what, amount, parts: {"event": name, "seat": seat, "city": board.cities[what].id, "cards": cards(board, parts)}


def completed_tickets(board: Board, parts: Parts) -> list[dict[str, Any]]:
    """Each ticket with the cards that follow it."""
    done: list[dict[str, Any]] = []
    for part in parts:
        if part[0] == rows.TICKET_COMPLETED:
            done.append({"ticket": board.tickets[part[2]].id, "cards": []})
        else:
            done[-1]["cards"] += cards(board, [part])
    return done


def last_turns(seat: int, each: int) -> Event:
    """Where the deal of a second pass empties the deck, no seat has caused them."""
    return {"event": "last_turns", "seat": seat, "each": each} if seat >= 0 else {"event": "last_turns", "each": each}


Namer = Callable[[Board, int, int, int, Parts], Event]

NAMERS: dict[int, Namer] = {
    rows.START: lambda board, seat, what, amount, parts: {"event": "start", "first_seat": what},
    rows.DEAL: lambda board, seat, what, amount, parts: {"event": "deal", "seat": seat, "cards": cards(board, parts)},
    rows.LAY_ROW: lambda board, seat, what, amount, parts: {"event": "lay_row", "cards": row_cards(board, parts)},
    rows.CLEAR_ROW: lambda board, seat, what, amount, parts: {"event": "clear_row", "cards": row_cards(board, parts)},
    rows.OFFER_TICKETS: lambda board, seat, what, amount, parts: {
        "event": "offer_tickets",
        "seat": seat,
        "tickets": ticket_ids(board, parts, rows.TICKET_OFFERED),
        "keep_at_least": what,
    },
    rows.KEEP_TICKETS: lambda board, seat, what, amount, parts: {
        "event": "keep_tickets",
        "seat": seat,
        "kept": ticket_ids(board, parts, rows.TICKET_KEPT),
        "returned": ticket_ids(board, parts, rows.TICKET_RETURNED),
        "to": TO[what],
    },
    rows.TURN: lambda board, seat, what, amount, parts: {"event": "turn", "seat": seat},
    rows.DRAW: lambda board, seat, what, amount, parts: {"event": "draw", "seat": seat, "deck": board.decks[what], "card": board.cards[amount].id},
    rows.TAKE: lambda board, seat, what, amount, parts: {"event": "take", "seat": seat, "space": what, "card": board.cards[amount].id},
    rows.FILL: lambda board, deck, what, amount, parts: {"event": "fill", "space": what, "deck": board.decks[deck], "card": board.cards[amount].id},
    rows.RESHUFFLE: lambda board, seat, what, amount, parts: {"event": "reshuffle", "deck": board.decks[what], "count": amount},
    rows.CLAIM: lambda board, seat, what, amount, parts: {
        "event": "claim",
        "seat": seat,
        "route": board.routes[what].id,
        "cards": cards(board, parts),
        "points": amount,
    },
    rows.TUNNEL_LAY: lambda board, seat, what, amount, parts: {
        "event": "tunnel_lay",
        "seat": seat,
        "route": board.routes[what].id,
        "cards": cards(board, parts),
    },
    rows.TUNNEL_REVEAL: lambda board, seat, what, amount, parts: {"event": "tunnel_reveal", "cards": cards(board, parts), "owed": amount},
    rows.TUNNEL_ABANDON: lambda board, seat, what, amount, parts: {"event": "tunnel_abandon", "seat": seat, "route": board.routes[what].id},
    rows.STATION: building("station"),
    rows.HARBOUR: building("harbour"),
    rows.CHOOSE_SUPPLY: lambda board, seat, what, amount, parts: {"event": "choose_supply", "seat": seat, "trains": what, "ships": amount},
    rows.EXCHANGE: lambda board, seat, what, amount, parts: {"event": "exchange", "seat": seat, "trains": what, "ships": -what, "points": amount},
    rows.MOVE_TO_TRACK: lambda board, seat, what, amount, parts: {"event": "move_to_track", "seat": seat, "cards": cards(board, parts)},
    rows.PLACE: lambda board, seat, what, amount, parts: {"event": "place", "seat": seat, "cards": cards(board, parts)},
    rows.ROB: lambda board, seat, what, amount, parts: {
        "event": "rob",
        "seat": seat,
        "victim": what,
        "colour": board.colours[amount],
        "cards": cards(board, parts),
    },
    rows.COMPLETE_TICKETS: lambda board, seat, what, amount, parts: {
        "event": "complete_tickets",
        "seat": seat,
        "tickets": completed_tickets(board, parts),
    },
    rows.SECOND_PASS: lambda board, seat, what, amount, parts: {"event": "second_pass", "deck": amount},
    rows.PASS: lambda board, seat, what, amount, parts: {"event": "pass", "seat": seat},
    rows.LAST_TURNS: lambda board, seat, what, amount, parts: last_turns(seat, amount),
    rows.END: lambda board, seat, what, amount, parts: {"event": "end"},
}


def redact(event: Event, viewer: int | None) -> Event:
    """The event as a viewer may see it: a seat, or None for a spectator. Cards become their count; other hidden values are left out."""
    hide = REDACTORS.get(event["event"])
    return event if hide is None or event["seat"] == viewer else hide(event)


def without(event: Event, *keys: str, **added: Any) -> Event:
    return {key: value for key, value in event.items() if key not in keys} | added


REDACTORS: dict[str, Callable[[Event], Event]] = {
    "deal": lambda event: without(event, "cards", count=len(event["cards"])),
    "offer_tickets": lambda event: without(event, "tickets", count=len(event["tickets"])),
    "keep_tickets": lambda event: without(event, "kept", "returned", kept_count=len(event["kept"]), returned_count=len(event["returned"])),
    "draw": lambda event: without(event, "card"),
}
