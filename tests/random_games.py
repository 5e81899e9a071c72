"""Random games for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

from branchline import Game, State, load_board


def random_game(game: str, players: int, seed: int) -> Iterator[State]:
    """The state before each decision of a random game, and at its end; always the same object."""
    rng = random.Random(f"{game} {players} {seed}")
    by_hand = bool(load_board(game).record.yards) and seed % 2 == 1  # where tickets can be chosen by hand, they are in every other game
    state = Game(game, players, choose_tickets_by_hand=by_hand).start(seed)
    while not state.is_over:
        yield state
        state.apply(rng.choice(state.legal))
    yield state
