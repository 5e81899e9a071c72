"""Reads a board's facts from its tables: cards, cities, routes, tickets."""

from __future__ import annotations

from collections import Counter
from importlib.resources.abc import Traversable
from typing import Any

from branchline.boards.model import BigCity, BoardError, Card, City, Route, Ticket
from branchline.boards.tables import Row, read_rows, unique_by_id
from branchline.rules.sizes import ALIKE, TOUR_CITIES

GRAY = "gray"
WILD = "wild"


def read_cards(folder: Traversable, decks: tuple[str, ...]) -> tuple[Card, ...]:
    def card(row: Row) -> Card:
        colour = row.cells["colour"] or None
        if (colour is None) != (row.text("id") == WILD):
            raise row.error("the wild, and only the wild, has no colour")
        covers = row.number("covers", 1, 2) if row.cells.get("covers") else 1
        return Card(row.text("id"), row.one_of("deck", decks), colour, row.number("count", 1, 100), covers, row.flag("harbour"))

    columns = ("id", "deck", "colour", "count")
    cards: tuple[Card, ...] = unique_by_id(card, read_rows(folder, "cards.csv", columns, ("covers", "harbour")))
    check_card_order(f"{folder.name}/cards.csv", cards)
    return cards


def check_card_order(label: str, cards: tuple[Card, ...]) -> None:
    """Cards are paid in this order: see rules/payments.py and rules/pairs.py."""
    if not cards or cards[-1].id != WILD:
        raise BoardError(label, "the last card must be the wild")
    if [card.colour for card in cards] != sorted((card.colour for card in cards), key=[card.colour for card in cards].index):
        raise BoardError(label, "the cards of a colour must stand together")
    for (colour, deck), number in Counter((card.colour, card.deck) for card in cards).items():
        alike = [card.covers for card in cards if (card.colour, card.deck) == (colour, deck)]
        if number > ALIKE or alike != sorted(alike, reverse=True) or alike.count(2) > 1:
            raise BoardError(label, f"{colour} has up to {ALIKE} kinds in the {deck} deck, first the one that covers two spaces, if there is one")


def read_districts(folder: Traversable, settings: dict[str, Any]) -> dict[str, str]:
    """City id to district, for a board that has districts."""
    if "districts" not in settings:
        return {}
    allowed = tuple(settings["districts"]["points"])
    return {row.text("city"): row.one_of("district", allowed) for row in read_rows(folder, "districts.csv", ("city", "district"))}


def read_cities(folder: Traversable, districts: dict[str, str]) -> tuple[City, ...]:
    cities: tuple[City, ...] = unique_by_id(
        lambda row: City(row.text("id"), row.text("name"), districts.get(row.text("id")), row.flag("port")),
        read_rows(folder, "cities.csv", ("id", "name"), ("port",)),
    )
    unknown = set(districts) - {city.id for city in cities}
    if unknown:
        raise BoardError(f"{folder.name}/districts.csv", f"{', '.join(sorted(unknown))}: no such city in cities.csv")
    return cities


def check_geography(folder: Traversable, cities: tuple[City, ...]) -> None:
    for row in read_rows(folder, "geography.csv", ("city", "lat", "lon")):
        row.one_of("city", {city.id: None for city in cities})


def read_big_cities(folder: Traversable, cities: tuple[City, ...]) -> tuple[BigCity, ...]:
    if not (folder / "big_cities.csv").is_file():
        return ()
    ids = {city.id: None for city in cities}
    rows = read_rows(folder, "big_cities.csv", ("city", "points"))
    return unique_by_id(lambda row: BigCity(row.one_of("city", ids), row.number("points", 1, 100)), rows)


def read_routes(
    folder: Traversable, cities: tuple[City, ...], cards: tuple[Card, ...], decks: tuple[str, ...], lengths: dict[str, int]
) -> tuple[Route, ...]:
    check_geography(folder, cities)
    ids = {city.id: None for city in cities}
    colours = (*dict.fromkeys(card.colour for card in cards if card.colour), GRAY)

    def route(row: Row) -> Route:
        a, b = row.one_of("a", ids), row.one_of("b", ids)
        if not a < b or row.text("id").split(".")[0] != f"{a}-{b}":
            raise row.error(f"a route's id is its two cities in alphabetical order, here {min(a, b)}-{max(a, b)}")
        length, colour = int(row.one_of("length", lengths)), row.one_of("colour", colours)
        ferry, tunnel, sea, pair = row.number("ferry", 0, length), row.flag("tunnel"), row.flag("sea"), row.flag("pair")
        if sea and len(decks) == 1:
            raise row.error("a sea route takes cards of a second [[deck]]")
        if pair and (sea or tunnel or ferry or colour != GRAY):
            raise row.error("a pair route is gray, not at sea, and neither ferry nor tunnel")
        return Route(row.text("id"), a, b, length, colour, row.flag("double"), ferry, tunnel, sea, pair, row.flag("over_the_edge"))

    columns = ("id", "a", "b", "length", "colour")
    rows = list(read_rows(folder, "routes.csv", columns, ("double", "ferry", "tunnel", "sea", "pair", "over_the_edge")))
    routes: tuple[Route, ...] = unique_by_id(route, iter(rows))
    tracks = Counter((route.a, route.b) for route in routes)
    for row, made in zip(rows, routes, strict=True):
        if tracks[made.a, made.b] != (2 if made.double else 1):
            raise row.error(
                f"{made.a}-{made.b} has {tracks[made.a, made.b]} tracks; two tracks are a double route, both marked so, and others are not"
            )
    return routes


def read_tickets(folder: Traversable, cities: tuple[City, ...], cards: tuple[Card, ...], with_cards: bool) -> tuple[Ticket, ...]:
    """Tickets, then tours."""
    ids = {city.id: None for city in cities}
    colours = {card.colour: None for card in cards if card.colour}

    def ticket(row: Row) -> Ticket:
        a, b = row.one_of("a", ids), row.one_of("b", ids)
        if not a < b or row.text("id").split(".")[0] != f"{a}-{b}":
            raise row.error(f"a ticket's id is its two cities in alphabetical order, here {min(a, b)}-{max(a, b)}")
        needed = row.several("cards", colours) if with_cards else ()
        return Ticket(row.text("id"), a, b, row.number("points", 1, 100), row.flag("long"), needed)

    columns = ("id", "a", "b", "points", *(["cards"] if with_cards else []))
    tickets: tuple[Ticket, ...] = unique_by_id(ticket, read_rows(folder, "tickets.csv", columns, ("long",)))
    if [t.long for t in tickets] != sorted((t.long for t in tickets), reverse=True):
        raise BoardError(f"{folder.name}/tickets.csv", "the long tickets must come first")
    return tickets + read_tours(folder, cities)


def read_tours(folder: Traversable, cities: tuple[City, ...]) -> tuple[Ticket, ...]:
    if not (folder / "tours.csv").is_file():
        return ()
    ids = {city.id: None for city in cities}

    def tour(row: Row) -> Ticket:
        stops = row.several("cities", ids)
        if not 3 <= len(stops) <= TOUR_CITIES or len(set(stops)) < len(stops):
            raise row.error(f"a tour has 3 to {TOUR_CITIES} cities, each once, in their order, with spaces between")
        values = [row.number(column, 1, 100) for column in ("in_order", "connected", "failed")]
        if row.text("id") != f"tour-{stops[0]}-{stops[-1]}":
            raise row.error(f"a tour's id names its first and last city, here tour-{stops[0]}-{stops[-1]}")
        return Ticket(row.text("id"), stops[0], stops[-1], values[0], via=stops[1:-1], connected=values[1], failed=values[2])

    return unique_by_id(tour, read_rows(folder, "tours.csv", ("id", "cities", "in_order", "connected", "failed")))
