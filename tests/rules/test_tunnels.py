"""Tunnels: EU-22 to EU-27. The tunnel here is Erzurum–Sochi, three red spaces."""

import pytest

from branchline import IllegalDecision
from tests.table import give, happened, legal, play, stack, table

TUNNEL = "erzurum-sochi"


def attempt(hand, turned_up, discards="", pay=""):
    """Claim the tunnel and pay for it (with `pay`, if there is a choice); the deck holds just the cards to be turned up."""
    state = stack(give(table(), 0, hand), turned_up, discards)
    return play(state, f"claim {TUNNEL}", *(f"pay {card}" for card in pay.split()))


def test_eu_22_the_cards_are_laid_then_three_are_turned_up():
    state = attempt("red red red", "green blue white")
    assert [event["event"] for event in state.events if "tunnel" in event["event"] or event["event"] == "claim"] == [
        "tunnel_lay",
        "tunnel_reveal",
        "claim",
    ]
    assert happened(state, "tunnel_lay") == [{"event": "tunnel_lay", "seat": 0, "route": TUNNEL, "cards": ["red"] * 3}]
    assert sorted(happened(state, "tunnel_reveal")[0]["cards"]) == ["blue", "green", "white"]


def test_eu_23_each_matching_card_asks_for_one_more():
    state = attempt("red red red red red green", "red red white")
    assert happened(state, "tunnel_reveal")[0]["owed"] == 2
    assert state.phase == "tunnel"
    assert set(state.legal_texts) == {"abandon", "pay red"}
    play(state, "pay red")
    assert happened(state, "claim")[0]["cards"] == ["red"] * 5
    assert state.hand(0) == {"green": 1}


def test_eu_23_a_turned_up_locomotive_matches_and_the_player_chooses_what_to_add():
    state = attempt("red red red red wild", "wild white white", pay="red")
    assert state.record.owed == 1
    assert set(state.legal_texts) == {"abandon", "pay red", "pay wild"}
    play(state, "pay wild")
    assert happened(state, "claim")[0]["cards"] == ["red", "red", "red", "wild"]


def test_eu_23_cards_of_other_colours_do_not_match():
    assert attempt("red red red green green", "green green blue").routes(0) == [TUNNEL]


def test_eu_23_a_gray_tunnel_matches_by_the_colour_laid_down():
    state = stack(give(table(), 0, "blue blue green green"), "blue green green")
    play(state, "claim sarajevo-sofia", "pay blue")
    assert happened(state, "tunnel_reveal")[0]["owed"] == 1


def test_eu_24_only_locomotives_match_when_only_locomotives_were_laid_down():
    state = attempt("wild wild wild red red", "red red green", pay="wild")
    assert happened(state, "tunnel_lay")[0]["cards"] == ["wild"] * 3
    assert happened(state, "tunnel_reveal")[0]["owed"] == 0
    assert state.routes(0) == [TUNNEL]


def test_eu_24_each_added_card_must_be_a_locomotive():
    state = attempt("wild wild wild wild red red red", "wild red green", pay="wild")
    assert state.record.owed == 1
    assert set(state.legal_texts) == {"abandon", "pay wild"}


def test_eu_24_without_another_locomotive_it_is_abandoned():
    state = attempt("wild wild wild red red", "wild red green", pay="wild")
    assert happened(state, "tunnel_abandon"), "red does not help"
    assert state.hand(0) == {"wild": 3, "red": 2}


def test_eu_25_who_will_not_add_takes_the_cards_back_and_the_turn_ends():
    state = attempt("red red red red", "red green green")
    play(state, "abandon")
    assert state.hand(0) == {"red": 4}
    assert (state.seat, state.routes(0), state.points(0), state.pieces(0)["trains"]) == (1, [], 0, 45)


def test_eu_25_who_cannot_add_is_not_asked():
    state = attempt("red red red", "red green green")
    assert happened(state, "tunnel_abandon") == [{"event": "tunnel_abandon", "seat": 0, "route": TUNNEL}]
    assert state.seat == 1
    assert TUNNEL in legal(give(state, 1, "red red red"), "claim"), "the route is still free"


def test_eu_25_when_nothing_is_owed_the_claim_succeeds_at_once():
    state = attempt("red red red", "green green blue")
    assert (state.routes(0), state.points(0)) == ([TUNNEL], 4)


def test_eu_26_turned_up_cards_are_discarded_when_the_claim_succeeds():
    state = attempt("red red red", "green green blue")
    assert state.counts(state.record.discards) == {"red": 3, "green": 2, "blue": 1}


def test_eu_26_turned_up_cards_are_discarded_when_it_is_abandoned():
    state = attempt("red red red", "red green blue")
    assert state.counts(state.record.discards) == {"red": 1, "green": 1, "blue": 1}


def test_eu_26_neither_laid_nor_turned_up_cards_are_reshuffled_while_the_tunnel_is_checked():
    state = attempt("red red red red", "green", discards="blue white")
    assert sorted(happened(state, "tunnel_reveal")[0]["cards"]) == ["blue", "green", "white"], "not the green again, and none of the reds"
    assert happened(state, "reshuffle")[0]["count"] == 2


def test_eu_26_laid_cards_are_on_the_table_while_the_player_decides():
    state = attempt("red red red red", "red green green")
    assert state.counts(state.record.laid) == {"red": 3}
    assert state.record.discards_size[0] == 0
    with pytest.raises(IllegalDecision, match="First pay for the tunnel or give it up"):
        state.apply("draw train")


@pytest.mark.parametrize("turned_up", ["red green", "red"])
def test_eu_27_with_fewer_than_three_cards_only_those_are_turned_up(turned_up):
    state = attempt("red red red red", turned_up)
    assert sorted(happened(state, "tunnel_reveal")[0]["cards"]) == sorted(turned_up.split())
    assert state.record.owed == 1


def test_eu_27_with_no_card_to_turn_up_the_claim_succeeds():
    state = attempt("red red red", "")
    assert happened(state, "tunnel_reveal")[0] == {"event": "tunnel_reveal", "cards": [], "owed": 0}
    assert state.routes(0) == [TUNNEL]
