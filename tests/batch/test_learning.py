"""The examples that train run, and what they compute is right: advantages seat by seat, against a calculation by hand."""

import runpy
import sys
from importlib import import_module
from pathlib import Path

import pytest

from branchline import Game

EXAMPLES = Path(__file__).parents[2] / "examples"
SHORT = [
    "--device",
    "cpu",
    "--slots",
    "64",
    "--steps",
    "16",
    "--minibatch",
    "256",
    "--width",
    "32",
    "--clone",
    "0.1",
    "--iterations",
    "3",
    "--games",
    "8",
]


@pytest.fixture
def ppo():
    return import_module("examples.ppo")  # not from its folder: that has a module `statistics`


def test_ppo_trains_and_what_it_learned_plays(ppo, tmp_path, capsys):
    ppo.main([*SHORT, "--out", str(tmp_path / "ppo.pt")])
    said = capsys.readouterr().out
    assert "against planner (8 games)" in said
    assert "nan" not in said
    bot, state = ppo.Trained(tmp_path / "ppo.pt"), Game("london", 2).start(1)
    while not state.is_over:
        state.apply(bot.decide(state.view(state.seat)))
    assert state.result["winners"]


def test_advantages_are_counted_seat_by_seat(ppo):
    """Five decisions of one slot: seat 0, 1, 0, then the game ends; 1, 0 of the next game; seat 0 decides next."""
    torch = ppo.torch
    column = lambda *numbers: torch.tensor(numbers)[:, None]  # noqa: E731
    rewards = torch.zeros(5, 1, 2)
    rewards[2, 0] = torch.tensor([1.0, -1.0])
    found, known = ppo.advantages(
        column(0, 1, 0, 1, 0), column(0, 0, 1, 0, 0).bool(), rewards, column(0.5, 0.25, 0.75, 0.1, 0.2), torch.tensor([0]), torch.tensor([0.6]), 0.5
    )
    third = 1 - 0.75
    assert found[:, 0].tolist() == pytest.approx([0.75 - 0.5 + 0.5 * third, -1 - 0.25, third, 0, 0.6 - 0.2])
    assert known[:, 0].tolist() == [1, 1, 1, 0, 1]  # seat 1 has not decided again


@pytest.mark.soak("PPO learns above; arrays are shared in test_batch.py")
def test_the_example_in_jax_shares_arrays_and_learns(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["jax_training.py", "cpu", "12"])
    runpy.run_path(str(EXAMPLES / "jax_training.py"), run_name="__main__")
    assert "the observations were shared" in capsys.readouterr().out
