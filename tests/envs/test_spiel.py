"""OpenSpiel: chance, information states, copies, and one of its own bots."""

import random
from collections import Counter

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

from branchline import available_boards
from branchline.batch import observation
from branchline.envs import register_open_spiel
from tests.conftest import SOAK


def loaded(game, form="", **params):
    register_open_spiel()
    given = ",".join(f"{name}={value}" for name, value in params.items())
    return pyspiel.load_game(f"branchline_{game.replace('-', '_')}{form}({given})")


def sampled(state, rng):
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        state.apply_action(rng.choice(outcomes)[0])
    return state


def begun(game, form="", seed=1, **params):
    return sampled(loaded(game, form, **params).new_initial_state(), random.Random(seed))


def test_all_boards_are_registered_in_both_forms():
    names = register_open_spiel()
    assert len(names) == 2 * len(available_boards())
    assert set(names) <= set(pyspiel.registered_names())
    assert register_open_spiel() == names


@pytest.mark.parametrize("form", ["", "_explicit"])
def test_players_see_what_their_seats_see(form):
    state, rng = begun("europe", form, players=3), random.Random(1)
    game = state.get_game()
    for _ in range(40):
        for player in range(3):
            view = state.state.view(player)
            assert state.observation_tensor(player) == pytest.approx(observation(view))
            assert state.information_state_string(player) == view.information_text
            assert len(state.information_state_tensor(player)) == game.information_state_tensor_size()
        assert state.legal_actions() == state.state.legal
        state.apply_action(rng.choice(state.legal_actions()))
        sampled(state, rng)


def test_the_information_states_tensor_tells_histories_apart():
    state, rng, seen = begun("london"), random.Random(2), set()
    decisions = 0
    while not state.is_terminal():
        player = state.current_player()
        if not state.state.is_at_once:
            seen.add(tuple(state.information_state_tensor(player)))
            decisions += 1
        state.apply_action(rng.choice(state.legal_actions()))
    assert len(seen) == decisions


def test_without_explicit_chance_everything_follows_from_the_deal():
    one, other, rng = begun("usa", seed=3), begun("usa", seed=3), random.Random(1)
    while not one.is_terminal():
        assert not one.is_chance_node()
        action = rng.choice(one.legal_actions())
        one.apply_action(action)
        other.apply_action(action)
    assert one.state == other.state
    assert sum(one.returns()) == pytest.approx(0)
    assert begun("usa", seed=4).state != begun("usa", seed=3).state


def test_with_explicit_chance_a_draw_is_decided_only_when_it_is_made():
    """Every decision that rolls dice waits for chance, and its outcomes are samples of what the deck holds."""
    state, rng = begun("london", "_explicit", outcomes=2000), random.Random(1)
    while state.state.phase != "action":
        state.apply_action(rng.choice(state.legal_actions()))
        sampled(state, rng)
    draw = next(action for action in state.legal_actions() if state.action_to_string(action) == "draw train")
    state.apply_action(draw)
    assert state.is_chance_node()
    deck, seat, drawn = state.state.record.deck.astype(int), state.state.seat, Counter()
    before = state.state.record.hands[seat].astype(int)
    for outcome, _ in state.chance_outcomes():
        after = state.child(outcome)
        drawn[int(np.argmax(after.state.record.hands[seat] - before))] += 1
    for kind, count in enumerate(deck):
        expected = 2000 * count / deck.sum()
        assert abs(drawn[kind] - expected) < 5 * np.sqrt(expected) + 1


def test_decisions_without_dice_need_no_chance():
    state, rng, kinds = begun("london", "_explicit"), random.Random(4), Counter()
    while not state.is_terminal():
        if state.is_chance_node():
            kinds["chance"] += 1
            sampled(state, rng)
            continue
        rolls = state.state.record.rolls
        state.apply_action(rng.choice(state.legal_actions()))
        kinds["decision"] += 1
        assert state.state.record.rolls == rolls  # nothing was rolled, or chance comes next
    assert 0 < kinds["chance"] < kinds["decision"]


def test_copies_go_their_own_ways(game):
    state, rng = begun(game, "_explicit"), random.Random(5)
    for _ in range(30):
        copy = state.clone()
        string = copy.information_state_string(0)
        state.apply_action(rng.choice(state.legal_actions()))
        assert copy.information_state_string(0) == string
        sampled(state, rng)
        if state.is_terminal():
            break


def test_resampled_games_look_the_same_to_the_player(game):
    state, rng = begun(game), random.Random(6)
    for _ in range(25):
        player = state.current_player()
        other = state.resample_from_infostate(player, rng.random)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.legal_actions() == state.legal_actions()
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("form", ["", "_explicit"])
def test_a_bot_of_theirs_plays_london(form):
    """Information-set Monte Carlo tree search beats random play from a few simulations on: most games, for its choices follow Python's hashes."""
    returns = [return_of_their_bot(form, seed) for seed in range(5 if SOAK else 1)]
    assert not SOAK or sum(returns) > 0


def return_of_their_bot(form, seed):
    """What it wins against random play. Outside the soak it decides a few times only."""
    state, rng = begun("london", form, seed, players=2), random.Random(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        evaluator=evaluator,
        uct_c=1.4,
        max_simulations=60 if SOAK else 6,
        max_world_samples=-1,
        random_state=np.random.RandomState(2),
    )
    decided = 0
    while not state.is_terminal() and (SOAK or decided < 8):
        if state.is_chance_node():
            sampled(state, rng)
        elif state.current_player() == 0:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            decided += 1
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    assert decided
    return state.returns()[0]
