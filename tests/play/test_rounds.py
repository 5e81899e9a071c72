"""Simultaneous choices can be made in any order and lead to the same game (G-11, WO-5, CG-19)."""

import random

import pytest

from branchline import Game, IllegalDecision, Record, State
from tests.conftest import SOAK

GAMES = 20 if SOAK else 3


def shuffled_game(game: str, players: int, seed: int) -> tuple[State, list[tuple[int, int]]]:
    """A random game in which the seats that may decide are asked in random order, and its decisions, with their seats, as they were made."""
    rng = random.Random(f"shuffled {game} {players} {seed}")
    state = Game(game, players).start(seed)
    made = []
    while not state.is_over:
        seat = rng.choice(state.choosers)
        view = state.view(seat)
        assert view.seat == seat
        assert view.choosers == state.choosers
        decision = rng.choice(view.legal)
        state.apply(decision, seat)
        made.append((seat, decision))
    return state, made


def test_g_11_choices_in_any_order_lead_to_the_same_game(game, players):
    for seed in range(GAMES):
        state, made = shuffled_game(game, players, seed)
        assert sorted(state.history) == sorted(decision for _, decision in made)
        again = Record.of(state).replay()
        assert again == state
        assert again.events == state.events


def test_g_11_a_record_in_the_midst_of_the_choices_replays(game, players):
    rng = random.Random(3)
    state = Game(game, players).start(8)
    while state.is_at_once:
        state.apply(rng.choice(state.view(state.choosers[-1]).legal), state.choosers[-1])
        record = Record.of(state)
        assert record.replay().events == state.events
        assert len(record.decisions) == len(state.history)


def test_g_11_each_takes_back_its_own_choice_whatever_others_have_chosen(game, players):
    rng = random.Random(4)
    undone = 0
    for seed in range(4):
        state = Game(game, players).start(seed)
        while state.phase == "opening tickets":
            seat = rng.choice(state.choosers)
            before = {viewer: state.view(viewer) for viewer in state.seats}
            state.apply(rng.choice(state.view(seat).legal), seat)
            if state.phase == "opening tickets" and seat in state.choosers and rng.random() < 0.5:
                state.undo(seat)
                undone += 1
                assert {viewer: state.view(viewer) for viewer in state.seats} == before
    assert undone


def test_g_11_whoever_has_chosen_is_not_asked_again_and_takes_nothing_back():
    state = Game("europe", 3).start(5)
    for ticket in state.offer(2):
        state.apply(f"keep {ticket}", 2)
    assert state.choosers == [0, 1]
    assert not state.may_undo(2)
    with pytest.raises(IllegalDecision, match="not seat 2's decision"):
        state.apply(f"keep {state.offer(0)[0]}", 2)
    with pytest.raises(IllegalDecision, match="nothing can be undone"):
        state.undo(2)


def test_g_11_half_a_choice_shows_to_nobody_else():
    state = Game("europe", 3).start(5)
    before = {viewer: state.view(viewer) for viewer in (0, 1, None)}
    state.apply(f"return {state.offer(2)[0]}", 2)
    assert {viewer: state.view(viewer) for viewer in (0, 1, None)} == before
    assert state.history == []  # in the rules' order seat 0 has yet to choose


def test_cg_19_who_can_complete_nothing_is_not_asked():
    """In some games, a seat is left out of a simultaneous choice."""
    excused = 0
    for seed in range(4):
        rng = random.Random(seed)
        state = Game("card-game", 4).start(seed)
        while not state.is_over and state.phase != "completing tickets":
            state.apply(rng.choice(state.legal))
        if not state.is_over:
            assert all(len(state.view(seat).legal) > 1 for seat in state.choosers)
            excused += len(state.seats) - len(state.choosers)
    assert excused


def test_cg_19_a_turn_that_is_over_is_not_taken_back_when_all_choose_next():
    """The last turn of a pass was the first chooser's own."""
    for seed in range(40):
        rng = random.Random(seed)
        state = Game("card-game", 3).start(seed)
        while not state.is_over:
            before = state.phase
            state.apply(rng.choice(state.legal))
            if state.phase == "completing tickets" != before:
                assert not any(state.may_undo(seat) for seat in state.seats)
