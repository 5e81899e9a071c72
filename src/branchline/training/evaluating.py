"""How strong a network is: games of what it has become in whole numbers against fixed opponents, on the CPU, beside the training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from branchline.batch import Player
from branchline.boards import load_board
from branchline.bots.networks import using
from branchline.pages.intervals import Estimate, share_of

SEED = 123


def shares_of(results: Any, players: int) -> Any:
    """(games, players): each seat's share of the win."""
    won = (results["winners"][:, None] >> np.arange(players)) & 1
    return won / won.sum(1, keepdims=True)


def win_rate(network: Path, game: str, players: int, against: str, games: int, threads: int | None = None) -> Estimate:
    """The share of wins of `learned` with this network, against a bot on all other seats: the same deals from every seat."""
    deals, found = -(-games // players), []
    for seat in range(players):
        with using(network):
            player = Player(load_board(game), ["learned" if place == seat else against for place in range(players)], threads=threads)
        found.append(shares_of(player.play(deals, SEED).results, players)[:, seat])
        player.close()
    return share_of(np.mean(found, axis=0).tolist(), deals * players)
