"""What all environments share: the spaces of observations and decisions, masks, rewards, and how agents are called."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from gymnasium import spaces

from branchline.batch.observations import observation
from branchline.boards.folders import kept_per_board
from branchline.errors import GameOptionError
from branchline.play.games import Game, State, View
from branchline.play.observations.layout import bounds_of

Array = np.ndarray[Any, Any]
Observation = dict[str, Array]


class Decisions(spaces.Discrete):
    """The numbers of decisions. Choosing at random among the legal ones takes a tenth of the time that Gymnasium's own space takes."""

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is None or probability is not None:
            return super().sample(mask, probability)
        legal = mask.nonzero()[0]
        return legal[int(self.np_random.random() * len(legal))] if len(legal) else self.start


def agent_of(seat: int) -> str:
    return f"seat_{seat}"


@kept_per_board
def observation_box(game: str) -> spaces.Box:
    low, high = bounds_of(game)
    return spaces.Box(low, high, dtype=np.float32)


def observation_space(game: Game, more: int = 0) -> spaces.Dict:
    """An observation and the mask of legal actions, of which there may be more than decisions."""
    mask = spaces.Box(0, 1, (len(game.decisions) + more,), np.int8)
    low_and_high = observation_box(game.name)
    return spaces.Dict({"observation": spaces.Box(low_and_high.low, low_and_high.high, dtype=np.float32), "action_mask": mask})


def mask_of(view: View, size: int) -> Array:
    """The legal decisions, one number each: 1 if it is legal."""
    mask = np.zeros(size, np.int8)
    mask[view.legal] = 1
    return mask


def observed(view: View) -> Observation:
    return {"observation": observation(view), "action_mask": mask_of(view, len(view.game.decisions))}


def rewards_of(state: State) -> list[float]:
    """What each seat earns: 1 for winning alone, -1 shared by the others. Winners who cannot be told apart share; the sum is 0."""
    if not state.is_over:
        return [0.0] * len(state.seats)
    winners, players = state.result["winners"], len(state.seats)
    shares = [(seat in winners) / len(winners) for seat in state.seats]
    return [(share * players - 1) / (players - 1) for share in shares]


ILLEGAL = ("lose", "raise")
LOST = -1.0  # the reward of an illegal action


def checked_illegal(illegal: str) -> str:
    """What becomes of an illegal action: it ends the game and counts as lost, or it raises IllegalDecision and changes nothing."""
    if illegal not in ILLEGAL:
        raise GameOptionError(f"illegal must be one of {', '.join(ILLEGAL)}, not {illegal!r}")
    return illegal


class Seeds:
    """The seeds of an environment's games: with a seed the same games again, without one other games each time."""

    def __init__(self) -> None:
        self._rng = random.Random()

    def next(self, seed: int | None) -> int:
        if seed is not None:
            self._rng = random.Random(seed)
        return self._rng.getrandbits(64)


def started(state: State | None) -> State:
    if state is None:
        raise GameOptionError("the environment has no game yet: call reset() first")
    return state
