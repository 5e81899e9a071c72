"""From a checkpoint to a network of whole numbers that `learned` plays (`bots/networks.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from branchline.boards import load_board
from branchline.bots.compiled.network import MOST, SCALE_BITS, SIZES
from branchline.bots.networks import fingerprint_of, write_network
from branchline.play.observations.layout import size_of, units_of

INT8 = 127
FIRST_BITS = 20  # binary places of the first layer's sums
Array = np.ndarray[Any, Any]


def rounded(numbers: Array, kind: Any = np.int64) -> Array:
    limits = np.iinfo(kind)
    return np.clip(np.rint(numbers), limits.min, limits.max).astype(kind)


def by_rows(weights: Array) -> tuple[Array, Array]:
    """Weights as int8, and what 1 is in each row."""
    unit = np.maximum(np.abs(weights).max(1), 1e-12) / INT8
    return rounded(weights / unit[:, None], np.int8), unit


def unfolded(saved: dict[str, Any], game: str) -> dict[str, Array]:
    """The weights as float64, the first layer for the whole numbers of an observation."""
    weights = {name: tensor.double().numpy() for name, tensor in saved["net"].items()}
    mean, scale = (saved[name].double().numpy() for name in ("mean", "scale"))
    first = weights["first.weight"][:, : len(mean)] / scale
    weights["first.bias"] = weights["first.bias"] - first @ mean
    weights["first.weight"] = first * units_of(game).astype(np.float64)
    return weights


def export(saved: dict[str, Any], path: Path) -> None:
    """Write the network of a checkpoint: its outputs are the decisions and the value."""
    settings = saved["settings"]
    export_net(saved, settings["game"], settings["players"], saved["decisions"] + 1, path)


def export_net(saved: dict[str, Any], game: str, players: Sequence[int], outputs: int, path: Path, **told: Any) -> None:
    """Write a network. Its hidden numbers may become twice as large as the largest seen in training."""
    weights, depth = unfolded(saved, game), saved["depth"]
    fraction = int(np.floor(np.log2(MOST / (2 * saved["largest"]))))
    first, unit = by_rows(weights["first.weight"].T)
    layers = [by_rows(weights[f"layers.{layer}.weight"]) for layer in range(depth - 1)]
    biases = [weights[f"layers.{layer}.bias"] for layer in range(depth - 1)]
    head, head_unit = by_rows(weights["head.weight"][:outputs])
    whole = 2.0**SCALE_BITS
    arrays = {
        "FACTORS": rounded(unit * 2**FIRST_BITS, np.int32),
        "FIRST": first,
        "FIRST_BIAS": rounded(weights["first.bias"] * 2**FIRST_BITS, np.int32),
        "WEIGHTS": np.stack([one for one, _ in layers]),
        "SCALES": np.stack([rounded(unit * whole) for _, unit in layers]),
        "BIASES": np.stack([rounded((bias * 2**fraction + 0.5) * whole) for bias in biases]),  # the half rounds
        "HEAD": head,
        "HEAD_SCALES": rounded(head_unit * whole),
        "HEAD_BIASES": rounded(weights["head.bias"][:outputs] * whole * 2**fraction),
    }
    width = first.shape[1]
    sizes = (size_of(game), width, depth - 1, outputs, load_board(game).players[1], FIRST_BITS - fraction, fraction)
    header = {"game": game, "fingerprint": fingerprint_of(game), "players": list(players), **told}
    write_network(path, header, dict(zip(SIZES, sizes, strict=True)), arrays)
