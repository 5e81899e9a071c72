"""New York: NY-1 to NY-7, and attractions."""

import pytest

from branchline import load_board
from branchline.play.counting import explained_count
from tests.table import claim, empty_end, give, happened, hold, lay, own, play, scores, stack, table

GAME = "new-york"


def test_ny_1_two_to_four_players_with_15_taxis_each():
    board = load_board(GAME)
    assert board.players == (2, 4)
    assert board.record.pieces.tolist() == [15, 0]


def test_ny_1_44_cards_and_18_tickets():
    board = load_board(GAME)
    assert {card.id: card.count for card in board.cards} == dict.fromkeys(("blue", "green", "black", "pink", "red", "orange"), 6) | {"wild": 8}
    assert len(board.tickets) == 18


def test_ny_2_everyone_is_dealt_two_cards_and_two_tickets_of_which_one_is_kept():
    events = table(GAME, 3).events
    assert [len(event["cards"]) for event in events if event["event"] == "deal"] == [2, 2, 2]
    offers = [event for event in events if event["event"] == "offer_tickets"]
    assert [(len(event["tickets"]), event["keep_at_least"]) for event in offers] == [(2, 1)] * 3


def test_ny_2_three_wilds_clear_the_row_of_five():
    state = stack(lay(table(GAME), "wild wild black pink red"), "wild", "blue blue blue blue green")
    play(state, "take 3")
    cleared = happened(state, "clear_row")[-1]["cards"]
    assert (len(cleared), cleared.count("wild")) == (5, 3)
    assert state.row.count("wild") < 3


def test_ny_2_a_face_up_wild_is_the_only_card_taken():
    state = lay(table(GAME), "wild blue green red black")
    play(state, "take 0")
    assert state.seat == 1


def test_ny_2_later_two_tickets_are_drawn_and_one_may_go_back_to_the_bottom():
    state = table(GAME)
    play(state, "tickets")
    (offer,) = happened(state, "offer_tickets")[-1:]
    assert (len(offer["tickets"]), offer["keep_at_least"]) == (2, 1)
    returned, kept = offer["tickets"]
    play(state, f"return {returned}")  # the other one has to be kept
    assert state.seat == 1
    assert kept in state.tickets(0)
    assert returned not in state.tickets(0)


@pytest.mark.parametrize(("route", "points"), [("chelsea-gramercy-park", 2), ("brooklyn-lower-east-side", 4)])
def test_ny_3_a_route_scores_at_once_by_its_length(route, points):
    state = table(GAME)
    assert next(one for one in state.game.board.routes if one.id == route).length in (2, 3)
    claim(state, 0, route)
    assert state.record.points[0] == points


def test_ny_3_the_points_by_length():
    assert load_board(GAME).record.route_points[:5].tolist() == [0, 1, 2, 4, 7]


@pytest.mark.parametrize(("players", "is_open"), [(2, False), (3, True)])
def test_ny_3_with_two_players_only_one_track_of_a_double_route_is_claimed(players, is_open):
    state = claim(table(GAME, players), 0, "brooklyn-chinatown.1")
    give(state, 1, "red red red")
    assert ("claim brooklyn-chinatown.2" in [state.game.text(one) for one in state.legal]) == is_open


def test_ny_4_two_taxis_left_begin_one_last_turn_for_everyone():
    state = table(GAME)
    state.record.pieces[0, 0] = 4
    claim(state, 0, "chelsea-gramercy-park")
    assert state.events[-2] | {"event": "last_turns"} == {"event": "last_turns", "seat": 0, "each": 1}
    for _ in range(2):
        assert not state.is_over
        play(state, "draw train", "draw train")
    assert state.is_over


def test_ny_5_tickets_add_or_subtract_by_own_routes_only():
    state = own(own(empty_end(GAME), 0, "chelsea-gramercy-park"), 1, "east-village-gramercy-park")
    hold(state, 0, "chelsea-wall-street")
    assert scores(state, "tickets")[0] == -next(one.points for one in state.game.board.tickets if one.id == "chelsea-wall-street")


def test_ny_6_an_attraction_pays_everyone_with_a_route_to_it():
    state = own(own(empty_end(GAME), 0, "chelsea-gramercy-park"), 1, "chelsea-midtown-west")
    assert scores(state, "attractions") == [1, 1]
    assert [score["attractions_reached"] for score in state.result["scores"]] == [["chelsea"], ["chelsea"]]


def test_ny_6_each_attraction_pays_once_however_many_routes_lead_there():
    state = own(empty_end(GAME), 0, "chelsea-gramercy-park", "chelsea-midtown-west")
    assert scores(state, "attractions") == [1, 0]
    assert scores(state, "total")[0] == scores(state, "routes")[0] + 1


def test_ny_6_the_count_names_the_attractions():
    state = own(empty_end(GAME), 0, "chelsea-gramercy-park")
    assert explained_count(state)["seats"][0]["attractions"] == {"points": 1, "cities": ["chelsea"]}


def tied():
    """Seat 0 has completed a ticket, and seat 1 as many points without one."""
    state = own(empty_end(GAME), 0, "empire-state-building-gramercy-park.1", "gramercy-park-greenwich-village.1")
    hold(state, 0, "empire-state-building-greenwich-village")
    state.record.points[1] = state.result["scores"][0]["total"]
    assert len(set(scores(state))) == 1
    return state


def test_ny_7_more_completed_tickets_break_a_tie():
    assert tied().result["winners"] == [0]


def test_ny_7_otherwise_they_share_the_victory():
    assert empty_end(GAME).result["winners"] == [0, 1]


def test_ny_6_no_other_board_counts_attractions():
    assert all(load_board(game).record.attraction_points == 0 for game in ("europe", "london", "usa", "world", "card-game"))
