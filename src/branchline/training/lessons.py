"""Lessons: games of planners, recorded on the CPU, to begin with.

A lesson is a batch's decisions, so any device can play its positions again. Now and then a random decision is carried out instead of the planner's,
which is still the one to learn: so the network also sees what to do after mistakes. Mean and scale of what was seen are measured on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from branchline.batch import Batch

SEED, STRAY, SPREAD = 99, 0.1, 0.1  # of the games; the chance of a random decision; the least scale: numbers that hardly change are not blown up
SAME = np.uint16(0xFFFF)  # the planner's decision was carried out
LOOK = 16  # steps between looks at what is seen, for its mean and scale
MARGIN = 20.0  # points, where no game was played to its end
Lesson = dict[str, Any]


def record(game: str, players: int, slots: int, steps: int) -> Lesson:
    """Games of planners with that many seats."""
    batch, chance = Batch(game, slots, players, seed=SEED), np.random.default_rng(SEED)
    labels, carried = (np.zeros((steps, slots), np.uint16) for _ in range(2))
    total, squares = np.zeros(batch.observation_size), np.zeros(batch.observation_size)
    margins: list[Any] = []
    for step in range(steps):
        if step % LOOK == 0:
            rows = batch.observe()
            total += rows.mean(0, dtype=np.float64)
            squares += np.einsum("ij,ij->j", rows, rows, dtype=np.float64) / slots
        planned = batch.ask("planner")
        strays = chance.random(slots) < STRAY
        decisions = np.where(strays, batch.sample(), planned)
        labels[step], carried[step] = planned, np.where(decisions == planned, SAME, decisions)
        batch.step(decisions, check=False)
        ended = batch.scores[batch.finished].astype(np.float64)
        margins.append((ended - ended.mean(1, keepdims=True)).ravel())
    looked = -(-steps // LOOK)
    return {"labels": labels, "carried": carried, "mean": total / looked, "square": squares / looked, "margin": spread_of(np.concatenate(margins))}


def spread_of(margins: Any) -> float:
    return float(margins.std()) if len(margins) else MARGIN


def lessons_for(game: str, players: tuple[int, ...], slots: int, steps: int, folder: Path) -> dict[int, Lesson]:
    """Lessons for each number of seats: those kept in a folder, or new ones."""
    found: dict[int, Lesson] = {}
    for number in players:
        kept = folder / f"lessons-{number}.npz"
        if not kept.is_file():
            np.savez(kept, **record(game, number, slots, steps))
        with np.load(kept) as arrays:
            found[number] = {name: arrays[name] for name in arrays.files}
    return found


def statistics_of(lessons: dict[int, Lesson]) -> tuple[Any, Any]:
    """Mean and scale of each number of an observation, every number of seats counting alike."""
    mean, square = (np.mean([lesson[name] for lesson in lessons.values()], axis=0) for name in ("mean", "square"))
    scale = np.sqrt(np.maximum(square - mean**2, 0)).clip(SPREAD)
    return mean.astype(np.float32), scale.astype(np.float32)


def margin_of(lessons: dict[int, Lesson]) -> float:
    """Points ahead that count as a clear win."""
    return max(1.0, 2 * float(np.mean([lesson["margin"] for lesson in lessons.values()])))


def steps_of(lesson: Lesson) -> Iterator[tuple[Any, Any]]:
    """The planner's decisions of each step, and those carried out."""
    for labels, carried in zip(lesson["labels"].astype(np.int64), lesson["carried"].astype(np.int64), strict=True):
        yield labels, np.where(carried == SAME, labels, carried)


def width_of(lesson: Lesson) -> int:
    """How many games were played side by side."""
    slots: int = lesson["labels"].shape[1]
    return slots
