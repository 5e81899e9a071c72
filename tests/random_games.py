"""Random games for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

from branchline import Game, State, load_board
from branchline.rules.state import TABLE_OPTIONS


def options_of(game: str, seed: int) -> dict[str, bool]:
    """Where a board has options that the rules know, every combination of them comes up as seeds go on."""
    known = [name for name in load_board(game).options if TABLE_OPTIONS[name]]
    return {name: True for place, name in enumerate(known) if seed >> place & 1}


def random_game(game: str, players: int, seed: int) -> Iterator[State]:
    """The state before each decision of a random game, and at its end; always the same object."""
    rng = random.Random(f"{game} {players} {seed}")
    state = Game(game, players, **options_of(game, seed)).start(seed)
    while not state.is_over:
        yield state
        state.apply(rng.choice(state.legal))
    yield state
