"""How far each of a seat's tickets is, as its own view shows it: spaces missing, turns it may take, its cheapest way, and what closes a shorter one.

A ticket is cut off if no way to join its places is left under the rules: over own routes, routes that the seat may still claim with the pieces it has
(EU-17, WO-14, twins EU-19 and EU-20), and routes that stations lend it, each station one (EU-33); or if it takes more claims than the seat has turns,
once the last ones are counted. Each ticket is looked at by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any, Literal

from branchline.boards.model import Board
from branchline.play.games import View
from branchline.play.outlook import NO_WORK, Hand, Work, hand_of, turns_for, turns_left, work_of
from branchline.play.positions import Position
from branchline.rules.vocabulary import phases

STATION_PRICE = 6  # a new station counts as this many spaces: it takes a turn, cards, and the points of an unused one
FAR = 1 << 20
KEPT = 4096  # ways: most updates do not change a route

State = Literal["done", "open", "cut"]
Why = Literal["rivals", "pieces", "turns"]


@dataclass(frozen=True)
class Bearing:
    """Where a ticket stands. Routes are named by their ids."""

    state: State
    spaces: int = 0  # missing
    turns: int = 0
    own: list[str] = field(default_factory=list)
    free: list[str] = field(default_factory=list)
    lent: list[str] = field(default_factory=list)  # by stations
    lent_by: list[int] = field(default_factory=list)  # the seats whose routes those are
    stations: list[str] = field(default_factory=list)  # to build for that
    needs_station: bool | None = None  # without a new one there is no way
    closed: list[str] = field(default_factory=list)  # without which there would be a shorter way
    closed_by: list[int] = field(default_factory=list)  # the seats whose routes those are
    why: Why | None = None  # a ticket is cut off
    turns_left: int | None = None  # of the seat, once that is known


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


@dataclass(frozen=True)
class Course:
    """A ticket's cheapest way and what it takes, whatever the seat holds."""

    way: Way | None
    closed: list[int]  # routes without which there would be a shorter way
    own_of_shorter: list[str]  # the seat's own routes on that
    why: Why | None = None  # there is no way
    shown: dict[str, Any] = field(default_factory=dict)  # the rest of its bearing that depends on the way alone
    lent: list[int] = field(default_factory=list)
    spaces: int = 0
    work: Work = NO_WORK


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
        self.decks = [int(deck) for deck in board.record.route_deck[: len(board.routes)]]
        self.board = board
        self.lends = bool(board.record.stations)
        self.places = {ticket.id: [numbers[city] for city in ticket.cities] for ticket in board.tickets}
        self.around: list[list[tuple[int, int]]] = [[] for _ in board.cities]  # route and other end
        for route, (a, b) in enumerate(self.ends):
            self.around[a].append((route, b))
            self.around[b].append((route, a))

    @lru_cache(maxsize=KEPT)  # noqa: B019  # there is one network per board, for good
    def way(self, standing: Standing, start: int, goal: int) -> Way | None:
        """The cheapest way between two cities; None if there is none."""
        unhindered, routes = self.unhindered(standing.own, start, goal)
        if not routes & ~(standing.own | standing.free) and not self.has_bargains(standing) and self.fits(standing, unhindered):
            return Way(unhindered)
        prices = self.prices(standing)
        ahead, by = self.measure(prices, goal, start)
        if ahead[start] >= FAR:
            return None
        simple = self.follow(by, start, goal)
        if all((standing.own | standing.free) >> route & 1 for route in simple) and self.fits(standing, simple):
            return Way(simple)
        return self.search(standing, prices, self.measure(prices, goal)[0], (start, goal))

    @lru_cache(maxsize=4 * KEPT)  # noqa: B019  # of every ticket of a thousand people
    def course(self, standing: Standing, ticket: str) -> Course:
        places = self.places[ticket]
        way = whole_way(self, standing, places)
        shorter = closed_on(self, standing, places, way)
        closed, own = shut(standing, shorter), named(self.board, (route for route in shorter if standing.own >> route & 1))
        if way is None:
            return Course(None, closed, own, why_cut(self, standing, places))
        free, lent = ([route for route in way.routes if routes >> route & 1] for routes in (standing.free, standing.others))
        build = [city for city in way.stations if not standing.built >> city & 1]
        shown = {
            "own": named(self.board, (route for route in way.routes if standing.own >> route & 1)),
            "free": named(self.board, free),
            "lent": named(self.board, lent),
            "stations": [self.board.cities[city].id for city in build],
            "needs_station": (bool(build) and whole_way(self, replace(standing, unbuilt=0), places) is None) or None,
        }
        work = work_of(self.board, free, len(build))
        return Course(way, closed, own, shown=shown, lent=lent, spaces=sum(self.lengths[route] for route in free), work=work)

    @lru_cache(maxsize=KEPT)  # noqa: B019
    def claims(self, standing: Standing, start: int, goal: int) -> int:
        """The fewest routes and stations that join two cities, whatever their length; FAR if nothing does."""
        prices = [price if price in (0, FAR) else 1 for price in self.prices(standing)]
        return self.measure(prices, goal)[0][start]

    @lru_cache(maxsize=KEPT)  # noqa: B019
    def shortest(self, own: int, free: int, start: int, goal: int) -> tuple[int, ...]:
        """The way that would be cheapest if nobody else had closed a route; of equal ones, that with the fewest closed."""
        unhindered, routes = self.unhindered(own, start, goal)
        if not routes & ~(own | free):
            return unhindered
        prices = [0 if own >> route & 1 else FAR // 4096 * length + (not free >> route & 1) for route, length in enumerate(self.lengths)]
        return self.follow(self.measure(prices, goal, start)[1], start, goal)

    @lru_cache(maxsize=KEPT)  # noqa: B019
    def unhindered(self, own: int, start: int, goal: int) -> tuple[tuple[int, ...], int]:
        """The cheapest way if every route that is not the seat's own were free; also as bits.

        As long as no route on it is closed, and none elsewhere has become cheaper, `measure` would find the same one: with dearer routes elsewhere,
        no city off the way is reached any earlier. Others' claims mostly leave a ticket's way alone, and then it need not be sought again.
        """
        prices = [0 if own >> route & 1 else length for route, length in enumerate(self.lengths)]
        routes = self.follow(self.measure(prices, goal, start)[1], start, goal)
        return routes, sum(1 << route for route in set(routes))

    @lru_cache(maxsize=KEPT)  # noqa: B019
    def has_bargains(self, standing: Standing) -> bool:
        """Does a station lend a route for less than claiming it would cost?"""
        prices = self.prices(standing) if standing.others else []
        return any(standing.others >> route & 1 and price < self.lengths[route] for route, price in enumerate(prices))

    @lru_cache(maxsize=KEPT)  # noqa: B019
    def prices(self, standing: Standing) -> list[int]:
        """Spaces to claim; for routes of others what a station costs."""
        own, free = standing.own, standing.free
        return [0 if own >> route & 1 else length if free >> route & 1 else self.price(standing, route) for route, length in enumerate(self.lengths)]

    def price(self, standing: Standing, route: int) -> int:
        if standing.own >> route & 1:
            return 0
        if standing.free >> route & 1:
            return self.lengths[route]
        if not (self.lends and standing.others >> route & 1):
            return FAR
        a, b = self.ends[route]
        ends = 1 << a | 1 << b
        if standing.built & ends:
            return 0
        return STATION_PRICE if standing.unbuilt and standing.buildable & ends else FAR

    def measure(self, prices: list[int], goal: int, start: int | None = None) -> tuple[list[int], list[tuple[int, int]]]:
        """Of every city: the price of its cheapest way to the goal, and the route that it begins with; or only until the start is reached."""
        distance = [FAR] * len(self.around)
        by = [(-1, goal)] * len(self.around)
        distance[goal] = 0
        waiting = [(0, goal)]
        while waiting:
            so_far, city = heappop(waiting)
            if city == start:
                break
            if so_far > distance[city]:
                continue
            for route, other in self.around[city]:
                further = so_far + prices[route]
                if further < distance[other]:
                    distance[other] = further
                    by[other] = (route, city)
                    heappush(waiting, (further, other))
        return distance, by

    def follow(self, by: list[tuple[int, int]], start: int, goal: int) -> tuple[int, ...]:
        routes, city = [], start
        while city != goal:
            route, city = by[city]
            routes.append(route)
        return tuple(routes)

    def laid(self, standing: Standing, routes: tuple[int, ...]) -> tuple[int, int]:
        """Trains and ships that the ways' free routes take."""
        laid = [0, 0]
        for route in routes:
            if standing.free >> route & 1:
                laid[self.decks[route]] += self.lengths[route]
        return laid[0], laid[1]

    def fits(self, standing: Standing, routes: tuple[int, ...]) -> bool:
        return fit(self.laid(standing, routes), standing.room)

    def search(self, standing: Standing, prices: list[int], ahead: list[int], ends: tuple[int, int]) -> Way | None:
        """The cheapest way within the seat's pieces and stations, where prices alone do not find it.

        A partial way is dropped if another one to the same city takes no more trains and ships, and no station that the first does not take: however
        the first goes on, the other can go on too. It is also dropped if the rest needs more than there is.
        """
        start, goal = ends
        rest = self.needs_of(standing, prices, goal)
        waiting: list[Any] = [(ahead[start], 0, start, (0, 0), 0, None)]
        known: list[list[tuple[int, int, int]]] = [[] for _ in self.around]
        number = 0
        while waiting:
            _, _, city, laid, used, back = heappop(waiting)
            if any(trains <= laid[0] and ships <= laid[1] and not stations & ~used for trains, ships, stations in known[city]):
                continue
            known[city].append((*laid, used))
            if city == goal:
                return Way(tuple(traced(back)), tuple(bits_of(used)))
            for route, other in self.around[city]:
                if prices[route] >= FAR:
                    continue
                for further, lenders in self.steps(standing, route, laid, used):
                    new = (lenders & ~standing.built).bit_count()
                    if rest.allows(standing, other, further, new):
                        number += 1
                        heappush(waiting, (sum(further) + STATION_PRICE * new + ahead[other], number, other, further, lenders, (route, back)))
        return None

    def needs_of(self, standing: Standing, prices: list[int], goal: int) -> Needs:
        """Each by itself, as if the others cost nothing."""

        def least(price: Callable[[int], int]) -> list[int]:
            return self.measure([FAR if prices[route] >= FAR else price(route) for route in range(len(prices))], goal)[0]

        def spaces(route: int) -> int:
            return self.lengths[route] if standing.free >> route & 1 else 0

        nothing = [0] * len(self.around)
        pieces, has_ships = least(spaces), any(self.decks)
        return Needs(
            least(lambda route: 0 if self.decks[route] else spaces(route)) if has_ships else pieces,
            least(lambda route: spaces(route) if self.decks[route] else 0) if has_ships else nothing,
            pieces,
            least(lambda route: prices[route] > 0 and not standing.free >> route & 1) if standing.others else nothing,
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


def number_of(words: Any) -> int:
    """A set of bits in 64-bit words as one number."""
    return int.from_bytes(words.tobytes(), "little")


_networks: dict[int, tuple[Board, Network]] = {}


def network_of(board: Board) -> Network:
    """By the board itself: tests make boards of their own."""
    known = _networks.get(id(board))
    if known is None:
        known = _networks[id(board)] = (board, Network(board))
    return known[1]


def standing_of(seen: Position, seat: int) -> Standing:
    records, board = seen.records, seen.game.board
    others, built = 0, 0
    for other in seen.seats:
        built |= int(records["built"][0, other])
        if other != seat:
            others |= number_of(records["owned"][0, other])
    buildable = ~built & ((1 << len(board.cities)) - 1)
    lends = bool(board.numbers["stations"])
    return Standing(
        number_of(records["owned"][0, seat]),
        number_of(records["open_to"][0, seat]),
        others if lends else 0,
        int(records["built"][0, seat]) if lends else 0,
        buildable if lends else 0,
        int(records["unbuilt"][0, seat]) if lends else 0,
        room_of(seen, seat),
    )


def room_of(seen: Position, seat: int) -> tuple[int, int, int]:
    """What can be laid, including exchanged pieces; before pieces are chosen, all that may be."""
    board = seen.game.board.numbers
    pieces, box = seen.records["pieces"][0, seat].tolist(), seen.records["box"][0, seat].tolist()
    if board["supply"] and not any(pieces) and not any(box):
        return board["pieces"][0], board["pieces"][1], board["supply"]
    return pieces[0] + box[0], pieces[1] + box[1], sum(pieces)


def compass(view: View, done: list[str]) -> dict[str, Bearing]:
    """The bearing of every ticket that the viewer holds; `done` are those that would count now. Empty on boards without routes."""
    board, seat = view.game.board, view.viewer
    if seat is None or not board.routes:
        return {}
    standing, hand = standing_of(view, seat), hand_of(view)
    return {ticket: bearing(view, standing, ticket, hand, ticket in done) for ticket in view.tickets(seat)}


def bearing(view: View, standing: Standing, ticket: str, hand: Hand, is_done: bool) -> Bearing:
    network, left = network_of(view.game.board), turns_left(view)
    course = network.course(standing, ticket)
    is_late = not is_done and left is not None and claims_for(view, network, standing, network.places[ticket], left) > left
    closed = named(network.board, course.closed)
    by: dict[str, Any] = {"closed": closed, "closed_by": owners_of(view, with_twins(network.board, course.closed)), "turns_left": left}
    if course.way is None or is_late:
        return Bearing("cut", own=course.own_of_shorter, why=course.why or "turns", **by)
    turns = 0 if is_done else turns_for(course.work, hand)
    return Bearing("done" if is_done else "open", course.spaces, turns, lent_by=owners_of(view, course.lent), **course.shown, **by)


def why_cut(network: Network, standing: Standing, places: list[int]) -> Why:
    """With as many pieces as it likes, would the seat have a way?"""
    return "rivals" if whole_way(network, replace(standing, room=(FAR, FAR, FAR)), places) is None else "pieces"


def claims_for(view: View, network: Network, standing: Standing, places: list[int], left: int) -> int:
    """What the ticket takes at least; one leg of a tour may use what another has claimed. In a last turn, only what can be paid for now."""
    if left == 1 and view.seat == view.viewer and view.record.phase == phases.ACTION:
        standing = replace(standing, free=legal_in(view, "claim"), buildable=legal_in(view, "build"))
    return max(network.claims(standing, *leg) for leg in pairwise(places))


def legal_in(view: View, verb: str) -> int:
    """The routes or cities that the viewer can claim or build in now, as bits."""
    board = view.game.board
    names = [route.id for route in board.routes] if verb == "claim" else [city.id for city in board.cities]
    numbers = {f"{verb} {name}": number for number, name in enumerate(names)}
    return sum(1 << numbers[text] for text in view.legal_texts if text in numbers)


def owners_of(view: View, routes: list[int]) -> list[int]:
    """The other seats that have one of the routes."""
    wanted = sum(1 << route for route in routes)
    return [seat for seat in view.seats if seat != view.viewer and number_of(view.records["owned"][0, seat]) & wanted] if wanted else []


def with_twins(board: Board, routes: list[int]) -> list[int]:
    """Whoever has one track of a double route may have closed the other, too (EU-20)."""
    twins = [board.numbers["twin"][route] for route in routes]
    return [*routes, *(twin for twin in twins if twin >= 0)]


def named(board: Board, routes: Any) -> list[str]:
    return [board.routes[route].id for route in routes]


def shut(standing: Standing, routes: tuple[int, ...]) -> list[int]:
    return [route for route in routes if not (standing.own | standing.free) >> route & 1]


def whole_way(network: Network, standing: Standing, places: list[int]) -> Way | None:
    """Leg by leg. What one leg claims, the next has: then it costs nothing, but its pieces are gone."""
    routes: dict[int, None] = {}
    stations: set[int] = set()
    for start, goal in pairwise(places):
        leg = network.way(standing, start, goal)
        if leg is None:
            return None
        claimed = sum(1 << route for route in leg.routes if standing.free >> route & 1)
        standing = replace(standing, own=standing.own | claimed, free=standing.free & ~claimed)
        routes |= dict.fromkeys(leg.routes)
        stations |= set(leg.stations)
    return Way(tuple(routes), tuple(sorted(stations)))


def closed_on(network: Network, standing: Standing, places: list[int], way: Way | None) -> tuple[int, ...]:
    """The routes of the way that there would be if nobody had closed any; empty if it is no shorter."""
    own, open_way = standing.own, []
    for start, goal in pairwise(places):
        leg = network.shortest(own, standing.free, start, goal)
        own |= sum(1 << route for route in leg if not own >> route & 1)
        open_way += [route for route in leg if route not in open_way]
    return tuple(open_way) if way is None or spaces_of(network, standing, open_way) < spaces_of(network, standing, way.routes) else ()


def spaces_of(network: Network, standing: Standing, routes: Any) -> int:
    """Spaces to claim or to borrow."""
    return sum(network.lengths[route] for route in routes if not standing.own >> route & 1)
