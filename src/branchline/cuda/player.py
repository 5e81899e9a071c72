"""Whole games between bots on a GPU: the counterpart of `batch.Player`, with the same games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from branchline.batch.compiled.tally import TALLY
from branchline.batch.games import Games
from branchline.batch.own_bots import asks, check_faults, seat
from branchline.batch.statistics import Statistic, StatisticError, after_turn, at_end, check_guards, check_names, look_at, numbers
from branchline.boards import Board
from branchline.bots.compiled.policies import RANDOM
from branchline.bots.weights import weights_of_seats
from branchline.cuda.loading import load_cuda
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import SEATS
from branchline.rules.state import STATE

KINDS = {
    "states": (STATE, 0),
    "results": (RESULT, 0),
    "decisions": (np.int64, 0),
    "tallies": (TALLY, 0),
    "extra": (np.int32, 1),
    "faults": (np.int64, SEATS),
}


class GpuPlayer:
    """Plays games between compiled bots on the GPU; keeps its kernel and memory between calls.

    With `only_results`, states and tallies are neither written nor fetched: for measuring, and for users who only need scores.
    """

    def __init__(self, board: Board, bots: list[str], statistics: Sequence[Statistic] = (), only_results: bool = False, options: int = 0) -> None:
        self._cuda = load_cuda()
        check_names(statistics)
        if only_results and statistics:
            raise StatisticError("statistics need more than results: leave out only_results")
        from branchline.cuda.kernels import games_kernel, numbers_of

        seating = seat(bots)
        self._bots, self._numbers, self._at_end = seating.bots, numbers(statistics), at_end(statistics)
        self._board, self._boards, self._options = board, self._cuda.to_device(board.records), options
        self._only_results, self._only_random = only_results, all(policy == RANDOM for policy in seating.policies)
        self._policies, self._weights = self._cuda.to_device(seating.policies), self._cuda.to_device(weights_of_seats(board.game, len(bots)))
        made_for = (numbers_of(board), board.mask_words, self._only_random, only_results)
        self._kernel = games_kernel(*made_for, asks(seating), after_turn(statistics))
        self._games, self._room, self._statistics = 0, dict[str, Any](), statistics

    def prepare(self) -> None:
        """Build the kernel, or load what was built before."""
        self.launch(1, 0)

    def play(self, games: int, seed: int, first: int = 0) -> Games:
        """The games `first` to `first + games - 1` of a seed, as the CPU plays them."""
        self.launch(games, seed, first)
        return self.fetch(first)

    def launch(self, games: int, seed: int, first: int = 0) -> None:
        """Play on the device; returns when they are done."""
        from branchline.cuda.compiling import launch
        from branchline.cuda.kernels import BLOCK

        self._games = games
        order = ("states", "results", "decisions", "tallies", "extra", "faults")
        arrays = [self._array(name) for name in order]
        numbers = (len(self._bots), self._options, np.uint64(seed), np.uint64(first))
        launch(self._kernel, games, BLOCK, self._boards, *arrays, *numbers, self._policies, self._weights)
        self._cuda.synchronize()

    def _array(self, name: str) -> Any:
        """Memory on the device, kept for the next games; what is not written has room for one."""
        kind, width = KINDS[name]
        unwritten = self._only_random if name == "faults" else self._only_results and name not in ("results", "decisions")
        rows = 1 if unwritten else self._games
        if name not in self._room or len(self._room[name]) < rows:
            columns = max(self._numbers, 1) if name == "extra" else width
            self._room[name] = self._cuda.device_array((rows, columns) if columns else rows, kind)
        return self._room[name][:rows]

    def fetch(self, first: int = 0) -> Games:
        """What was played last, in the CPU's memory."""
        names = ("results", "decisions") if self._only_results else ("states", "results", "decisions", "tallies", "extra")
        played = Games.blank(0, first, self._numbers)
        for name in names:
            setattr(played, name, self._array(name).copy_to_host())
        played.extra = played.extra[:, : self._numbers]
        if not self._only_random:
            check_faults(self._bots, self._array("faults").copy_to_host().sum(0))
        for one, place in self._at_end:
            look_at(one, self._board.records, played.states, played.results, played.extra, place)
        check_guards(self._statistics, played.extra)
        return played

    def close(self) -> None:
        self._room = {}
