"""Ways between two cities, for one seat: over its own routes, routes that it may still claim, and routes that stations lend it.

Prices are counted in spaces. The cheapest way is mostly found by prices alone; where pieces or stations are short, by a search that keeps to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from branchline.boards.model import Board
from branchline.play.calls import measure_call
from branchline.play.compiled.measuring import FAR

STATION_PRICE = 6  # a new station counts as this many spaces: it takes a turn, cards, and the points of an unused one
KEPT = 4096  # of what many tables ask for again: ways of seats with the same routes, or none yet
FEW = 256  # of what is asked for several times in a row, and hardly again

Prices = np.ndarray[Any, np.dtype[np.int64]]  # of every route; FAR if it cannot be used


@dataclass(frozen=True)
class Standing:
    """What decides which ways a seat has; sets of routes and cities as bits."""

    own: int
    free: int
    others: int  # routes of other seats
    built: int
    buildable: int  # cities that take a station
    unbuilt: int
    room: tuple[int, int, int]  # trains, ships, and both together that can still be laid


@dataclass(frozen=True)
class Way:
    routes: tuple[int, ...]
    stations: tuple[int, ...] = ()  # cities whose stations lend a route of it
    is_plain: bool = True  # the cheapest by prices alone, with pieces enough for it


class Measured(NamedTuple):
    """Of every city: the price of its cheapest way to a goal, the route that it begins with, and the city after that."""

    distance: Prices
    by: Prices
    after: Prices

    def way(self, start: int, goal: int) -> tuple[int, ...]:
        routes, city, by, after = [], start, self.by.tolist(), self.after.tolist()
        while city != goal:
            routes.append(by[city])
            city = after[city]
        return tuple(routes)


@dataclass(frozen=True)
class Needs:
    """What the rest of the way takes at least, from each city."""

    trains: list[int]
    ships: list[int]
    pieces: list[int]
    stations: list[int]

    def allows(self, standing: Standing, city: int, laid: tuple[int, int], new: int) -> bool:
        trains, ships, both = standing.room
        return (
            laid[0] + self.trains[city] <= trains
            and laid[1] + self.ships[city] <= ships
            and laid[0] + laid[1] + self.pieces[city] <= both
            and new + self.stations[city] <= standing.unbuilt
        )


class Network:
    """A board's routes by city."""

    def __init__(self, board: Board) -> None:
        numbers = {city.id: number for number, city in enumerate(board.cities)}
        self.ends = [(numbers[route.a], numbers[route.b]) for route in board.routes]
        self.lengths = [route.length for route in board.routes]
        self.length_array = np.array(self.lengths, np.int64)
        self.decks = [int(deck) for deck in board.record.route_deck[: len(board.routes)]]
        self.by_sea = np.array(self.decks, bool)
        self.board = board
        self.lends = bool(board.record.stations)
        self.places = {ticket.id: [numbers[city] for city in ticket.cities] for ticket in board.tickets}
        self.around: list[list[tuple[int, int]]] = [[] for _ in board.cities]  # route and other end
        for route, (a, b) in enumerate(self.ends):
            self.around[a].append((route, b))
            self.around[b].append((route, a))
        self.touching = [sum(1 << route for route, _ in around) for around in self.around]  # of each city, its routes as bits
        self.dear = sum(1 << route for route, length in enumerate(self.lengths) if length > STATION_PRICE)
        steps = [step for around in self.around for step in around]
        self.first = np.array([0, *accumulate(map(len, self.around))], np.int64)
        self.routes_around, self.cities_around = (np.array([step[side] for step in steps], np.int64) for side in (0, 1))

    def way(self, standing: Standing, start: int, goal: int) -> Way | None:
        """The cheapest way between two cities; None if there is none."""
        unhindered, routes = self.unhindered(standing.own, start, goal)
        if not routes & ~(standing.own | standing.free) and not self.has_bargains(standing) and self.fits(standing, unhindered):
            return Way(unhindered)
        prices = self.prices(standing)
        measured = self.measure(prices, goal)
        if measured.distance[start] >= FAR:
            return None
        simple = measured.way(start, goal)
        if all((standing.own | standing.free) >> route & 1 for route in simple) and self.fits(standing, simple):
            return Way(simple)
        return self.search(standing, prices, measured.distance.tolist(), (start, goal))

    @lru_cache(maxsize=FEW)  # noqa: B019  # there is one network per board, for good
    def claims(self, standing: Standing, start: int, goal: int) -> int:
        """The fewest routes and stations that join two cities, whatever their length; FAR if nothing does."""
        prices = self.prices(standing)
        each = np.where((prices == 0) | (prices == FAR), prices, 1)
        return int(self.measure(each, goal, start).distance[start])

    @lru_cache(maxsize=FEW)  # noqa: B019
    def shortest(self, own: int, free: int, start: int, goal: int) -> tuple[int, ...]:
        """The way that would be cheapest if nobody else had closed a route; of equal ones, that with the fewest closed."""
        unhindered, routes = self.unhindered(own, start, goal)
        if not routes & ~(own | free):
            return unhindered
        prices = np.where(self.chosen(own), 0, FAR // 4096 * self.length_array + ~self.chosen(free))
        return self.measure(prices, goal, start).way(start, goal)

    @lru_cache(maxsize=KEPT)  # noqa: B019
    def unhindered(self, own: int, start: int, goal: int) -> tuple[tuple[int, ...], int]:
        """The cheapest way if every route that is not the seat's own were free; also as bits.

        As long as no route on it is closed, and none elsewhere has become cheaper, `measure` would find the same one: with dearer routes elsewhere,
        no city off the way is reached any earlier. Others' claims mostly leave a ticket's way alone, and then it need not be sought again.
        """
        prices = np.where(self.chosen(own), 0, self.length_array)
        routes = self.measure(prices, goal, start).way(start, goal)
        return routes, sum(1 << route for route in set(routes))

    def has_bargains(self, standing: Standing) -> bool:
        """Does a station lend a route for less than claiming it would cost?"""
        borrowed = standing.others & ~(standing.own | standing.free)
        if not self.lends or not borrowed:
            return False
        if any(borrowed & self.touching[city] for city in bits_of(standing.built)):
            return True
        return any(self.station_price(standing, route) == STATION_PRICE for route in bits_of(borrowed & self.dear))

    @lru_cache(maxsize=FEW)  # noqa: B019
    def prices(self, standing: Standing) -> Prices:
        """Spaces to claim; for routes of others what a station costs. Not to be written to: it is kept."""
        prices: Prices = np.where(self.chosen(standing.own), 0, np.where(self.chosen(standing.free), self.length_array, FAR))
        if self.lends:
            for route in bits_of(standing.others & ~(standing.own | standing.free)):
                prices[route] = self.station_price(standing, route)
        return prices

    def station_price(self, standing: Standing, route: int) -> int:
        a, b = self.ends[route]
        ends = 1 << a | 1 << b
        if standing.built & ends:
            return 0
        return STATION_PRICE if standing.unbuilt and standing.buildable & ends else FAR

    def chosen(self, routes: int) -> Any:
        """A set of routes as an array of truths."""
        number = len(self.lengths)
        octets = np.frombuffer(routes.to_bytes(-(-routes.bit_length() // 8) or 1, "little"), np.uint8)
        return np.unpackbits(octets, count=number, bitorder="little").view(bool)

    def measure(self, prices: Prices, goal: int, start: int = -1) -> Measured:
        """The cheapest ways of all cities to the goal; or only of those nearer than the start."""
        measured = Measured(*np.empty((3, len(self.around)), np.int64))
        measure_call()(self.first, self.routes_around, self.cities_around, prices, goal, start, *measured)
        return measured

    def laid(self, standing: Standing, routes: tuple[int, ...]) -> tuple[int, int]:
        """Trains and ships that the ways' free routes take."""
        laid = [0, 0]
        for route in routes:
            if standing.free >> route & 1:
                laid[self.decks[route]] += self.lengths[route]
        return laid[0], laid[1]

    def fits(self, standing: Standing, routes: tuple[int, ...]) -> bool:
        return fit(self.laid(standing, routes), standing.room)

    def search(self, standing: Standing, prices: Prices, ahead: list[int], ends: tuple[int, int]) -> Way | None:
        """The cheapest way within the seat's pieces and stations, where prices alone do not find it.

        A partial way is dropped if another one to the same city takes no more trains and ships, and no station that the first does not take: however
        the first goes on, the other can go on too. It is also dropped if the rest needs more than there is.
        """
        start, goal = ends
        rest, is_closed = self.needs_of(standing, prices, goal), (prices >= FAR).tolist()
        waiting: list[Any] = [(ahead[start], 0, start, (0, 0), 0, None)]
        known: dict[int, list[tuple[int, int, int]]] = {}
        number = 0
        while waiting:
            _, _, city, laid, used, back = heappop(waiting)
            found = known.setdefault(city, [])
            if any(trains <= laid[0] and ships <= laid[1] and not stations & ~used for trains, ships, stations in found):
                continue
            found.append((*laid, used))
            if city == goal:
                return Way(tuple(traced(back)), tuple(bits_of(used)), is_plain=False)
            for route, other in self.around[city]:
                if is_closed[route]:
                    continue
                for further, lenders in self.steps(standing, route, laid, used):
                    new = (lenders & ~standing.built).bit_count()
                    if rest.allows(standing, other, further, new):
                        number += 1
                        heappush(waiting, (sum(further) + STATION_PRICE * new + ahead[other], number, other, further, lenders, (route, back)))
        return None

    def needs_of(self, standing: Standing, prices: Prices, goal: int) -> Needs:
        """Each by itself, as if the others cost nothing."""
        is_free, nothing = self.chosen(standing.free), [0] * len(self.around)

        def least(each: Any) -> list[int]:
            found: list[int] = self.measure(np.where(prices >= FAR, FAR, each), goal).distance.tolist()
            return found

        spaces = np.where(is_free, self.length_array, 0)
        pieces, has_ships = least(spaces), bool(self.by_sea.any())
        return Needs(
            least(np.where(self.by_sea, 0, spaces)) if has_ships else pieces,
            least(np.where(self.by_sea, spaces, 0)) if has_ships else nothing,
            pieces,
            least(((prices > 0) & ~is_free).astype(np.int64)) if standing.others else nothing,
        )

    def steps(self, standing: Standing, route: int, laid: tuple[int, int], used: int) -> list[tuple[tuple[int, int], int]]:
        """How a partial way can go on over a route: pieces laid and stations used by then."""
        if standing.own >> route & 1:
            return [(laid, used)]
        if standing.free >> route & 1:
            more = self.lengths[route]
            further = (laid[0], laid[1] + more) if self.decks[route] else (laid[0] + more, laid[1])
            return [(further, used)] if fit(further, standing.room) else []
        lenders = (used | 1 << city for city in self.ends[route] if (standing.built | standing.buildable) >> city & 1 and not used >> city & 1)
        return [(laid, lender) for lender in lenders if (lender & ~standing.built).bit_count() <= standing.unbuilt]


_networks: dict[int, tuple[Board, Network]] = {}


def network_of(board: Board) -> Network:
    """By the board itself: tests make boards of their own."""
    known = _networks.get(id(board))
    if known is None:
        known = _networks[id(board)] = (board, Network(board))
    return known[1]


def fit(laid: tuple[int, int], room: tuple[int, int, int]) -> bool:
    return laid[0] <= room[0] and laid[1] <= room[1] and laid[0] + laid[1] <= room[2]


def traced(back: Any) -> list[int]:
    """The routes of a partial way, from the last one back."""
    routes = []
    while back is not None:
        route, back = back
        routes.append(route)
    return routes


def bits_of(word: int) -> list[int]:
    return [place for place in range(word.bit_length()) if word >> place & 1]
