"""How far each of a seat's tickets is, as its own view shows it: spaces missing, turns it may take, its cheapest way, and what closes a shorter one.

A ticket is cut off if no way to join its places is left under the rules: over own routes, routes that the seat may still claim with the pieces it has
(EU-17, WO-14, twins EU-19 and EU-20), and routes that stations lend it, each station one (EU-33); or if it takes more claims than the seat has turns,
once the last ones are counted. Each ticket is looked at by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Literal

from branchline.boards.model import Board
from branchline.play.compiled.measuring import FAR
from branchline.play.games import View
from branchline.play.outlook import NO_WORK, Hand, Work, hand_of, turns_for, turns_left, work_of
from branchline.play.positions import Position
from branchline.play.ways import KEPT, Network, Standing, Way, fit, network_of
from branchline.rules.vocabulary import phases

State = Literal["done", "open", "cut"]
Why = Literal["rivals", "pieces", "turns"]


@dataclass
class Bearing:
    """Where a ticket stands. Routes are named by their ids. To be read only: it is kept."""

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

    @cached_property
    def shown(self) -> dict[str, Any]:
        """Without what is empty."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in values.items() if value is not None and value != []}


@dataclass(frozen=True, eq=False)  # known by its place in memory: it is kept
class Course:
    """A ticket's cheapest way and what it takes, whatever the seat holds."""

    way: Way | None
    closed: list[str]  # routes without which there would be a shorter way
    closing: int  # the same with their twins, as bits
    own_of_shorter: list[str]  # the seat's own routes on that
    why: Why | None = None  # there is no way
    shown: dict[str, Any] = field(default_factory=dict)  # the rest of its bearing that depends on the way alone
    routes: int = 0  # of the way, as bits
    lent: int = 0  # those of others
    laid: tuple[int, int] = (0, 0)  # trains and ships
    work: Work = NO_WORK
    leads_over: int = 0  # the routes of the way and of the shorter one, as bits
    plain_in: Standing | None = None  # where it was found by prices alone: see `still_holds`
    latest: dict[tuple[Any, ...], Bearing] = field(default_factory=dict)  # the last bearing on it, by what else it depends on


@dataclass(frozen=True)
class Outset:
    """What all of a seat's tickets have in common."""

    standing: Standing
    has_bargains: bool
    left: int | None  # turns, once that is known
    rivals: list[tuple[int, int]]  # other seats, and their routes as bits


@dataclass(frozen=True)
class Heading:
    """Everything about a ticket but the turns that it takes, which depend on the cards in hand."""

    ticket: str
    course: Course
    is_done: bool
    is_late: bool
    lent_by: tuple[int, ...]
    closed_by: tuple[int, ...]
    left: int | None

    def bearing(self, hand: Hand) -> Bearing:
        is_cut = self.course.way is None or self.is_late
        turns = 0 if is_cut or self.is_done else turns_for(self.course.work, hand)
        depends, latest = (self.is_done, is_cut, turns, self.lent_by, self.closed_by, self.left), self.course.latest
        if depends not in latest:
            latest.clear()
            latest[depends] = self._cut_off() if is_cut else self._on_course(turns)
        return latest[depends]

    def _on_course(self, turns: int) -> Bearing:
        state: State = "done" if self.is_done else "open"
        closed, closed_by, lent_by = self.course.closed, list(self.closed_by), list(self.lent_by)
        return Bearing(state, turns=turns, lent_by=lent_by, closed=closed, closed_by=closed_by, turns_left=self.left, **self.course.shown)

    def _cut_off(self) -> Bearing:
        own, why, closed_by = self.course.own_of_shorter, self.course.why or "turns", list(self.closed_by)
        return Bearing("cut", own=own, why=why, closed=self.course.closed, closed_by=closed_by, turns_left=self.left)


def bits_in(seen: Position, name: str, seat: int) -> int:
    """A seat's set of bits as one number."""
    return int.from_bytes(seen.bytes_of(name, seat=seat), "little")


def standing_of(seen: Position, seat: int) -> Standing:
    board = seen.game.board
    others, built = 0, 0
    for other in seen.seats:
        built |= bits_in(seen, "built", other)
        if other != seat:
            others |= bits_in(seen, "owned", other)
    buildable = ~built & ((1 << len(board.cities)) - 1)
    lends = bool(board.numbers["stations"])
    return Standing(
        bits_in(seen, "owned", seat),
        bits_in(seen, "open_to", seat),
        others if lends else 0,
        bits_in(seen, "built", seat) if lends else 0,
        buildable if lends else 0,
        bits_in(seen, "unbuilt", seat) if lends else 0,
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
    return bearings_of(view, headings(view, done))


def bearings_of(view: View, headings: list[Heading]) -> dict[str, Bearing]:
    """With the cards that the viewer holds."""
    hand = hand_of(view) if headings else None
    return {} if hand is None else {one.ticket: one.bearing(hand) for one in headings}


def headings(view: View, done: list[str], before: Sequence[Heading] = ()) -> list[Heading]:
    """Before the last turns are announced, these do not depend on the viewer's hand. Ways that still hold are taken from those before."""
    board, seat = view.game.board, view.viewer
    if seat is None or not board.routes:
        return []
    network, standing = network_of(board), standing_of(view, seat)
    rivals = [(other, bits_in(view, "owned", other)) for other in view.seats if other != seat]
    outset = Outset(standing, network.has_bargains(standing), turns_left(view), rivals)
    courses = {one.ticket: one.course for one in before}
    return [heading(view, network, outset, ticket, ticket in done, courses.get(ticket)) for ticket in view.tickets(seat)]


def heading(view: View, network: Network, outset: Outset, ticket: str, is_done: bool, before: Course | None) -> Heading:
    left, course = outset.left, course_of(network, outset, ticket, before)
    is_late = not is_done and left is not None and claims_for(view, network, outset.standing, network.places[ticket], left) > left
    return Heading(ticket, course, is_done, is_late, owners_of(outset, course.lent), owners_of(outset, course.closing), left)


def course_of(network: Network, outset: Outset, ticket: str, before: Course | None) -> Course:
    """As long as nothing is closed or lent on it, the way is the one that there would be without rivals: see `Network.unhindered`."""
    standing = outset.standing
    if not outset.has_bargains:
        course = unhindered_course(network, standing.own, ticket)
        if not course.routes & ~(standing.own | standing.free) and fit(course.laid, standing.room):
            return course
        if before is not None and before.plain_in is not None and still_holds(before, before.plain_in, standing):
            return before
    return sought_course(network, standing, ticket)


def still_holds(course: Course, then: Standing, now: Standing) -> bool:
    """Would a course that was found by prices alone be found again? Yes, if nothing on it was closed since, and nothing has become cheaper.

    The reason is that of `Network.unhindered`: dearer routes elsewhere lead nowhere any earlier. Where stations lend no bargain, a route becomes
    dearer when others claim it; it becomes cheaper if it was closed before, because a station can lend it from then on.
    """
    is_like_then = now.own == then.own and now.room == then.room and now.built == then.built and now.unbuilt == then.unbuilt
    closed, opened = then.free & ~now.free, now.free & ~then.free
    lent, buildable = now.others & ~then.others & ~then.free, now.buildable & ~then.buildable
    return is_like_then and not closed & course.leads_over and not (opened or lent or buildable)


@lru_cache(maxsize=KEPT)
def unhindered_course(network: Network, own: int, ticket: str) -> Course:
    everything_else = (1 << len(network.lengths)) - 1 & ~own
    return sought_course(network, Standing(own, everything_else, 0, 0, 0, 0, (FAR, FAR, FAR)), ticket)


def sought_course(network: Network, standing: Standing, ticket: str) -> Course:
    places, board = network.places[ticket], network.board
    way = whole_way(network, standing, places)
    shorter = closed_on(network, standing, places, way)
    closed = [route for route in shorter if not (standing.own | standing.free) >> route & 1]
    closing, own = bits(with_twins(board, closed)), named(board, (route for route in shorter if standing.own >> route & 1))
    if way is None:
        return Course(None, named(board, closed), closing, own, why_cut(network, standing, places))
    free, lent = ([route for route in way.routes if routes >> route & 1] for routes in (standing.free, standing.others))
    build = [city for city in way.stations if not standing.built >> city & 1]
    shown = {
        "spaces": sum(network.lengths[route] for route in free),
        "own": named(board, (route for route in way.routes if standing.own >> route & 1)),
        "free": named(board, free),
        "lent": named(board, lent),
        "stations": [board.cities[city].id for city in build],
        "needs_station": (bool(build) and whole_way(network, replace(standing, unbuilt=0), places) is None) or None,
    }
    laid, work = network.laid(standing, way.routes), work_of(board, free, len(build))
    is_plain = way.is_plain and not lent and not network.has_bargains(standing)
    of_way, of_shorter = bits(way.routes), bits(shorter)
    found_in = standing if is_plain else None
    return Course(way, named(board, closed), closing, own, None, shown, of_way, bits(lent), laid, work, of_way | of_shorter, found_in)


def why_cut(network: Network, standing: Standing, places: list[int]) -> Why:
    """With as many pieces as it likes, would the seat have a way?"""
    return "rivals" if whole_way(network, replace(standing, room=(FAR, FAR, FAR)), places) is None else "pieces"


def claims_for(view: View, network: Network, standing: Standing, places: list[int], left: int) -> int:
    """What the ticket takes at least; one leg of a tour may use what another has claimed. In a last turn, only what can be paid for now."""
    if left == 1 and view.seat == view.viewer and view.phase_number == phases.ACTION:
        standing = replace(standing, free=legal_in(view, "claim"), buildable=legal_in(view, "build"))
    return max(network.claims(standing, *leg) for leg in pairwise(places))


def legal_in(view: View, verb: str) -> int:
    """The routes or cities that the viewer can claim or build in now, as bits."""
    board = view.game.board
    names = [route.id for route in board.routes] if verb == "claim" else [city.id for city in board.cities]
    numbers = {f"{verb} {name}": number for number, name in enumerate(names)}
    return sum(1 << numbers[text] for text in view.legal_texts if text in numbers)


def owners_of(outset: Outset, routes: int) -> tuple[int, ...]:
    """The other seats that have one of the routes."""
    return tuple(seat for seat, owned in outset.rivals if owned & routes) if routes else ()


def with_twins(board: Board, routes: list[int]) -> list[int]:
    """Whoever has one track of a double route may have closed the other, too (EU-20)."""
    twins = [board.numbers["twin"][route] for route in routes]
    return [*routes, *(twin for twin in twins if twin >= 0)]


def named(board: Board, routes: Any) -> list[str]:
    return [board.routes[route].id for route in routes]


def bits(routes: Iterable[int]) -> int:
    return sum(1 << route for route in routes)


def whole_way(network: Network, standing: Standing, places: list[int]) -> Way | None:
    """Leg by leg. What one leg claims, the next has: then it costs nothing, but its pieces are gone."""
    if len(places) == 2:
        return network.way(standing, *places)
    routes: dict[int, None] = {}
    stations: set[int] = set()
    is_plain = True
    for start, goal in pairwise(places):
        leg = network.way(standing, start, goal)
        if leg is None:
            return None
        claimed = sum(1 << route for route in leg.routes if standing.free >> route & 1)
        standing = replace(standing, own=standing.own | claimed, free=standing.free & ~claimed)
        routes |= dict.fromkeys(leg.routes)
        stations |= set(leg.stations)
        is_plain = is_plain and leg.is_plain
    return Way(tuple(routes), tuple(sorted(stations)), is_plain)


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
