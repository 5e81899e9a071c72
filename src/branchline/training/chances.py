"""Win chances: a small network that says from what a seat sees how likely each seat is to win, and how well it is calibrated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from branchline.boards import load_board
from branchline.play.observations.layout import layout_of, units_of
from branchline.training.exporting import export_net
from branchline.training.mixed import Positions
from branchline.training.network import Net, largest_hidden

PAD, SPREAD = 16, 0.1
HELD_BACK = 8  # one of that many games is kept for finding the best moment to stop, and the temperature
BINS = 10
LARGE = 8192  # positions at a time
FACTORS = [round(0.4 + 0.02 * step, 2) for step in range(51)]
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Fit:
    """How to learn chances."""

    width: int = 64
    depth: int = 2
    epochs: int = 4
    minibatch: int = 1024
    rate: float = 1e-3
    decay: float = 0.05  # of weights: with few games, small ones say what is general
    device: str = "cpu"
    seed: int = 1


def parts(rows: torch.Tensor, size: int = LARGE) -> list[torch.Tensor]:
    return [rows[first : first + size] for first in range(0, len(rows), size)]


class Chances:
    """A network for chances and what its inputs are normalised by."""

    def __init__(self, game: str, positions: Positions, fit: Fit) -> None:
        torch.manual_seed(fit.seed)
        self.game, self.fit, self.seats = game, fit, load_board(game).players[1]
        self.units = self.placed(units_of(game))
        sample = self.placed(positions.rows[:: max(1, len(positions.rows) // 20000)]).float() * self.units
        self.mean, self.scale = sample.mean(0), sample.std(0).clamp_min(SPREAD)
        self.present, self.factors = layout_of(game)["present"], dict[int, float]()
        self.net = Net(-(-len(self.mean) // PAD) * PAD, self.seats - 1, fit.width, fit.depth).to(fit.device)

    def placed(self, array: Any) -> torch.Tensor:
        return torch.as_tensor(np.ascontiguousarray(array), device=self.fit.device)

    def padded(self, rows: torch.Tensor) -> torch.Tensor:
        """Whole numbers as the network takes them."""
        numbers = (rows.float() * self.units - self.mean) / self.scale
        return nn.functional.pad(numbers, (0, -numbers.shape[1] % PAD))

    def logits(self, rows: torch.Tensor) -> torch.Tensor:
        """Of every place; absent seats have none."""
        places, last = self.net(self.padded(rows))
        there = self.present.of(rows) != 0
        return torch.cat([places, last[:, None]], 1).masked_fill(~there, -1e9)

    def loss(self, rows: torch.Tensor, shares: torch.Tensor) -> torch.Tensor:
        return -(torch.log_softmax(self.logits(rows), 1) * shares).sum(1).mean()

    def learn(self, positions: Positions) -> list[float]:
        """Learn, and keep the weights that do best on games held back. Returns the losses on those."""
        held = positions.games % HELD_BACK == 0
        rows, shares, theirs, their_shares = map(
            self.placed, (positions.rows[~held], positions.shares[~held], positions.rows[held], positions.shares[held])
        )
        fit, losses, best = self.fit, list[float](), dict[str, Any]()
        optimiser = torch.optim.AdamW(self.net.parameters(), lr=fit.rate, weight_decay=fit.decay)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, fit.rate, total_steps=fit.epochs * -(-len(rows) // fit.minibatch) + 1)
        for _ in range(fit.epochs):
            for part in parts(torch.randperm(len(rows), device=fit.device), fit.minibatch):
                optimiser.zero_grad()
                self.loss(rows[part], shares[part]).backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                optimiser.step()
                schedule.step()
            losses.append(self.held_back(theirs, their_shares))
            if losses[-1] == min(losses):
                best = {name: tensor.clone() for name, tensor in self.net.state_dict().items()}
        self.net.load_state_dict(best)
        self.cool(theirs, their_shares)
        return losses

    @torch.no_grad()
    def held_back(self, rows: torch.Tensor, shares: torch.Tensor) -> float:
        losses = [float(self.loss(*part)) * len(part[0]) for part in zip(parts(rows), parts(shares), strict=True)]
        return sum(losses) / max(1, len(rows))

    @torch.no_grad()
    def cool(self, rows: torch.Tensor, shares: torch.Tensor) -> None:
        """For each number of seats, find the temperature at which chances fit the games held back."""
        logits, seats = torch.cat([self.logits(part) for part in parts(rows)]), self.players_in(rows)
        for players in sorted(set(seats.tolist())):
            self.factors[players] = best_factor(logits[seats == players], shares[seats == players])

    def players_in(self, rows: torch.Tensor) -> torch.Tensor:
        there: torch.Tensor = self.present.of(rows) != 0
        return there.sum(1)

    @torch.no_grad()
    def of(self, rows: Array) -> Array:
        """(n, seats) the chances."""
        found: Array = torch.cat([torch.softmax(self.cooled(part), 1) for part in parts(self.placed(rows))]).cpu().numpy()
        return found

    def cooled(self, rows: torch.Tensor) -> torch.Tensor:
        factors = torch.tensor([self.factors.get(players, 1.0) for players in range(self.seats + 1)], device=self.fit.device)
        return self.logits(rows) * factors[self.players_in(rows)][:, None]

    def export(self, positions: Positions, path: Path, players: tuple[int, ...]) -> None:
        sample = self.padded(self.placed(positions.rows[:: max(1, len(positions.rows) // 4096)]))
        weights = {name: tensor.detach().cpu() for name, tensor in self.net.state_dict().items()}
        saved = {"net": weights, "mean": self.mean.cpu(), "scale": self.scale.cpu(), "depth": self.fit.depth}
        factors = {str(number): factor for number, factor in self.factors.items()}
        export_net({**saved, "largest": largest_hidden(self.net, sample)}, self.game, players, self.seats, path, factors=factors)


def best_factor(logits: torch.Tensor, shares: torch.Tensor) -> float:
    """The factor of logits that makes what came of them likeliest."""
    losses = [float(-(torch.log_softmax(logits * factor, 1) * shares).sum()) for factor in FACTORS]
    return FACTORS[int(np.argmin(losses))]


def calibration(chances: Array, shares: Array, players: int) -> list[dict[str, float]]:
    """Ten bins of chances: how many, the mean chance, and the mean share of the win that came of them."""
    said, came = chances[:, :players].ravel(), shares[:, :players].ravel()
    which = np.minimum((said * BINS).astype(np.int64), BINS - 1)
    bins = [(said[which == number], came[which == number]) for number in range(BINS)]
    return [{"positions": len(one), "said": float(one.mean()), "came": float(other.mean())} for one, other in bins if len(one)]
