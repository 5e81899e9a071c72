"""The count, explained: its parts add up to what the rules count, and the routes shown do what they are said to do."""

import time
from collections import Counter, deque
from itertools import chain

import pytest

from branchline import Game
from branchline.bots import make_bot
from branchline.play.counting import explained_count
from tests.conftest import SOAK
from tests.random_games import random_game
from tests.table import hold, over, own, pile, station, table

GAMES = 30 if SOAK else 3


def finished(game, players, seed):
    """A game of random decisions, or of bots, which complete more tickets."""
    if seed % 2:
        return deque(random_game(game, players, seed), maxlen=1).pop()
    state, bot = Game(game, players).start(seed), make_bot("easy", seed)
    while not state.is_over:
        state.apply(bot.decide(state.view(state.seat)))
    return state


def points_of(part):
    return sum(one["points"] for one in part) if isinstance(part, list) else part["points"]


def pieces_of(board, path):
    """Joined cities of a set of routes, worked out by the tests' own code."""
    group = {city.id: city.id for city in board.cities}
    for route in (one for one in board.routes if one.id in path):
        old, new = group[route.a], group[route.b]
        group = {city: new if joined == old else joined for city, joined in group.items()}
    return group


@pytest.mark.timeout(3600)
def test_the_parts_add_up_to_the_rules_count(game, players):
    for seed in range(GAMES):
        state = finished(game, players, seed)
        result, count = state.result, explained_count(state)
        assert count["winners"] == result["winners"]
        for seat, score in zip(count["seats"], result["scores"], strict=True):
            parts = {name: points_of(part) for name, part in seat.items() if name != "total"}
            assert sum(parts.values()) == seat["total"] == score["total"]
            assert parts["tickets"] == score["tickets"]
            assert parts.get("routes", 0) + parts.get("exchanges", 0) == score.get("routes", 0)
            assert parts.get("harbours", 0) + parts.get("unbuilt_harbours", 0) == score.get("harbours", 0)
            for name in ("stations", "longest_path", "districts", "bonuses"):
                assert parts.get(name) == score.get(name)


@pytest.mark.timeout(3600)
def test_tickets_are_those_of_the_result_and_their_paths_join_their_cities(game, players):
    for seed in range(GAMES):
        state = finished(game, players, seed)
        board, result = state.game.board, state.result
        for seat, (count, score) in enumerate(zip(explained_count(state)["seats"], result["scores"], strict=True)):
            done = [{"ticket": one["ticket"], "how": one["how"]} if "how" in one else one["ticket"] for one in count["tickets"] if one["done"]]
            assert done == score["completed"]
            assert [one["ticket"] for one in count["tickets"] if not one["done"]] == score["failed"]
            known = {*state.routes(seat), *score.get("station_routes", {}).values()}
            for one in (one for one in count["tickets"] if "path" in one):
                ticket = next(other for other in board.tickets if other.id == one["ticket"])
                assert set(one["path"]) <= known
                groups = pieces_of(board, one["path"])
                assert len({groups[city] for city in ticket.cities}) == 1
                assert all(missing_breaks(board, ticket, one["path"], route) for route in one["path"]) or one.get("how") == "in_order"


def missing_breaks(board, ticket, path, route):
    groups = pieces_of(board, [other for other in path if other != route])
    return len({groups[city] for city in ticket.cities}) > 1


@pytest.mark.timeout(3600)
def test_the_longest_path_is_a_trail_of_its_length(game, players):
    """A set of routes can be travelled in one go, each once, if it is connected and at most two cities have an odd number of ends."""
    for seed in range(GAMES):
        state = finished(game, players, seed)
        board = state.game.board
        for seat, count in enumerate(explained_count(state)["seats"]):
            if "longest_path" not in count:
                assert not board.record.longest_points
                continue
            path = [route for route in board.routes if route.id in count["longest_path"]["path"]]
            assert {route.id for route in path} <= set(state.routes(seat))
            assert sum(route.length for route in path) == count["longest_path"]["length"]
            ends = Counter(chain.from_iterable((route.a, route.b) for route in path))
            groups = pieces_of(board, count["longest_path"]["path"])
            assert len({groups[city] for city in ends}) <= 1
            assert sum(number % 2 for number in ends.values()) <= 2


def test_the_games_show_every_part():
    shown = {game: set().union(*(set(seat) for seat in explained_count(finished(game, 2, 1))["seats"])) for game in ("europe", "london", "world")}
    assert shown["europe"] == {"total", "routes", "tickets", "longest_path", "stations"}
    assert shown["london"] == {"total", "routes", "tickets", "districts"}
    assert shown["world"] == {"total", "routes", "exchanges", "tickets", "harbours", "unbuilt_harbours"}


def seat_0(state):
    return explained_count(over(state))["seats"][0]


def test_a_path_goes_over_a_borrowed_route_only_where_it_has_to():
    state = own(own(table(), 0, "berlin-wien", "roma-venezia"), 1, "wien-zagrab")
    state = hold(station(state, 0, "wien"), 0, "berlin-roma")
    assert [(one["done"], one["points"]) for one in seat_0(state)["tickets"]] == [(False, -9)]
    state = own(state, 0, "venezia-zagrab")
    count = seat_0(state)
    assert count["tickets"] == [
        {"ticket": "berlin-roma", "points": 9, "done": True, "path": ["wien-zagrab", "berlin-wien", "roma-venezia", "venezia-zagrab"]}
    ]
    assert count["stations"] == {"points": 8, "unbuilt": 2, "borrowed": {"wien": "wien-zagrab"}}
    state = own(state, 0, "munchen-wien", "munchen-venezia")
    assert "wien-zagrab" not in seat_0(state)["tickets"][0]["path"]


def test_the_longest_path_is_shown_also_of_who_does_not_earn_it():
    state = own(own(table(), 0, "berlin-wien"), 1, "berlin-danzig", "danzig-warszawa")
    first, second = (seat["longest_path"] for seat in explained_count(over(state))["seats"])
    assert first == {"points": 0, "length": 3, "path": ["berlin-wien"]}
    assert second["points"] == 10
    assert second["path"] == ["berlin-danzig", "danzig-warszawa"]


def test_districts_have_their_cities_and_points_only_if_completed():
    state = own(table("london"), 0, "british-museum-covent-garden.1")
    first, second = seat_0(state)["districts"][:2]
    assert first == {"district": "1", "points": 1, "done": True, "cities": ["british-museum", "covent-garden"]}
    assert (second["points"], second["done"]) == (0, False)


def test_a_harbour_is_shown_with_the_completed_tickets_that_name_it():
    state = own(table("world"), 0, "al-qahira-casablanca", "casablanca-marseille", "casablanca-lagos")
    state = station(hold(state, 0, "al-qahira-marseille", "lagos-tehran"), 0, "marseille", "lagos")
    count = seat_0(state)
    assert count["harbours"] == [{"city": "lagos", "points": 0, "tickets": 0}, {"city": "marseille", "points": 20, "tickets": 1}]
    assert count["unbuilt_harbours"] == {"points": -4, "count": 1}


def test_exchanges_are_counted_apart_from_routes():
    state = own(table("world"), 0, "casablanca-marseille")
    claimed = seat_0(state.clone())["routes"]["points"]
    state.record.points[0] = claimed
    state.apply("exchange 3 for trains")
    count = seat_0(state)
    assert count["exchanges"] == {"points": -3, "count": 3}
    assert count["routes"] == {"points": claimed, "routes": ["casablanca-marseille"]}
    assert count["total"] == claimed - 3 + points_of(count["tickets"]) + points_of(count["unbuilt_harbours"])


def test_in_the_card_game_tickets_have_the_cards_that_were_spent():
    """And bonuses those who earn them."""
    state = finished("card-game", 3, 2)
    spent = [one for seat in explained_count(state)["seats"] for one in seat["tickets"] if one["done"]]
    assert spent
    for one in spent:
        ticket = next(other for other in state.game.board.tickets if other.id == one["ticket"])
        assert sum(one["cards"].values()) == len(ticket.cards)
        assert one["points"] == ticket.points
    for place, city in enumerate(state.game.board.big_cities):
        seats = [seat["bonuses"][place] for seat in explained_count(state)["seats"]]
        most = max(seat["tickets"] for seat in seats)
        assert [seat["earned"] for seat in seats] == [0 < seat["tickets"] == most for seat in seats]
        assert all(seat["points"] == (city.points if seat["earned"] else 0) for seat in seats)


def test_a_pile_alone_completes_nothing_in_the_count():
    state = pile(table("card-game"), 0, "red red blue")
    assert not any(one["done"] for one in seat_0(state)["tickets"])


def test_counting_is_quick():
    state = finished("europe", 5, 2)
    explained_count(state)
    began = time.perf_counter()
    explained_count(state)
    assert time.perf_counter() - began < 0.5, "it takes about ten milliseconds"
