"""Checks that a board's facts fit the rules' records, suffice for a full table, and add up to the totals it states."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from branchline.boards.lines import line_of
from branchline.boards.model import BoardError, Facts
from branchline.boards.settings import Settings
from branchline.boards.tables import go_on_after
from branchline.rules.sizes import BIG_CITIES, CITIES, COLOURS, DECKS, DISTRICTS, KINDS, LENGTHS, OFFER, ROUTES, TICKETS, TOURS


@dataclass(frozen=True)
class Source:
    """The file `board.toml`, for errors about what it says."""

    label: str
    text: str

    def wrong(self, reason: str, *place: str, code: str | None = None, **values: str | int) -> None:
        error = BoardError(self.label, reason, line_of(self.text, place) or 1)
        go_on_after(error.coded(code, **values) if code else error)


TOO_MANY = ("cities", "routes", "tickets", "tracks in a city")  # for which pages have words
MOST_TICKETS_WITH_CARDS = 63  # a set of them is one word (rules/track_tickets.py)


def check_sizes(source: Source, facts: Facts) -> None:
    """The rules' records have fixed sizes (rules/sizes.py)."""
    ends = Counter(end for route in facts.routes for end in (route.a, route.b))
    for what, found, most in (
        ("decks", len(facts.decks), DECKS),
        ("kinds of card", len(facts.cards), KINDS),
        ("colours", len({card.colour for card in facts.cards}) - 1, COLOURS),
        ("cities", len(facts.cities), CITIES),
        ("big cities", len(facts.big_cities), BIG_CITIES),
        ("routes", len(facts.routes), ROUTES),
        ("tickets", len(facts.tickets), TICKETS),
        ("tickets completed with cards", sum(bool(ticket.cards) for ticket in facts.tickets), MOST_TICKETS_WITH_CARDS),
        ("tours", sum(ticket.is_tour for ticket in facts.tickets), TOURS),
        ("districts", len({city.district for city in facts.cities}), DISTRICTS),
        ("spaces in a route", max((route.length for route in facts.routes), default=0), LENGTHS - 1),
        ("tracks in a city", max(ends.values(), default=0), 15),
    ):
        if found > most:
            code = f"too_many_{what.replace(' ', '_')}" if what in TOO_MANY else None
            source.wrong(f"the board has {found} {what}; there is room for {most}: leave some out", code=code, found=found, most=most)


def check_fit(source: Source, settings: Settings, facts: Facts) -> None:
    """Mechanisms that need each other, or do not go together."""
    yards, pieces = settings.yards is not None, settings.pieces
    stations, harbours = (pieces.stations, pieces.harbours > 0) if pieces else (0, False)
    plain = all(card.covers == 1 for card in facts.cards) and len(facts.cards) == len({card.colour for card in facts.cards})
    symbols = Counter((card.deck, card.colour) for card in facts.cards if card.harbour)
    for sound, place, code, reason in (
        (
            harbours == any(city.port for city in facts.cities),
            "pieces.harbours",
            "harbours_and_ports",
            "harbours need ports, and ports harbours: mark cities in the column port of cities.csv, or set pieces.harbours",
        ),
        (
            any(city.attraction for city in facts.cities) == (settings.attractions is not None),
            "attractions",
            "attractions_and_cities",
            "attractions need their points, in a table attractions, and cities marked in the column attraction of cities.csv",
        ),
        (
            not harbours or settings.harbours is not None,
            "pieces.harbours",
            "harbours_and_points",
            "harbours need their points: add them in a table [harbours], or remove pieces.harbours",
        ),
        (
            harbours or settings.harbours is None,
            "harbours",
            "points_without_harbours",
            "these points are for harbours, and nobody has any: set pieces.harbours to the number that everyone has, or remove [harbours]",
        ),
        (
            not stations or not any(ticket.is_tour for ticket in facts.tickets),
            "pieces.stations",
            "stations_and_tours",
            "stations and tours do not go together",
        ),
        (max(symbols.values(), default=0) <= 1, "cards", None, "of a deck and colour only one kind of card carries the harbour symbol"),
        (not yards or (plain and len(facts.decks) == 1), "yards", None, "with yards there is one deck, and one kind of card of each colour"),
        (yards or bool(settings.cards.reformed), "cards.reformed", None, "without yards the deck must be reformed (cards.reformed)"),
        (not yards or not settings.cards.reformed, "cards.reformed", None, "with yards the deck must not be reformed (cards.reformed = 0)"),
        (yards != (settings.end.last_pieces >= 0), "end.last_pieces", None, "end.last_pieces ends a game with routes, and no other"),
    ):
        if not sound:
            source.wrong(reason, *place.split("."), code=code)


def check_supply(source: Source, players: int, record: Any) -> None:
    """There must be enough of everything for a full table."""
    for what, place, code, needed, there in (
        (
            "cards for the hands and the row",
            "deck.0.hand",
            "few_cards",
            players * int(record.hand.sum() + record.opening_wilds) + int(record.row),
            int(record.cards.sum()),
        ),
        ("long tickets", "tickets.opening_long", "few_long_tickets", players * int(record.opening_long), int(record.long_tickets)),
        ("tickets", "tickets.opening_offer", "few_tickets", players * int(record.opening_offer), int(record.tickets - record.long_tickets)),
        ("wilds", "cards.opening_wilds", "few_wilds", players * int(record.opening_wilds), int(record.cards[record.wild])),
    ):
        if needed > there:
            reason = f"{needed} {what} are needed for {players} players, and there are {there}: add some, or ask for fewer ({place})"
            source.wrong(reason, *place.split("."), code=code, needed=needed, there=there, players=players)

    check_offers(source, players, record)


def check_offers(source: Source, players: int, record: Any) -> None:
    """Whoever is offered tickets can keep as many as must be kept, and at the beginning has a choice."""
    keep, offered = int(record.opening_keep), int(record.opening_long + record.opening_offer)
    opening = f"at the beginning {offered} {'ticket is' if offered == 1 else 'tickets are'} offered"
    for wrong, place, code, needed, there, reason in (
        (
            keep + 1 > offered,
            "opening_keep",
            "keeps_all",
            keep + 1,
            offered,
            f"is {keep}, and {opening}: it should be fewer, or tickets.opening_offer more",
        ),
        (
            record.keep > record.offer,
            "keep",
            "keeps_more",
            int(record.keep),
            int(record.offer),
            f"is {record.keep}, and {record.offer} are offered: it should be at most that, or tickets.offer more",
        ),
        (offered > OFFER, "opening_offer", "large_offer", offered, OFFER, f"is too large: {opening}, and there is room for {OFFER}"),
    ):
        if wrong:
            source.wrong(f"tickets.{place} {reason}", "tickets", place, code=code, needed=needed, there=there, players=players)


def counted(facts: Facts) -> dict[str, int]:
    """What a board can state, and what its files hold."""
    cards, cities, routes, tickets = facts.cards, facts.cities, facts.routes, facts.tickets
    return {
        "cities": len(cities),
        "ports": sum(city.port for city in cities),
        "attractions": sum(city.attraction for city in cities),
        "big_cities": len(facts.big_cities),
        "cards": sum(card.count for card in cards),
        "routes": len(routes),
        "spaces": sum(route.length for route in routes),
        "double_routes": sum(route.double for route in routes) // 2,
        "ferries": sum(route.ferry > 0 for route in routes),
        "ferry_symbols": sum(route.ferry for route in routes),
        "tunnels": sum(route.tunnel for route in routes),
        "sea_routes": sum(route.sea for route in routes),
        "pair_routes": sum(route.pair for route in routes),
        "tickets": len(tickets),
        "tours": sum(ticket.is_tour for ticket in tickets),
        "ticket_cards": sum(len(ticket.cards) for ticket in tickets),
        "long_tickets": sum(ticket.long for ticket in tickets),
        "ticket_points": sum(ticket.points for ticket in tickets),
    }


def check_totals(source: Source, stated: dict[str, int], facts: Facts) -> None:
    there = counted(facts)
    for what, count in there.items():
        if stated.get(what, 0) != count:
            source.wrong(f"totals.{what} is stated as {stated.get(what, 0)}, but the files hold {count}: correct one of them", "totals", what)
    for what in stated.keys() - there.keys():
        source.wrong(f"totals.{what} is not a known total: remove it", "totals", what)
