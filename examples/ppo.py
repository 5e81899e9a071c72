"""PPO by self-play on `Batch`, in one file: one network plays all seats, on a GPU or on the CPU.

    python examples/ppo.py --game london --device cuda --seconds 60 --clone 8     # beats `planner` within a minute of an H200
    python examples/ppo.py --game london --device cpu --seconds 1500 --slots 512  # on a CPU

What it learned is written to --out, and `Trained` below plays it as a bot:

    PPO_WEIGHTS=ppo.pt branchline arena examples.ppo:Trained planner --game london

The network, advantages seat by seat and CUDA graphs come from `branchline.training`. The recipe and what mattered in it: docs/training.md.
"""

from __future__ import annotations

import argparse
import math
import os
import time

import numpy as np
import torch
from torch import nn
from torch.nn.functional import nll_loss

from branchline.batch import Batch, Rewards, observation
from branchline.training.advantages import advantages
from branchline.training.learning import captured
from branchline.training.network import Net, masked, sampled

SPREAD = 0.1  # numbers that hardly change are not blown up: the least scale by which one is divided


class Games:
    """A batch and its arrays as tensors that share its memory."""

    def __init__(self, arguments: argparse.Namespace, games: int, seed: int, opponents: list | None = None, statistics: tuple | None = None) -> None:
        on_gpu = arguments.device == "cuda"
        dtype = "bfloat16" if on_gpu and statistics else "float32"
        self.batch = Batch(
            arguments.game, games, arguments.players, device=arguments.device, seed=seed, opponents=opponents, packed=True, pad=16, dtype=dtype
        )
        if statistics:
            self.batch.normalise(*statistics)
        share = (lambda array: torch.as_tensor(array, device="cuda")) if on_gpu else torch.from_numpy
        self.seats, self.legal, self.finished = share(self.batch.seats), share(self.batch.legal), share(self.batch.finished)
        self.rewards, self.shares = share(self.batch.rewards), share(self.batch.shares)
        self.share, self.on_gpu = share, on_gpu
        self.rows = torch.zeros(self.batch.observation_shape, dtype=torch.bfloat16 if dtype == "bfloat16" else torch.float32, device=arguments.device)

    def observe(self, out: torch.Tensor) -> torch.Tensor:
        self.batch.observe(out if self.on_gpu else out.numpy())
        return out

    def ask(self, bot: str, out: torch.Tensor) -> torch.Tensor:
        self.batch.ask(bot, out=out if self.on_gpu else out.numpy())
        return out

    def step(self, decisions: torch.Tensor) -> None:
        """Unchecked: the decisions come from a masked distribution, and a check would make the GPU wait."""
        self.batch.step(decisions if self.on_gpu else decisions.numpy(), check=False)


def statistics_of(arguments: argparse.Namespace) -> tuple[np.ndarray, np.ndarray]:
    """Mean and scale of each number of an observation, when planners play with some random decisions."""
    games = Games(arguments, min(arguments.slots, 2048), seed=99)
    size, total, squares, steps = games.batch.observation_size, 0.0, 0.0, 160
    labels = torch.zeros(len(games.batch), dtype=torch.int64, device=arguments.device)
    for step in range(steps):
        rows = games.observe(games.rows)[:, :size].double()
        total, squares = total + rows.mean(0) / steps, squares + rows.square().mean(0) / steps
        games.step(games.share(games.batch.sample()) if step % 8 == 0 else games.ask("planner", labels))
    scale = (squares - total.square()).clamp_min(0).sqrt().clamp_min(SPREAD)
    return total.float().cpu().numpy(), scale.float().cpu().numpy()


class Trainer:
    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments, self.device = arguments, arguments.device
        self.statistics = statistics_of(arguments)
        self.games = Games(arguments, arguments.slots, arguments.seed, statistics=self.statistics)
        size, decisions = self.games.rows.shape[1], self.games.legal.shape[1]
        self.net, self.actor = (Net(size, decisions, arguments.width, arguments.depth).to(self.device) for _ in range(2))
        self.actor.to(self.games.rows.dtype).requires_grad_(False)
        self.rate = torch.tensor(arguments.rate, device=self.device)
        on_gpu = self.games.on_gpu
        self.optimiser = torch.optim.AdamW(
            self.net.parameters(), lr=self.rate if on_gpu else arguments.rate, eps=1e-5, weight_decay=0.0, capturable=on_gpu
        )
        shape, zeros = (arguments.steps, arguments.slots), lambda *more, kind=torch.float32: torch.zeros(*more, dtype=kind, device=self.device)
        self.rows = zeros(*shape, size, kind=self.games.rows.dtype)
        self.legal, self.decisions, self.labels = (
            zeros(*shape, decisions, kind=torch.bool),
            zeros(*shape, kind=torch.int64),
            zeros(*shape, kind=torch.int64),
        )
        self.chances, self.values, self.known, self.advantages = (zeros(*shape) for _ in range(4))
        self.seats, self.finished, self.rewards = zeros(*shape, kind=torch.int8), zeros(*shape, kind=torch.bool), zeros(*shape, arguments.players)
        self.chosen, self.entropy, self.losses = zeros(min(arguments.minibatch, math.prod(shape)), kind=torch.int64), zeros(()), zeros(3)
        self.own = torch.arange(arguments.slots, device=self.device) % 2 == 0  # while cloning: slots that go on with the network's decisions
        self.made: dict[str, object] = {}
        self.refresh()

    def refresh(self) -> None:
        """Let the network that acts be the one that has learned."""
        with torch.no_grad():
            for acting, learned in zip(self.actor.parameters(), self.net.parameters(), strict=True):
                acting.copy_(learned)

    @torch.no_grad()
    def play(self, cloning: bool) -> None:
        """Fill the storage, and find the advantages."""
        games = self.games
        for step in range(self.arguments.steps):
            logits, self.values[step] = self.actor(games.observe(self.rows[step]))
            log_chances = masked(logits, games.legal)
            decisions = sampled(log_chances)
            self.decisions[step], self.chances[step] = decisions, log_chances.gather(1, decisions[:, None])[:, 0]
            self.legal[step], self.seats[step] = games.legal, games.seats
            if cloning:
                decisions = torch.where(self.own, decisions, games.ask("planner", self.labels[step]))
            games.step(decisions)
            self.finished[step], self.rewards[step] = games.finished, games.rewards
        _, last = self.actor(games.observe(games.rows))
        found, known = advantages(self.seats, self.finished, self.rewards, self.values, games.seats, last, self.arguments.decay)
        self.advantages.copy_(found)
        self.known.copy_(known)

    def update(self, cloning: bool) -> None:
        """One minibatch: the rows that `chosen` names."""
        flat = lambda array: array.flatten(0, 1)[self.chosen]  # noqa: E731
        weights, values, found = flat(self.known), flat(self.values), flat(self.advantages)
        weights = weights / weights.sum()
        with torch.autocast("cuda", torch.bfloat16, enabled=self.games.on_gpu, cache_enabled=False):
            logits, guess = self.net(flat(self.rows))
        log_chances = masked(logits, flat(self.legal))
        value_loss = ((guess - values - found).square() * weights).sum()
        if cloning:
            policy_loss, entropy = nll_loss(log_chances, flat(self.labels)), torch.zeros((), device=self.device)
        else:
            ratio = (log_chances.gather(1, flat(self.decisions)[:, None])[:, 0] - flat(self.chances)).exp()
            better = (found - (found * weights).sum()) / ((found.square() * weights).sum().sqrt() + 1e-6)
            policy_loss = -(torch.min(ratio * better, ratio.clamp(0.8, 1.2) * better) * weights).sum()
            entropy = -((log_chances.exp() * log_chances).sum(1) * weights).sum()
        self.optimiser.zero_grad(set_to_none=True)
        (policy_loss - self.entropy * entropy + 0.5 * value_loss).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        self.losses.copy_(torch.stack([policy_loss.detach(), value_loss.detach(), entropy.detach()]))

    def run(self, name: str, cloning: bool) -> None:
        """`play` or `update`; from the second time on as a CUDA graph."""
        key = f"{name} {cloning}"
        if key not in self.made:
            self.made[key] = captured(lambda: getattr(self, name)(cloning), self.games.on_gpu)
        else:
            self.made[key]()

    def iterate(self, cloning: bool, left: float) -> None:
        """Play, then learn from it twice; `left` is the share of time that is left."""
        arguments = self.arguments
        rate, entropy = (1e-4 + 9e-4 * left, 0.0) if cloning else (arguments.rate * (0.05 + 0.95 * left), arguments.entropy * (0.1 + 0.9 * left))
        self.rate.fill_(rate)
        self.entropy.fill_(entropy)
        for group in () if self.games.on_gpu else self.optimiser.param_groups:
            group["lr"] = rate
        self.games.batch.weigh(Rewards(win=1 - 0.5 * left, margin=0.5 * left, scale=arguments.margin))
        self.run("play", cloning)
        for _ in range(1 if cloning else 2):
            order = torch.randperm(self.known.numel(), device=self.device)
            for first in range(0, len(order) - len(self.chosen) + 1, len(self.chosen)):
                self.chosen.copy_(order[first : first + len(self.chosen)])
                self.run("update", cloning)
        self.refresh()

    def train(self) -> None:
        arguments, began, said, iterations, clock = self.arguments, time.monotonic(), 0.0, 0, 0.0
        while clock < arguments.seconds and iterations < arguments.iterations:
            cloning = clock < arguments.clone
            end, start = (arguments.clone, 0.0) if cloning else (arguments.seconds, arguments.clone)
            self.iterate(cloning, max(0.0, 1 - (clock - start) / (end - start)))
            policy, value, entropy = self.losses.tolist()  # waits for the GPU
            clock, iterations = time.monotonic() - began, iterations + 1
            if clock - said > arguments.every or iterations == 1:
                said, speed = clock, iterations * self.known.numel() / clock / 1e6
                losses = f"policy {policy:7.4f}  value {value:.4f}  entropy {entropy:.3f}"
                print(f"{clock:6.1f} s  {'cloning' if cloning else 'PPO':7}  {losses}  {speed:.2f} M decisions/s", flush=True)

    @torch.no_grad()
    def win_rate(self, bot: str, games: int) -> tuple[float, float]:
        """The network's share of wins against a bot on all other seats, with half of a 95 % interval: first games only, every seat in turn."""
        players = self.arguments.players
        rows = [[None if place == seat else bot for place in range(players)] for seat in range(players)]
        table = Games(self.arguments, games, seed=123, opponents=[rows[game % players] for game in range(games)], statistics=self.statistics)
        yours = (torch.arange(games, device=self.device) % players)[:, None]
        won, over = torch.zeros(games, device=self.device), torch.zeros(games, dtype=torch.bool, device=self.device)
        while not over.all():
            logits, _ = self.actor(table.observe(table.rows))
            table.step(masked(logits, table.legal).argmax(1))
            won += torch.where(table.finished & ~over, table.shares.gather(1, yours)[:, 0], 0.0)
            over |= table.finished
        return won.mean().item(), 1.96 * won.std().item() / math.sqrt(games)

    def save(self, path: str) -> None:
        shape = {name: getattr(self.arguments, name) for name in ("width", "depth", "game", "players")}
        torch.save({"net": self.net.state_dict(), "mean": self.statistics[0], "scale": self.statistics[1], **shape}, path)


class Trained:
    """What was trained, as a bot: it looks at one view at a time."""

    name = "trained"

    def __init__(self, path: str | None = None) -> None:
        saved = torch.load(path or os.environ.get("PPO_WEIGHTS", "ppo.pt"), weights_only=False, map_location="cpu")
        self.mean, self.scale, weights = saved["mean"], saved["scale"], saved["net"]
        self.padding = weights["first.weight"].shape[1] - len(self.mean)
        self.net, self.weights = None, (weights, saved["width"], saved["depth"])

    @torch.no_grad()
    def decide(self, view) -> int:
        if self.net is None:
            weights, width, depth = self.weights
            self.net = Net(len(self.mean) + self.padding, len(view.game.decisions), width, depth)
            self.net.load_state_dict(weights)
        row = np.pad((observation(view, packed=True) - self.mean) / self.scale, (0, self.padding))
        logits = self.net(torch.from_numpy(row)[None])[0][0]
        return max(view.legal, key=lambda decision: float(logits[decision]))


def arguments_of(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="PPO by self-play")
    parser.add_argument("--game", default="london")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", choices=["cpu", "cuda"])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--clone", type=float, default=0.0, metavar="SECONDS", help="imitate planner first, for that long")
    parser.add_argument("--slots", type=int, default=65536, help="games side by side")
    parser.add_argument("--steps", type=int, default=32, help="steps between updates")
    parser.add_argument("--minibatch", type=int, default=32768)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--rate", type=float, default=5e-4, help="of learning; it falls to a twentieth")
    parser.add_argument("--entropy", type=float, default=0.01, help="how much variety is worth; it falls to a tenth")
    parser.add_argument("--decay", type=float, default=0.95, help="lambda of the advantages")
    parser.add_argument("--margin", type=float, default=20.0, help="points that count as a clear win, at first")
    parser.add_argument("--iterations", type=int, default=10**9)
    parser.add_argument("--every", type=float, default=10.0, metavar="SECONDS", help="say how it goes")
    parser.add_argument("--games", type=int, default=4096, help="to measure the result with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="ppo.pt")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> None:
    arguments = arguments_of(words)
    torch.manual_seed(arguments.seed)
    trainer = Trainer(arguments)
    trainer.train()
    trainer.save(arguments.out)
    for bot in ("planner", "greedy", "random"):
        mean, half = trainer.win_rate(bot, arguments.games)
        print(f"wins {100 * mean:.1f} ± {100 * half:.1f} % against {bot} ({arguments.games:,} games)")


if __name__ == "__main__":
    main()
