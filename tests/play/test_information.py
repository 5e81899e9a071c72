"""What a seat has seen happen, and information states with perfect recall."""

import pickle
import random

import pytest

from branchline import Game, Record
from branchline.bots import make_bot
from branchline.play.events import redact
from tests.conftest import LONG, SOAK
from tests.random_games import random_game
from tests.table import stack, table
from tests.twins import twin_world

GAMES, SHARE = (10, 1.0) if LONG else (2, 0.5) if SOAK else (1, 0.15)  # games, and the share of their decisions that is looked at
NOBODY = None


def viewers(state):
    return (*state.seats, NOBODY)


@pytest.mark.one_table_each
def test_a_view_tells_what_its_viewer_has_seen_happen(game, players):
    """At every moment the same as a redacted record."""
    for seed in range(GAMES):
        for state in random_game(game, players, seed):
            if state.is_over or len(state.history) % (1 if SOAK else 17) == 0:
                for viewer in viewers(state):
                    assert state.view(viewer).events == [redact(event, viewer) for event in state.events]
                    assert state.view(viewer).events_since(state.event_count - 3) == [redact(event, viewer) for event in state.events[-3:]]
        assert state.view(0).event_count == len(state.events)


def test_a_view_keeps_what_had_happened_when_it_was_made():
    state = table()
    view = state.view(1)
    seen = view.events
    state.apply("draw train")
    assert view.events == seen
    assert state.view(1).events[: len(seen)] == seen
    assert len(state.view(1).events) > len(seen)


def test_an_undone_decision_was_never_seen():
    state = table("world")
    seen, text = state.view(1).events, state.view(0).information_text
    state.apply(next(decision for decision in state.legal if state.game.text(decision).startswith("take")))
    assert state.view(0).information_text != text
    state.undo()
    assert state.view(1).events == seen
    assert state.view(0).information_text == text


def test_whoever_changes_a_views_events_changes_nothing_else():
    state = table()
    before = Record.of(state).to_json()
    for event in state.view(0).events:
        event.clear()
    for event in state.view(0).events:
        for value in event.values():
            if isinstance(value, list):
                value.clear()
    assert Record.of(state).to_json() == before


def in_order(*spaces):
    """A game in which seat 0 took these face-up cards in this order, and only blue cards follow."""
    state = stack(table(), "blue blue blue blue")
    for space in spaces:
        state.apply(f"take {space}")
    return state


def test_different_histories_with_the_same_view_are_told_apart():
    one, other = in_order(0, 1), in_order(1, 0)
    for viewer in (0, 1, NOBODY):
        assert one.view(viewer) == other.view(viewer)
        assert one.view(viewer).information_text != other.view(viewer).information_text
        assert one.view(viewer).information_bytes != other.view(viewer).information_bytes


@pytest.mark.one_table_each
def test_no_information_state_comes_up_twice_for_a_seat_that_decides(game, players):
    """With perfect recall, whoever has decided something since knows it."""
    for seed in range(GAMES):
        texts, contents, decisions = set(), set(), 0
        rng = random.Random(seed)
        for state in random_game(game, players, seed):
            if not state.is_over and not state.is_at_once and rng.random() < SHARE:
                view = state.view(state.seat)
                texts.add(view.information_text)
                contents.add(view.information_bytes)
                decisions += 1
        assert len(texts) == len(contents) == decisions


@pytest.mark.one_table_each
def test_equal_information_states_behave_equally(game, players):
    """In worlds that a seat cannot tell apart it may do and imagines the same, bots decide the same, and the same decisions lead to the same."""
    rng, compared, further = random.Random(1), 0, 0
    bots = [make_bot(name, 3) for name in ("random", "greedy", "planner")]
    for seed in range(GAMES):
        for state in random_game(game, players, seed):
            if state.is_over or state.record.paid.any() or rng.random() > SHARE:
                continue
            one, other = state.view(state.seat), twin_world(state, state.seat, rng).view(state.seat)
            assert one.information_text == other.information_text
            assert one.information_bytes == other.information_bytes
            assert one.legal == other.legal
            assert one.imagine(seed) == other.imagine(seed)
            for bot in bots:
                bot.new_game(state.game, state.seat)
                first = bot.decide(one)
                bot.new_game(state.game, state.seat)
                assert first in one.legal
                if bot.name != "random":  # it rolls on
                    assert bot.decide(other) == first
            compared += 1
            further += goes_on_equally(state, rng)
    assert compared
    assert further or not SOAK


def goes_on_equally(state, rng):
    """With the same decisions, two worlds stay the same to the seat until chance or somebody else decides, or something hidden is shown."""
    one, other = state.clone(), twin_world(state, state.seat, rng)
    rolls, seat = one.record.rolls, state.seat
    steps = 0
    while one.seat == seat and not one.is_over and not one.is_at_once:
        decision = rng.choice([number for number in one.legal if not hides(one, number)] or one.legal)
        start, steps = other.record.rolls, steps + 1
        one.apply(decision)
        other.apply(decision)
        if one.record.rolls != rolls or other.record.rolls != start or one.seat != seat or one.phase == "tickets offered":
            break
        assert one.view(seat).information_text == other.view(seat).information_text
    return steps > 1


def hides(state, decision):
    return state.game.text(decision).split()[0] in ("draw", "take", "tickets", "pass")


def test_an_imagined_game_has_the_past_that_its_viewer_remembers(game):
    for state in random_game(game, 2, 3):
        if len(state.history) % 20 == 0 and not state.is_over:
            view = state.view(state.seat)
            imagined = view.imagine(1)
            assert imagined.view(state.seat).information_text == view.information_text
            assert imagined.view(NOBODY).events == state.view(NOBODY).events


def test_a_view_sent_to_another_process_holds_no_secret():
    state = table("london", 3)
    sent = pickle.loads(pickle.dumps(state.view(1)))
    assert sent.information_text == state.view(1).information_text
    assert sent._unredacted().since(0) == state.view(1).events != state.events


def test_the_text_says_which_game_it_is():
    texts = {Game("card-game", 2, **options).start(1).view(0).information_text for options in ({}, {"may_draw_one": True}, {"rules_version": 1})}
    assert len(texts) == 3
