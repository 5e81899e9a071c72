"""Claiming routes: EU-15 to EU-21, LO-10 to LO-12."""

import pytest

from branchline import IllegalDecision, load_board
from tests.table import claim, give, happened, legal, play, table


def payments(state):
    """Every payment that can be made from here, as sorted cards."""
    if state.phase != "payment":
        return {tuple(sorted(happened(state, "claim")[-1]["cards"]))}
    found = set()
    for decision in state.legal:
        after = state.clone()
        after.apply(decision)
        found |= payments(after)
    return found


def claim_payments(state, route):
    state.apply(f"claim {route}")
    return payments(state)


def test_eu_15_a_route_is_claimed_whole_and_one_a_turn():
    state = give(table(), 0, "yellow yellow yellow black black")
    play(state, "claim amsterdam-essen")
    assert state.routes(0) == ["amsterdam-essen"]
    assert state.hand(0) == {"black": 2}
    assert state.seat == 1


def test_eu_15_it_need_not_touch_own_routes():
    state = claim(table(), 0, "amsterdam-bruxelles")
    state.record.seat = 0
    give(state, 0, "orange orange orange orange")
    assert "smolensk-wilno" in legal(give(state, 0, "yellow yellow yellow"), "claim")


def test_eu_16_a_coloured_route_takes_its_colour_and_any_number_of_locomotives():
    state = give(table(), 0, "yellow yellow yellow wild wild wild red")
    assert claim_payments(state, "amsterdam-essen") == {
        ("yellow", "yellow", "yellow"),
        ("wild", "yellow", "yellow"),
        ("wild", "wild", "yellow"),
        ("wild", "wild", "wild"),
    }


def test_eu_16_a_gray_route_takes_any_one_colour():
    state = give(table(), 0, "red red blue blue green wild")
    assert claim_payments(state, "wien-zagrab") == {
        ("red", "red"),
        ("blue", "blue"),
        ("red", "wild"),
        ("blue", "wild"),
        ("green", "wild"),
    }


def test_eu_16_cards_of_another_colour_do_not_pay():
    state = give(table(), 0, "red red red blue blue blue")
    assert "amsterdam-essen" not in legal(state, "claim")


def test_eu_16_one_payment_is_one_sequence_of_decisions():
    state = give(table(), 0, "yellow yellow yellow wild wild")
    play(state, "claim amsterdam-essen")
    assert state.counts(state.record.paid) == {"yellow": 1}, "two wilds are too few: the first card is forced"
    play(state, "pay wild")
    assert happened(state, "claim")[-1]["cards"] == ["yellow", "wild", "wild"], "after a wild only wilds follow"


def test_eu_17_a_train_for_every_space():
    state = give(table(), 0, "yellow yellow yellow")
    state.record.pieces[0, 0] = 2
    with pytest.raises(IllegalDecision, match="It takes 3 trains, and you have only 2 left"):
        state.apply("claim amsterdam-essen")


def test_eu_17_cards_are_discarded_and_trains_placed():
    state = give(table(), 0, "yellow yellow yellow")
    play(state, "claim amsterdam-essen")
    assert state.pieces(0)["trains"] == 42
    assert state.counts(state.record.discards) == {"yellow": 3}


@pytest.mark.parametrize(
    ("route", "points"),
    [
        ("amsterdam-bruxelles", 1),
        ("amsterdam-frankfurt", 2),
        ("amsterdam-essen", 4),
        ("berlin-danzig", 7),
        ("palermo-smyrna", 15),
        ("petrograd-stockholm", 21),
    ],
)
def test_eu_18_points_by_length(route, points):
    state = claim(table(), 0, route)
    assert state.points(0) == points
    assert happened(state, "claim")[-1]["points"] == points


def test_eu_18_no_route_of_europe_has_another_length():
    assert {route.length for route in load_board("europe").routes} == {1, 2, 3, 4, 6, 8}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_eu_19_no_player_may_own_both_tracks(players):
    state = claim(table(players=players), 0, "berlin-frankfurt.1")
    state.record.seat = 0
    give(state, 0, "red red red black black black wild wild")
    with pytest.raises(IllegalDecision, match="The other track of this double route is taken"):
        state.apply("claim berlin-frankfurt.2")


@pytest.mark.parametrize("players", [2, 3])
def test_eu_20_with_two_or_three_players_the_twin_is_closed(players):
    state = claim(table(players=players), 0, "berlin-frankfurt.1")
    assert "berlin-frankfurt.2" not in legal(give(state, 1, "red red red wild wild wild"), "claim")


@pytest.mark.parametrize("players", [4, 5])
def test_eu_20_with_four_players_another_may_take_the_twin(players):
    state = claim(table(players=players), 0, "berlin-frankfurt.1")
    play(give(state, 1, "wild wild wild"), "claim berlin-frankfurt.2")
    assert state.routes(1) == ["berlin-frankfurt.2"]


def test_eu_20_a_route_that_is_taken_is_taken():
    state = claim(table(players=4), 0, "amsterdam-essen")
    with pytest.raises(IllegalDecision, match="belongs to seat 0"):
        give(state, 1, "yellow yellow yellow").apply("claim amsterdam-essen")


def test_eu_21_a_ferry_needs_its_locomotives():
    ferry = "amsterdam-london"  # two spaces, two symbols
    assert ferry not in legal(give(table(), 0, "red red wild"), "claim")
    assert claim_payments(give(table(), 0, "red red wild wild"), ferry) == {("wild", "wild")}


def test_eu_21_further_locomotives_may_stand_in():
    state = give(table(), 0, "red red red wild wild wild wild")
    assert claim_payments(state, "athina-brindisi") == {
        ("red", "red", "red", "wild"),
        ("red", "red", "wild", "wild"),
        ("red", "wild", "wild", "wild"),
        ("wild", "wild", "wild", "wild"),
    }


def test_lo_10_cards_of_the_colour_or_wilds_as_many_as_spaces():
    state = give(table("london"), 0, "orange orange wild wild wild wild")
    assert claim_payments(state, "baker-street-british-museum") == {
        ("orange", "orange", "wild", "wild"),
        ("orange", "wild", "wild", "wild"),
        ("wild", "wild", "wild", "wild"),
    }


def test_lo_10_one_bus_for_each_space():
    state = give(table("london"), 0, "orange orange orange orange")
    state.record.pieces[0, 0] = 3
    assert "baker-street-british-museum" not in legal(state, "claim")
    state.record.pieces[0, 0] = 4
    state._mask = None
    play(state, "claim baker-street-british-museum")
    assert state.pieces(0)["trains"] == 0


@pytest.mark.parametrize(("length", "points"), [(1, 1), (2, 2), (3, 4), (4, 7)])
def test_lo_11_points_by_length(length, points):
    route = next(route.id for route in load_board("london").routes if route.length == length)
    assert claim(table("london"), 0, route).points(0) == points


def test_lo_12_nobody_owns_both_tracks():
    state = claim(table("london", players=4), 0, "st-pauls-tower-of-london.2")
    state.record.seat = 0
    assert "st-pauls-tower-of-london.1" not in legal(give(state, 0, "wild wild wild"), "claim")


def test_lo_12_with_two_players_the_twin_is_closed():
    state = claim(table("london", players=2), 0, "st-pauls-tower-of-london.2")
    assert "st-pauls-tower-of-london.1" not in legal(give(state, 1, "wild wild wild"), "claim")


@pytest.mark.parametrize("players", [3, 4])
def test_lo_12_with_three_or_four_players_both_can_be_used(players):
    state = claim(table("london", players=players), 0, "st-pauls-tower-of-london.2")
    assert "st-pauls-tower-of-london.1" in legal(give(state, 1, "wild wild wild"), "claim")
