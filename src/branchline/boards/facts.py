"""Reads a board's facts from its tables: cards, cities, routes, tickets."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from importlib.resources.abc import Traversable
from itertools import groupby, pairwise
from typing import Any

from branchline.boards.model import GRAY, GREY, BigCity, BoardError, Bonus, Card, City, District, Facts, Place, Route, Ticket, Tour
from branchline.boards.settings import Settings
from branchline.boards.tables import Row, go_on_after, read_facts
from branchline.rules.sizes import ALIKE, TOUR_CITIES

WILD = "wild"
COLOURS = ("pink", "blue", "orange", "yellow", "white", "green", "black", "red")  # that pictures and messages know
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def read_facts_of(folder: Traversable, settings: Settings) -> Facts:
    """All tables, in an order in which each finds the names that it refers to."""
    decks = tuple(deck.name for deck in settings.deck)
    known: dict[str, Any] = {"decks": decks, "lengths": settings.routes.points if settings.routes else ()}
    known["districts"] = tuple(map(str, settings.districts.points)) if settings.districts else ()
    spoilt: list[Row] = []
    cards = read_cards(folder, known, spoilt)
    meant = [row.cells["colour"] for row in spoilt if row.cells.get("colour") in COLOURS]
    known["colours"] = tuple(dict.fromkeys([*(card.colour for card in cards if card.colour), *meant]))
    known["colours and grey"] = (*known["colours"], GREY)
    spoilt.clear()
    cities = read_cities(folder, known, spoilt)
    known["cities"] = dict.fromkeys([*(city.id for city in cities), *(row.cells["id"] for row in spoilt if "id" in row.cells)])
    routes = read_routes(folder, known) if settings.routes else ()
    tickets = read_tickets(folder, known, with_cards=settings.yards is not None)
    return Facts(decks, cards, cities, read_big_cities(folder, known), routes, tickets)


def read_cards(folder: Traversable, known: dict[str, Any], spoilt: list[Row]) -> tuple[Card, ...]:
    def wrong(card: Card) -> str | None:
        if (card.colour is None) != (card.id == WILD):
            return "the wild, and only the wild, has no colour: give this card one, or call it wild"
        if card.colour and card.colour not in COLOURS:
            return f"colour {card.colour!r} cannot be drawn: choose from {', '.join(COLOURS)}"
        return wrong_letters("card", card.id)

    also, optional = ("colour",), ("covers", "harbour")
    cards = read_facts(folder, "cards.csv", Card, known, optional, also, wrong, spoilt)
    if not spoilt:
        check_card_order(f"{folder.name}/cards.csv", cards)
    return tuple(cards.values())


def wrong_letters(what: str, id_: str) -> str | None:
    """Decisions are written with ids: `claim berlin-wien`."""
    return None if ID.fullmatch(id_) else f"a {what}'s id has small letters, digits and single hyphens, and {id_!r} is not like that"


def check_card_order(label: str, rows: dict[Row, Card]) -> None:
    """Cards are paid in this order: see rules/payments.py and rules/pairs.py."""
    lines, cards = [row.line for row in rows], list(rows.values())
    if not cards or cards[-1].id != WILD:
        raise BoardError(label, "the last card must be the wild: add a line such as wild,train,,14 at the end", lines[-1] if lines else 1)
    together = [colour for colour, _ in groupby(card.colour for card in cards)]
    if len(together) > len(set(together)):
        raise BoardError(label, "the cards of a colour must stand together: move them", lines[0])
    for (colour, deck), number in Counter((card.colour, card.deck) for card in cards).items():
        at = [place for place, card in enumerate(cards) if (card.colour, card.deck) == (colour, deck)]
        alike = [cards[place].covers for place in at]
        if number > ALIKE or alike != sorted(alike, reverse=True) or alike.count(2) > 1:
            reason = f"{colour} has up to {ALIKE} kinds in the {deck} deck, first the one that covers two spaces, if there is one"
            raise BoardError(label, reason, lines[at[-1]])


def read_cities(folder: Traversable, known: dict[str, Any], spoilt: list[Row]) -> tuple[City, ...]:
    def wrong(city: City) -> str | None:
        return wrong_letters("city", city.id)

    cities = tuple(read_facts(folder, "cities.csv", City, known, optional=("port", "attraction"), wrong=wrong, spoilt=spoilt).values())
    if not known["districts"]:
        if (folder / "districts.csv").is_file():
            reason = "is not used, for board.toml has no [districts]: add this table with the points of each district, or remove the file"
            go_on_after(BoardError(f"{folder.name}/districts.csv", reason))
        return cities
    known_ids = {*(city.id for city in cities), *(row.cells.get("id") for row in spoilt)}
    rows = read_facts(folder, "districts.csv", District, known)
    for row, one in rows.items():
        if one.city not in known_ids:
            go_on_after(row.error(f"city {one.city!r} is not in cities.csv: add it there, or remove this row"))
    of = {one.city: one.district for one in rows.values()}
    return tuple(replace(city, district=of.get(city.id)) for city in cities)


def read_big_cities(folder: Traversable, known: dict[str, Any]) -> tuple[BigCity, ...]:
    if not (folder / "big_cities.csv").is_file():
        return ()
    return tuple(BigCity(bonus.city, bonus.points) for bonus in read_facts(folder, "big_cities.csv", Bonus, known).values())


def wrong_id(what: str, fact: Route | Ticket) -> str | None:
    if fact.a == fact.b:
        return f"both ends are {fact.a}: a {what} joins two different cities"
    if fact.a < fact.b and fact.id.split(".")[0] == f"{fact.a}-{fact.b}":
        return None
    return f"a {what}'s id is its two cities in alphabetical order, here {min(fact.a, fact.b)}-{max(fact.a, fact.b)}"


def read_routes(folder: Traversable, known: dict[str, Any]) -> tuple[Route, ...]:
    if (folder / "geography.csv").is_file():
        read_facts(folder, "geography.csv", Place, known)  # only checked: no rule uses it

    def wrong(route: Route) -> str | None:
        if route.ferry > route.length:
            return f"ferry is {route.ferry}; it should be at most the length of the route, {route.length}"
        if route.sea and len(known["decks"]) == 1:
            return "a sea route takes cards of a second [[deck]]"
        if route.pair and (route.sea or route.tunnel or route.ferry or route.colour != GRAY):
            return "a pair route is grey, not at sea, and neither ferry nor tunnel"
        return wrong_id("route", route)

    optional = ("double", "ferry", "tunnel", "sea", "pair", "over_the_edge")
    spoilt: list[Row] = []
    rows = read_facts(folder, "routes.csv", Route, known, optional, wrong=wrong, spoilt=spoilt)
    check_tracks(rows, {(row.cells.get("a", ""), row.cells.get("b", "")) for row in spoilt})
    return tuple(rows.values())


def check_tracks(rows: dict[Row, Route], spoilt: set[tuple[str, str]]) -> None:
    """Two tracks are a double route; besides, a rail and a sea route may join the same cities, each for itself."""
    double = Counter((route.a, route.b) for route in rows.values() if route.double)
    single = Counter((route.a, route.b, route.sea) for route in rows.values() if not route.double)
    for row, route in rows.items():
        marked, others = double[route.a, route.b], single[route.a, route.b, route.sea]
        wrong = marked > 2 or (marked == 1 and not others) if route.double else marked + others > 1
        if wrong and (route.a, route.b) not in spoilt:
            reason = wrong_tracks(f"{route.a}-{route.b}", marked + others)
            go_on_after(row.error(reason).coded("tracks", found=marked + others))


def wrong_tracks(way: str, found: int) -> str:
    if found == 1:
        return f"{way} is marked double, but has one track: add the other, or remove the mark"
    if found == 2:
        return f"{way} has two tracks: mark both as double (yes in the column double), or remove one"
    return f"{way} has {found} tracks, and two are possible: remove the others"


def read_tickets(folder: Traversable, known: dict[str, Any], with_cards: bool) -> tuple[Ticket, ...]:
    """Tickets, then tours."""

    def wrong(ticket: Ticket) -> str | None:
        return "cards is empty" if with_cards and not ticket.cards else wrong_id("ticket", ticket)

    rows = read_facts(folder, "tickets.csv", Ticket, known, ("long",), ("cards",) if with_cards else (), wrong)
    late = [row for (_, before), (row, ticket) in pairwise(rows.items()) if ticket.long and not before.long]
    if late:
        go_on_after(late[0].error("the long tickets must come first: move this line up"))
    return tuple(rows.values()) + read_tours(folder, known)


def read_tours(folder: Traversable, known: dict[str, Any]) -> tuple[Ticket, ...]:
    if not (folder / "tours.csv").is_file():
        return ()

    def wrong(tour: Tour) -> str | None:
        if not 3 <= len(set(tour.cities)) == len(tour.cities) <= TOUR_CITIES:
            return f"a tour has 3 to {TOUR_CITIES} cities, each once, in their order, with spaces between"
        id_ = f"tour-{tour.cities[0]}-{tour.cities[-1]}"
        return None if tour.id == id_ else f"a tour's id names its first and last city, here {id_}"

    return tuple(tour.ticket() for tour in read_facts(folder, "tours.csv", Tour, known, wrong=wrong).values())
