"""Builds the rules' Board record from a board's facts."""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.boards.model import BoardError, Card, City, Route, Ticket
from branchline.boards.settings import NUMBERS, RETURN_TO, TIE_BREAKS
from branchline.rules import decisions
from branchline.rules.board import BOARD
from branchline.rules.sizes import DECISIONS, GRAY, LENGTHS, NONE


def build_record(
    label: str,
    settings: dict[str, Any],
    decks: tuple[str, ...],
    cards: tuple[Card, ...],
    cities: tuple[City, ...],
    routes: tuple[Route, ...],
    tickets: tuple[Ticket, ...],
) -> np.ndarray[Any, Any]:
    records = np.zeros(1, BOARD)
    board = records[0]
    enter_settings(settings, board)
    enter_cards(settings, decks, cards, board)
    enter_routes(settings, cards, cities, routes, board)
    enter_tickets(cities, tickets, board)
    enter_districts(settings, cities, board)
    enter_route_sets(board)
    number_decisions(label, board)
    return records


def enter_settings(settings: dict[str, Any], board: Any) -> None:
    for table, key, field, default, *_ in NUMBERS:
        value = settings[table].get(key, default)
        board[field] = value if field != "pieces" else (value, 0)
    board.opening_to = RETURN_TO[settings["tickets"]["opening_to"]]
    for place, name in enumerate(settings["end"].get("tie_breaks", ())):
        board.tie_breaks[place] = TIE_BREAKS[name]


def enter_cards(settings: dict[str, Any], decks: tuple[str, ...], cards: tuple[Card, ...], board: Any) -> None:
    board.kinds, board.decks, board.wild = len(cards), len(decks), len(cards) - 1
    board.colours = len({card.colour for card in cards}) - 1
    for kind, card in enumerate(cards):
        board.cards[kind] = card.count
        board.deck_of[kind] = decks.index(card.deck)
    for number, deck in enumerate(settings["deck"]):
        board.hand[number] = deck["hand"]


def enter_routes(settings: dict[str, Any], cards: tuple[Card, ...], cities: tuple[City, ...], routes: tuple[Route, ...], board: Any) -> None:
    city = {city.id: number for number, city in enumerate(cities)}
    colour = {card.colour: number for number, card in enumerate(cards)} | {"gray": GRAY}
    board.cities, board.routes = len(cities), len(routes)
    board.twin[:] = NONE
    for length, points in settings["routes"]["points"].items():
        board.route_points[int(length)] = points
    for number, route in enumerate(routes):
        board.route_a[number], board.route_b[number] = city[route.a], city[route.b]
        board.length[number], board.colour[number] = route.length, colour[route.colour]
        board.ferry[number], board.tunnel[number] = route.ferry, route.tunnel
        for other, twin in enumerate(routes):
            if other != number and (twin.a, twin.b) == (route.a, route.b):
                board.twin[number] = other


def enter_tickets(cities: tuple[City, ...], tickets: tuple[Ticket, ...], board: Any) -> None:
    city = {city.id: number for number, city in enumerate(cities)}
    board.tickets = len(tickets)
    board.long_tickets = sum(ticket.long for ticket in tickets)
    for number, ticket in enumerate(tickets):
        board.ticket_a[number], board.ticket_b[number] = city[ticket.a], city[ticket.b]
        board.ticket_points[number] = ticket.points


def enter_districts(settings: dict[str, Any], cities: tuple[City, ...], board: Any) -> None:
    for number, (district, points) in enumerate(settings.get("districts", {}).get("points", {}).items()):
        board.district_count = number + 1
        board.district_points[number] = points
        for place, city in enumerate(cities):
            if city.district == district:
                board.districts[number] |= np.uint64(1 << place)


def enter_route_sets(board: Any) -> None:
    """The sets of routes from which legal claims are put together."""
    for route in range(board.routes):
        word, bit = route // 64, np.uint64(1 << route % 64)
        board.touching[board.route_a[route], word] |= bit
        board.touching[board.route_b[route], word] |= bit
        for number in range(LENGTHS):
            if board.length[route] <= number:
                board.within[number, word] |= bit
                board.payable[board.colour[route], number, word] |= bit
            if board.ferry[route] <= number:
                board.ferries[number, word] |= bit


def number_decisions(label: str, board: Any) -> None:
    """Lay out the decision table: the blocks of decisions.py, one after the other."""
    sizes = {
        decisions.CLAIM: board.routes,
        decisions.BUILD: board.cities if board.stations else 0,
        decisions.KEEP: board.tickets,
        decisions.RETURN: board.tickets,
        decisions.PAY: board.kinds,
        decisions.DRAW: board.decks,
        decisions.TAKE: board.row,
        decisions.DRAW_TICKETS: 1,
        decisions.ABANDON: int(board.tunnel.any()),
        decisions.PASS: 1,
    }
    start = 0
    for block in range(len(sizes)):
        start += int(sizes[block])
        board.starts[block + 1] = start
    if start > DECISIONS:
        raise BoardError(label, f"{start} decisions; there is room for {DECISIONS}")
