"""Matches: whole games between bots, by the compiled loop, as states that can be recorded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from branchline.bots import BotOptionError, check_bot
from branchline.bots.compiled.policies import POLICIES, THOUGHTS, play_game
from branchline.bots.weights import weights_for
from branchline.errors import GameOptionError
from branchline.play.games import Game, State, seed_number
from branchline.rules.log import new_log
from branchline.rules.sizes import MASK_WORDS, NONE
from branchline.rules.state import STATE
from branchline.rules.work import WORK


def game_seeds(seed: int, games: int) -> Iterator[int]:
    """Game i of a seed has the key (seed, i)."""
    if not 0 <= seed < 1 << 64:
        raise GameOptionError("the seed must be from 0 to 2**64 - 1")
    return ((seed << 64) + i for i in range(games))


class Match:
    """Plays games between compiled bots, one name a seat; keeps its buffers between games."""

    def __init__(self, game: Game, bots: list[str], weights: list[Any] | None = None) -> None:
        if len(bots) != game.players:
            raise BotOptionError(f"{len(bots)} bots for {game.players} seats: name one for each")
        self.game, self.bots = game, [check_bot(name) for name in bots]
        self._policies = np.array([POLICIES[name] for name in bots], np.int64)
        self._thoughts: Any = np.zeros(game.players, THOUGHTS)
        self._thoughts["weights"] = weights_for(game.name) if weights is None else weights
        self._log = new_log(20_000)
        self._decisions = np.zeros(20_000, np.int64)

    def play(self, seed: int, bot_seeds: list[int] | None = None) -> State:
        """The finished game of a seed; the bots' own dice follow from it too, or, one a seat, from seeds of their own, as in `make_bot`."""
        seed = seed_number(seed)
        records = np.zeros(1, STATE)
        self._log[0, 0] = 0
        made = self._run(records, seed, bot_seeds)
        if made > len(self._decisions) or self._log[0, 0] >= len(self._log):
            self._log, self._decisions = new_log(2 * int(self._log[0, 0])), np.zeros(2 * made, np.int64)
            return self.play(seed, bot_seeds)
        return State.finished(self.game, seed, records, self._decisions[:made].tolist(), self._log[1 : self._log[0, 0] + 1].tolist())

    def _run(self, records: Any, seed: int, bot_seeds: list[int] | None) -> int:
        key0, key1 = np.uint64(seed >> 64), np.uint64(seed & (1 << 64) - 1)
        dice = np.array([[~key0, ~key1, np.uint64(seat) << np.uint64(32)] for seat in range(len(self.bots))], np.uint64)
        if bot_seeds is not None:
            dice = np.array([[bot_seed & (1 << 64) - 1, 0, 0] for bot_seed in bot_seeds], np.uint64)
        return int(
            play_game(
                self.game.board.records,
                records,
                self._log,
                np.zeros(MASK_WORDS, np.uint64),
                np.zeros(1, WORK),
                self._policies,
                np.zeros(1, STATE),
                np.zeros(1, STATE),
                self._thoughts,
                dice,
                self.game.players,
                key0,
                key1,
                NONE if self.game.first_seat is None else self.game.first_seat,
                self.game.rule_options,
                self._decisions,
            )
        )
