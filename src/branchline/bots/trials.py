"""How each candidate did in the imagined worlds, and what follows from that."""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_WORLDS = 4096
WIN_SHARE = 0.5  # the share of winning in a candidate's value; the rest is the margin, which says more with fewer worlds
FAITH = 0.01  # another decision must be better than the first by this much
CAUTION = 0.5  # and by this many standard errors
WORLDS_EACH = 24  # worlds wanted per candidate: with little time, fewer candidates are considered
FEWEST = 3  # candidates, however little time there is
DOUBT = 2.0  # standard errors below the best at which a candidate is dropped
FIRST_LOOK = 8  # worlds before the first is dropped


class Trials:
    """Wins and margins of candidates, world by world: the same worlds for all, so that the comparison is fair."""

    def __init__(self, candidates: int, caution: float = CAUTION) -> None:
        self.caution = caution
        self.wins = np.zeros((candidates, MOST_WORLDS), np.float32)
        self.margins = np.zeros((candidates, MOST_WORLDS), np.float32)
        self.active = np.ones(candidates, np.bool_)
        self.tried = np.zeros(candidates, np.int64)  # in how many worlds
        self.worlds = 0

    def advance(self, worlds: int) -> None:
        """Note that this many worlds have been tried, with every active candidate in each."""
        self.worlds = worlds
        self.tried[self.active] = worlds

    def values(self) -> Any:
        """From 0 to 1, per candidate and world. How much a margin counts depends on how large margins are."""
        wins, margins = self.wins[:, : self.worlds], self.margins[:, : self.worlds]
        usual = np.sqrt(np.mean(margins[self.active] ** 2)) + 1
        return WIN_SHARE * wins + (1 - WIN_SHARE) * (0.5 + 0.5 * np.tanh(margins / usual))

    def means(self) -> Any:
        """The mean value of each active candidate; the first is the planner's or the network's choice, and gets the benefit of the doubt."""
        means = self.values().mean(axis=1)
        means[0] += FAITH
        return np.where(self.active, means, -1.0)

    def best(self) -> int:
        return int(np.argmax(self.means())) if self.worlds else 0

    def choice(self) -> int:
        """The candidate to decide on: the first, unless another is clearly better."""
        if self.worlds == 0:
            return 0
        if not self.active[0]:
            return self.best()
        values = self.values()
        errors = (values - values[0]).std(axis=1) / np.sqrt(self.worlds)
        return int(np.argmax(self.means() - self.caution * errors))

    def look_at_few(self, playouts: float) -> None:
        """Leave out the candidates that this many play-outs have no time for; the likely ones come first."""
        self.active[max(FEWEST, int(playouts / WORLDS_EACH)) :] = False

    def give_up_the_worse(self) -> None:
        """Keep only those that may still be best."""
        if self.worlds >= FIRST_LOOK:
            values, means, best = self.values(), self.means(), self.best()
            errors = (values[best] - values).std(axis=1) / np.sqrt(self.worlds)
            self.active &= means >= means[best] - DOUBT * errors

    @property
    def decided(self) -> bool:
        return int(self.active.sum()) == 1 or self.worlds == MOST_WORLDS

    def report(self, place: int) -> dict[str, Any]:
        """What is known about one candidate."""
        tried = int(self.tried[place])
        if tried == 0:
            return {"worlds": 0}
        wins, margins = self.wins[place, :tried], self.margins[place, :tried]
        return {"worlds": tried, "wins": round(float(wins.mean()), 4), "margin": round(float(margins.mean()), 2)}
