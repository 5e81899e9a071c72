"""What cities, routes and tickets are called in sentences about a board."""

from __future__ import annotations

from collections import Counter

from branchline.boards import Board


class Names:
    """The names on the board itself."""

    def __init__(self, board: Board) -> None:
        cities = {city.id: city.name for city in board.cities}
        pairs = Counter((route.a, route.b) for route in board.routes)
        self._routes = {
            route.id: f"{cities[route.a]}–{cities[route.b]}" + (f" ({route.colour}, {route.id[-1]})" if pairs[route.a, route.b] > 1 else "")
            for route in board.routes
        }
        self._tickets = {ticket.id: "–".join(cities.get(city, city) for city in ticket.cities) for ticket in board.tickets}

    def route(self, route: str) -> str:
        return self._routes[route]

    def ticket(self, ticket: str) -> str:
        return self._tickets[ticket]
