"""Drawing cards: EU-7 to EU-14, LO-5 to LO-9, G-5, G-6, G-7."""

import pytest

from branchline import Game, IllegalDecision
from tests.conftest import PLAIN
from tests.table import give, happened, lay, legal, move, play, stack, table


def test_eu_7_a_turn_is_exactly_one_action():
    state = give(table(), 0, "black black red red")
    verbs = {text.split()[0] for text in state.legal_texts}
    assert verbs == {"claim", "build", "draw", "take", "tickets"}
    play(state, "claim amsterdam-bruxelles")
    assert state.seat == 1


def test_eu_8_two_cards_each_from_row_or_deck():
    state = lay(table(), "red blue green black white")
    give(state, 0, "")
    play(state, "take 1")
    assert state.phase == "second card"
    play(state, "draw train")
    assert (state.seat, sum(state.hand(0).values()), state.hand(0)["blue"] >= 1) == (1, 2, True)


def test_eu_8_a_card_taken_is_replaced_before_the_second_is_chosen():
    state = stack(lay(table(), "red blue green black white"), "pink pink")
    play(state, "take 1")
    assert state.row == ["red", "pink", "green", "black", "white"]
    assert state.phase == "second card"


def test_eu_9_a_face_up_locomotive_is_the_only_card():
    state = lay(table(), "wild blue green black white")
    give(state, 0, "")
    play(state, "take 0")
    assert state.hand(0) == {"wild": 1}
    assert state.seat == 1


def test_eu_10_a_face_up_locomotive_is_never_the_second_card():
    state = stack(lay(table(), "wild blue green black white"), "red red")
    play(state, "take 1")
    assert legal(state, "take") == ["1", "2", "3", "4"]
    with pytest.raises(IllegalDecision, match="cannot be the second card"):
        state.apply("take 0")


def test_eu_10_nor_one_that_has_just_been_turned_up():
    state = stack(lay(table(), "red blue green black white"), "wild wild")
    play(state, "take 2")
    assert state.row[2] == "wild"
    assert "2" not in legal(state, "take")


def test_eu_11_a_locomotive_drawn_blind_counts_as_one_card():
    state = stack(table(), "wild wild")
    before = state.hand(0).get("wild", 0)
    play(state, "draw train")
    assert state.hand(0)["wild"] == before + 1
    assert (state.phase, state.seat) == ("second card", 0)


def test_eu_12_three_locomotives_mid_draw_clear_the_row():
    state = lay(table(), "wild wild blue black white")
    stack(state, "wild", "red red red red red green green")
    play(state, "take 2")
    cleared = happened(state, "clear_row")
    assert cleared[-1]["cards"] == ["wild", "wild", "wild", "black", "white"]
    assert state.row.count("wild") < 3
    assert (state.phase, state.seat) == ("second card", 0)


def test_eu_12_the_row_is_replaced_again_and_again():
    rows = []
    for seed in range(40):
        state = table(seed=seed)
        give(state, 0, "")
        give(state, 1, "")
        lay(state, "wild wild blue black white")
        stack(state, "wild", "wild wild wild wild wild wild red red red", hoard=1)
        play(state, "take 2")
        rows.append(len(happened(state, "clear_row")))
        assert state.row.count("wild") < 3
    assert max(rows) >= 2


def test_eu_13_there_is_no_hand_limit():
    state = stack(table(), "red red red")
    before = sum(state.hand(1).values())
    assert before > 80
    play(state, "draw train", "draw train")
    assert state.seat == 1
    assert legal(state, "take")
    play(state, "draw train")
    assert sum(state.hand(1).values()) == before + 1


def test_eu_14_the_discards_make_a_new_deck():
    state = stack(table(), "red", "blue blue blue")
    play(state, "draw train")
    assert not happened(state, "reshuffle"), "only when a card is needed (G-6)"
    play(state, "draw train")
    assert happened(state, "reshuffle") == [{"event": "reshuffle", "deck": "train", "count": 3}]
    assert (state.record.deck_size[0], state.record.discards_size[0]) == (2, 0)


@pytest.mark.parametrize("board", ["europe", "london", "usa"])
def test_eu_14_lo_9_g_14_without_deck_and_discards_no_card_can_be_drawn(board):
    state = stack(lay(table(board), "blue green black pink yellow"), "")
    assert legal(state, "draw") == legal(state, "take") == []
    assert "tickets" in state.legal_texts
    with pytest.raises(IllegalDecision, match="deck is empty"):
        state.apply(f"draw {state.game.board.decks[0]}")
    with pytest.raises(IllegalDecision, match="not even a face-up one"):
        state.apply("take 0")


@pytest.mark.parametrize("board", ["europe", "london", "usa"])
def test_eu_14_lo_9_g_14_a_draw_under_way_ends_with_the_last_card(board):
    state = stack(lay(table(board), "blue blue green black yellow"), "pink")
    play(state, "take 0")
    assert state.row[0] == "pink"
    assert (state.phase, state.seat) == ("action", 1)
    state = stack(lay(table(board), "blue blue green black yellow"), "pink")
    play(state, f"draw {state.game.board.decks[0]}")
    assert (state.phase, state.seat) == ("action", 1)


def test_g_14_discarded_cards_open_the_row_again():
    state = give(lay(table(), "red blue green black white"), 0, "black")
    stack(state, "")
    assert not legal(state, "take")
    play(state, "claim amsterdam-bruxelles")
    assert legal(state, "take") == ["0", "1", "2", "3", "4"]
    assert legal(state, "draw") == ["train"]


@pytest.mark.parametrize("board", ["europe", "usa"])
def test_g_14_version_1_let_face_up_cards_be_taken(board):
    state = stack(lay(table(board, rules_version=1), "red blue green black white"), "")
    assert legal(state, "draw") == []
    play(state, "take 0")
    assert state.row[0] is None
    assert legal(state, "take") == ["1", "2", "3", "4"]


def test_lo_5_a_turn_is_one_of_three_actions():
    state = give(table("london"), 0, "blue blue blue")
    assert {text.split()[0] for text in state.legal_texts} == {"claim", "draw", "take", "tickets"}


def test_lo_6_two_cards_face_up_or_blind_and_replaced_at_once():
    state = stack(lay(table("london"), "blue green black pink yellow"), "orange orange")
    play(state, "take 0")
    assert state.row[0] == "orange"
    play(state, "draw train")
    assert state.seat == 1


def test_lo_7_a_face_up_wild_is_the_only_card():
    state = lay(table("london"), "wild green black pink yellow")
    play(state, "take 0")
    assert state.seat == 1


def test_lo_7_a_face_up_wild_is_never_the_second_and_a_blind_one_counts_as_one():
    state = stack(lay(table("london"), "wild green black pink yellow"), "wild wild")
    play(state, "draw train")
    assert state.phase == "second card"
    assert "0" not in legal(state, "take")


def test_lo_8_three_wilds_clear_the_row():
    state = lay(table("london"), "wild wild black pink yellow")
    stack(state, "wild", "blue blue blue blue green")
    play(state, "take 3")
    assert happened(state, "clear_row")[-1]["cards"].count("wild") == 3
    assert state.row.count("wild") < 3


def test_lo_9_an_empty_deck_is_reformed_and_hands_have_no_limit():
    state = stack(table("london"), "", "blue green")
    play(state, "draw train", "draw train")
    assert [event["count"] for event in happened(state, "reshuffle")] == [2]
    assert sum(state.hand(1).values()) > 20


def test_g_5_the_second_card_is_not_optional():
    state = lay(table(), "red blue green black white")
    play(state, "take 0")
    assert {text.split()[0] for text in state.legal_texts} <= {"draw", "take"}


def test_g_5_the_turn_ends_when_no_second_card_may_be_taken():
    state = stack(lay(table(), "red wild wild - -"), "wild")
    play(state, "take 0")  # the locomotive fills the space, and nothing is left to draw
    assert state.seat == 1
    assert len(happened(state, "take")) == 1


def test_g_6_an_empty_space_is_refilled_as_soon_as_cards_exist():
    state = stack(lay(table(), "red blue green - -"), "")
    give(state, 0, "")
    stack(state, "")
    move(state, 1, 0, "black")
    play(state, "claim amsterdam-bruxelles")
    assert state.row == ["red", "blue", "green", "black", None]
    assert happened(state, "fill")[-1] == {"event": "fill", "space": 3, "deck": "train", "card": "black"}


def test_g_7_a_row_that_cannot_be_made_acceptable_stays():
    state = lay(table(), "wild wild red blue pink")
    stack(state, "wild wild wild")
    play(state, "take 2")
    assert state.row == ["wild", "wild", "wild", "blue", "pink"], "two cards outside hands are not wild; three are needed"
    assert not happened(state, "clear_row")
    assert legal(state, "take") == ["3", "4"]


def test_g_7_exactly_enough_plain_cards_make_an_acceptable_row():
    state = lay(table(), "wild wild red blue green")
    stack(state, "wild", "black wild wild wild")
    play(state, "take 2")
    assert happened(state, "clear_row")
    assert sorted(card for card in state.row if card != "wild") == ["black", "blue", "green"]


def frozen():
    """A row of four locomotives that had to stay: only one card outside hands is not wild."""
    state = give(give(table(), 0, ""), 1, "")
    stack(lay(state, "wild wild wild blue wild"), "wild")
    return move(state, 1, 0, "yellow yellow yellow")


def test_g_7_a_row_that_had_to_stay_is_replaced_as_soon_as_it_can_be():
    state = play(frozen(), "claim amsterdam-essen")
    assert happened(state, "clear_row")[0]["cards"] == ["wild", "wild", "wild", "blue", "wild"]
    assert state.row.count("wild") < 3


def test_g_7_and_stays_while_it_cannot_be():
    state = play(frozen(), "build roma")
    assert not happened(state, "clear_row"), "one yellow more makes two plain cards; three are needed"


def test_g_7_a_row_of_locomotives_at_set_up_is_replaced():
    for seed in range(100 if PLAIN else 500):
        assert Game("london", 4).start(seed).row.count("wild") < 3
