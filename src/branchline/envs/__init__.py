"""Environments as the libraries of reinforcement learning know them: PettingZoo, Gymnasium and OpenSpiel. They need `pip install 'branchline[rl]'`.

from branchline.envs import aec_env, parallel_env      # PettingZoo
gymnasium.make("branchline/Board-v0", players=2)       # after `import branchline.envs`, or if Branchline is installed
pyspiel.load_game("branchline_BOARD(players=2)")       # after `branchline.envs.register_open_spiel()`
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from branchline.errors import from_extra

PLACES = {
    "AecEnv": "aec",
    "aec_env": "aec",
    "ParallelEnv": "parallel",
    "parallel_env": "parallel",
    "SeatEnv": "seat",
    "VectorSeatEnv": "vector",
    "environment_ids": "registering",
    "register_gymnasium": "registering",
    "register_open_spiel": "spiel",
    "Screen": "rendering",
}

__all__ = [
    "AecEnv",
    "ParallelEnv",
    "Screen",
    "SeatEnv",
    "VectorSeatEnv",
    "aec_env",
    "environment_ids",
    "parallel_env",
    "register_gymnasium",
    "register_open_spiel",
]


def __getattr__(name: str) -> Any:
    """Each library is imported when something of it is asked for."""
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with from_extra("rl", "an environment"):
        return getattr(import_module(f"{__name__}.{PLACES[name]}"), name)


if find_spec("gymnasium") is not None:
    from branchline.envs.registering import register_gymnasium

    register_gymnasium()
