"""What a bot is to Python: something that looks at a view and answers with a decision."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from branchline.bots.policies import POLICIES, THOUGHTS, decide
from branchline.bots.weights import weights_for
from branchline.errors import BranchlineError, IllegalDecision
from branchline.games import View


class BotError(BranchlineError):
    """There is no such bot."""


class Bot(Protocol):
    """Any object with a name and a `decide` can play."""

    name: str

    def decide(self, view: View) -> int:
        """One of `view.legal`."""


class PolicyBot:
    """A compiled policy as a bot."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = check_bot(name)
        self._policy = POLICIES[name]
        self._dice = np.array([seed & (1 << 64) - 1, 0, 0], np.uint64)
        self._thoughts: Any = np.zeros(1, THOUGHTS)
        self._game: str | None = None

    def decide(self, view: View) -> int:
        if view.viewer != view.seat:
            raise IllegalDecision(f"it is not for this seat to decide (the view is for {view.viewer}, seat {view.seat} decides)")
        if view.game.name != self._game:
            self._game = view.game.name
            self._thoughts["weights"] = weights_for(self._game)
        return int(decide(self._policy, view.game.board.records, view.records, view.mask, self._thoughts, self._dice))


def check_bot(name: str) -> str:
    if name not in POLICIES:
        raise BotError(f"there is no bot {name!r}; there are {', '.join(POLICIES)}")
    return name


def available_bots() -> tuple[str, ...]:
    return tuple(POLICIES)


def make_bot(name: str, seed: int = 0) -> Bot:
    """A bot by its name."""
    return PolicyBot(name, seed)
