"""Win chances: how likely each seat is to win, as far as a seat can tell from its view. A small network learned them from games between bots of
several kinds (`training/chances.py`)."""

from __future__ import annotations

import numpy as np

from branchline.bots.learned import chances_of, outputs_of
from branchline.bots.networks import CHANCES, network_for
from branchline.errors import GameOptionError, GameOver
from branchline.play.games import State, View


def chances(view: View) -> tuple[float, ...]:
    """Each seat's chance to win, as the viewer sees the game; they sum to 1."""
    if view.viewer is None:
        raise GameOptionError("chances are those that a seat sees, but this is the view of a spectator")
    players = view.game.players
    if view.is_over:
        raise GameOver("the game is over: its result says who has won")
    network = network_for(view.game.name, players, CHANCES)
    places = chances_of(outputs_of(network, view)[:players] * network.header["factors"][str(players)])
    return tuple(places[(np.arange(players) - view.viewer) % players].tolist())


def mean_chances(state: State) -> tuple[float, ...]:
    """Each seat's chance, on average over what all seats see."""
    seen = [chances(state.view(seat)) for seat in state.seats]
    return tuple(np.mean(seen, axis=0).tolist())
