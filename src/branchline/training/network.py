"""The network: residual layers, and one head for the logits of all decisions and the value."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn
from torch.nn.functional import relu


class Net(nn.Module):
    def __init__(self, size: int, decisions: int, width: int, depth: int) -> None:
        super().__init__()
        self.decisions = decisions
        self.first = nn.Linear(size, width)
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth - 1))
        self.head = nn.Linear(width, -(-(decisions + 1) // 8) * 8)  # tensor cores like multiples of 8
        for layer in (self.first, *self.layers):
            nn.init.orthogonal_(layer.weight, math.sqrt(2))
        nn.init.orthogonal_(self.head.weight, 0.01)
        for layer in (self.first, *self.layers, self.head):
            nn.init.zeros_(layer.bias)

    def forward(self, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = relu(self.first(rows))
        for layer in self.layers:
            hidden = hidden + relu(layer(hidden))
        out = self.head(hidden).float()
        return out[:, : self.decisions], out[:, self.decisions]


def net_of(saved: dict[str, Any]) -> Net:
    """The network of a checkpoint."""
    weights = saved["net"]
    width, size = weights["first.weight"].shape
    net = Net(size, saved["decisions"], width, saved["depth"])
    net.load_state_dict(weights)
    return net


@torch.no_grad()
def renormalised(net: Net, theirs: tuple[Any, Any], ours: tuple[Any, Any]) -> Net:
    """A network for observations with our mean and scale instead of those it learned with."""
    mean, scale = (torch.as_tensor(array) for array in theirs)
    our_mean, our_scale = (torch.as_tensor(array) for array in ours)
    size, weights = len(mean), net.first.weight
    net.first.bias.add_(weights[:, :size] @ ((our_mean - mean) / scale))
    weights[:, :size].mul_(our_scale / scale)
    return net


@torch.no_grad()
def largest_hidden(net: Net, rows: torch.Tensor) -> float:
    """The largest number inside the network on some observations."""
    hidden = relu(net.first(rows))
    for layer in net.layers:
        hidden = hidden + relu(layer(hidden))
    return float(hidden.max())


def masked(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """The logarithms of the chances of legal decisions."""
    return torch.log_softmax(logits.masked_fill(~legal, -1e9), 1)


def sampled(log_chances: torch.Tensor) -> torch.Tensor:
    """A decision by its chances: each waits a random time, and the first comes."""
    return (log_chances.exp() / torch.empty_like(log_chances).exponential_()).argmax(1)
