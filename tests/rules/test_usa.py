"""The USA board, which is only data: US-1 to US-6."""

import pytest

from branchline import Game, GameOptionError, load_board
from tests.table import changed, claim, empty_end, give, happened, hold, lay, legal, over, own, play, scores, stack, table


def test_us_1_two_to_five_players_with_45_trains():
    with pytest.raises(GameOptionError, match="2 to 5 players"):
        Game("usa", 6)
    state = Game("usa", 5).start(1)
    assert [state.pieces(seat)["trains"] for seat in state.seats] == [45] * 5


def test_us_1_the_deck_is_europes():
    assert load_board("usa").cards == load_board("europe").cards


def test_us_1_a_face_up_locomotive_is_the_only_card():
    state = play(lay(table("usa"), "wild blue green black white"), "take 0")
    assert state.seat == 1


def test_us_1_three_face_up_locomotives_clear_the_row():
    state = stack(lay(table("usa"), "wild wild blue black white"), "wild", "red red red red red green green")
    assert happened(play(state, "take 2"), "clear_row")


def test_us_2_three_tickets_are_dealt_two_are_kept_and_the_other_goes_to_the_bottom():
    state = Game("usa", 2).start(3)
    first = state.offer(0)
    assert (len(load_board("usa").tickets), len(first)) == (30, 3)
    play(state, f"return {first[0]}")
    assert state.seat == 1, "the other two must be kept"
    play(state, *(f"keep {ticket}" for ticket in state.offer(1)))
    assert state.game.board.tickets[state.record.queue[state.record.queue_size - 1]].id == first[0]
    assert state.record.queue_size == 30 - 6 + 1


def test_us_3_a_turn_is_one_of_three_actions():
    state = give(table("usa"), 0, "red red")
    assert {text.split()[0] for text in state.legal_texts} == {"claim", "draw", "take", "tickets"}


@pytest.mark.parametrize(("length", "points"), [(1, 1), (2, 2), (3, 4), (4, 7), (5, 10), (6, 15)])
def test_us_3_points_by_length(length, points):
    route = next(route.id for route in load_board("usa").routes if route.length == length)
    assert claim(table("usa"), 0, route).points(0) == points


@pytest.mark.parametrize(("players", "both"), [(2, False), (3, False), (4, True), (5, True)])
def test_us_3_double_routes_as_in_europe(players, both):
    state = claim(table("usa", players=players), 0, "atlanta-raleigh.1")
    assert ("atlanta-raleigh.2" in legal(give(state, 1, "red red"), "claim")) == both
    state.record.seat = 0
    assert "atlanta-raleigh.2" not in legal(give(state, 0, "red red"), "claim")


def test_us_4_three_tickets_at_least_one_kept_others_to_the_bottom():
    state = play(table("usa"), "tickets")
    a, b, c = state.offer(0)
    play(state, f"return {a}", f"keep {b}", f"return {c}")
    bottom = [state.game.board.tickets[number].id for number in state.record.queue[: state.record.queue_size][-2:]]
    assert bottom == [a, c]


def test_us_5_last_turns_tickets_and_longest_path():
    state = table("usa")
    state.record.pieces[0, 0] = 3
    play(give(changed(state), 0, "red"), "claim atlanta-nashville")
    assert happened(state, "last_turns") == [{"event": "last_turns", "seat": 0, "each": 1}]
    state = own(over(table("usa")), 0, "chicago-saint-louis.1", "nashville-saint-louis")
    hold(hold(state, 0, "atlanta-montreal"), 1)
    assert scores(state, "tickets") == [-9, 0]
    assert scores(state, "longest_path") == [10, 0]
    assert "stations" not in state.result["scores"][0]


def test_us_6_a_tie_goes_to_more_completed_tickets_before_the_longest_path():
    state = own(own(empty_end("usa", 3), 0, "el-paso-los-angeles"), 1, "denver-santa-fe", "el-paso-santa-fe")
    hold(state, 1, "denver-el-paso")
    totals = scores(state)
    state.record.points[: len(totals)] += [max(totals) - total for total in totals]
    assert state.result["winners"] == [1]


def test_us_6_then_to_the_longest_path_then_it_is_shared():
    state = own(own(empty_end("usa", 3), 1, "atlanta-nashville"), 2, "portland-seattle.1")
    totals = scores(state)
    state.record.points[: len(totals)] += [max(totals) - total for total in totals]
    assert state.result["winners"] == [1, 2]
