"""Many games at once: random play-outs with full rules and final scoring, on one CPU core. On a GPU: `cuda.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.boards import Board
from branchline.modes import kept, rule
from branchline.rules.bits import nth
from branchline.rules.chance import below, siphash
from branchline.rules.events import new_log
from branchline.rules.phases import is_over, legal, perform
from branchline.rules.scoring import RESULT, final_count
from branchline.rules.setup import start
from branchline.rules.sizes import NONE
from branchline.rules.state import STATE
from branchline.rules.work import WORK


@rule
def play_random(board, state, log, mask, work, result, players, key0, key1):  # type: ignore[no-untyped-def]  # compiled: types come from the call
    """A whole game of random decisions in records of zeros, counted to the end; returns how many decisions were made."""
    choices = start(board, state, log, mask, players, key0, key1, NONE, 0)
    decisions = 0
    # Forced decisions are taken in the same loop, not in one of their own as in `apply`: the threads of a GPU keep together.
    while not is_over(state):
        which = np.int64(0)
        if choices > 1:
            # the players' dice are not the game's: the same hash under the key turned round
            which = below(siphash(key1, key0, np.uint64(decisions)), choices)
            decisions += 1
        perform(board, state, log, work, nth(mask, which))
        choices = legal(board, state, mask)
    final_count(board, state, work, result)
    return decisions


@kept
def play_random_games(boards, states, results, decisions, players, seed, log, mask, work, blank_state, blank_result):  # type: ignore[no-untyped-def]  # compiled
    """Game i of a seed has the key (seed, i)."""
    for i in range(states.shape[0]):
        states[i] = blank_state[0]
        results[i] = blank_result[0]
        decisions[i] = play_random(boards[0], states[i], log, mask, work[0], results[i], players, np.uint64(seed), np.uint64(i))


@dataclass
class RandomGames:
    """Finished random games: their last states, their results, and how many decisions each took."""

    states: np.ndarray[Any, Any]
    results: np.ndarray[Any, Any]
    decisions: np.ndarray[Any, Any]

    @staticmethod
    def blank(games: int) -> RandomGames:
        return RandomGames(np.zeros(games, STATE), np.zeros(games, RESULT), np.zeros(games, np.int64))


def random_games(board: Board, players: int, games: int, seed: int) -> RandomGames:
    played = RandomGames.blank(games)
    play_random_games(
        board.records,
        played.states,
        played.results,
        played.decisions,
        players,
        seed,
        new_log(0),
        np.zeros(board.mask_words, np.uint64),
        np.zeros(1, WORK),
        np.zeros(1, STATE),
        np.zeros(1, RESULT),
    )
    return played
