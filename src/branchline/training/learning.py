"""Learning: play into a storage, and improve the network by what was played. One network plays all seats of all tables."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn.functional import nll_loss

from branchline.training.advantages import advantages
from branchline.training.network import Net, masked, sampled
from branchline.training.settings import Settings
from branchline.training.tables import Tables

CLIP = 0.2
WARM_UP = 100  # updates
CERTAIN, KEPT = 0.98, 0.2  # decisions of a higher chance, and the share of them that is learned from
STAGGER = 5
TAUGHT = 2  # the number of seats that a teacher knows
Work = Callable[[], None]


def captured(work: Work, on_gpu: bool) -> Work:
    """Do some work, and return it to be done again: on a GPU as a CUDA graph, in which thousands of launches from Python become one."""
    if not on_gpu:
        work()
        return work
    aside = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    aside.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(aside):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(aside)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    graph.replay()
    return graph.replay


class Learner:
    """The network, its copy that acts, and the storage of (steps, slots) decisions."""

    def __init__(self, settings: Settings, tables: Tables, teacher: Net | None = None) -> None:
        self.settings, self.tables, self.device = settings, tables, settings.device
        on_gpu, kind = tables.on_gpu, tables.kind
        self.net, self.actor = (Net(tables.size, tables.decisions, settings.width, settings.depth).to(self.device) for _ in range(2))
        self.actor.to(kind).requires_grad_(False)
        self.teacher, self.earlier, self.imitator = (teacher or self.actor), copy.deepcopy(self.actor), copy.deepcopy(self.actor)
        self.theirs = tables.seats_of_others(settings.imitators)
        self.teacher.to(self.device, kind).requires_grad_(False)
        self.taught = torch.cat([torch.full((table.slots,), table.players == TAUGHT, device=self.device) for table in tables.tables])
        self.rate = torch.tensor(settings.rate, device=self.device)
        self.optimiser = torch.optim.AdamW(
            self.net.parameters(), lr=self.rate if on_gpu else settings.rate, eps=1e-5, weight_decay=0.0, capturable=on_gpu, fused=on_gpu
        )
        shape = (settings.steps, tables.slots)
        self.rows, self.legal = self.zeros(*shape, tables.size, kind=kind), self.zeros(*shape, tables.decisions, kind=torch.bool)
        self.decisions, self.labels = (self.zeros(*shape, kind=torch.int64) for _ in range(2))
        self.chances, self.values, self.known, self.advantages = (self.zeros(*shape) for _ in range(4))
        self.own = self.zeros(*shape, kind=torch.bool)  # not the imitator's
        self.seats, self.finished = self.zeros(*shape, kind=torch.int8), self.zeros(*shape, kind=torch.bool)
        self.rewards = self.zeros(*shape, tables.most)
        self.last_rows, self.last_seats = self.zeros(tables.slots, tables.size, kind=kind), self.zeros(tables.slots, kind=torch.int8)
        self.chosen = self.zeros(min(settings.minibatch, math.prod(shape)), kind=torch.int64)
        self.entropy, self.losses = self.zeros(()), self.zeros(4)
        self.updates = 0  # of this phase
        self.made: dict[str, Work] = {}
        self.refresh()

    def zeros(self, *shape: Any, kind: Any = torch.float32) -> torch.Tensor:
        return torch.zeros(*shape, dtype=kind, device=self.device)

    def refresh(self) -> None:
        """Let the network that acts be the one that has learned."""
        with torch.no_grad():
            for acting, learned in zip(self.actor.parameters(), self.net.parameters(), strict=True):
                acting.copy_(learned)

    @torch.no_grad()
    def remember(self, as_whom: Net) -> None:
        """Keep what it does now, as its earlier self or as the imitator of planners."""
        for kept, now in zip(as_whom.parameters(), self.actor.parameters(), strict=True):
            kept.copy_(now)

    def keep_to_itself(self) -> None:
        """From now on, `distil` keeps to what it does now, with every number of seats."""
        self.taught.fill_(False)
        self.remember(self.earlier)

    def forget_momentum(self) -> None:
        """Before another phase. Without momentum, first steps are as large as steps can be, so the rate grows from 0."""
        self.updates = 0
        for state in self.optimiser.state.values():
            for tensor in state.values():
                tensor.zero_()

    @torch.no_grad()
    def play(self) -> None:
        """Fill the storage, and find the advantages."""
        tables = self.tables
        for step in range(self.settings.steps):
            tables.look(self.rows[step], self.legal[step], self.seats[step])
            logits, self.values[step] = self.actor(self.rows[step])
            self.let_others_decide(step, logits)
            log_chances = masked(logits, self.legal[step])
            decisions = sampled(log_chances)
            self.decisions[step], self.chances[step] = decisions, log_chances.gather(1, decisions[:, None])[:, 0]
            tables.step(decisions, self.finished[step], self.rewards[step])
        tables.look(self.last_rows, None, self.last_seats)
        _, last = self.actor(self.last_rows)
        found, known = advantages(self.seats, self.finished, self.rewards, self.values, self.last_seats, last, self.settings.decay)
        self.advantages.copy_(found)
        self.known.copy_(known * self.own)

    def stagger(self) -> None:
        """Let games be at all stages: begin some of them again, some times."""
        for _ in range(STAGGER):
            self.run("play")
            self.tables.begin_some_again(1 / STAGGER)

    def let_others_decide(self, step: int, logits: torch.Tensor) -> None:
        """Where it is the imitator's turn, take its logits. Nothing is learned from its decisions."""
        other = self.theirs.gather(1, self.seats[step].long()[:, None])
        self.own[step] = ~other[:, 0]
        for part in self.tables.parts_of_others(self.settings.imitators):
            logits[part] = torch.where(other[part], self.imitator(self.rows[step][part])[0], logits[part])

    def of_minibatch(self, array: torch.Tensor) -> torch.Tensor:
        return array.flatten(0, 1)[self.chosen]

    def guess(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The chances of decisions in the minibatch, and its values."""
        with torch.autocast("cuda", torch.bfloat16, enabled=self.tables.on_gpu, cache_enabled=False):
            logits, values = self.net(self.of_minibatch(self.rows))
        return masked(logits, self.of_minibatch(self.legal)), values

    def value_loss(self, guess: torch.Tensor) -> torch.Tensor:
        weights, aim = self.of_minibatch(self.known), self.of_minibatch(self.values) + self.of_minibatch(self.advantages)
        return ((guess - aim).square() * weights).sum() / weights.sum()

    def clone(self) -> None:
        """Learn the labels of a minibatch."""
        log_chances, _ = self.guess()
        labels = self.of_minibatch(self.labels)
        met = (log_chances.argmax(1) == labels).float().mean()
        self.improve(nll_loss(log_chances, labels), torch.zeros_like(met), met)

    def distil(self) -> None:
        """Learn the teacher's chances where it knows the number of seats, and keep to its own earlier ones elsewhere."""
        log_chances, guess = self.guess()
        with torch.no_grad():
            rows, taught = self.of_minibatch(self.rows), self.taught[self.chosen % self.tables.slots]
            theirs = torch.where(taught[:, None], self.teacher(rows)[0], self.earlier(rows)[0])
            theirs = masked(theirs, self.of_minibatch(self.legal))
        met = (log_chances.argmax(1) == theirs.argmax(1)).float().mean()
        self.improve((theirs.exp() * (theirs - log_chances)).sum(1).mean(), self.value_loss(guess), met)

    def ppo(self) -> None:
        """Make decisions that turned out well more likely, but not by much at a time."""
        log_chances, guess = self.guess()
        weights, found = self.of_minibatch(self.known), self.of_minibatch(self.advantages)
        weights = weights / weights.sum()
        ratio = (log_chances.gather(1, self.of_minibatch(self.decisions)[:, None])[:, 0] - self.of_minibatch(self.chances)).exp()
        better = (found - (found * weights).sum()) / ((found.square() * weights).sum().sqrt() + 1e-6)
        policy_loss = -(torch.min(ratio * better, ratio.clamp(1 - CLIP, 1 + CLIP) * better) * weights).sum()
        entropy = -((log_chances.exp() * log_chances).sum(1) * weights).sum()
        self.improve(policy_loss - self.entropy * entropy, self.value_loss(guess), entropy)

    def improve(self, policy_loss: torch.Tensor, value_loss: torch.Tensor, noted: torch.Tensor) -> None:
        self.optimiser.zero_grad(set_to_none=True)
        (policy_loss + 0.5 * value_loss).backward()  # type: ignore[no-untyped-call]
        length = nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        self.losses.copy_(torch.stack([policy_loss.detach(), value_loss.detach(), noted.detach(), length.detach()]))

    def run(self, name: str) -> None:
        """Do what is named so; from the second time on, on a GPU, as a CUDA graph."""
        if name in self.made:
            self.made[name]()
        else:
            self.made[name] = captured(getattr(self, name), self.tables.on_gpu)

    def worth_learning(self) -> torch.Tensor:
        """The rows of the storage to learn from: its own; of decisions that were all but certain, which teach next to nothing, only some."""
        certain, kept = self.chances > math.log(CERTAIN), torch.rand(self.chances.shape, device=self.device) < KEPT
        return ((~certain | kept) & self.own).flatten().nonzero()[:, 0]

    def learn_from(self, rows: torch.Tensor, how: str, rate: float, epochs: int) -> None:
        """Go through rows of the storage in random order, minibatch by minibatch."""
        for _ in range(epochs):
            order = rows[torch.randperm(len(rows), device=self.device)]
            for first in range(0, len(rows) - len(self.chosen) + 1, len(self.chosen)):
                self.chosen.copy_(order[first : first + len(self.chosen)])
                self.set_rate(rate * min(1.0, (self.updates + 1) / WARM_UP))
                self.run(how)
                self.updates += 1
        self.refresh()

    def set_rate(self, rate: float) -> None:
        self.rate.fill_(rate)
        for group in () if self.tables.on_gpu else self.optimiser.param_groups:
            group["lr"] = rate
