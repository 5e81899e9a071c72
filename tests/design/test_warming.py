"""What reports need is compiled on a board that comes with Branchline, whatever other boards there are."""

from pathlib import Path

import pytest

from branchline.boards import folders
from branchline.design import warming


def test_a_broken_board_of_ones_own_is_not_in_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "aab"
    broken.mkdir()
    (broken / "board.toml").write_text("game = ")
    monkeypatch.setenv(folders.VARIABLE, str(broken))
    monkeypatch.setattr(warming, "are_warm", lambda: False)
    monkeypatch.setattr(warming, "warm", lambda _parts: None)
    monkeypatch.setattr(warming, "mark", lambda part: tmp_path / part)
    warming.warm_reports()
    assert (tmp_path / warming.PART).exists()
