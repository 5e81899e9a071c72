"""Order, passing and the end: EU-32, LO-14, G-1, G-4, G-12."""

import pytest

from branchline import Game, GameOver
from branchline.rules.turns import MOST_TURNS
from tests.table import changed, give, happened, lay, move, play, stack, table


def few_pieces(state, seat, left):
    state.record.pieces[seat, 0] = left
    return changed(state)


def draw_turn(state):
    """A turn that changes little."""
    seat = state.seat
    while state.seat == seat and not state.is_over:
        state.apply(next(text for text in state.legal_texts if text.split()[0] in ("draw", "take", "abandon", "keep")))


@pytest.mark.parametrize(("board", "route"), [("europe", "amsterdam-bruxelles"), ("london", "big-ben-trafalgar-square")])
@pytest.mark.parametrize("left", [0, 1, 2])
def test_eu_32_lo_14_two_or_fewer_pieces_announce_one_last_turn_for_everyone(board, route, left):
    state = table(board, players=3)
    length = next(one.length for one in state.game.board.routes if one.id == route)
    few_pieces(give(state, 0, "wild " * length), 0, left + length)
    play(state, f"claim {route}")
    assert happened(state, "last_turns") == [{"event": "last_turns", "seat": 0, "each": 1}]
    order = []
    while not state.is_over:
        order.append(state.seat)
        draw_turn(state)
    assert order == [1, 2, 0], "everyone, the one who caused it included"


def test_eu_32_three_pieces_announce_nothing():
    state = few_pieces(give(table(), 0, "black"), 0, 4)
    play(state, "claim amsterdam-bruxelles")
    assert not happened(state, "last_turns")


def test_eu_32_it_is_announced_once():
    state = few_pieces(few_pieces(give(table(), 0, "black"), 0, 3), 1, 3)
    play(state, "claim amsterdam-bruxelles")
    play(give(state, 1, "orange orange"), "claim brest-dieppe")
    assert state.pieces(1)["trains"] == 1
    draw_turn(state)
    assert len(happened(state, "last_turns")) == 1
    assert state.is_over


def test_eu_32_after_the_end_nothing_can_be_decided():
    state = few_pieces(table(), 0, 2)
    for _ in range(3):
        draw_turn(state)
    assert state.is_over
    assert state.legal == []
    with pytest.raises(GameOver):
        state.apply("draw train")


def test_lo_14_few_buses_at_the_end_of_any_turn():
    state = few_pieces(table("london"), 0, 2)
    draw_turn(state)
    assert happened(state, "last_turns")[0]["seat"] == 0


def test_g_1_the_same_seed_and_decisions_give_the_same_game(game, players):
    one, other = Game(game, players).start(77), Game(game, players).start(77)
    different = Game(game, players).start(78)
    while not one.is_over:
        decision = one.legal[len(one.history) * 7 % len(one.legal)]
        one.apply(decision)
        other.apply(decision)
        assert one == other
    assert one.events == other.events
    assert one.events != different.events


def stuck(players):
    """Nobody can do anything but seat 0, who can draw a last card: the rest lie in the row and in the last seat's hand, and there are no tickets,
    stations or open routes."""
    state = table(players=players)
    for seat in state.seats:
        give(state, seat, "")
    stack(lay(state, "red blue green black white"), "pink", hoard=players - 1)
    state.record.queue_size = 0
    state.record.queue[:] = -1
    state.record.unbuilt[:] = 0
    state.record.open_to[:] = 0
    return changed(state)


def test_g_4_a_player_with_no_legal_action_passes():
    state = stuck(3)
    state.record.unbuilt[2] = 3
    play(changed(state), "draw train")
    assert [event["seat"] for event in happened(state, "pass")] == [1]
    assert state.seat == 2
    assert {text.split()[0] for text in state.legal_texts} == {"build"}


def test_g_4_g_14_the_game_ends_when_all_pass_one_after_the_other():
    """Five cards lie face up, and nobody may take one."""
    state = play(stuck(3), "draw train")
    assert None not in state.row
    assert [event["seat"] for event in happened(state, "pass")] == [1, 2, 0]
    assert state.events[-1] == {"event": "end"}
    assert "winners" in state.result


def test_g_4_g_14_a_claim_gives_everyone_cards_to_draw_again():
    state = stuck(3)
    move(state, 2, 1, "black")
    state.record.open_to[1] = state.game.start(1).record.open_to[1]
    play(changed(state), "draw train")
    assert happened(state, "claim")[-1]["route"] == "amsterdam-bruxelles"  # all that seat 1 can do
    assert state.seat == 2
    assert {text.split()[0] for text in state.legal_texts} == {"draw", "take"}
    assert state.record.passes == 0


def test_g_4_an_action_in_between_starts_the_count_of_passes_again():
    state = stuck(3)
    state.record.passes = 2
    play(changed(state), "draw train")
    assert len(happened(state, "pass")) == 3


def test_g_4_passing_does_not_end_announced_last_turns_early():
    state = stuck(3)
    state.record.last_turns = 6
    play(changed(state), "draw train")
    assert [event["seat"] for event in happened(state, "pass")] == [1, 2, 0, 1, 2]
    assert state.is_over


def test_g_12_after_400_turns_each_the_game_ends_and_is_scored():
    assert MOST_TURNS == 400
    state = table(players=3)
    state.record.turn = 3 * 400 - 1
    draw_turn(changed(state))
    assert not state.is_over
    draw_turn(state)
    assert state.is_over
    assert state.result["winners"]
