"""Where names go: the best of sixteen slots around the dot and, in each language, as close to the dot as its box allows."""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.boards.sizes import CITY_RADIUS, OFF_OTHER_DOTS
from branchline.design.layout.placing.plan import Plan
from branchline.design.layout.placing.tracing import RADII, Drawing

Array = np.ndarray[Any, Any]
AWAY = CITY_RADIUS + 2.6
# Direction of a slot (1: next to the dot or above it; 0.8: over a corner) and its penalty.
SLOTS = [
    (1, 0, 0.0),
    (-1, 0, 0.5),
    (0, -1, 1.0),
    (0, 1, 1.0),
    (0.8, -0.8, 0.7),
    (-0.8, -0.8, 1.2),
    (0.8, 0.8, 0.7),
    (-0.8, 0.8, 1.2),
    (1, -0.5, 0.3),
    (1, 0.5, 0.3),
    (-1, -0.5, 0.8),
    (-1, 0.5, 0.8),
    (0.45, -1, 1.0),
    (-0.45, -1, 1.0),
    (0.45, 1, 1.0),
    (-0.45, 1, 1.0),
]
STAY = -12.0  # a name keeps its place unless another is clearly better


def slot_offset(x: float, y: float, half: Array) -> tuple[float, float]:
    if abs(x) == 1:
        return x * (half[0] + AWAY), y * 1.6 * half[1]
    if abs(y) == 1:
        return x * 1.4 * half[0], y * (half[1] + AWAY)
    return x / 0.8 * (half[0] + 0.6 * AWAY), y / 0.8 * (half[1] + 0.6 * AWAY)


def to_box(points: Array, middle: Array, half: Array) -> Array:
    away = np.abs(points - middle) - half
    return np.hypot(*np.maximum(away, 0).T) + np.minimum(away.max(-1), 0)


class Placing:
    """Choose slots for all names, one name after the other, until none moves."""

    def __init__(self, plan: Plan, drawing: Drawing, current: Array | None) -> None:
        self.plan = plan
        self.cities = np.array(drawing.cities)
        self.discs = np.array(drawing.discs).reshape(-1, 2)
        self.radii = np.tile(RADII, len(drawing.discs))
        offsets = [[slot_offset(x, y, half) for x, y, _ in SLOTS] for half in plan.half]
        self.offsets = np.array(offsets)
        self.dislike = np.array([4 * dislike for *_, dislike in SLOTS])
        if current is not None:
            self.offsets = np.concatenate([self.offsets, current[:, None]], 1)
            self.dislike = np.append(self.dislike, STAY)
        self.costs = np.array([[self.cost(city, slot) for slot in range(len(self.dislike))] for city in range(plan.cities)])
        self.neighbours = [self.near(city) for city in range(plan.cities)]

    def cost(self, city: int, slot: int) -> float:
        """The cost of a slot on its own: spaces, other cities' dots, the frame."""
        middle, half = self.cities[city] + self.offsets[city, slot], self.plan.half[city]
        spaces = (np.maximum(self.radii + 1.8 - to_box(self.discs, middle, half), 0) ** 2).sum()
        dots = (np.maximum(CITY_RADIUS + OFF_OTHER_DOTS - np.delete(to_box(self.cities, middle, half), city), 0) ** 2).sum()
        outside = np.maximum(half + 5 - middle, 0).sum() + np.maximum(middle + half + 5 - self.plan.frame, 0).sum()
        return 0.3 * spaces + 4 * dots + 200 * outside + self.dislike[slot]

    def near(self, city: int) -> list[int]:
        reach = 2 * (self.plan.half[city] + self.plan.half) + 30
        near = (np.abs(self.cities - self.cities[city]) < reach).all(1) & (self.plan.named > 0)
        return [int(other) for other in np.nonzero(near)[0] if other != city]

    def clash(self, city: int, slot: int, other: int, taken: int) -> float:
        one, two = self.cities[city] + self.offsets[city, slot], self.cities[other] + self.offsets[other, taken]
        away = np.abs(one - two) - self.plan.half[city] - self.plan.half[other]
        return 60 * min(max(3 - away[0], 0), max(2 - away[1], 0))

    def choose(self, rng: np.random.Generator) -> Array:
        taken = self.costs.argmin(1)
        for _ in range(30):
            before = taken.copy()
            for city in rng.permutation(self.plan.cities):
                clashes = [sum(self.clash(city, slot, other, taken[other]) for other in self.neighbours[city]) for slot in range(len(self.dislike))]
                totals = self.costs[city] + clashes
                if totals.min() < totals[taken[city]] - 1e-9:
                    taken[city] = int(totals.argmin())
            if (taken == before).all():
                break
        return self.offsets[np.arange(self.plan.cities), taken]


def place_names(plan: Plan, drawing: Drawing, current: Array | None, rng: np.random.Generator) -> Array:
    return Placing(plan, drawing, current).choose(rng)


def beside_dot(dot: Array, middle: Array, room: Array, size: Array) -> tuple[Array, str]:
    """The middle of one language's box inside the room kept for all languages, and how its lines are aligned: nearest to the dot."""
    slack = np.maximum(room - size, 0) / 2
    place = np.clip(dot, middle - slack, middle + slack)
    side = dot[0] - place[0]
    anchor = "start" if side < -size[0] / 2 else "end" if side > size[0] / 2 else "middle"
    return place, anchor
