"""Building stations: EU-30, EU-31."""

import pytest

from branchline import IllegalDecision
from tests.table import changed, give, happened, legal, play, table


def build_all(state, seat, *cities):
    for city in cities:
        state.record.seat = seat
        play(give(state, seat, "red red red"), f"build {city}")
        while state.phase == "payment":
            state.apply(state.legal[0])
    return state


def test_eu_30_a_station_in_any_city_without_routes():
    state = give(table(), 0, "red")
    assert len(legal(state, "build")) == 47
    play(state, "build palermo")
    assert state.buildings(0) == ["palermo"]
    assert state.seat == 1, "one per turn"


def test_eu_30_not_where_anyone_has_one():
    state = play(give(table(), 0, "red"), "build palermo")
    with pytest.raises(IllegalDecision, match="There is already a station here: seat 0"):
        give(state, 1, "red").apply("build palermo")


def test_eu_30_three_a_game():
    state = build_all(table(), 0, "palermo", "roma", "wien")
    state.record.seat = 0
    with pytest.raises(IllegalDecision, match="You have no station left"):
        give(state, 0, "red red red red").apply("build berlin")


def test_eu_31_the_first_costs_one_card_of_any_kind():
    state = give(table(), 0, "red blue wild")
    play(state, "build roma")
    assert set(state.legal_texts) == {"pay red", "pay blue", "pay wild"}
    play(state, "pay blue")
    assert happened(state, "station") == [{"event": "station", "seat": 0, "city": "roma", "cards": ["blue"]}]


def test_eu_31_the_second_costs_two_of_one_colour():
    state = build_all(table(), 0, "palermo")
    state.record.seat = 0
    assert not legal(give(state, 0, "red blue green"), "build")
    assert legal(give(state, 0, "red red"), "build")
    assert legal(give(state, 0, "red wild"), "build")


def test_eu_31_the_third_costs_three_and_locomotives_replace_any():
    state = build_all(table(), 0, "palermo", "roma")
    state.record.seat = 0
    assert not legal(give(state, 0, "red red blue"), "build")
    give(state, 0, "red red wild wild wild")
    play(state, "build wien")
    paid = set()
    for decision in state.legal:
        after = state.clone()
        after.apply(decision)
        while after.phase == "payment":
            after.apply(after.legal[-1])
        paid.add(tuple(happened(after, "station")[-1]["cards"]))
    assert paid == {("red", "wild", "wild"), ("wild", "wild", "wild")}


def test_eu_31_cards_go_to_the_discards():
    state = changed(give(table(), 0, "red"))
    play(state, "build roma")
    assert state.counts(state.record.discards) == {"red": 1}
