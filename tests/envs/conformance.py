"""The conformance tests of the libraries that our environments are made for, on one table each. `docs/environments.md` lists them by these names."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from branchline.envs import aec_env, environment_ids, parallel_env
from tests.conftest import LONG, SOAK

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # PettingZoo's tests import its own environments in a way that it discourages
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

STEPS = 1000 if LONG else 200 if SOAK else 60

# PettingZoo keeps a list of its own environments that have observations with a mask, and warns about others
MASKED = ("Observation space for each agent probably should be", "Observation is not a NumPy array")


def zoo_api(game: str, players: int) -> None:
    with warnings.catch_warnings():
        for message in MASKED:
            warnings.filterwarnings("ignore", message=message)
        api_test(aec_env(game, players), num_cycles=STEPS)


def zoo_seed(game: str, players: int) -> None:
    seed_test(lambda: aec_env(game, players), STEPS)


def zoo_render(game: str, players: int) -> None:
    render_test(lambda render_mode: aec_env(game, players, render_mode=render_mode))


def zoo_parallel(game: str, players: int) -> None:
    parallel_api_test(parallel_env(game, players), num_cycles=STEPS)


def gymnasium_check(game: str, players: int) -> None:
    env = gymnasium.make(environment_ids()[game], players=players, opponents=["planner"])
    check_env(env.unwrapped, skip_render_check=not SOAK)


def spiel_sim(game: str, players: int, form: str = "") -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not there for Windows")
    from branchline.envs import register_open_spiel

    register_open_spiel()
    loaded = pyspiel.load_game(f"branchline_{game.replace('-', '_')}{form}(players={players})")
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


CHECKS: dict[str, Callable[[str, int], None]] = {
    "PettingZoo `api_test`": zoo_api,
    "PettingZoo `seed_test`": zoo_seed,
    "PettingZoo `render_test`": zoo_render,
    "PettingZoo `parallel_api_test`": zoo_parallel,
    "Gymnasium `check_env`": gymnasium_check,
    "OpenSpiel `random_sim_test`": spiel_sim,
    "OpenSpiel `random_sim_test`, explicit chance": lambda game, players: spiel_sim(game, players, "_explicit"),
}
SLOW_CHECKS = ("PettingZoo `render_test`", "OpenSpiel `random_sim_test`", "OpenSpiel `random_sim_test`, explicit chance")  # seconds each
