"""What all tests share: every board and number of players, and how much is asked of a run."""

import os

import pytest

from branchline import available_boards, load_board

SOAK = bool(os.environ.get("BRANCHLINE_SOAK"))

TABLES = [(game, players) for game in available_boards() for players in range(load_board(game).players[0], load_board(game).players[1] + 1)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the arguments `game` and `players` runs over every board and every number of players."""
    if {"game", "players"} <= set(metafunc.fixturenames):
        metafunc.parametrize(("game", "players"), TABLES, ids=[f"{game}-{players}" for game, players in TABLES])
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", available_boards())
