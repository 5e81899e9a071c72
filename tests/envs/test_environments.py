"""Environments of PettingZoo and Gymnasium."""

import os
import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import gymnasium
from gymnasium import spaces

from branchline import Game, GameOptionError, GameOver, IllegalDecision, available_boards, load_board
from branchline.batch import observation
from branchline.boards.folders import further_boards
from branchline.envs import Screen, aec_env, environment_ids, parallel_env
from branchline.errors import MissingPackage
from tests.conftest import ONE_TABLE_EACH, SOAK, TABLES
from tests.envs.conformance import CHECKS, SLOW_CHECKS

ROOT = Path(__file__).parents[2]
FURTHER_TABLES = [(game, players) for game in further_boards() for players in range(load_board(game).players[0], load_board(game).players[1] + 1)]
EVERY = [*TABLES, *FURTHER_TABLES]
QUICK = [(check, *table) for check in CHECKS if check not in SLOW_CHECKS for table in (EVERY if SOAK else ONE_TABLE_EACH)]
SMALL = [("card-game", 2), ("london", 2)]  # without a map, and with one
SLOW = [(check, *table) for check in SLOW_CHECKS for table in (EVERY if SOAK else SMALL)]


@pytest.mark.parametrize(("check", "board", "seats"), [*QUICK, *SLOW])
def test_other_projects_conformance(check, board, seats):
    CHECKS[check](board, seats)


def test_the_docs_table_says_what_is_checked_on_which_board():
    text = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    heading, *rows = re.findall(r"^\| (.*) \|$", re.search(r"## What passes where\n(.*?)\n## ", text, re.DOTALL).group(1), re.MULTILINE)
    assert heading.split(" | ")[1:] == list(available_boards())
    found = [row.split(" | ") for row in rows if not row.startswith("---")]
    assert {name: cells for name, *cells in found} == {check: ["all seats"] * len(available_boards()) for check in CHECKS}


def playing(env, seed):
    """Random play to the end: the rewards, and the decisions."""
    rng, decisions, earned = random.Random(seed), [], {}
    env.reset(seed=seed)
    for agent in env.agent_iter():
        seen, reward, termination, truncation, _ = env.last()
        if termination or truncation:
            earned[agent] = reward
            env.step(None)
        else:
            decisions.append(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            env.step(decisions[-1])
    return earned, decisions


@pytest.mark.one_table_each
def test_agents_see_what_their_seats_see_and_rewards_sum_to_nothing(game, players):
    env = aec_env(game, players)
    env.reset(seed=2)
    for seat, agent in enumerate(env.possible_agents):
        view = env.game_state.view(seat)
        seen = env.observe(agent)
        assert (seen["observation"] == observation(view)).all()
        assert np.flatnonzero(seen["action_mask"]).tolist() == view.legal
        assert env.observation_space(agent).contains(seen)
    earned, _ = playing(env, 3)
    winners = env.game_state.result["winners"]
    assert sum(earned.values()) == pytest.approx(0)
    assert {agent for agent, reward in earned.items() if reward == max(earned.values())} == {f"seat_{seat}" for seat in winners}


def test_observations_stay_within_their_bounds(game):
    env = aec_env(game, 2)
    for seed in range(20 if SOAK else 1):
        rng = random.Random(seed)
        env.reset(seed=seed)
        while not env.game_state.is_over:
            agent = env.agent_selection
            seen = env.observe(agent)
            assert env.observation_space(agent)["observation"].contains(seen["observation"])
            env.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))


def test_the_same_seed_gives_the_same_game_and_no_seed_another():
    env = aec_env("london", 3)
    assert playing(env, 5) == playing(aec_env("london", 3), 5)
    env.reset(seed=5)
    first = env.game_state.seed
    env.reset()
    second = env.game_state.seed
    env.reset(seed=5)
    assert first == env.game_state.seed != second
    env.reset()
    assert env.game_state.seed == second


def test_illegal_actions_change_nothing_in_the_aec_environment():
    env = aec_env("london")
    with pytest.raises(GameOptionError, match="call reset"):
        env.observe("seat_0")
    env.reset(seed=1)
    before = env.game_state.clone()
    illegal = next(number for number in range(99) if number not in before.legal)
    for action, error in ((illegal, IllegalDecision), (None, GameOptionError)):
        with pytest.raises(error):
            env.step(action)
    assert env.game_state == before


@pytest.mark.parametrize("seats", [2, 4])
def test_choices_made_at_once_are_one_step_of_the_parallel_environment(seats):
    env = parallel_env("london", seats)
    seen, _ = env.reset(seed=3)
    assert env.game_state.is_at_once
    rng, steps = random.Random(3), 0
    while env.agents:
        assert all(env.observation_space(agent).contains(seen[agent]) for agent in env.agents)
        choosers = [agent for agent in env.agents if not seen[agent]["action_mask"][env.wait]]
        assert choosers == [f"seat_{seat}" for seat in env.game_state.choosers]
        actions = {agent: rng.choice(np.flatnonzero(seen[agent]["action_mask"]).tolist()) for agent in env.agents}
        seen, rewards, terminations, _, _ = env.step(actions)
        steps += 1
    assert steps < len(env.game_state.history)
    assert all(terminations.values())
    assert sum(rewards.values()) == pytest.approx(0)
    with pytest.raises(GameOver):
        env.step({})


def test_whoever_acts_illegally_loses_the_parallel_game_unless_errors_are_wanted():
    env = parallel_env("europe", 3)
    seen, _ = env.reset(seed=1)
    legal = {agent: int(np.argmax(seen[agent]["action_mask"])) for agent in env.agents}
    _, rewards, terminations, _, _ = env.step(legal | {"seat_1": env.wait})
    assert (rewards, all(terminations.values())) == ({"seat_0": 0, "seat_1": -1, "seat_2": 0}, True)
    strict = parallel_env("europe", 3, illegal="raise")
    strict.reset(seed=1)
    before = strict.game_state.clone()
    with pytest.raises(IllegalDecision, match="seat 1 has to decide now"):
        strict.step(legal | {"seat_1": strict.wait})
    assert strict.game_state == before


# Gymnasium


def test_ids_follow_from_the_boards_names():
    assert environment_ids()["europe"] == "branchline/Europe-v0"
    assert set(environment_ids().values()) <= set(gymnasium.registry)
    assert set(environment_ids()) == set(available_boards())


def episode(env, seed):
    seen, info = env.reset(seed=seed)
    rng, rewards, terminated = random.Random(seed), [], False
    while not terminated:
        assert (seen["action_mask"] == info["action_mask"]).all()
        assert (env.unwrapped.action_masks() == seen["action_mask"].astype(bool)).all()
        seen, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
        assert not truncated
        rewards.append(reward)
    return rewards, info


@pytest.mark.one_table_each
def test_a_seat_plays_against_bots_to_the_end(game, players):
    env = gymnasium.make(environment_ids()[game], players=players, opponents=["greedy"])
    rewards, info = episode(env, 4)
    assert not any(rewards[:-1])
    assert (rewards[-1] > 0) == (info["seat"] in info["result"]["winners"])
    assert episode(env, 4)[0] == rewards


def test_the_learner_may_sit_anywhere_or_always_in_one_place():
    env = gymnasium.make("branchline/London-v0", players=4, opponents=["random", "greedy", "random"])
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(30)} == {0, 1, 2, 3}
    fixed = gymnasium.make("branchline/London-v0", players=3, opponents=["random"], seat=2)
    assert {fixed.reset(seed=seed)[1]["seat"] for seed in range(5)} == {2}


def test_an_illegal_action_loses_unless_errors_are_wanted():
    env = gymnasium.make("branchline/London-v0", opponents=["random"])
    seen, _ = env.reset(seed=1)
    illegal = int(np.argmin(seen["action_mask"]))
    _, reward, terminated, _, info = env.step(illegal)
    assert (reward, terminated) == (-1, True)
    assert "is not legal now" in info["illegal"]
    with pytest.raises(GameOver):
        env.unwrapped.step(illegal)
    strict = gymnasium.make("branchline/London-v0", opponents=["random"], illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalDecision):
        strict.step(illegal)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"opponents": ["greedy", "random"]}, "2 opponents for 1 seats"),
        ({"seat": 2}, "seat must be from 0 to 1"),
        ({"illegal": "ignore"}, "lose, raise"),
        ({"render_mode": "film"}, "no render_mode"),
        ({"players": 9}, "for 2 to 4 players"),
    ],
)
def test_wrong_options_are_refused(options, reason):
    from branchline.envs import SeatEnv

    with pytest.raises(GameOptionError, match=reason):
        SeatEnv("london", **options)


# rendering


@pytest.mark.sample(2)
def test_pictures_of_a_game_have_one_size_and_show_what_is_placed(game):
    env = aec_env(game, 2, render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    for _ in range(25):
        env.step(env.game_state.legal[0])
    later = env.render()
    assert first.shape == later.shape
    assert (first != later).any()
    assert later.std() > 10


def test_text_and_windows():
    env = aec_env("london", 2, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.game_state.view(None))
    with pytest.raises(GameOptionError, match="render_mode"):
        Screen(None).render(env.game_state)
    seat = gymnasium.make("branchline/London-v0", opponents=["random"], render_mode="human")
    seat.reset(seed=1)
    assert seat.render() is None
    seat.close()


def test_without_the_extra_an_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingPackage, match=r"which is not installed: .*\[rl\]'"):
        Screen("rgb_array").render(Game("london").start(1))


def test_masks_make_sampling_legal():
    env = aec_env("usa", 2)
    env.reset(seed=1)
    space = env.action_space("seat_0")
    assert isinstance(space, spaces.Discrete)
    assert int(space.sample(env.observe(env.agent_selection)["action_mask"])) in env.game_state.legal
