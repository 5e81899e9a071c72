"""What cities, routes and tickets are called in a language."""

from __future__ import annotations

from collections import Counter

from branchline.boards import Board
from branchline.boards.model import Route
from branchline.boards.names import city_names
from branchline.report import ReportOptionError
from branchline.words import languages


class Places:
    """The names of a board's cities, routes and tickets."""

    def __init__(self, board: Board, language: str) -> None:
        if language not in languages():
            raise ReportOptionError(f"--language is one of {', '.join(languages())}, not {language!r}")
        names = city_names(board.game)
        self.language = language
        self._cities = {city.id: names.get(city.id, {}).get(language, city.name) for city in board.cities}
        alike = Counter((route.a, route.b, route.colour) for route in board.routes)
        self._routes = {route.id: self._along(route, alike[route.a, route.b, route.colour] > 1) for route in board.routes}
        self._tickets = {ticket.id: self._over(ticket.cities) for ticket in board.tickets}
        self._ends = {ticket.id: self._in_short(ticket.cities) for ticket in board.tickets}

    def _along(self, route: Route, has_twin: bool) -> str:
        """Two tracks of the same colour differ by the number in their names."""
        track = f" {route.id.rpartition('.')[2]}" if has_twin else ""
        return f"{self._cities[route.a]}–{self._cities[route.b]}{track}"

    def _over(self, cities: tuple[str, ...]) -> str:
        return "–".join(self._cities[city] for city in cities)

    def _in_short(self, cities: tuple[str, ...]) -> str:
        return self._over(cities) if len(cities) == 2 else f"{self._cities[cities[0]]}–…–{self._cities[cities[-1]]}"

    def city(self, city: str) -> str:
        return self._cities[city]

    def route(self, route: str) -> str:
        return self._routes[route]

    def ticket(self, ticket: str) -> str:
        return self._tickets[ticket]

    def ticket_in_short(self, ticket: str) -> str:
        """For a tour only the two ends: all its cities would not fit into a chart on a phone."""
        return self._ends[ticket]
