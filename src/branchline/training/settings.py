"""What a training run is told."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Settings:
    """All options of a run. What falls in the course of it, falls with the share of the time that is left."""

    game: str
    players: tuple[int, ...] = (2,)  # the numbers of seats to learn, with one network for all of them
    device: str = "cpu"
    seconds: float = 600.0  # of training in all
    width: int = 768
    depth: int = 3
    slots: int = 65536  # games side by side, over all numbers of seats
    steps: int = 48  # steps between updates
    minibatch: int = 32768
    epochs: int = 2
    rate: float = 5e-4  # of learning
    rate_left: float = 0.05  # the share of it that is left in the end
    entropy: float = 0.01  # what variety is worth
    entropy_left: float = 0.1
    margin: float = 0.5  # the share of the margin in the reward; it is 0 in the last 30 % of the time
    decay: float = 0.95  # lambda of the advantages
    first_share: float = 0.5  # of the slots, for the first number of seats
    imitators: float = 0.0  # of the slots with more than two seats, and a quarter of it with two: all seats but one are an imitator's of the planner
    passes: int = 3  # over the lessons
    distil: float = 0.0  # seconds of learning from a teacher
    value_first: int = 5  # iterations in which only the value changes
    lesson_slots: int = 2048  # games of planners to learn from, for each number of seats
    lesson_steps: int = 640
    seed: int = 1

    def shown(self) -> dict[str, Any]:
        return asdict(self)

    def shares(self) -> dict[int, int]:
        """How many slots each number of seats has: the first its share, and of the others even numbers twice as many as odd ones."""
        weights = {number: 2 - number % 2 for number in self.players[1:]}
        left = self.slots - int(self.slots * self.first_share)
        rest = {number: left * weight // sum(weights.values()) for number, weight in weights.items()}
        return {self.players[0]: self.slots - sum(rest.values()), **rest}
