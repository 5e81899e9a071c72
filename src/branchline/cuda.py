"""The third speed: the same rules on an NVIDIA GPU, one game a thread.

The kernel is a loop around `batch.play_random`; it holds no rule. `scripts/check_gpu.py` shows on a GPU that it plays
the same games as the CPU, byte for byte. Needs the extra `gpu` and a CUDA device.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from branchline.batch import RandomGames, play_random
from branchline.boards import Board
from branchline.modes import MODE
from branchline.rules.events import new_log
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import MASK_WORDS
from branchline.rules.state import STATE
from branchline.rules.work import WORK

THREADS = 128  # a block; 32 to 256 are equally fast, 512 is slower


class NoGpuError(RuntimeError):
    """There is no CUDA device, or nothing to drive it with."""


def load_cuda() -> Any:
    if MODE != "compiled":
        raise NoGpuError("the GPU runs compiled rules: unset BRANCHLINE_MODE or set it to 'compiled'")
    if not hasattr(np, "row_stack"):  # numba-cuda expects it; NumPy 2.5 dropped it
        np.row_stack = np.vstack
    try:
        from numba import cuda
    except ImportError as error:
        raise NoGpuError(f"numba-cuda cannot be loaded ({error}): install branchline[gpu]") from None
    if not cuda.is_available():
        raise NoGpuError("no CUDA device was found; use the CPU instead")
    return cuda


@cache
def random_games_kernel() -> Any:
    """The kernel, built when first asked for: CI has no GPU, and the package must import without one."""
    cuda = load_cuda()
    from numba import from_dtype, types

    state_type, result_type, work_type = from_dtype(STATE), from_dtype(RESULT), from_dtype(WORK)

    @cuda.jit
    def kernel(board, states, results, decisions, players, seed, first, log):  # type: ignore[no-untyped-def]  # compiled: types come from the call
        game = cuda.grid(1)
        if game < states.shape[0]:
            # a thread's own memory lies so that all threads of a warp reach the same field at once; an array of records does not
            mask = cuda.local.array(MASK_WORDS, types.uint64)
            work = cuda.local.array(1, work_type)
            state = cuda.local.array(1, state_type)
            result = cuda.local.array(1, result_type)
            state[0] = states[game]
            result[0] = results[game]
            key0, key1 = np.uint64(seed), np.uint64(first + game)
            decisions[game] = play_random(board[0], state[0], log, mask, work[0], result[0], players, key0, key1)
            states[game] = state[0]
            results[game] = result[0]

    return kernel


class GpuRandomGames:
    """Plays random games of one board on the GPU; keeps its kernel and memory between calls."""

    def __init__(self, board: Board, players: int, games: int, threads: int = THREADS) -> None:
        self._cuda = load_cuda()
        self._kernel = random_games_kernel()
        self._players, self._games, self._threads = players, games, threads
        self._blank = RandomGames.blank(games)
        to_device = self._cuda.to_device
        self._board = to_device(board.records)
        self._log = to_device(new_log(0))
        self._states, self._results = to_device(self._blank.states), to_device(self._blank.results)
        self._decisions = to_device(self._blank.decisions)

    def play(self, seed: int, first: int = 0) -> None:
        """Play the games (seed, first) and after, on the device; returns when they are done."""
        self.clear()
        self.launch(seed, first)

    def clear(self) -> None:
        self._states.copy_to_device(self._blank.states)
        self._results.copy_to_device(self._blank.results)
        self._cuda.synchronize()

    def launch(self, seed: int, first: int) -> None:
        blocks = (self._games + self._threads - 1) // self._threads
        self._kernel[blocks, self._threads](self._board, self._states, self._results, self._decisions, self._players, seed, first, self._log)
        self._cuda.synchronize()

    def fetch(self) -> RandomGames:
        return RandomGames(self._states.copy_to_host(), self._results.copy_to_host(), self._decisions.copy_to_host())
