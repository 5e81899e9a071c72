"""Set-up: EU-1 to EU-6, LO-1 to LO-4, G-3, G-11."""

import numpy as np
import pytest

from branchline import Game, GameOptionError, load_board
from tests.conftest import PLAIN
from tests.table import happened, table

SEEDS = 150 if PLAIN else 500


@pytest.mark.parametrize("players", [1, 6])
def test_eu_1_europe_is_for_two_to_five(players):
    with pytest.raises(GameOptionError, match="2 to 5 players"):
        Game("europe", players)


def test_eu_1_each_has_45_trains_3_stations_and_no_points():
    state = Game("europe", 5).start(1)
    for seat in state.seats:
        assert (state.pieces(seat)["trains"], state.record.unbuilt[seat], state.points(seat)) == (45, 3, 0)


def test_eu_2_the_train_deck_has_12_of_8_colours_and_14_locomotives():
    cards = {card.id: card.count for card in load_board("europe").cards}
    colours = ("pink", "blue", "orange", "yellow", "white", "green", "black", "red")
    assert cards == dict.fromkeys(colours, 12) | {"wild": 14}
    assert sum(cards.values()) == 110


def test_eu_3_each_is_dealt_four_cards_then_five_are_laid():
    state = Game("europe", 3).start(5)
    assert [sum(state.hand(seat).values()) for seat in state.seats] == [4, 4, 4]
    assert len(state.row) == 5
    assert state.record.deck_size[0] == 110 - 12 - 5


def test_eu_3_the_first_row_is_cleared_when_it_shows_three_locomotives():
    cleared = [state for seed in range(SEEDS) if happened(state := Game("europe", 2).start(seed), "clear_row")]
    assert cleared
    for state in cleared:
        assert happened(state, "clear_row")[0]["cards"].count("wild") >= 3
        assert state.row.count("wild") < 3


def test_eu_4_each_is_offered_one_long_ticket_and_the_others_leave_the_game():
    state = Game("europe", 4).start(3)
    long = {ticket.id for ticket in state.game.board.tickets if ticket.long}
    offered = [state.offer(seat) for seat in state.seats]
    assert [sum(ticket in long for ticket in offer) for offer in offered] == [1, 1, 1, 1]
    assert not any(state.game.board.tickets[number].long for number in state.record.queue[: state.record.queue_size])


def test_eu_5_three_regular_tickets_are_dealt_and_the_rest_form_the_deck():
    state = Game("europe", 4).start(3)
    assert [len(state.offer(seat)) for seat in state.seats] == [4, 4, 4, 4]
    assert state.record.queue_size == 40 - 12
    tickets = [ticket for seat in state.seats for ticket in state.offer(seat)] + list(state.record.queue[:28])
    assert len(set(tickets)) == 16 + 28


def test_eu_6_at_least_two_of_four_are_kept_and_the_others_leave_the_game():
    state = Game("europe", 2).start(3)
    first = state.offer(0)
    state.apply(f"return {first[0]}")
    state.apply(f"return {first[1]}")
    assert state.seat == 1, "the last two must be kept: the engine plays that"
    for ticket in state.offer(1):
        if state.seat == 1:
            state.apply(f"keep {ticket}")
    assert state.tickets(0) == sorted(first[2:], key=[ticket.id for ticket in state.game.board.tickets].index)
    assert state.ticket_count(1) == 4
    assert state.record.queue_size == 40 - 6, "nothing came back to the deck"
    assert [event["to"] for event in happened(state, "keep_tickets")] == ["box", "box"]


def test_eu_6_choices_stay_secret_until_the_last_is_made():
    state = Game("europe", 3).start(3)
    before = state.view(2)
    for ticket in state.offer(0):
        state.apply(f"keep {ticket}")
    after = state.view(2)
    assert after.ticket_count(0) == 0
    assert not happened(state, "keep_tickets")
    after.record.decided = before.record.decided  # everybody sees that it has chosen
    assert after == before


@pytest.mark.parametrize("players", [1, 5])
def test_lo_1_london_is_for_two_to_four(players):
    with pytest.raises(GameOptionError, match="2 to 4 players"):
        Game("london", players)


def test_lo_1_each_has_17_buses_and_no_points():
    state = Game("london", 4).start(1)
    assert [(state.pieces(seat)["trains"], state.points(seat)) for seat in state.seats] == [(17, 0)] * 4
    assert not any(text.startswith("build") for text in state.game.decisions.texts)


def test_lo_2_44_cards_and_20_tickets():
    board = load_board("london")
    cards = {card.id: card.count for card in board.cards}
    assert cards == dict.fromkeys(("blue", "green", "black", "pink", "yellow", "orange"), 6) | {"wild": 8}
    assert len(board.tickets) == 20


def test_lo_3_two_cards_each_and_five_face_up_with_few_wilds():
    for seed in range(100):
        state = Game("london", 4).start(seed)
        assert [sum(state.hand(seat).values()) for seat in state.seats] == [2, 2, 2, 2]
        assert state.row.count("wild") < 3
        assert state.record.deck_size[0] + state.record.discards_size[0] == 44 - 8 - 5


def test_lo_4_one_or_both_tickets_are_kept_and_the_other_goes_to_the_bottom():
    state = Game("london", 2).start(2)
    first, second = state.offer(0), state.offer(1)
    for decision in (f"return {first[0]}", f"keep {second[0]}", f"return {second[1]}"):
        state.apply(decision)
    assert state.tickets(0) == [first[1]]
    assert state.tickets(1) == [second[0]]
    bottom = [state.game.board.tickets[number].id for number in state.record.queue[16:18]]
    assert bottom == [first[0], second[1]]
    assert [event["to"] for event in happened(state, "keep_tickets")] == ["bottom", "bottom"]


def test_g_3_the_first_seat_is_drawn_from_the_seed():
    firsts = [int(Game("europe", 5).start(seed).record.first_seat) for seed in range(SEEDS)]
    assert np.bincount(firsts, minlength=5).min() > 0.12 * SEEDS


def test_g_3_the_host_may_name_the_first_seat():
    for seat in range(3):
        assert Game("europe", 3, first_seat=seat).start(9).record.first_seat == seat
    with pytest.raises(GameOptionError, match="0 to 2"):
        Game("europe", 3, first_seat=3)


def test_g_11_set_up_runs_in_order():
    state = Game("europe", 2).start(4)
    kinds = [event["event"] for event in state.events]
    assert kinds == ["start", "deal", "deal", "lay_row", "offer_tickets", "offer_tickets"]
    assert [event.get("seat") for event in state.events] == [None, 0, 1, None, 0, 1]


def test_g_11_a_turn_passes_to_the_next_seat_by_number():
    state = table(players=3)
    for seat in (0, 1, 2, 0):
        assert state.seat == seat
        state.apply("draw train")
        state.apply("draw train")
