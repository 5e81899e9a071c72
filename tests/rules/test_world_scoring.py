"""The World at the end: WO-26 to WO-31, and ordered trails against exhaustive search."""

import random

import numpy as np
import pytest

from branchline.rules.state import STATE
from tests.conftest import PLAIN, SOAK
from tests.rules.test_counting_by_brute_force import bits, counted, ends, joined, neighbourhood, own_copy
from tests.table import changed, empty_end, hold, own, scores, station

POSITIONS = 20_000 if SOAK else 200 if PLAIN else 1_000


def world():
    return empty_end("world")


def tickets(state, seat=0):
    return state.result["scores"][seat]["completed"], scores(state, "tickets")[seat]


def test_wo_26_a_ticket_is_completed_by_own_routes_of_either_kind():
    state = hold(own(world(), 0, "athina-marseille", "al-qahira-athina"), 0, "al-qahira-marseille", "lagos-tehran")
    assert tickets(state) == (["al-qahira-marseille"], 5 - 10)
    state = hold(own(own(world(), 0, "athina-marseille"), 1, "al-qahira-athina"), 0, "al-qahira-marseille")
    assert tickets(state) == ([], -5)


def test_wo_26_a_harbour_lends_no_route_of_another():
    state = own(own(world(), 0, "al-qahira-athina"), 1, "athina-marseille")
    station(hold(state, 0, "al-qahira-marseille"), 0, "athina")
    assert tickets(state) == ([], -5)
    assert scores(state, "harbours")[0] == 0 - 8


TOUR = "tour-casablanca-tehran"  # casablanca, al-qahira, tehran: 9, 6, -15
STAR = ("casablanca-marseille", "athina-marseille", "athina-tehran", "al-qahira-athina")


def test_wo_27_a_tour_that_is_not_joined_subtracts_its_failed_value():
    state = hold(own(world(), 0, "al-qahira-casablanca"), 0, TOUR)
    assert tickets(state) == ([], -15)
    assert state.result["scores"][0]["failed"] == [TOUR]


def test_wo_28_in_order_whatever_lies_between():
    direct = hold(own(world(), 0, "al-qahira-casablanca", "al-qahira-tehran.1"), 0, TOUR)
    assert tickets(direct) == ([{"ticket": TOUR, "how": "in_order"}], 9)
    around = hold(own(world(), 0, "casablanca-marseille", "athina-marseille", "al-qahira-athina", "al-qahira-tehran.1"), 0, TOUR)
    assert tickets(around) == ([{"ticket": TOUR, "how": "in_order"}], 9)


def test_wo_28_the_printed_order_in_reverse_is_the_same_trail():
    """Claimed from the other end, the last leg first."""
    state = hold(own(world(), 0, "dar-es-salaam-djibouti.1", "dar-es-salaam-luanda", "lagos-luanda.1"), 0, "tour-lagos-djibouti")
    assert tickets(state) == ([{"ticket": "tour-lagos-djibouti", "how": "in_order"}], 9)


def test_wo_28_joined_only_through_a_star_is_connected():
    state = hold(own(world(), 0, *STAR), 0, TOUR)
    assert tickets(state) == ([{"ticket": TOUR, "how": "connected"}], 6)


def test_wo_28_a_trail_may_pass_a_star_twice_by_other_routes():
    """Athina is passed twice, each route once: to al-qahira and on from there."""
    state = hold(own(world(), 0, *STAR, "al-qahira-tehran.1"), 0, TOUR)
    assert tickets(state) == ([{"ticket": TOUR, "how": "in_order"}], 9)


def test_wo_28_each_city_of_the_tour_is_met_once():
    """Lagos to luanda only through dar-es-salaam, which comes later: joined, but not in order."""
    around = ("casablanca-lagos", "al-qahira-casablanca", "al-qahira-djibouti.1", "dar-es-salaam-djibouti.1", "dar-es-salaam-luanda")
    state = hold(own(world(), 0, *around), 0, "tour-lagos-djibouti")
    assert tickets(state) == ([{"ticket": "tour-lagos-djibouti", "how": "connected"}], 6)


def test_wo_29_a_harbour_earns_by_the_completed_tickets_that_name_it():
    state = own(world(), 0, "al-qahira-athina", "athina-marseille", "casablanca-marseille", "al-qahira-tehran.1", "casablanca-lagos")
    station(state, 0, "al-qahira")
    assert scores(state, "harbours")[0] == 0 - 8
    for held, points in (
        (["al-qahira-marseille"], 20),
        (["al-qahira-marseille", "al-qahira-sydney"], 20),  # the second is not completed
        (["al-qahira-marseille", TOUR], 30),  # tours count
    ):
        assert scores(hold(state, 0, *held), "harbours")[0] == points - 8
    own(state, 0, "caracas-lagos", "caracas-lima.1", "lima-sydney.1")
    hold(state, 0, "al-qahira-marseille", "al-qahira-caracas", "al-qahira-sydney")
    assert scores(state, "harbours")[0] == 40 - 8
    hold(state, 0, "al-qahira-marseille", "al-qahira-caracas", "al-qahira-sydney", TOUR)
    assert scores(state, "harbours")[0] == 40 - 8


def test_wo_29_a_ticket_naming_several_harbours_counts_for_each():
    state = own(world(), 0, "al-qahira-athina", "athina-marseille")
    station(hold(state, 0, "al-qahira-marseille"), 0, "al-qahira", "marseille")
    assert scores(state, "harbours")[0] == 20 + 20 - 4


def test_wo_30_four_points_are_lost_for_each_harbour_not_built():
    state = world()
    assert scores(state, "harbours") == [-12, -12]
    assert scores(station(state, 0, "athina", "lagos", "lima"), "harbours") == [0, -12]
    assert "longest_path" not in state.result["scores"][0]


def test_wo_30_g_8_scores_may_be_negative():
    state = hold(world(), 0, "christchurch-marseille", "tour-anchorage-tiksi")
    assert scores(state) == [-23 - 40 - 12, -12]


def test_wo_31_most_points_wins_and_ties_share():
    state = world()
    assert state.result["winners"] == [0, 1]
    state.record.points[1] = 1
    assert changed(state).result["winners"] == [1]


# ordered trails against exhaustive search


def ordered_trail(pairs, cities):
    """Is there a trail that visits each city once, in order? Tries every trail from the first city, step by step."""

    def go_on(city, used, met):
        if city in cities:
            if city != cities[met]:
                return False
            if met + 1 == len(cities):
                return True
            met += 1
        return any(go_on(b if a == city else a, used | {number}, met) for number, (a, b) in enumerate(pairs) if number not in used and city in (a, b))

    return go_on(cities[0], frozenset(), 0)


@pytest.mark.sample(2)
@pytest.mark.parametrize("part", range(4))
def test_wo_28_ordered_trails_equal_exhaustive_search(part):
    board, rng = own_copy("world"), random.Random(28 + part)
    first, tours = int(board.record.first_tour), len(board.tickets) - int(board.record.first_tour)
    found = {"in order": 0, "connected": 0, "failed": 0}
    for _ in range(POSITIONS // 4):
        near = neighbourhood(board, rng)
        routes = [route for route in range(len(board.routes)) if set(ends(board, [route])[0]) <= set(near)]
        routes = rng.sample(routes, min(len(routes), rng.randrange(3, 13)))
        records = np.zeros(1, STATE)
        records[0].players = 2
        records[0].owned[0] = bits(routes, 3)
        cities = sorted({city for pair in ends(board, routes) for city in pair})
        names = []
        for tour in range(tours):
            names.append(rng.sample(cities, min(len(cities), rng.randrange(3, 6))))
            board.record.tour_city[tour, : len(names[-1])] = names[-1]
            board.record.tour_size[tour] = len(names[-1])
            board.record.ticket_cities[first + tour] = sum(1 << city for city in names[-1])
        records[0].tickets[0] = bits(range(first, first + tours), 2)
        result = counted(board, records)
        for tour, stops in enumerate(names):
            place, bit = (first + tour) >> 6, (first + tour) & 63
            together = all(joined(ends(board, routes), stops[0], stop) for stop in stops)
            in_order = together and ordered_trail(ends(board, routes), stops)
            assert bool(int(result.completed[0][place]) >> bit & 1) == together
            assert bool(int(result.in_order[0][place]) >> bit & 1) == in_order
            assert in_order == (together and ordered_trail(ends(board, routes), stops[::-1]))
            found["in order" if in_order else "connected" if together else "failed"] += 1
    assert min(found.values()) > POSITIONS / 50, found
