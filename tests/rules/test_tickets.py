"""Drawing tickets: EU-28, EU-29, LO-13, G-10."""

import pytest

from branchline import IllegalDecision
from tests.table import changed, happened, legal, play, table


def queue(state):
    return [state.game.board.tickets[number].id for number in state.record.queue[: state.record.queue_size]]


def shorten(state, size):
    """Only the top tickets of the deck are left."""
    state.record.queue[size:] = -1
    state.record.queue_size = size
    return changed(state)


def test_eu_28_three_tickets_are_drawn_and_at_least_one_is_kept():
    state = table()
    top = queue(state)[:3]
    held = state.ticket_count(0)
    play(state, "tickets")
    assert state.offer(0) == top
    play(state, f"return {top[0]}", f"return {top[1]}")
    assert state.seat == 1, "the last one must be kept: the engine plays that"
    assert state.ticket_count(0) == held + 1
    assert top[2] in state.tickets(0)


def test_eu_28_all_may_be_kept():
    state = table()
    top = queue(state)[:3]
    play(state, "tickets", *(f"keep {ticket}" for ticket in top))
    assert set(top) <= set(state.tickets(0))
    assert happened(state, "keep_tickets")[-1]["returned"] == []


def test_eu_28_with_two_left_two_are_drawn():
    state = shorten(table(), 2)
    play(state, "tickets")
    assert len(state.offer(0)) == 2


def test_eu_28_the_last_ticket_must_be_kept():
    state = shorten(table(), 1)
    last = queue(state)[0]
    play(state, "tickets")
    assert last in state.tickets(0)
    assert (state.seat, state.record.queue_size) == (1, 0)


def test_eu_28_without_tickets_none_can_be_drawn():
    state = shorten(table(), 0)
    with pytest.raises(IllegalDecision, match="There are no tickets left"):
        state.apply("tickets")


def test_eu_29_returned_tickets_go_to_the_bottom_in_drawn_order():
    state = table()
    before = queue(state)
    a, b, c = before[:3]
    play(state, "tickets", f"return {a}", f"keep {b}", f"return {c}")
    assert queue(state) == [*before[3:], a, c]
    assert happened(state, "keep_tickets")[-1] == {"event": "keep_tickets", "seat": 0, "kept": [b], "returned": [a, c], "to": "bottom"}


def test_g_13_a_player_may_hold_any_number_of_tickets(game):
    """One seat draws tickets in every turn and keeps them all, to the last of the deck."""
    state = table(game)
    dealt, in_deck = len(state.tickets(0)), int(state.record.queue_size)
    while "tickets" in state.legal_texts and not state.is_over:
        play(state, "tickets")
        while state.phase == "tickets offered":
            state.apply(next(text for text in state.legal_texts if text.startswith("keep")))
        state.record.seat = 0
        changed(state)
    assert len(state.tickets(0)) == dealt + in_deck


def test_g_10_the_order_drawn_is_the_order_put_back():
    state = table("london")
    before = queue(state)
    play(state, "tickets", f"return {before[0]}")
    assert queue(state) == [*before[2:], before[0]]


def test_lo_13_two_tickets_are_drawn_and_at_least_one_kept():
    state = table("london")
    a, b = queue(state)[:2]
    play(state, "tickets")
    assert state.offer(0) == [a, b]
    play(state, f"keep {a}", f"keep {b}")
    assert {a, b} <= set(state.tickets(0))


def test_lo_13_one_remaining_ticket_is_drawn_and_must_be_kept():
    state = shorten(table("london"), 1)
    last = queue(state)[0]
    play(state, "tickets")
    assert last in state.tickets(0)
    assert "" not in legal(state, "tickets")
