"""Playing on a cluster what one learner learns from: each task is a share of the slots, played with the latest weights.

A worker keeps its games from one task to the next, and nobody else needs them: one that dies, leaves or joins changes which games are played, never
how they are learned from. Actors play on CPUs; the learner can have a GPU.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any, NamedTuple
from uuid import uuid4

import torch

from branchline.batch.warm import NEEDS
from branchline.cluster.compiling import compiled_once
from branchline.cluster.engine import Cluster
from branchline.cluster.parcels import packed
from branchline.training.learning import Learner
from branchline.training.network import Net
from branchline.training.settings import Settings
from branchline.training.tables import Statistics, Tables

FEWEST = 8  # slots of a share
SENT = ("rows", "legal", "decisions", "chances", "values", "known", "advantages", "own")  # of the storage: what is learned from
Weights = dict[str, Any]


@dataclass(frozen=True)
class Stage:
    """What all actors of a run are told, once."""

    run: str
    settings: Settings  # with the slots of one share
    statistics: Statistics


class Part(NamedTuple):
    """What to play next: with these weights, and rewards of this kind. The number makes new games differ from all others."""

    number: int
    actor: Weights
    imitator: Weights
    margin: float
    scale: float


class Actors:
    """Fills a learner's storage, share by share."""

    def __init__(self, cluster: Cluster, settings: Settings, statistics: Statistics) -> None:
        self._cluster, self.number = cluster, max(1, min(cluster.threads, settings.slots // FEWEST))
        cluster.carry(packed((), [settings.game]))
        own = replace(settings, slots=settings.slots // self.number, device="cpu")
        self._stage, self._numbers = Stage(uuid4().hex, own, statistics), count(1)

    def shares(self) -> dict[int, int]:
        """How many slots each number of seats has, over all actors."""
        return {players: self.number * slots for players, slots in self._stage.settings.shares().items()}

    def play(self, learner: Learner, margin: float, scale: float) -> None:
        actor, imitator = weights_of(learner.actor), weights_of(learner.imitator)
        parts: Iterator[Part] = (Part(next(self._numbers), actor, imitator, margin, scale) for _ in range(self.number))
        answers = self._cluster.answers(partial(play_part, self._stage), parts)
        for place, answer in enumerate(answer for answer in answers if answer is not None):
            store(learner, place, self._stage.settings.shares(), answer.value)


def store(learner: Learner, place: int, shares: dict[int, int], played: dict[str, Any]) -> None:
    """Put a share where it belongs: the slots of each number of seats are side by side."""
    first = 0
    for part, slots in zip(learner.tables.parts, shares.values(), strict=True):
        there = slice(part.start + place * slots, part.start + (place + 1) * slots)
        for name in SENT:
            getattr(learner, name)[:, there] = torch.from_numpy(played[name][:, first : first + slots]).to(learner.device)
        first += slots


def weights_of(net: Net) -> Weights:
    return {name: tensor.float().cpu().numpy() for name, tensor in net.state_dict().items()}


def play_part(stage: Stage, part: Part) -> dict[str, Any]:
    """What a worker does."""
    if seat.run != stage.run:
        compiled_once(NEEDS["batches"])
        torch.set_num_threads(1)
        seat.actor, seat.run = Actor(stage, part), stage.run
    return seat.actor.play(part)


class Actor:
    """Games that go on, and a learner that never learns: so they are played by the same code as on one machine."""

    def __init__(self, stage: Stage, part: Part) -> None:
        settings = stage.settings
        tables = Tables(settings.game, settings.shares(), "cpu", settings.seed + 7919 * part.number, stage.statistics)
        self._learner = Learner(settings, tables)
        self._take(part)
        self._learner.stagger()

    def _take(self, part: Part) -> None:
        for net, weights in ((self._learner.actor, part.actor), (self._learner.imitator, part.imitator)):
            net.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
        self._learner.tables.weigh(part.margin, part.scale)

    def play(self, part: Part) -> dict[str, Any]:
        self._take(part)
        self._learner.run("play")
        return {name: getattr(self._learner, name).numpy().copy() for name in SENT}


class Seat(threading.local):
    """What a thread of a worker keeps of a run."""

    run: str | None = None
    actor: Actor


seat = Seat()
