"""The final count, explained: what each seat's total consists of, and the routes and cities behind every part.

Every number comes from the rules. They do not say which routes complete a ticket or make up the longest path. But a route that can be removed
without changing the count is not needed, and the routes that are left in the end are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from branchline.play.bitsets import members
from branchline.play.games import State
from branchline.play.positions import Position
from branchline.play.results import attractions_reached, station_routes
from branchline.rules.state import STATE

Json = dict[str, Any]


def explained_count(state: State) -> Json:
    """The parts of each seat's total that the game has, and who wins."""
    result = state.counted()
    return {"seats": [SeatCount(state, result, seat).parts() for seat in state.seats], "winners": members(result.winners)}


class Trial(Position):
    """A single seat, seat 0, with only the things to try, for asking the rules what they would count."""

    def __init__(self, state: State) -> None:
        super().__init__(state.game, np.zeros(1, STATE))
        self.record.players = 1

    def own(self, *routes: int) -> None:
        self.record.owned[0] = 0
        for route in routes:
            self.record.owned[0, route >> 6] |= np.uint64(1 << (route & 63))

    def hold(self, *tickets: int, completed: bool = False) -> None:
        """Tickets in hand or, with track piles, completed and set aside."""
        pile = self.record.completed[0] if completed else self.record.tickets[0]
        for ticket in tickets:
            pile[ticket >> 6] |= np.uint64(1 << (ticket & 63))

    def needed(self, routes: list[int], holds: Callable[[Any], bool]) -> list[int]:
        """A subset of these routes that is enough and from which none can be removed."""
        kept = list(routes)
        for route in routes:
            fewer = [other for other in kept if other != route]
            self.own(*fewer)
            if holds(self.counted()):
                kept = fewer
        return kept


class SeatCount:
    """The count of one seat."""

    def __init__(self, state: State, result: Any, seat: int) -> None:
        self.state, self.result, self.seat = state, result, seat
        self.board, self.record = state.game.board, state.record
        self.routes = members(self.record.owned[seat])
        self.borrowed = [int(route) for route in result.station_route[seat] if route >= 0] if self.board.record.stations else []
        self.completed = members(result.completed[seat])

    def parts(self) -> Json:
        there = {
            "routes": (self.board.routes, self.counted_routes),
            "exchanges": (self.board.record.exchange_points, self.exchanges),
            "tickets": (True, self.tickets),
            "longest_path": (self.board.record.longest_points, self.longest_path),
            "stations": (self.board.record.stations, self.stations),
            "districts": (self.board.districts, self.districts),
            "harbours": (self.board.record.harbours, self.harbours),
            "unbuilt_harbours": (self.board.record.harbours, self.unbuilt_harbours),
            "bonuses": (self.board.big_cities, self.bonuses),
            "attractions": (self.board.record.attraction_points, self.attractions),
        }
        return {"total": int(self.result.total[self.seat])} | {name: part() for name, (is_there, part) in there.items() if is_there}

    def counted_routes(self) -> Json:
        return {"points": self.points_of_routes(), "routes": self.route_ids(self.routes)}

    def points_of_routes(self) -> int:
        return sum(int(self.board.record.route_points[self.board.routes[route].length]) for route in self.routes)

    def route_ids(self, routes: list[int]) -> list[str]:
        return [self.board.routes[route].id for route in routes]

    def exchanges(self) -> Json:
        """WO-24: the points missing from the routes were lost by exchanging pieces."""
        points = int(self.result.routes[self.seat]) - self.points_of_routes()
        return {"points": points, "count": -points // int(self.board.record.exchange_points)}

    def tickets(self) -> list[Json]:
        spent = self.cards_spent()
        return [self.ticket(number, spent) for number in sorted({*self.completed, *members(self.record.tickets[self.seat])})]

    def ticket(self, number: int, spent: dict[str, Json]) -> Json:
        ticket, done = self.board.tickets[number], number in self.completed
        trial = Trial(self.state)
        trial.hold(number, completed=done and bool(self.board.record.yards))
        trial.own(*self.borrowed, *self.routes)
        points = int(trial.counted().tickets[0])
        counted: Json = {"ticket": ticket.id, "points": points, "done": done}
        if done and ticket.is_tour:
            counted["how"] = "in_order" if number in members(self.result.in_order[self.seat]) else "connected"
        if done and self.board.routes:
            path = trial.needed([*self.borrowed, *self.routes], lambda result: int(result.tickets[0]) == points)
            counted["path"] = self.route_ids(path)
        if ticket.id in spent:
            counted["cards"] = spent[ticket.id]
        return counted

    def cards_spent(self) -> dict[str, Json]:
        """CG-18: the cards of each ticket that was completed with cards."""
        done = [one for event in self.state.events if event["event"] == "complete_tickets" and event["seat"] == self.seat for one in event["tickets"]]
        return {one["ticket"]: dict(Counter(one["cards"])) for one in done}

    def longest_path(self) -> Json:
        """EU-37: shown for every seat, whether it earns the bonus or not."""
        length = int(self.result.longest_path_length[self.seat])
        path = Trial(self.state).needed(self.routes, lambda result: int(result.longest_path_length[0]) == length)
        return {"points": int(self.result.longest_path[self.seat]), "length": length, "path": self.route_ids(path)}

    def stations(self) -> Json:
        borrowed = station_routes(self.board, self.result, self.seat)
        return {"points": int(self.result.stations[self.seat]), "unbuilt": int(self.record.unbuilt[self.seat]), "borrowed": borrowed}

    def districts(self) -> list[Json]:
        counted = []
        for number, name in enumerate(self.board.districts):
            done = bool(self.result.districts_completed[self.seat, number])
            cities = [city.id for city in self.board.cities if city.district == name]
            points = int(self.board.record.district_points[number]) if done else 0
            counted.append({"district": name, "points": points, "done": done, "cities": cities})
        return counted

    def attractions(self) -> Json:
        return {"points": int(self.result.attractions[self.seat]), "cities": attractions_reached(self.board, self.record, self.seat)}

    def harbours(self) -> list[Json]:
        """WO-29: each harbour on its own, with all tickets."""
        trial = Trial(self.state)
        trial.own(*self.routes)
        trial.hold(*self.completed)
        counted = []
        for number in members(self.record.built[self.seat]):
            trial.record.built[0] = np.uint64(1 << number)
            city = self.board.cities[number].id
            counted.append({"city": city, "points": int(trial.counted().harbours[0]), "tickets": self.tickets_naming(city)})
        return counted

    def unbuilt_harbours(self) -> Json:
        """WO-30."""
        points = int(self.result.harbours[self.seat]) - sum(harbour["points"] for harbour in self.harbours())
        return {"points": points, "count": int(self.record.unbuilt[self.seat])}

    def bonuses(self) -> list[Json]:
        """CG-23."""
        counted = []
        for place, city in enumerate(self.board.big_cities):
            earned = bool(int(self.result.bonus_cities[self.seat]) >> place & 1)
            points = city.points if earned else 0
            counted.append({"city": city.id, "points": points, "tickets": self.tickets_naming(city.id), "earned": earned})
        return counted

    def tickets_naming(self, city: str) -> int:
        return sum(city in self.board.tickets[number].cities for number in self.completed)
