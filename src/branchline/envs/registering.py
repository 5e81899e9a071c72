"""The names of the environments, which follow from those of the boards: `branchline/Board-v0`."""

from __future__ import annotations

import gymnasium

from branchline.boards import available_boards, load_board

VERSION = 0


def environment_ids() -> dict[str, str]:
    """The ids by game."""
    return {game: f"branchline/{in_one_word(load_board(game).name)}-v{VERSION}" for game in available_boards()}


def in_one_word(name: str) -> str:
    words = [word[0].upper() + word[1:] for word in name.split()]
    return "".join(word for word in words if word != "The")


def register_gymnasium() -> None:
    """Make all boards known to `gymnasium.make`. Once is enough."""
    for game, identity in environment_ids().items():
        if identity not in gymnasium.registry:
            places = {"entry_point": "branchline.envs.seat:SeatEnv", "vector_entry_point": "branchline.envs.vector:VectorSeatEnv"}
            gymnasium.register(identity, **places, kwargs={"game": game})
