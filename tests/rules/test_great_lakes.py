"""The Great Lakes: GL-1 to GL-8. The board is played by the World's rules."""

import pytest

from branchline import Game, load_board
from tests.table import claim, empty_end, give, happened, hold, legal, own, play, scores, station, table

GAME = "great-lakes"


def test_gl_1_two_to_five_players_and_the_cards_of_the_world():
    board = load_board(GAME)
    assert board.players == (2, 5)
    assert board.cards == load_board("world").cards


def test_gl_1_two_cards_of_each_deck_are_dealt_and_three_of_each_lie_face_up():
    state = Game(GAME, 3).start(1)
    cards = {card.id: card.deck for card in state.game.board.cards}
    for event in state.events:
        if event["event"] == "deal":
            assert [cards[card] for card in event["cards"] if card != "wild"].count("ship") <= 2
            assert len(event["cards"]) == 4
    record = state.game.board.record
    assert (record.hand.tolist(), record.row_from.tolist(), record.clear_row_at) == ([2, 2], [3, 3], 3)


def test_gl_2_55_tickets_and_no_tours():
    tickets = load_board(GAME).tickets
    assert (len(tickets), sum(ticket.is_tour for ticket in tickets)) == (55, 0)


def test_gl_2_of_five_tickets_at_least_three_are_kept():
    state = Game(GAME, 2).start(1)
    offer = happened(state, "offer_tickets")[0]
    assert (len(offer["tickets"]), offer["keep_at_least"]) == (5, 3)
    returned = 0
    while state.phase == "opening tickets" and state.seat == offer["seat"]:
        choices = [text for text in state.legal_texts if text.startswith("return")]
        returned += 1
        state.apply(choices[0])
    assert returned == 2  # the other three are kept without a question


def test_gl_2_later_four_are_drawn_and_at_least_one_is_kept():
    state = table(GAME)
    play(state, "tickets")
    offer = happened(state, "offer_tickets")[-1]
    assert (len(offer["tickets"]), offer["keep_at_least"]) == (4, 1)
    for _ in range(3):
        state.apply(next(text for text in state.legal_texts if text.startswith("return")))
    assert state.seat == 1


def test_gl_3_fifty_pieces_of_at_most_33_trains_and_32_ships():
    state = Game(GAME, 2).start(1)
    while state.phase != "supply":
        state.apply(state.legal[0])
    trains = sorted(map(int, legal(state, "supply")))
    assert (trains[0], trains[-1]) == (50 - 32, 33)


def test_gl_3_the_suggested_pieces_can_be_chosen():
    state = Game(GAME, 2).start(1)
    while state.phase != "supply":
        state.apply(state.legal[0])
    play(state, "supply 27", "supply 27")
    assert state.record.pieces[0].tolist() == [27, 23]
    assert state.record.unbuilt[:2].tolist() == [3, 3]


@pytest.mark.parametrize(("players", "is_open"), [(2, False), (3, False), (4, True), (5, True)])
def test_gl_4_the_second_track_is_open_from_four_players_on(players, is_open):
    state = claim(table(GAME, players), 0, "chicago-south-bend.1")
    give(state, 1, "red-train")
    assert ("chicago-south-bend.2" in legal(state, "claim")) == is_open


def test_gl_4_an_exchanged_piece_costs_a_point():
    state = table(GAME)
    play(state, "exchange 1 for trains")
    assert state.record.points[0] == -1


@pytest.mark.parametrize(
    ("rail", "sea"), [("duluth-thunder-bay.1", "duluth-thunder-bay.2"), ("muskegon-traverse-city.1", "muskegon-traverse-city.2")]
)
def test_gl_4_a_rail_and_a_sea_route_between_the_same_cities_do_not_close_each_other(rail, sea):
    board = load_board(GAME)
    numbers = [route.id for route in board.routes]
    assert (board.record.twin[numbers.index(rail)], board.record.twin[numbers.index(sea)]) == (-1, -1)
    state = claim(table(GAME), 0, rail)
    claim(state, 0, sea)
    assert {rail, sea} <= set(state.routes(0))


@pytest.mark.parametrize(("length", "points"), [*enumerate([1, 2, 4, 7, 10, 15, 18, 21, 27], start=1)])
def test_gl_5_a_route_scores_at_once_by_its_length(length, points):
    state = give(table(GAME), 0, "wild " * length)
    route = next(route for route in state.game.board.routes if route.length == length)
    play(state, f"claim {route.id}")
    assert state.record.points[0] == points


def tree(board):
    """As few routes as join all cities."""
    joined, routes = {board.cities[0].id}, []
    while len(joined) < len(board.cities):
        route = next(one for one in board.routes if (one.a in joined) != (one.b in joined))
        joined |= {route.a, route.b}
        routes.append(route.id)
    return routes


@pytest.mark.parametrize(("named", "points"), [(0, 0), (1, 10), (2, 20), (3, 30), (4, 30)])
def test_gl_6_a_harbour_scores_by_completed_tickets_that_name_its_city(named, points):
    state = empty_end(GAME)
    board = state.game.board
    city = "chicago"
    tickets = [ticket.id for ticket in board.tickets if city in (ticket.a, ticket.b)][:named]
    for route in tree(board):
        own(state, 0, route)
        state.record.pieces[0] = 0  # nobody has that many trains
    station(hold(state, 0, *tickets), 0, city)
    assert len(tickets) == named
    assert scores(state, "harbours")[0] == points - 2 * 4


def test_gl_6_a_harbour_not_built_costs_four_points():
    assert scores(empty_end(GAME), "harbours") == [-12, -12]


def test_gl_7_six_pieces_left_begin_two_last_turns_for_everyone():
    state = table(GAME)
    state.record.pieces[0] = [8, 0]
    route = next(one for one in state.game.board.routes if one.length == 2 and not one.sea and not one.double)
    claim(state, 0, route.id)
    assert [event for event in state.events if event["event"] == "last_turns"] == [{"event": "last_turns", "seat": 0, "each": 2}]


def test_gl_8_most_points_win_and_equals_share_the_victory():
    state = empty_end(GAME)
    assert state.result["winners"] == [0, 1]
    state.record.points[1] += 1
    assert state.result["winners"] == [1]


def test_gl_4_a_harbour_is_built_in_a_port_that_a_route_reaches():
    state = claim(table(GAME), 0, "duluth-thunder-bay.2")
    state.record.seat, state.record.phase = 0, table(GAME).record.phase
    give(state, 0, "wild wild wild wild")
    assert {"duluth", "thunder-bay"} == set(legal(state, "build"))
