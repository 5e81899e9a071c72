"""Builds the rules' Board record from a board's facts."""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.boards.model import PIECES, BoardError, Card, City, Facts, Route, Ticket
from branchline.boards.settings import RETURN_TO, TIE_BREAKS, Settings, YardSettings
from branchline.rules.board import BOARD
from branchline.rules.sizes import DECISIONS, GRAY, NONE
from branchline.rules.vocabulary.decisions import BLOCKS

# settings whose field in the record has a more telling name
FIELDS = {"exchange": "exchange_points", "unbuilt_station": "unbuilt_points", "unbuilt_harbour": "unbuilt_loss", "longest_path": "longest_points"}


def build_record(label: str, settings: Settings, facts: Facts) -> np.ndarray[Any, Any]:
    records = np.zeros(1, BOARD)
    board = records[0]
    enter_settings(settings, board)
    enter_cards(settings, facts.decks, facts.cards, board)
    enter_cities(settings, facts, board)
    if settings.routes:
        board.route_points[list(settings.routes.points)] = list(settings.routes.points.values())
    enter_routes(facts.cities, facts.routes, colour_numbers(facts.cards), board)
    enter_tickets(facts.cities, facts.tickets, colour_numbers(facts.cards), board)
    enter_tours(facts.cities, facts.tickets, board)
    enter_route_sets(board)
    number_decisions(label, board)
    return records


def enter_settings(settings: Settings, board: Any) -> None:
    tables = (settings.cards, settings.pieces, settings.routes, settings.tickets, settings.yards or YardSettings(), settings.end)
    for name, value in (one for table in tables if table for one in table):
        if isinstance(value, int) and name not in PIECES:
            board[FIELDS.get(name, name)] = value
    for piece, name in enumerate(PIECES):
        board.pieces[piece] = getattr(settings.pieces, name, None) or 0
    board.yards = settings.yards is not None
    board.opening_to = RETURN_TO[settings.tickets.opening_to]
    for place, tie_break in enumerate(settings.end.tie_breaks):
        board.tie_breaks[place] = TIE_BREAKS[tie_break]
    best = 0
    for named in range(1, len(board.harbour_points)):
        best = settings.harbours.points.get(named, best) if settings.harbours else 0
        board.harbour_points[named] = best


def colour_numbers(cards: tuple[Card, ...]) -> dict[str, int]:
    """Colours are numbered in the order of their cards."""
    names = dict.fromkeys(card.colour for card in cards if card.colour)
    return {name: number for number, name in enumerate(names)} | {"gray": GRAY}


def enter_cards(settings: Settings, decks: tuple[str, ...], cards: tuple[Card, ...], board: Any) -> None:
    colours = colour_numbers(cards)
    board.kinds, board.decks, board.wild = len(cards), len(decks), len(cards) - 1
    board.colours = len(colours) - 1
    board.kinds_of[:] = NONE
    board.next_alike[:] = NONE
    for kind, card in enumerate(cards):
        board.cards[kind] = card.count
        board.deck_of[kind] = deck = decks.index(card.deck)
        board.covers[kind], board.symbol[kind] = card.covers, card.harbour
        board.colour_of[kind] = NONE if card.colour is None else colours[card.colour]
        if card.colour is not None:
            alike = board.kinds_of[deck, colours[card.colour]]
            place = list(alike).index(NONE)
            alike[place] = kind
            if place > 0:
                board.next_alike[alike[place - 1]] = kind
    for number, deck_settings in enumerate(settings.deck):
        board.hand[number] = deck_settings.hand
        board.row_from[number] = deck_settings.row if len(decks) > 1 else board.row


def enter_routes(cities: tuple[City, ...], routes: tuple[Route, ...], colours: dict[str, int], board: Any) -> None:
    city = city_numbers(cities)
    board.routes, board.pair_routes = len(routes), sum(route.pair for route in routes)
    board.twin[:] = NONE
    for number, route in enumerate(routes):
        board.route_a[number], board.route_b[number] = city[route.a], city[route.b]
        board.length[number], board.colour[number] = route.length, colours[route.colour]
        board.route_deck[number], board.pair[number] = int(route.sea), route.pair
        board.ferry[number], board.tunnel[number] = route.ferry, route.tunnel
    enter_twins(routes, board)


def enter_twins(routes: tuple[Route, ...], board: Any) -> None:
    """Link the two tracks of each double route."""
    between: dict[tuple[str, str], int] = {}
    for number, route in enumerate(routes):
        if not route.double:
            continue
        other = between.setdefault((route.a, route.b), number)
        if other != number:
            board.twin[number], board.twin[other] = other, number


def city_numbers(cities: tuple[City, ...]) -> dict[str, int]:
    return {city.id: number for number, city in enumerate(cities)}


def enter_tickets(cities: tuple[City, ...], tickets: tuple[Ticket, ...], colours: dict[str, int], board: Any) -> None:
    city = city_numbers(cities)
    board.tickets = len(tickets)
    board.long_tickets = sum(ticket.long for ticket in tickets)
    for number, ticket in enumerate(tickets):
        board.ticket_a[number], board.ticket_b[number] = city[ticket.a], city[ticket.b]
        board.ticket_points[number] = ticket.points
        board.ticket_loss[number] = ticket.points if ticket.failed is None else ticket.failed
        board.ticket_cities[number] = sum(1 << city[name] for name in ticket.cities)
        board.ticket_size[number] = len(ticket.cards)
        for colour in ticket.cards:
            board.ticket_cards[number, colours[colour]] += 1


def enter_tours(cities: tuple[City, ...], tickets: tuple[Ticket, ...], board: Any) -> None:
    city = city_numbers(cities)
    tours = [ticket for ticket in tickets if ticket.is_tour]
    board.first_tour = len(tickets) - len(tours)
    for number, tour in enumerate(tours):
        board.tour_size[number] = len(tour.cities)
        board.tour_connected[number] = tour.connected
        for place, name in enumerate(tour.cities):
            board.tour_city[number, place] = city[name]


def enter_cities(settings: Settings, facts: Facts, board: Any) -> None:
    city = city_numbers(facts.cities)
    board.cities = len(city)
    board.ports = sum(1 << city[port.id] for port in facts.cities if port.port)
    board.attractions = sum(1 << city[one.id] for one in facts.cities if one.attraction)
    board.attraction_points = settings.attractions.points if settings.attractions else 0
    board.big_cities = len(facts.big_cities)
    for place, big in enumerate(facts.big_cities):
        board.big_city[place], board.big_city_points[place] = city[big.id], big.points
    enter_districts(settings, facts.cities, board)


def enter_districts(settings: Settings, cities: tuple[City, ...], board: Any) -> None:
    for number, (district, points) in enumerate(settings.districts.points.items() if settings.districts else ()):
        board.district_count = number + 1
        board.district_points[number] = points
        for place, city in enumerate(cities):
            if city.district == str(district):
                board.districts[number] |= np.uint64(1 << place)


def enter_route_sets(board: Any) -> None:
    """The sets of routes from which legal claims are put together."""
    for route in range(board.routes):
        word, bit, deck, length = route // 64, np.uint64(1 << route % 64), board.route_deck[route], board.length[route]
        board.touching[board.route_a[route], word] |= bit
        board.touching[board.route_b[route], word] |= bit
        payable = board.pair_payable if board.pair[route] else board.payable[deck, board.colour[route]]
        payable[length:, word] |= bit
        board.within[deck, length:, word] |= bit
        board.ferries[board.ferry[route] :, word] |= bit


def number_decisions(label: str, board: Any) -> None:
    """Lay out the decision table: the blocks of vocabulary/decisions.py, one after the other."""
    start = 0
    for number, block in enumerate(BLOCKS):
        size = int(block.size(board))
        board.block_of[start : start + size] = number
        start += size
        board.starts[number + 1 :] = start
    if start > DECISIONS:
        raise BoardError(label, f"{start} decisions; there is room for {DECISIONS}")
