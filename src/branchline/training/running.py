"""A run: lessons, a teacher if there is one, the value of what was learned, then self-play; with a log, checkpoints and measurements on the way."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from branchline.training.checkpoints import FILE, check_fits, load, save, teacher_from
from branchline.training.learning import Learner
from branchline.training.lessons import SEED, lessons_for, margin_of, statistics_of, steps_of, width_of
from branchline.training.measuring import Exam, Measuring
from branchline.training.network import largest_hidden
from branchline.training.settings import Settings
from branchline.training.tables import Statistics, Table, Tables

if TYPE_CHECKING:
    from branchline.cluster.engine import Cluster
    from branchline.training.actors import Actors

LOG = "log.jsonl"
CLONING_RATE, LAST_CLONING_RATE = 1e-3, 1e-4
EPOCHS = 2  # over a part of the lessons at a time
WITH_MARGIN = 0.7  # of the time
LOOKED_AT = 4096  # positions, to see how large the hidden numbers become


def new_actors(cluster: Cluster, settings: Settings, statistics: Statistics) -> Actors:
    from branchline.training.actors import Actors  # which needs the extra `cluster`

    return Actors(cluster, settings, statistics)


class Run:
    """A training run in a folder; one that was begun there goes on. `tell` is called with every line of the log.

    `start` is a checkpoint whose weights to begin with, `teacher` one to learn from first. What the network is after the lessons, an imitator of
    planners, sits on some seats from then on (without lessons, it is the network at the start).
    """

    def __init__(
        self, settings: Settings, folder: Path, exam: Exam | None = None, start: Path | None = None, teacher: Path | None = None,
        tell: Callable[[dict[str, Any]], None] = lambda _: None, cluster: Cluster | None = None,
    ) -> None:  # fmt: skip
        self.settings, self.folder, self.tell = settings, folder, tell
        folder.mkdir(parents=True, exist_ok=True)
        self.saved = load(folder / FILE) if (folder / FILE).is_file() else None
        begun = self.saved or (load(start) if start else None)
        check_fits(begun, settings)
        self.resumed = self.saved["resumed"] + 1 if self.saved else 0
        torch.manual_seed(settings.seed + self.resumed)
        self.lessons = lessons_for(settings.game, settings.players, settings.lesson_slots, settings.lesson_steps, folder)
        self.statistics = (begun["mean"].numpy(), begun["scale"].numpy()) if begun else statistics_of(self.lessons)
        self.margin, self.has_teacher = margin_of(self.lessons), teacher is not None
        self.actors = new_actors(cluster, settings, self.statistics) if cluster else None
        shares = self.actors.shares() if self.actors else settings.shares()
        tables = Tables(settings.game, shares, settings.device, settings.seed + 1000 * self.resumed, self.statistics)
        self.learner = Learner(settings, tables, teacher_from(teacher, self.statistics) if teacher else None)
        self.clock, self.iterations, self.decisions = 0.0, 0, 0
        self.measuring = Measuring(exam, settings.game) if exam else None
        self.take_up(begun)

    def take_up(self, begun: dict[str, Any] | None) -> None:
        """Go on with the weights of a checkpoint; with all the rest if it is this run's."""
        if begun:
            self.learner.net.load_state_dict(begun["net"])
            self.learner.refresh()
        if self.saved:
            self.clock, self.iterations, self.decisions = (self.saved[name] for name in ("clock", "iterations", "decisions_made"))
            self.learner.optimiser.load_state_dict(self.saved["optimiser"])
            self.learner.imitator.load_state_dict(self.saved["imitator"])

    def say(self, what: str, **figures: Any) -> None:
        rounded = {name: round(value, 5) if isinstance(value, float) else value for name, value in figures.items()}
        line = {"at": round(self.clock, 2), "what": what, **rounded}
        with (self.folder / LOG).open("a") as log:
            log.write(json.dumps(line) + "\n")
        self.tell(line)

    def save(self) -> Path:
        """Write a checkpoint to go on from, and one of the network alone."""
        learner = self.learner
        looked_at = learner.rows.flatten(0, 1)[torch.randint(learner.known.numel(), (LOOKED_AT,), device=learner.device)].float()
        where = {"clock": self.clock, "iterations": self.iterations, "decisions_made": self.decisions, "resumed": self.resumed}
        told = {"settings": self.settings.shown(), "largest": largest_hidden(learner.net, looked_at), **where}
        more = {"optimiser": learner.optimiser.state_dict(), "imitator": learner.imitator.state_dict()}
        save(self.folder / FILE, learner.net, self.statistics, **more, **told)
        kept = self.folder / f"net-{round(self.clock):05}.pt"
        save(kept, learner.net, self.statistics, **told)
        return kept

    def train(self, every: float = 60.0) -> None:
        """Until the time is up."""
        if not self.saved:
            self.clone()
            self.learner.remember(self.learner.imitator)
            if self.has_teacher:
                self.distil()
        if not self.actors:
            self.learner.stagger()
        if not self.saved:
            self.settle()
        kept_at, began = self.clock, time.monotonic() - self.clock
        while self.clock < self.settings.seconds:
            left = max(0.0, 1 - self.clock / self.settings.seconds)
            self.iterate("ppo", left, self.settings.rate * (self.settings.rate_left + (1 - self.settings.rate_left) * left))
            self.clock = time.monotonic() - began
            if self.clock - kept_at >= every or self.clock >= self.settings.seconds:
                kept_at = self.clock
                self.keep()
        self.report(wait=True)

    def keep(self) -> None:
        """Save, and measure what was saved."""
        kept = self.save()
        if self.measuring and (not self.measuring.is_busy or self.clock >= self.settings.seconds):
            self.measuring.measure(kept, self.clock)
        self.report()

    def report(self, wait: bool = False) -> None:
        for found in self.measuring.results(wait) if self.measuring else ():
            self.say("measured", **found)

    def play(self, margin: float) -> None:
        """Fill the storage, here or on a cluster; rewards count the margin to that share."""
        if self.actors:
            self.actors.play(self.learner, margin, self.margin)
        else:
            self.learner.tables.weigh(margin, self.margin)
            self.learner.run("play")

    def iterate(self, how: str, left: float, rate: float) -> None:
        """Play, and learn from it at a rate. `left` is the share of the time that is left."""
        settings, learner, began = self.settings, self.learner, time.monotonic()
        learner.entropy.fill_(settings.entropy * (settings.entropy_left + (1 - settings.entropy_left) * left))
        self.play(settings.margin * max(0.0, 1 - (1 - left) / WITH_MARGIN))
        made, rows = learner.known.numel(), learner.worth_learning()
        learner.learn_from(rows, how, rate, settings.epochs)
        policy, value, noted, length = learner.losses.tolist()  # waits for the GPU
        self.iterations, self.decisions = self.iterations + 1, self.decisions + made
        figures = {
            "policy": policy,
            "value": value,
            "noted": noted,
            "gradient": length,
            "speed": made / (time.monotonic() - began),
            "learned": len(rows) / made,
        }
        self.say(how, iteration=self.iterations, decisions=self.decisions, **figures)
        self.report()

    def clone(self) -> None:
        """Learn the lessons: play their positions again, and take the planners' decisions as labels."""
        for number in range(self.settings.passes):
            rate = CLONING_RATE * (1 - number / self.settings.passes) + LAST_CLONING_RATE
            for rows in self.positions():
                self.learner.learn_from(torch.arange(rows, device=self.settings.device), "clone", rate, EPOCHS)
            policy, _, met, length = self.learner.losses.tolist()
            self.say("clone", policy=policy, noted=met, gradient=length)
        self.learner.forget_momentum()

    def positions(self) -> Iterator[int]:
        """Fill the storage with positions of the lessons, as often as it takes; says how many there are."""
        learner, settings, filled = self.learner, self.settings, 0
        rows, legal, wanted = (array.flatten(0, 1) for array in (learner.rows, learner.legal, learner.labels))
        tables = [Table(settings.game, players, width_of(lesson), settings.device, SEED, self.statistics) for players, lesson in self.lessons.items()]
        for steps in zip(*map(steps_of, self.lessons.values()), strict=True):  # all numbers of seats in turn
            if filled + sum(table.slots for table in tables) > len(rows):
                yield filled
                filled = 0
            for table, step in zip(tables, steps, strict=True):
                labels, carried = (torch.from_numpy(array).to(settings.device) for array in step)
                part = slice(filled, filled + table.slots)
                table.observe(rows[part])
                legal[part], wanted[part] = table.legal, labels
                table.step(carried)
                filled += table.slots
        yield filled

    def distil(self) -> None:
        """Learn from the teacher, by the games the network itself plays."""
        self.learner.remember(self.learner.earlier)
        began = time.monotonic()
        while (spent := time.monotonic() - began) < self.settings.distil:
            left = 1 - spent / self.settings.distil
            self.iterate("distil", left, CLONING_RATE * left + LAST_CLONING_RATE)
        self.learner.forget_momentum()

    def settle(self) -> None:
        """Learn the value of what it does now, and keep doing it: a value that is wrong would spoil what was imitated."""
        self.learner.keep_to_itself()
        for _ in range(self.settings.value_first):
            self.iterate("distil", 1.0, LAST_CLONING_RATE)
        self.learner.forget_momentum()

    def close(self) -> None:
        if self.measuring:
            self.measuring.close()
