"""The bot `learned`: a network that learned by playing against itself (`training/`). It needs no PyTorch: it reckons in whole numbers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from branchline.bots.base import PolicyBot
from branchline.bots.compiled.network import FRACTION, OUTPUTS, ROOM, SCALE_BITS, TABLE, scores_of
from branchline.bots.networks import Network, network_for
from branchline.compiling import direct
from branchline.play.games import Game, View
from branchline.rules.board import BOARD
from branchline.rules.state import STATE

SHOWN = 0.01  # decisions that are less likely are not listed
Array = np.ndarray[Any, Any]


@cache
def caller() -> Any:
    """`scores_of`, for arguments of these types."""
    return direct(scores_of, 0, 0, np.zeros(1, BOARD), np.zeros(1, STATE), np.zeros(1, np.int64))


def outputs_of(network: Network, view: View) -> Array:
    """What a network makes of a view, as real numbers: logits of all decisions, and the value."""
    table = np.frombuffer(network.memory, np.int64, TABLE, network.address - network.memory.ctypes.data)
    scores = np.zeros(int(table[OUTPUTS]), np.int64)
    room = np.zeros(ROOM // 8 + 1, np.int64)
    caller()(network.address, room.ctypes.data, view.game.board.records, view.records, scores)
    return scores / float(1 << SCALE_BITS + int(table[FRACTION]))


def chances_of(logits: Array) -> Array:
    grown = np.exp(logits - logits.max())
    chances: Array = grown / grown.sum()
    return chances


class LearnedBot(PolicyBot):
    """Decides as it learned to by playing against itself."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__("learned", seed)

    def new_game(self, game: Game, seat: int) -> None:
        network_for(game.name, game.players)
        super().new_game(game, seat)

    def _choose(self, view: View) -> Any:
        network_for(view.game.name, view.game.players)
        return super()._choose(view)

    def explain(self, view: View) -> dict[str, Any]:
        """The decisions it considered, the likeliest first, with the chances it would take them by; and the share of the win that it expects."""
        outputs, legal = outputs_of(network_for(view.game.name, view.game.players), view), view.legal
        chances = dict(zip(legal, chances_of(outputs[legal]).tolist(), strict=True))
        considered = [decision for decision in sorted(legal, key=lambda one: -chances[one]) if chances[decision] >= SHOWN]
        return {
            "bot": self.name,
            "decision": view.game.text(self.decide(view)),
            "considered": [{"decision": view.game.text(decision), "chance": chances[decision]} for decision in considered],
            "others": max(0.0, 1 - sum(chances[decision] for decision in considered)),
            "value": win_share(float(outputs[-1]), view.game.players),
        }


def win_share(value: float, players: int) -> float:
    """A network's value as a share of the win: it learned that a win is worth 1, and costs the others 1 together."""
    return min(max((value * (players - 1) + 1) / players, 0.0), 1.0)
