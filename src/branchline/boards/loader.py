"""Loads a board: reads its files, checks every fact and every total, and builds the record for the rules."""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from branchline.boards.building import build_record
from branchline.boards.model import Board, BoardError, Card, City, Route, Ticket
from branchline.boards.settings import check_settings
from branchline.boards.tables import Row, read_rows, read_settings, unique_by_id
from branchline.rules.sizes import CITIES, COLOURS, DECKS, DISTRICTS, KINDS, LENGTHS, ROUTES, TICKETS

GRAY = "gray"
WILD = "wild"


@cache
def available_boards() -> tuple[str, ...]:
    """The games that come with Branchline."""
    folders = files("branchline.boards").iterdir()
    return tuple(sorted(folder.name.replace("_", "-") for folder in folders if (folder / "board.toml").is_file()))


@cache
def load_board(game: str) -> Board:
    """The board of a game, by its name; a board is read once."""
    if game not in available_boards():
        raise BoardError(game, f"there is no such board; there are {', '.join(available_boards())}")
    return read_board(files("branchline.boards") / game.replace("-", "_"))


def read_board(folder: Traversable) -> Board:
    """Read and check a board from any folder."""
    settings = read_settings(folder, "board.toml")
    label = f"{folder.name}/board.toml"
    check_settings(label, settings)
    decks = tuple(deck["name"] for deck in settings["deck"])
    cards = read_cards(folder, decks)
    districts = read_districts(folder, settings)
    cities = read_cities(folder, districts)
    routes = read_routes(folder, cities, cards, settings["routes"]["points"])
    tickets = read_tickets(folder, cities)
    check_sizes(label, cards, decks, cities, routes, tickets)
    check_totals(label, settings["totals"], cards, cities, routes, tickets)
    records = build_record(label, settings, decks, cards, cities, routes, tickets)
    check_supply(label, settings["players"][1], records[0])
    return Board(
        game=settings["game"],
        name=settings["name"],
        rules_version=settings["rules_version"],
        players=tuple(settings["players"]),
        decks=decks,
        cards=cards,
        cities=cities,
        routes=routes,
        tickets=tickets,
        districts=tuple(settings.get("districts", {}).get("points", {})),
        settings=settings,
        records=records,
    )


def read_cards(folder: Traversable, decks: tuple[str, ...]) -> tuple[Card, ...]:
    def card(row: Row) -> Card:
        colour = row.cells["colour"] or None
        if (colour is None) != (row.text("id") == WILD):
            raise row.error("the wild, and only the wild, has no colour")
        return Card(row.text("id"), row.one_of("deck", decks), colour, row.number("count", 1, 100))

    cards: tuple[Card, ...] = unique_by_id(card, read_rows(folder, "cards.csv", ("id", "deck", "colour", "count")))
    if not cards or cards[-1].id != WILD:
        raise BoardError(f"{folder.name}/cards.csv", "the last card must be the wild")
    return cards


def read_districts(folder: Traversable, settings: dict[str, Any]) -> dict[str, str]:
    """City id to district, for a board that has districts."""
    if "districts" not in settings:
        return {}
    allowed = tuple(settings["districts"]["points"])
    return {row.text("city"): row.one_of("district", allowed) for row in read_rows(folder, "districts.csv", ("city", "district"))}


def read_cities(folder: Traversable, districts: dict[str, str]) -> tuple[City, ...]:
    cities: tuple[City, ...] = unique_by_id(
        lambda row: City(row.text("id"), row.text("name"), districts.get(row.text("id"))),
        read_rows(folder, "cities.csv", ("id", "name")),
    )
    for row in read_rows(folder, "geography.csv", ("city", "lat", "lon")):
        row.one_of("city", {city.id: None for city in cities})
    unknown = set(districts) - {city.id for city in cities}
    if unknown:
        raise BoardError(f"{folder.name}/districts.csv", f"{', '.join(sorted(unknown))}: no such city in cities.csv")
    return cities


def read_routes(folder: Traversable, cities: tuple[City, ...], cards: tuple[Card, ...], lengths: dict[str, int]) -> tuple[Route, ...]:
    ids = {city.id: None for city in cities}
    colours = (*dict.fromkeys(card.colour for card in cards if card.colour), GRAY)

    def route(row: Row) -> Route:
        a, b = row.one_of("a", ids), row.one_of("b", ids)
        if not a < b or row.text("id").split(".")[0] != f"{a}-{b}":
            raise row.error(f"a route's id is its two cities in alphabetical order, here {min(a, b)}-{max(a, b)}")
        length = int(row.one_of("length", lengths))
        ferry = row.number("ferry", 0, length)
        return Route(row.text("id"), a, b, length, row.one_of("colour", colours), row.flag("double"), ferry, row.flag("tunnel"))

    columns = ("id", "a", "b", "length", "colour")
    rows = list(read_rows(folder, "routes.csv", columns, ("double", "ferry", "tunnel")))
    routes: tuple[Route, ...] = unique_by_id(route, iter(rows))
    tracks = Counter((route.a, route.b) for route in routes)
    for row, made in zip(rows, routes, strict=True):
        if tracks[made.a, made.b] != (2 if made.double else 1):
            raise row.error(
                f"{made.a}-{made.b} has {tracks[made.a, made.b]} tracks; two tracks are a double route, both marked so, and others are not"
            )
    return routes


def read_tickets(folder: Traversable, cities: tuple[City, ...]) -> tuple[Ticket, ...]:
    ids = {city.id: None for city in cities}

    def ticket(row: Row) -> Ticket:
        a, b = row.one_of("a", ids), row.one_of("b", ids)
        if not a < b or row.text("id") != f"{a}-{b}":
            raise row.error(f"a ticket's id is its two cities in alphabetical order, here {min(a, b)}-{max(a, b)}")
        return Ticket(row.text("id"), a, b, row.number("points", 1, 100), row.flag("long"))

    tickets: tuple[Ticket, ...] = unique_by_id(ticket, read_rows(folder, "tickets.csv", ("id", "a", "b", "points"), ("long",)))
    if [t.long for t in tickets] != sorted((t.long for t in tickets), reverse=True):
        raise BoardError(f"{folder.name}/tickets.csv", "the long tickets must come first")
    return tickets


def check_sizes(
    label: str, cards: tuple[Card, ...], decks: tuple[str, ...], cities: tuple[City, ...], routes: tuple[Route, ...], tickets: tuple[Ticket, ...]
) -> None:
    """The rules' records have fixed sizes (rules/sizes.py)."""
    for what, found, most in (
        ("decks", len(decks), DECKS),
        ("kinds of card", len(cards), KINDS),
        ("colours", len({card.colour for card in cards}) - 1, COLOURS),
        ("cities", len(cities), CITIES),
        ("routes", len(routes), ROUTES),
        ("tickets", len(tickets), TICKETS),
        ("districts", len({city.district for city in cities}), DISTRICTS),
        ("spaces in a route", max((route.length for route in routes), default=0), LENGTHS - 1),
        ("tracks in a city", max(Counter(end for route in routes for end in (route.a, route.b)).values(), default=0), 15),
    ):
        if found > most:
            raise BoardError(label, f"{found} {what}; there is room for {most}")


def check_supply(label: str, players: int, record: Any) -> None:
    """There must be enough of everything for a full table."""
    for what, needed, there in (
        ("cards for the hands and the row", players * int(record.hand.sum()) + int(record.row), int(record.cards.sum())),
        ("long tickets", players * int(record.opening_long), int(record.long_tickets)),
        ("tickets", players * int(record.opening_offer), int(record.tickets - record.long_tickets)),
        ("tickets in an opening offer, one more than are kept,", int(record.opening_keep) + 1, int(record.opening_long + record.opening_offer)),
        ("tickets in an offer", int(record.keep), int(record.offer)),
    ):
        if needed > there:
            raise BoardError(label, f"{needed} {what} are needed, and there are {there}")


def check_totals(
    label: str, stated: dict[str, Any], cards: tuple[Card, ...], cities: tuple[City, ...], routes: tuple[Route, ...], tickets: tuple[Ticket, ...]
) -> None:
    counted = {
        "cities": len(cities),
        "cards": sum(card.count for card in cards),
        "routes": len(routes),
        "spaces": sum(route.length for route in routes),
        "double_routes": sum(route.double for route in routes) // 2,
        "ferries": sum(route.ferry > 0 for route in routes),
        "ferry_symbols": sum(route.ferry for route in routes),
        "tunnels": sum(route.tunnel for route in routes),
        "tickets": len(tickets),
        "long_tickets": sum(ticket.long for ticket in tickets),
        "ticket_points": sum(ticket.points for ticket in tickets),
    }
    for what, count in counted.items():
        if stated.get(what, 0) != count:
            raise BoardError(label, f"totals.{what} is stated as {stated.get(what, 0)}, but the files hold {count}")
    for what in stated.keys() - counted.keys():
        raise BoardError(label, f"totals.{what} is not a total that is counted")
