"""Generalised advantages, seat by seat."""

from __future__ import annotations

from typing import Any

import torch


def advantages(
    seats: Any, finished: Any, rewards: Any, values: Any, last_seats: Any, last_values: Any, decay: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """What follows a decision is what the same seat sees at its own next one, or the end of the game.

    Tensors are (steps, slots), rewards (steps, slots, seats). Returns advantages, and 1 where they are known: a seat's last decision in the storage
    has no successor.
    """
    steps, games, players = rewards.shape
    value, ahead, earned, known = (torch.zeros(games, players, device=values.device) for _ in range(4))
    value.scatter_(1, last_seats.long()[:, None], last_values[:, None])
    known.scatter_(1, last_seats.long()[:, None], 1.0)
    found, weights = torch.zeros_like(values), torch.zeros_like(values)
    for step in reversed(range(steps)):
        over = finished[step][:, None]
        value, ahead = value.masked_fill(over, 0), ahead.masked_fill(over, 0)
        earned, known = earned.masked_fill(over, 0) + rewards[step], known.masked_fill(over, 1)
        seat = seats[step].long()[:, None]
        now, then, coming, there = (array.gather(1, seat)[:, 0] for array in (earned, value, ahead, known))
        weights[step] = there
        found[step] = (now + then - values[step] + decay * coming) * there
        value, ahead = value.scatter(1, seat, values[step][:, None]), ahead.scatter(1, seat, found[step][:, None])
        earned, known = earned.scatter(1, seat, 0), known.scatter(1, seat, 1)
    return found, weights
