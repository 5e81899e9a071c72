"""What all tests share: every board and number of players, and how thorough a run is."""

import gc
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from branchline import load_board
from branchline.boards.folders import shipped_boards
from branchline.compiling import MODE

gc.disable()  # until all tests are collected: importing makes many objects and no garbage
pytest_plugins = ["tests.left_out", "tests.soaking"]

SOAK = bool(os.environ.get("BRANCHLINE_SOAK"))
LONG = SOAK and bool(os.environ.get("BRANCHLINE_LONG"))  # the few counts that would make a soak last a whole night
PLAIN = MODE == "plain"
UNIX = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals, groups of processes or messages")
collect_ignore = ["envs/test_spiel.py"] if os.name == "nt" else []  # OpenSpiel is not there for Windows

TABLES = [  # the boards in `boards/further` have tests of their own
    (game, players) for game in shipped_boards() for players in range(load_board(game).players[0], load_board(game).players[1] + 1)
]
# the fewest players of one game, the most of the next, and so on
ONE_TABLE_EACH = [(game, load_board(game).players[place % 2]) for place, game in enumerate(shipped_boards())]

FRIENDS = ("https://friend.example", "https://other.example")  # sites whose pages may use the tests' server
FURTHER_BOT = Path(__file__).parents[1] / "examples" / "bots" / "surveyor.py"  # that this server offers
# These begin: long checks, several servers that two workers would start twice, then the longest folders, so that idle workers can help.
FIRST = ("tests/test_checks", "tests/server/test_races", "tests/server/test_kills", "tests/server/test_first_start", "tests/web/", "tests/server/")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A `branchline serve` on SQLite with two friends and a further bot, one for all tests of a worker that need no other."""
    from tests.server.running import running_server

    options = [word for friend in FRIENDS for word in ("--origin", friend)] + ["--bots", str(FURTHER_BOT)]
    with running_server(tmp_path_factory.mktemp("server"), None, *options) as running:
        yield running


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests with the arguments `game` and `players` for every board and number of players, or for a sample of these numbers."""
    if {"game", "players"} <= set(metafunc.fixturenames):
        is_sampled = not SOAK and (PLAIN or metafunc.definition.get_closest_marker("one_table_each") is not None)
        tables = ONE_TABLE_EACH if is_sampled else TABLES
        metafunc.parametrize(("game", "players"), tables, ids=[f"{game}-{players}" for game, players in tables])
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", shipped_boards())


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def left_to_the_soak(items: list[pytest.Item]) -> set[pytest.Item]:
    """Tests marked `soak`, and all but a few cases of those marked `sample`. Which cases stay differs from test to test: not always the first."""
    cases: dict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if mark := item.get_closest_marker("sample"):
            cases[item.nodeid.partition("[")[0], mark.args[0]].append(item)
    left = {item for item in items if item.get_closest_marker("soak")}
    for (test, number), every in cases.items():
        first = crc32(test.encode())
        left |= {*every} - {every[(first + place * len(every) // number) % len(every)] for place in range(number)}
    return left


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What waits for servers and browsers runs beside what keeps the cores busy, and the last tests of a run are short."""
    if not SOAK:
        left = left_to_the_soak(items)
        config.hook.pytest_deselected(items=[item for item in items if item in left])
        items[:] = [item for item in items if item not in left]
    items.sort(key=lambda item: next((place for place, folder in enumerate(FIRST) if item.nodeid.startswith(folder)), len(FIRST)))
