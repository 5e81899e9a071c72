"""Two boards on the same deals: the differences are those of both reports, and an unchanged board differs by exactly nothing."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from branchline import load_board
from branchline.boards.folders import board_folder
from branchline.boards.loader import load_second, read_board
from branchline.boards.model import UnknownBoard
from branchline.design.layout.beginning import begin
from branchline.design.page import versus_page
from branchline.design.versus import Comparison, difference
from branchline.design.watching import Question, Watch
from branchline.errors import UsageError
from tests.boards.outside import alone  # noqa: F401  # used by all tests
from tests.commands import branchline
from tests.design.broken import DEAD, DEAR, broken_board


@pytest.fixture
def broken(tmp_path):
    return load_board(broken_board(tmp_path / "broken"))


def compared(one, other, games=320):
    comparison = Comparison(Question(one, players=(2,), games=games, styles=0, threads=1), other)
    for _ in comparison.play():
        pass
    assert comparison.done == comparison.asked == 2 * games
    return comparison.figures()


def test_a_board_against_itself_differs_by_exactly_nothing():
    (table,) = compared(load_board("london"), load_board("london"), games=64)["tables"]
    for row in (*table["figures"], *table["tickets"], *table["routes"]):
        assert row["a"] == row["b"]
        assert (row["difference"], row["low"], row["high"]) == (0, 0, 0)


def copied(folder):
    """The same board, still under its name, with one number changed."""
    other = Path(shutil.copytree(folder, folder.with_name("copy")))
    settings = other / "board.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("trains = 14", "trains = 10"), encoding="utf-8")
    return other


def test_a_board_is_compared_with_a_changed_copy_of_itself(tmp_path, monkeypatch):
    begin(tmp_path / "baltic")
    copy = copied(tmp_path / "baltic")
    shown = []
    monkeypatch.setattr("branchline.cli.designing.compile_reports_once", lambda: None)
    monkeypatch.setattr(
        "branchline.design.command.compare_boards", lambda _console, question, other, *_: shown.append((question.board, other)) or True
    )
    assert branchline("board", "report", str(tmp_path / "baltic"), str(copy)).returncode == 0
    ((one, other),) = shown
    assert [board.settings["pieces"]["trains"] for board in (one, other)] == [14, 10]
    assert one.fingerprint != other.fingerprint == read_board(copy).fingerprint
    found = compared(one, other, games=64)
    assert [found[board]["name"] for board in "ab"] == ["Baltic (baltic)", "Baltic (baltic-2)"]
    (table,) = found["tables"]
    assert next(row for row in table["figures"] if row["figure"] == "turns")["difference"] < 0


def test_a_copy_of_a_board_that_comes_with_branchline_is_compared_with_it(tmp_path):
    folder = Path(shutil.copytree(str(board_folder("london")), tmp_path / "my_london"))
    copy = load_second(str(folder))
    assert (copy.game, copy.is_own) == ("london-2", True)
    assert copy.fingerprint == load_board("london").fingerprint
    with pytest.raises(ValueError, match="give it another name"):  # to play it
        load_board(folder)


def test_a_copy_is_read_again_when_its_files_have_changed(tmp_path):
    folder = Path(shutil.copytree(str(board_folder("london")), tmp_path / "my_london"))
    before = load_second(str(folder)).settings["pieces"]["trains"]
    file = folder / "board.toml"
    file.write_text(re.sub(r"^trains = \d+", f"trains = {before - 2}", file.read_text(), flags=re.MULTILINE))
    assert load_second(str(folder)).settings["pieces"]["trains"] == before - 2


def test_only_the_folder_of_one_board_is_a_second_one(tmp_path):
    shutil.copytree(str(board_folder("london")), tmp_path / "my_london")
    for path, reason in [
        (tmp_path, "has no board.toml"),
        (tmp_path / "my_london" / "board.toml", "is a file"),
        (tmp_path / "nowhere", "no such folder"),
    ]:
        with pytest.raises(UnknownBoard, match=reason):
            load_second(str(path))


def test_the_differences_are_those_of_both_reports(broken):
    found = compared(load_board("london"), broken)
    (table,) = found["tables"]
    reports = []
    for board in (load_board("london"), broken):
        watch = Watch(Question(board, players=(2,), games=320, styles=0, threads=1))
        list(watch.play())
        reports.append(watch.figures()["tables"][0])
    turns = next(row for row in table["figures"] if row["figure"] == "turns")
    assert [turns["a"], turns["b"]] == [one["length"]["turns"]["value"] for one in reports]
    assert turns["difference"] == pytest.approx(turns["b"] - turns["a"], abs=1e-5)
    assert turns["high"] < 0  # with 12 trains instead of 17
    dear = next(row for row in table["tickets"] if row["ticket"] == DEAR)
    assert (dear["printed_a"], dear["printed_b"]) == (3, 15)
    completed = [next(row for row in one["tickets"] if row["ticket"] == DEAR)["completed"]["value"] for one in reports]
    assert [dear["a"], dear["b"]] == completed
    assert DEAD not in {row["route"] for row in table["routes"]}  # which only one of them has
    page = versus_page((load_board("london"), broken), found)
    assert "A against B" in page
    assert "3 → 15" in page


def test_intervals_are_of_the_paired_difference():
    """Two figures that rise and fall together: their difference is known far better than either."""
    luck, games = np.random.default_rng(1).normal(0, 10, 32), np.full(32, 100.0)
    (row,) = difference([games, games], [50 * games + 100 * luck, 51 * games + 100 * luck])
    assert row["difference"] == pytest.approx(1)
    assert row["high"] - row["low"] < 1e-4


def test_boards_without_a_common_number_of_players_are_refused(broken):
    with pytest.raises(UsageError, match="have no number of players in common"):
        Comparison(Question(replace(load_board("europe"), players=(5, 5))), broken)
    with pytest.raises(UsageError, match="Broken London is for 2 to 4 players, not 5"):
        Comparison(Question(load_board("europe"), players=(5,)), broken)


def test_the_command_says_what_differs_and_writes_it_down(tmp_path):
    broken_board(tmp_path / "broken")
    options = ("--players", 2, "--games", 64, "--styles", 0, "--threads", 1, "--bots", "greedy")
    files = ("--out", tmp_path / "versus.html", "--json", tmp_path / "versus.json")
    said = branchline("board", "report", "london", tmp_path / "broken", *options, *files)
    assert said.returncode == 0, said.stderr
    assert "A: London, B: Broken London; 128 games on the same deals." in said.stdout
    assert "first player’s wins" in said.stdout
    assert json.loads((tmp_path / "versus.json").read_text(encoding="utf-8"))["b"]["game"] == "broken"
    assert "Broken London" in (tmp_path / "versus.html").read_text(encoding="utf-8")
