"""The ticket compass: its ways complete tickets by the rules' own count, none is shorter, and a ticket is cut off exactly when no way is left."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from branchline import Game, State, load_board
from branchline.play.bitsets import members
from branchline.play.compass import Bearing, compass, room_of, standing_of
from branchline.play.games import View
from branchline.play.outlook import turns_left
from branchline.play.positions import copy_of
from branchline.play.ways import network_of
from branchline.rules.sizes import ROUTE_WORDS
from tests.random_games import random_game
from tests.table import changed, give

ROUTE_BOARDS = ["europe", "london", "usa", "world"]


def words(numbers: list[int]) -> np.ndarray:
    number = sum(1 << one for one in numbers)
    return np.frombuffer(number.to_bytes(8 * ROUTE_WORDS, "little"), np.uint64)


def done_in(view: View, seat: int) -> list[str]:
    return [view.game.board.tickets[number].id for number in members(view.counted().completed[seat])]


def bearings(state: State, seat: int) -> tuple[View, dict[str, Bearing]]:
    view = state.view(seat)
    return view, compass(view, done_in(view, seat))


def positions(board: str, players: int, seeds: range, share: float) -> Iterator[tuple[State, int]]:
    """A share of the positions of random games, each with a seat that holds tickets."""
    rng = random.Random(f"{board} {players}")
    for seed in seeds:
        for state in random_game(board, players, seed):
            seat = rng.randrange(players)
            if rng.random() < share and state.ticket_count(seat):
                yield state, seat


def with_routes(view: View, seat: int, ticket: str, routes: list[int], stations: list[int]) -> bool:
    """Would the ticket, held alone, count if the seat had these routes and stations too?"""
    board = view.game.board
    imagined = View(view.game, copy_of(view.records))
    record = imagined.record
    record.owned[seat] |= words(routes)
    record.built[seat] |= np.uint64(sum(1 << city for city in stations))
    record.tickets[seat] = 0
    number = next(number for number, one in enumerate(board.tickets) if one.id == ticket)
    record.tickets[seat, number >> 6] = np.uint64(1 << (number & 63))
    return ticket in done_in(imagined, seat)


def numbers_of(view: View, ids: list[str]) -> list[int]:
    numbers = {route.id: number for number, route in enumerate(view.game.board.routes)}
    return [numbers[one] for one in ids]


@pytest.mark.parametrize("board", ROUTE_BOARDS)
def test_the_way_of_a_ticket_completes_it_by_the_rules_own_count(board: str) -> None:
    looked_at, states = 0, set()
    fewest, most = load_board(board).players
    for players in range(fewest, most + 1):
        for state, seat in positions(board, players, range(2), 0.05):
            view, found = bearings(state, seat)
            cities = {city.id: number for number, city in enumerate(view.game.board.cities)}
            for ticket, bearing in found.items():
                states.add(bearing.state)
                if bearing.state == "cut":
                    continue
                looked_at += 1
                free = numbers_of(view, bearing.free)
                assert set(free) <= set(members(view.record.open_to[seat]))
                assert set(bearing.own) <= set(view.routes(seat))
                assert bearing.spaces == sum(view.game.board.routes[route].length for route in free)
                assert with_routes(view, seat, ticket, free, [cities[city] for city in bearing.stations])
                assert len(bearing.stations) <= view.record.unbuilt[seat]
                assert bearing.turns >= len(free)
    assert looked_at > 50
    assert states >= {"done", "open"}


def fewest_spaces(view: View, seat: int, start: str, goal: str) -> int | None:
    """By trying every route again and again until nothing is nearer."""
    board = view.game.board
    own, free = set(members(view.record.owned[seat])), set(members(view.record.open_to[seat]))
    distance = {start: 0}
    for _ in board.cities:
        for number, route in enumerate(board.routes):
            if number in own or number in free:
                price = 0 if number in own else route.length
                for a, b in ((route.a, route.b), (route.b, route.a)):
                    if a in distance and distance[a] + price < distance.get(b, 1000):
                        distance[b] = distance[a] + price
    return distance.get(goal)


@pytest.mark.parametrize("board", ["london", "usa"])
def test_without_stations_and_ships_no_way_is_shorter_and_cut_off_means_that_none_is_left(board: str) -> None:
    cut, still_open = 0, 0
    fewest, most = load_board(board).players
    for players in (fewest, most):
        for state, seat in positions(board, players, range(12), 0.04):
            view, found = bearings(state, seat)
            for ticket, bearing in found.items():
                if bearing.why == "turns":
                    continue
                (start, goal) = next(one.cities for one in view.game.board.tickets if one.id == ticket)
                spaces = fewest_spaces(view, seat, start, goal)
                if spaces is None or spaces > view.pieces(seat)["trains"]:
                    assert bearing.state == "cut"
                    cut += 1
                else:
                    assert bearing.spaces == spaces
                    still_open += 1
    assert cut > 5
    assert still_open > 50


def cheapest_with_both_pieces(view: View, seat: int, start: str, goal: str) -> int | None:
    """All pairs of trains and ships with which a city can be reached."""
    board, (trains, ships, both) = view.game.board, room_of(view, seat)
    own, free = set(members(view.record.owned[seat])), set(members(view.record.open_to[seat]))
    reached: dict[str, set[tuple[int, int]]] = {city.id: set() for city in board.cities}
    reached[start] = {(0, 0)}
    waiting = [(start, 0, 0)]
    while waiting:
        city, laid, sailed = waiting.pop()
        for number, route in enumerate(board.routes):
            if city not in (route.a, route.b) or not (number in own or number in free):
                continue
            spaces = 0 if number in own else route.length
            other, further = route.b if city == route.a else route.a, (laid, sailed + spaces) if route.sea else (laid + spaces, sailed)
            if further[0] <= trains and further[1] <= ships and sum(further) <= both and further not in reached[other]:
                reached[other].add(further)
                waiting.append((other, *further))
    return min((sum(pair) for pair in reached[goal]), default=None)


def test_trains_and_ships_are_counted_apart_and_with_exchanges() -> None:
    cut, tight = 0, 0
    for state, seat in positions("world", 5, range(3), 0.02):
        view, found = bearings(state, seat)
        if sum(room_of(view, seat)) > 60:
            continue  # trying everything takes long while there are many pieces
        for ticket, bearing in found.items():
            cities = next(one.cities for one in view.game.board.tickets if one.id == ticket)
            if len(cities) > 2 or bearing.why == "turns":
                continue
            spaces = cheapest_with_both_pieces(view, seat, *cities)
            assert (bearing.state == "cut") == (spaces is None)
            cut += spaces is None
            if spaces is not None:
                assert bearing.spaces == spaces
                tight += 1
    assert cut > 3
    assert tight > 3


def labels_of(view: View, seat: int) -> list[int]:
    """Cities that own routes and all that are open to the seat join have the same label."""
    board = view.game.board
    cities = {city.id: number for number, city in enumerate(board.cities)}
    labels = list(range(len(cities)))
    for number in members(view.record.owned[seat] | view.record.open_to[seat]):
        one, other = labels[cities[board.routes[number].a]], labels[cities[board.routes[number].b]]
        labels = [one if label == other else label for label in labels]
    return labels


def can_be_completed(view: View, seat: int, ticket: str) -> bool:
    """With all routes that are open to the seat, and every choice of stations and of the routes that they lend."""
    board, labels = view.game.board, labels_of(view, seat)
    cities = {city.id: number for number, city in enumerate(board.cities)}
    start, goal = (labels[cities[city]] for city in next(one.cities for one in board.tickets if one.id == ticket))
    lent: dict[int, set[tuple[int, int]]] = {number: set() for number in cities.values()}
    for other in view.seats:
        for number in members(view.record.owned[other]) if other != seat else []:
            a, b = cities[board.routes[number].a], cities[board.routes[number].b]
            lent[a].add((labels[a], labels[b]))
            lent[b].add((labels[a], labels[b]))
    taken = {city for other in view.seats for city in members(view.record.built[other])}
    new = combinations([city for city in lent if city not in taken], int(view.record.unbuilt[seat]))
    built = members(view.record.built[seat])
    return any(joined(start, goal, joins) for some in new for joins in product(*([(), *lent[city]] for city in (*built, *some))))


def joined(start: int, goal: int, joins: tuple[tuple[int, ...], ...]) -> bool:
    reached = {start}
    for _ in joins:
        for join in joins:
            if reached & set(join):
                reached |= set(join)
    return goal in reached


def walled_in(players: int, seed: int, unbuilt: int) -> tuple[State, int]:
    """A position in which rivals have most of the routes, and nobody lacks pieces."""
    rng = random.Random(seed)
    state = next(one for one in random_game("europe", players, seed) if one.phase == "action")
    board, record = state.game.board, state.record
    for number in range(len(board.routes)):
        if rng.random() < 0.8:
            owner = rng.randrange(1, players)
            twin = int(board.record.twin[number])
            if (
                twin >= 0
                and (players < board.record.both_tracks_from or twin in members(record.owned[owner]))
                and any(twin in members(record.owned[one]) for one in range(players))
            ):
                continue
            record.owned[owner] |= words([number])
            closing = [number] + ([twin] if twin >= 0 and players < board.record.both_tracks_from else [])
            record.open_to[:] &= ~words(closing)
    record.pieces[0, 0] = 120
    record.unbuilt[0] = unbuilt
    for place, city in enumerate(rng.sample(range(len(board.cities)), 2 + players)):
        record.built[0 if place < 2 else place - 2] |= np.uint64(1 << city)
    return state, 0


@pytest.mark.parametrize("players", [2, 5])
def test_eu_33_a_ticket_is_cut_off_exactly_when_no_station_could_help_either(players: int) -> None:
    states: dict[str, int] = {}
    by_station = 0
    for seed in range(12):
        state, seat = walled_in(players, seed, seed % 2)
        view = state.view(seat)
        for ticket, bearing in compass(view, []).items():
            assert (bearing.state != "cut") == can_be_completed(view, seat, ticket)
            states[bearing.state] = states.get(bearing.state, 0) + 1
            by_station += bool(bearing.lent)
    assert states["cut"] > 3
    assert states["open"] > 3
    assert by_station > 3


def test_eu_20_with_few_players_a_twin_closes_both_tracks() -> None:
    for players, closed in ((3, True), (4, False)):
        state = next(one for one in random_game("usa", players, 1) if one.phase == "action")
        board, record = state.game.board, state.record
        double = next(number for number, route in enumerate(board.routes) if int(board.record.twin[number]) >= 0)
        twin = int(board.record.twin[double])
        record.owned[1] |= words([double])
        record.open_to[:] &= ~words([double, twin] if closed else [double])
        view = state.view(0)
        ends = (board.routes[double].a, board.routes[double].b)
        cities = {city.id: number for number, city in enumerate(board.cities)}
        way = network_of(board).way(standing_of(view, 0), cities[ends[0]], cities[ends[1]])
        assert way is not None
        assert (way.routes == (twin,)) is not closed


@pytest.mark.parametrize("board", ROUTE_BOARDS)
def test_what_closes_a_shorter_way_belongs_to_others_or_is_closed_by_them(board: str) -> None:
    shorter = 0
    most = load_board(board).players[1]
    for state, seat in positions(board, most, range(3), 0.05):
        view, found = bearings(state, seat)
        open_to = set(members(view.record.open_to[seat]))
        for bearing in found.values():
            closed = numbers_of(view, bearing.closed)
            shorter += bool(closed)
            assert not set(closed) & open_to
            assert not set(bearing.closed) & set(view.routes(seat))
            if bearing.state == "cut" and not closed:
                assert view.pieces(seat)["trains"] < 40, "nothing is closed, so pieces are missing"
    assert shorter > 3


def test_tours_go_from_place_to_place() -> None:
    tours = 0
    for state, seat in positions("world", 3, range(2), 0.03):
        view, found = bearings(state, seat)
        for ticket, bearing in found.items():
            cities = next(one.cities for one in view.game.board.tickets if one.id == ticket)
            if len(cities) > 2 and bearing.state == "open":
                tours += 1
                legs = [fewest_spaces(view, seat, *pair) for pair in pairwise(cities)]
                assert max(legs) <= bearing.spaces <= 2 * sum(legs)
    assert tours > 3


def test_boards_without_routes_and_spectators_have_no_compass() -> None:
    state = Game("card-game", 2).start(1)
    assert compass(state.view(0), []) == {}
    assert compass(Game("europe", 2).start(1).view(None), []) == {}


# why a ticket is cut off


def at_the_table(board: str, players: int, last_turns: int | None = None) -> State:
    """Seat 0 is to act."""
    state = next(one for one in random_game(board, players, 3) if one.phase == "action" and one.seat == 0)
    if last_turns is not None:
        state.record.last_turns = last_turns
    return changed(state)


def bearing_of(state: State, ticket: str) -> Bearing:
    """As if seat 0 held this ticket alone."""
    view = state.view(0)
    number = next(number for number, one in enumerate(state.game.board.tickets) if one.id == ticket)
    view.record.tickets[0] = 0
    view.record.tickets[0, number >> 6] = np.uint64(1 << (number & 63))
    return compass(view, done_in(view, 0))[ticket]


def close_around(state: State, city: str, owner: int) -> list[str]:
    """All routes of a city belong to one seat."""
    numbers = [number for number, route in enumerate(state.game.board.routes) if city in (route.a, route.b)]
    state.record.owned[:] &= ~words(numbers)
    state.record.owned[owner] |= words(numbers)
    state.record.open_to[:] &= ~words(numbers)
    changed(state)
    return [state.game.board.routes[number].id for number in numbers]


def test_rivals_who_cut_a_ticket_off_are_named() -> None:
    ticket = load_board("usa").tickets[0]
    state = at_the_table("usa", 4)
    closed = close_around(state, ticket.a, 2)
    found = bearing_of(state, ticket.id)
    assert (found.state, found.why, found.closed_by) == ("cut", "rivals", [2])
    assert set(found.closed) & set(closed)


def test_eu_20_whoever_has_the_twin_has_closed_both_tracks() -> None:
    ticket = load_board("usa").tickets[0]
    state = at_the_table("usa", 2)
    board, record = state.game.board, state.record
    close_around(state, ticket.a, 1)
    numbers = [number for number, route in enumerate(board.routes) if ticket.a in (route.a, route.b)]
    firsts = [number for number in numbers if not 0 <= int(board.record.twin[number]) < number]
    record.owned[1] &= ~words([number for number in numbers if number not in firsts])
    assert bearing_of(state, ticket.id).closed_by == [1]


def test_a_ticket_that_takes_more_pieces_than_there_are_is_cut_off_for_that() -> None:
    ticket = max(load_board("usa").tickets, key=lambda one: one.points)
    state = at_the_table("usa", 2)
    state.record.pieces[0, 0] = 3
    found = bearing_of(changed(state), ticket.id)
    assert (found.state, found.why) == ("cut", "pieces")


def test_eu_32_a_ticket_that_takes_more_claims_than_there_are_turns_is_cut_off_for_that() -> None:
    ticket = max(load_board("usa").tickets, key=lambda one: one.points)
    state = at_the_table("usa", 3)
    assert bearing_of(state, ticket.id).turns_left is None
    fewest = fewest_claims(state, ticket.a, ticket.b)
    for turns, is_cut in ((fewest - 1, True), (fewest, False)):
        state.record.last_turns = 3 * turns
        found = bearing_of(changed(state), ticket.id)
        assert found.turns_left == turns
        assert (found.state == "cut") is is_cut
        assert found.why == ("turns" if is_cut else None)


def fewest_claims(state: State, start: str, goal: str) -> int:
    """Step by step over routes that are free."""
    free = set(members(state.record.open_to[0]))
    reached, steps = {start}, 0
    while goal not in reached:
        near = [route for number, route in enumerate(state.game.board.routes) if number in free and ({route.a, route.b} & reached)]
        reached |= {city for route in near for city in (route.a, route.b)}
        steps += 1
    return steps


@pytest.mark.parametrize(("left", "seat", "turns"), [(6, 0, 2), (6, 1, 2), (5, 0, 2), (5, 2, 1), (1, 0, 1), (1, 1, 0), (3, 2, 1)])
def test_eu_32_turns_left_are_counted_from_the_seat_whose_turn_it_is(left: int, seat: int, turns: int) -> None:
    state = at_the_table("usa", 3, left)
    assert turns_left(state.view(seat)) == turns


def test_in_the_last_turn_only_what_can_be_paid_for_counts() -> None:
    """One claim would do, and there is one turn: with the cards for it the ticket is open, without them cut off."""
    board = load_board("usa")
    ticket = board.tickets[0]
    around = [number for number, route in enumerate(board.routes) if ticket.a in (route.a, route.b)]
    last = next(number for number in around if board.routes[number].colour in board.colours)
    route = board.routes[last]
    for cards, is_cut in (([route.colour] * route.length, False), ([], True)):
        state = at_the_table("usa", 3, 1)
        state.record.owned[:] = 0
        state.record.owned[0] = words([number for number in range(len(board.routes)) if number not in around])
        state.record.open_to[:] = words([last])
        give(state, 0, " ".join(cards))
        assert (bearing_of(state, ticket.id).state == "cut") is is_cut


def test_eu_33_a_ticket_that_only_a_station_can_save_says_so_and_whose_route_it_would_borrow() -> None:
    only = 0
    for seed in range(12):
        state, seat = walled_in(5, seed, 1)
        without, _ = walled_in(5, seed, 0)
        owners = {route: one for one in state.seats for route in state.routes(one)}
        otherwise = compass(without.view(seat), [])
        for ticket, bearing in compass(state.view(seat), []).items():
            assert bool(bearing.needs_station) == (bearing.state == "open" and otherwise[ticket].state == "cut")
            assert bearing.lent_by == sorted({owners[route] for route in bearing.lent})
            only += bool(bearing.needs_station)
    assert only > 1


@pytest.mark.parametrize("board", ROUTE_BOARDS)
def test_a_way_that_need_not_be_sought_is_the_one_that_would_be_found(board: str) -> None:
    """Whatever others have closed or built: the same routes in the same order, by a search over everything."""
    network, looked_at, kept = network_of(load_board(board)), 0, 0
    for state, seat in positions(board, 3, range(4), 0.15):
        standing = standing_of(state.view(seat), seat)
        prices = network.prices(standing)
        wished = [0 if standing.own >> route & 1 else (1 << 20) // 4096 * length for route, length in enumerate(network.lengths)]
        wished = np.array([price + (price > 0 and not standing.free >> route & 1) for route, price in enumerate(wished)])
        for ticket in state.tickets(seat):
            for start, goal in pairwise(network.places[ticket]):
                measured = network.measure(prices, goal)
                sought = measured.way(start, goal) if measured.distance[start] < 1 << 20 else ()
                allowed = standing.own | standing.free
                if sought and all(allowed >> route & 1 for route in sought) and network.fits(standing, sought):
                    way = network.way(standing, start, goal)
                    assert way is not None
                    assert way.routes == sought
                    kept += sought == network.unhindered(standing.own, start, goal)[0]
                assert network.shortest(standing.own, standing.free, start, goal) == network.measure(wished, goal).way(start, goal)
                looked_at += 1
    assert looked_at > 100
    assert kept > looked_at / 5
