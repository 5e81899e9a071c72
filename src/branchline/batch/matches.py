"""Matches: whole games between bots, played as in a batch, as states that can be recorded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from branchline.batch.compiled.playing import play_recorded
from branchline.batch.games import Games
from branchline.batch.rooms import LOG, new_room
from branchline.bots import WrongNumberOfBots, check_bot
from branchline.bots.compiled.policies import POLICIES
from branchline.bots.networks import check_networks
from branchline.errors import GameOptionError
from branchline.play.first_use import compile_first
from branchline.play.games import Game, State
from branchline.play.seeds import seed_number
from branchline.rules.sizes import NONE, SEATS

ROOM = 20_000  # decisions, and events; nearly all games have fewer


def game_seeds(seed: int, games: int) -> Iterator[int]:
    """Game i of a seed has the key (seed, i)."""
    if not 0 <= seed < 1 << 64:
        raise GameOptionError("the seed must be from 0 to 2**64 - 1")
    return ((seed << 64) + i for i in range(games))


class Match:
    """Plays games between compiled bots, one name per seat; keeps its buffers between games."""

    def __init__(self, game: Game, bots: list[str], weights: list[Any] | None = None) -> None:
        if len(bots) != game.players:
            raise WrongNumberOfBots(len(bots), game.players, "name one for each")
        self.game, self.bots = game, [check_bot(name) for name in bots]
        check_networks(bots, game.name, game.players)
        compile_first("matches")
        self._policies = np.array([POLICIES[name] for name in bots], np.int64)
        self._table = (game.players, NONE if game.first_seat is None else game.first_seat, game.rule_options)
        self._kept = weights  # networks think in the room behind them
        self._weights = None if weights is None else np.stack([*weights, *[weights[0]] * (SEATS - len(weights))])
        self._make_room(ROOM, ROOM)

    def _make_room(self, decisions: int, events: int) -> None:
        self._room, self._history = new_room(self.game.name, self.game.players, events, self._weights), np.zeros(decisions, np.int64)

    def play(self, seed: int, bot_seeds: list[int] | None = None) -> State:
        """The finished game of a seed. The bots' dice follow from it too, or from seeds of their own, one per seat, as in `make_bot`."""
        seed, games, log = seed_number(seed), Games.blank(1), self._room[LOG]
        key = np.uint64(seed >> 64), np.uint64(seed & (1 << 64) - 1)
        log[0, 0] = 0
        play_recorded(
            self.game.board.records, games.arrays(), self._room, self._table, self._policies, *key, dice_of(key, self.bots, bot_seeds), self._history
        )
        made, events = int(games.decisions[0]), int(log[0, 0])
        if made > len(self._history) or events >= len(log):
            self._make_room(max(ROOM, 2 * made), max(ROOM, 2 * events))
            return self.play(seed, bot_seeds)
        return State.finished(self.game, seed, games.states, self._history[:made].tolist(), log[1 : events + 1].tolist())


def dice_of(key: Any, bots: list[str], seeds: list[int] | None) -> Any:
    """Each seat's dice: a key of two words, and how often it was used."""
    if seeds is not None:
        return np.array([[seed & (1 << 64) - 1, 0, 0] for seed in seeds], np.uint64)
    return np.array([[~key[0], ~key[1], np.uint64(seat) << np.uint64(32)] for seat in range(len(bots))], np.uint64)
