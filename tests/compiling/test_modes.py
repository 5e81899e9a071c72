"""Plain and compiled rules play the same games, byte for byte at every decision (G-1)."""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from branchline import compiling
from branchline.batch import warm
from branchline.boards.folders import board_folder, packed_boards
from branchline.bots import levels, networks, weights
from branchline.compiling import sources
from tests.conftest import LONG, ONE_TABLE_EACH, SOAK, TABLES
from tests.random_games import random_game

GAMES = 40 if LONG else 3 if SOAK else 1  # plain games take seconds each


def fingerprints(game: str, players: int, games: int) -> list[str]:
    """For each random game, a hash over its bytes at every decision, every seat's view, an imagined world, events and result."""
    prints = []
    for seed in range(games):
        digest = hashlib.sha256()
        for state in random_game(game, players, seed):
            digest.update(state.record.tobytes())
            digest.update(state.mask.tobytes())
            if len(state.history) % 8 == 0:
                view = state.view(len(state.history) // 8 % players)
                digest.update(view.record.tobytes() + view.imagine(seed).record.tobytes())
        digest.update(f"{state.events} {state.result}".encode())
        prints.append(digest.hexdigest())
    return prints


def in_mode(mode: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    env = os.environ | {"BRANCHLINE_MODE": mode} | environment
    return subprocess.run([sys.executable, "-W", "error", *arguments], env=env, capture_output=True, text=True, timeout=3000, check=False)


def in_the_other_mode(game: str, players: int) -> list[str]:
    other = "plain" if compiling.MODE == "compiled" else "compiled"
    run = in_mode(other, "-m", "tests.compiling.test_modes", game, str(players), str(GAMES))
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


@pytest.mark.parametrize(("board", "seats"), TABLES if SOAK else ONE_TABLE_EACH)
def test_g_1_plain_equals_compiled(board, seats):
    assert in_the_other_mode(board, seats) == fingerprints(board, seats, GAMES)


def test_an_unknown_mode_is_refused_with_what_to_do():
    run = in_mode("fast", "-c", "import branchline.rules.engine")
    assert run.returncode != 0
    assert "BRANCHLINE_MODE is 'fast'; set it to 'plain' or 'compiled'" in run.stderr


@pytest.mark.skipif(compiling.MODE == "plain", reason="plain rules are not compiled, so there is nothing to keep")
def test_a_cache_that_cannot_be_written_is_named_with_what_to_do(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    run = in_mode("compiled", "-c", "import branchline.rules.engine", BRANCHLINE_CACHE=str(tmp_path / "file"))
    assert run.returncode != 0
    assert "set BRANCHLINE_CACHE to a folder that can be" in run.stderr


@pytest.mark.skipif(compiling.MODE == "plain", reason="plain rules are Python functions, which anybody can call")
def test_a_part_of_the_compiled_rules_called_from_python_says_whom_to_call_instead():
    from branchline.rules.chance import roll

    with pytest.raises(TypeError, match="roll is a part of the compiled rules; from Python call the functions of"):
        roll(None, 6)


def test_the_cache_folder_changes_with_any_line_of_the_rules(tmp_path, monkeypatch):
    (tmp_path / "rules").mkdir()
    monkeypatch.setattr(sources, "PACKAGE", tmp_path)
    seen = {sources.cache_folder()}
    for content in ("a = 1\n", "a = 2\n"):
        (tmp_path / "rules" / "tunnels.py").write_text(content)
        seen.add(sources.cache_folder())
    assert len(seen) == 3


def test_of_a_folder_of_bots_only_compiled_ones_change_the_cache_folder(tmp_path, monkeypatch):
    (tmp_path / "bots" / "compiled").mkdir(parents=True)
    monkeypatch.setattr(sources, "PACKAGE", tmp_path)
    before = sources.cache_folder()
    (tmp_path / "bots" / "asking.py").write_text("a = 1\n")
    assert sources.cache_folder() == before
    (tmp_path / "bots" / "compiled" / "clever.py").write_text("a = 1\n")
    assert sources.cache_folder() != before


CODE_OF_BOTS = ("rules/tunnels.py", "bots/levels.py", "bots/compiled/clever.py")
FILES_OF_BOTS = (weights.FILE, levels.FILE, networks.LEARNED)


@pytest.mark.parametrize("name", [*CODE_OF_BOTS, *(f"boards/{folder}/{name}" for folder in ("paris", "further/paris") for name in FILES_OF_BOTS)])
def test_what_decides_how_bots_play_changes_the_fingerprint_of_a_simulation(tmp_path, monkeypatch, name):
    (tmp_path / name).parent.mkdir(parents=True)
    monkeypatch.setattr(sources, "PACKAGE", tmp_path)
    seen = {sources.play_hash()}
    for content in ("turn = 200\n", "turn = 210\n"):
        (tmp_path / name).write_text(content)
        seen.add(sources.play_hash())
    assert len(seen) == 3


def test_the_weights_of_every_board_count_as_code_of_the_bots():
    found = {path for pattern in sources.BOTS for path in sources.PACKAGE.glob(pattern)}
    there = {folder / name for folder in map(board_folder, packed_boards()) for name in FILES_OF_BOTS if (folder / name).is_file()}
    assert there <= found
    assert {path.parent for path in there} == {board_folder(game) for game in packed_boards()}


def test_a_folder_named_compiled_counts_at_any_depth(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "PACKAGE", tmp_path)
    for depth in ("compiled", "a/compiled", "a/b/c/d/compiled", "a/compiled/b"):
        (tmp_path / depth).mkdir(parents=True, exist_ok=True)
        (tmp_path / depth / "one.py").write_text("")
    assert len(sources.compiled_files()) == 4


def test_compiled_code_imports_only_compiled_code():
    """Anything else would be compiled into its users, and changes to it would go unnoticed."""
    counted = set(sources.compiled_files())
    for path in counted:
        for name in re.findall(r"^from branchline\.([\w.]+) import", path.read_text(encoding="utf-8"), re.MULTILINE):
            file = sources.PACKAGE / f"{name.replace('.', '/')}.py"
            assert file in counted or file.with_suffix("") / "__init__.py" in counted, f"{path.name} imports {name}"


@pytest.mark.skipif(compiling.MODE == "plain", reason="plain rules are not compiled, so there is nothing to keep")
def test_compiled_code_is_kept_and_used_again(tmp_path):
    script = """
from branchline.rules.engine import next_station_cost
from branchline.batch.warm import arrays, compile_for
compile_for(next_station_cost, arrays()["boards"], arrays()["states"])
print(sum(next_station_cost.stats.cache_hits.values()))
"""
    hits = [in_mode("compiled", "-c", script, BRANCHLINE_CACHE=str(tmp_path)).stdout.strip() for _ in range(2)]
    assert hits == ["0", "1"]
    assert list(tmp_path.rglob("*.nbc"))


@pytest.mark.parametrize(("name", "other"), [("PACKAGE", Path("elsewhere")), ("version", lambda _: "0.1")])
def test_what_is_compiled_for_another_place_or_by_another_numba_does_not_count(tmp_path, monkeypatch, name, other):
    """Numba would not find it, and people starting a game would wait for the compiler."""
    monkeypatch.setenv("BRANCHLINE_CACHE", str(tmp_path))
    sources.cache_folder().mkdir(parents=True)
    assert not warm.is_compiled()
    for part in warm.PLAY:
        warm.mark(part).touch()
    assert warm.is_compiled()
    monkeypatch.setattr(warm, name, other)
    assert not warm.is_compiled()


if __name__ == "__main__":
    print(*fingerprints(sys.argv[1], *map(int, sys.argv[2:])))
