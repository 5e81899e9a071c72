"""Random games for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

from branchline import Game, State


def random_game(game: str, players: int, seed: int) -> Iterator[State]:
    """The state before each decision of a random game, and at its end; always the same object."""
    rng = random.Random(f"{game} {players} {seed}")
    state = Game(game, players).start(seed)
    while not state.is_over:
        yield state
        state.apply(rng.choice(state.legal))
    yield state
