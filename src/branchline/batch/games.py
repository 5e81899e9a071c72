"""Whole games between bots, in chunks: their last states, results and tallies as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from branchline import compiling
from branchline.batch.compiled.playing import play_games, play_some
from branchline.batch.compiled.tally import TALLY
from branchline.batch.own_bots import check_faults, seat
from branchline.batch.rooms import DICE, new_room
from branchline.batch.statistics import Statistic, StatisticError, after_turn, at_end, check_guards, check_names, look_at, numbers, why_not_compiled
from branchline.batch.threads import Threads
from branchline.boards import Board, available_boards
from branchline.bots.compiled.policies import FAULTS
from branchline.bots.networks import check_networks
from branchline.bots.weights import weights_of_seats
from branchline.play.first_use import compile_first
from branchline.rules.board import BOARD
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import NONE
from branchline.rules.state import STATE


@dataclass
class Games:
    """Finished games, one per row, from number `first` of the seed on."""

    first: int
    states: np.ndarray[Any, Any]  # their last states (rules/state.py)
    results: np.ndarray[Any, Any]  # rules/scoring.py
    decisions: np.ndarray[Any, Any]  # how many decisions each took
    tallies: np.ndarray[Any, Any]  # batch/compiled/tally.py
    extra: np.ndarray[Any, Any]  # the numbers of your own statistics, side by side

    @staticmethod
    def blank(games: int, first: int = 0, numbers: int = 0) -> Games:
        states, results, decisions, tallies = (np.zeros(games, kind) for kind in (STATE, RESULT, np.int64, TALLY))
        return Games(first, states, results, decisions, tallies, np.zeros((games, numbers), np.int32))

    def arrays(self, part: slice = slice(None)) -> tuple[np.ndarray[Any, Any], ...]:
        """As the loop of whole games takes them."""
        return tuple(array[part] for array in (self.states, self.results, self.decisions, self.tallies, self.extra))


class Player:
    """Plays games between compiled bots on all cores; keeps its threads and their arrays. `options` are `Game.rule_options`.

    `weights` are changes to what the planners of the first seats think things are worth (bots/weights.py).
    """

    def __init__(
        self,
        board: Board,
        bots: list[str],
        threads: int | None = None,
        statistics: Sequence[Statistic] = (),
        options: int = 0,
        weights: Sequence[dict[str, int]] = (),
    ) -> None:
        check_names(statistics)
        self._board, self._threads, self._options = board, Threads(threads), options
        self._seating, self._numbers = seat(bots), numbers(statistics)
        check_networks(bots, board.game, len(bots))
        self._rooms = [new_room(board.game, len(bots), weights=weights_of_seats(board.game, len(bots), weights)) for _ in range(self._threads.number)]
        self._play_games = entry_point(self._seating.ask, after_turn(statistics))
        self._at_end, self._statistics = at_end(statistics), statistics

    def play(self, games: int, seed: int, first: int = 0) -> Games:
        """The games `first` to `first + games - 1` of a seed: the same for any number of threads or chunks."""
        played = Games.blank(games, first, self._numbers)
        self._threads.run(lambda thread, part: self._play_part(played, seed, thread, part), games)
        check_faults(self._seating.bots, sum(room[DICE][:, FAULTS] for room in self._rooms))
        check_guards(self._statistics, played.extra)
        return played

    def _play_part(self, played: Games, seed: int, thread: int, part: slice) -> None:
        boards, policies, room = self._board.records, self._seating.policies, self._rooms[thread]
        games, table = played.arrays(part), (len(policies), NONE, self._options)
        self._play_games(boards, games, room, table, policies, np.uint64(seed), np.uint64(played.first + part.start))
        for one, place in self._at_end:
            look_at(one, boards, played.states[part], played.results[part], played.extra[part], place)

    def close(self) -> None:
        self._threads.close()


@cache
def entry_point(ask: Any, tell: Any) -> Any:
    """The function that Python calls to play: kept on disk, or compiled for your own bots and statistics, which takes some seconds."""
    if ask is None and tell is None:
        compile_first("games")
        return play_games

    def play_own(boards, games, room, table, policies, seed, first):  # type: ignore[no-untyped-def]
        play_some(boards, games, room, table, policies, seed, first, ask, tell, None, None)

    games, key = Games.blank(1, 0, 1).arrays(), (np.uint64(0), np.uint64(0))
    try:
        return compiling.made(play_own, np.zeros(1, BOARD), games, new_room(available_boards()[0], 2), (1, NONE, 0), np.zeros(1, np.int64), *key)
    except Exception as error:
        raise StatisticError(f"your own bots and statistics cannot be compiled: {why_not_compiled(error)}") from error


def play_batch(
    board: Board, bots: list[str], games: int, seed: int, threads: int | None = None, statistics: Sequence[Statistic] = (), options: int = 0
) -> Games:
    return Player(board, bots, threads, statistics, options).play(games, seed)
