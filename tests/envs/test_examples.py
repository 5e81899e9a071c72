"""The example that trains, for a moment: that it runs to the end, and learns from games with legal decisions only."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "maskable_ppo.py"


@pytest.mark.soak("the environments' own checks step them, and PPO trains in tests/batch/test_learning.py")
@pytest.mark.parametrize("board", ["London"])
def test_maskable_ppo_trains(board):
    short = ["--board", board, "--steps", "64", "--rollout", "64", "--games", "2"]
    ran = subprocess.run([sys.executable, str(EXAMPLE), *short], capture_output=True, text=True, timeout=250, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "of 2 games before training" in ran.stdout
