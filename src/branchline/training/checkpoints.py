"""Checkpoints: what a run has learned so far, and where it stands."""

from __future__ import annotations

import os
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch

from branchline.batch import OBSERVATION_VERSION
from branchline.errors import UsageError
from branchline.training.network import Net, net_of, renormalised
from branchline.training.settings import Settings
from branchline.training.tables import Statistics

FILE = "checkpoint.pt"


class CheckpointError(UsageError):
    """A checkpoint cannot be read, or is for something else."""


def save(path: Path, net: Net, statistics: Statistics, **more: Any) -> None:
    """Write a checkpoint, or leave the one before as it is."""
    mean, scale = (torch.as_tensor(array) for array in statistics)
    shape = {"decisions": net.decisions, "depth": len(net.layers) + 1, "observation": OBSERVATION_VERSION}
    weights = {name: tensor.detach().cpu().clone() for name, tensor in net.state_dict().items()}
    saved = {"net": weights, "mean": mean, "scale": scale, **shape, **more}
    unfinished = path.with_suffix(".part")
    torch.save(saved, unfinished)
    os.replace(unfinished, path)


def load(path: Path) -> dict[str, Any]:
    try:
        saved: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, UnpicklingError) as error:
        raise CheckpointError(f"the checkpoint {path} cannot be read: {error}") from None
    if saved.get("observation") != OBSERVATION_VERSION:
        raise CheckpointError(f"the checkpoint {path} was made with observations of version {saved.get('observation')}, not {OBSERVATION_VERSION}")
    return saved


def check_fits(saved: dict[str, Any] | None, settings: Settings) -> None:
    """Raise an error if a run cannot go on from a checkpoint."""
    if saved is None:
        return
    theirs = {**saved["settings"], "width": saved["net"]["first.weight"].shape[0], "depth": saved["depth"]}
    for name in ("game", "width", "depth"):
        if theirs[name] != getattr(settings, name):
            raise CheckpointError(
                f"the checkpoint has {name} {theirs[name]}, not {getattr(settings, name)}: choose another folder, or the same {name}"
            )


def teacher_from(path: Path, statistics: Statistics) -> Net:
    """The network of another run, for observations as this one normalises them."""
    saved = load(path)
    return renormalised(net_of(saved), (saved["mean"], saved["scale"]), statistics)
