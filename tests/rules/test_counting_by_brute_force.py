"""Scoring against exhaustive search, on thousands of random positions: tickets with stations, longest trails, districts."""

import dataclasses
import itertools
import random

import numpy as np
import pytest

from branchline import load_board
from branchline.rules.engine import final_count
from branchline.rules.scoring import RESULT
from branchline.rules.state import STATE
from branchline.rules.work import WORK
from tests.conftest import SOAK

pytestmark = pytest.mark.slow_when_plain
POSITIONS = 20_000 if SOAK else 400


def bits(numbers, words):
    out = np.zeros(words, np.uint64)
    for number in numbers:
        out[number >> 6] |= np.uint64(1 << (number & 63))
    return out


def neighbourhood(board, rng):
    """The cities within two routes of some city, or now and then all cities."""
    if rng.random() < 0.3:
        return list(range(len(board.cities)))
    near = {rng.randrange(len(board.cities))}
    for _ in range(2):
        near |= {city for pair in ends(board, range(len(board.routes))) if near & set(pair) for city in pair}
    return sorted(near)


def random_position(board, rng, players):
    """Random routes, stations and made-up tickets, close together so that networks touch and loop."""
    records = np.zeros(1, STATE)
    record = records[0]
    record.players = players
    near = neighbourhood(board, rng)
    for ticket in range(len(board.tickets)):
        a, b = rng.sample(near, 2)
        board.record.ticket_a[ticket], board.record.ticket_b[ticket] = a, b
        board.record.ticket_cities[ticket] = 1 << a | 1 << b
        board.record.ticket_points[ticket] = board.record.ticket_loss[ticket] = rng.randrange(1, 6)
    free = [route for route in range(len(board.routes)) if set(ends(board, [route])[0]) <= set(near)]
    rng.shuffle(free)
    cities = rng.sample(near, len(near))
    owned = []
    for seat in range(players):
        owned.append([free.pop() for _ in range(min(rng.randrange(11), len(free)))])
        record.owned[seat] = bits(owned[-1], 3)
        record.tickets[seat] = bits(rng.sample(range(len(board.tickets)), rng.randrange(8)), 2)
        built = [cities.pop() for _ in range(min(rng.randrange(4), len(cities)))] if board.record.stations else []
        record.built[seat] = sum(1 << city for city in built)
        record.unbuilt[seat] = board.record.stations - len(built)
    return records, owned


def own_copy(game):
    """A board whose tickets may be changed."""
    board = load_board(game)
    return dataclasses.replace(board, records=board.records.copy())


def counted(board, records):
    results = np.zeros(1, RESULT)
    final_count(board.records, records, np.zeros(1, WORK), results)
    return results[0]


def joined(pairs, a, b):
    reached, grew = {a}, True
    while grew:
        grew = False
        for x, y in pairs:
            if (x in reached) != (y in reached):
                reached |= {x, y}
                grew = True
    return b in reached


def ends(board, routes):
    return [(int(board.record.route_a[route]), int(board.record.route_b[route])) for route in routes]


def held(board, record, seat):
    return [number for number in range(len(board.tickets)) if int(record.tickets[seat][number >> 6]) >> (number & 63) & 1]


def best_tickets(board, record, owned, seat):
    """All assignments of one lent route, or none, to each station: the best points, then the most tickets."""
    others = [route for other, routes in enumerate(owned) if other != seat for route in routes]
    stations = [city for city in range(len(board.cities)) if int(record.built[seat]) >> city & 1]
    options = [[None, *(route for route in others if city in ends(board, [route])[0])] for city in stations]
    best = None
    for lent in itertools.product(*options):
        pairs = ends(board, owned[seat] + [route for route in lent if route is not None])
        done = [t for t in held(board, record, seat) if joined(pairs, board.record.ticket_a[t], board.record.ticket_b[t])]
        worth = board.record.ticket_points
        points = sum(int(worth[t]) if t in done else -int(worth[t]) for t in held(board, record, seat))
        best = max(best or (points, len(done)), (points, len(done)))
    return best


def longest(board, routes):
    """Every trail, step by step."""
    edges = [(*ends(board, [route])[0], board.routes[route].length) for route in routes]

    def extend(city, used):
        return max(
            (
                edges[e][2] + extend(edges[e][1] if edges[e][0] == city else edges[e][0], used | {e})
                for e in range(len(edges))
                if e not in used and city in edges[e][:2]
            ),
            default=0,
        )

    return max((extend(city, frozenset()) for edge in edges for city in edge[:2]), default=0)


@pytest.mark.sample(2)
@pytest.mark.parametrize("part", range(4))
def test_eu_34_eu_35_tickets_with_stations_equal_the_best_of_all_assignments(part):
    board, rng = own_copy("europe"), random.Random(part)
    completed = lent = 0
    for _ in range(POSITIONS // 4):
        records, owned = random_position(board, rng, 3)
        result = counted(board, records)
        for seat in range(3):
            done = int(sum(int(word).bit_count() for word in result.completed[seat]))
            assert (result.tickets[seat], done) == best_tickets(board, records[0], owned, seat)
            completed += done
            lent += int((result.station_route[seat] >= 0).sum())
    assert completed > POSITIONS / 4
    assert lent > POSITIONS / 8


@pytest.mark.parametrize("part", range(4))
def test_eu_37_the_longest_trail_equals_exhaustive_search(part):
    board, rng = own_copy("europe"), random.Random(100 + part)
    for _ in range(POSITIONS // 4):
        records, owned = random_position(board, rng, 2)
        result = counted(board, records)
        for seat in range(2):
            assert result.longest_path_length[seat] == longest(board, owned[seat])


def test_lo_15_lo_16_tickets_and_districts_equal_exhaustive_search():
    board, rng = own_copy("london"), random.Random(5)
    earned = 0
    for _ in range(POSITIONS):
        records, owned = random_position(board, rng, 3)
        result = counted(board, records)
        for seat in range(3):
            pairs = ends(board, owned[seat])
            assert (result.tickets[seat], int(sum(int(word).bit_count() for word in result.completed[seat]))) == best_tickets(
                board, records[0], owned, seat
            )
            for index, district in enumerate(board.districts):
                members = [number for number, city in enumerate(board.cities) if city.district == district]
                together = all(joined(pairs, members[0], other) for other in members)
                assert result.districts_completed[seat][index] == together
                earned += together
    assert earned > 20
