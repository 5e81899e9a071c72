"""The kernel that plays whole games, made for a board when it is needed: a loop (`compiled/warps.py`) and a call."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from branchline.batch.compiled.playing import forget
from branchline.batch.compiled.tally import TALLY
from branchline.boards import Board
from branchline.bots.compiled.policies import FAULTS, ask_greedy, ask_planner, ask_without_network
from branchline.bots.compiled.thoughts import THOUGHTS
from branchline.compiling import rule, wipe
from branchline.cuda.compiling import given, keep, knowing
from branchline.cuda.loading import load_cuda
from branchline.rules.board import BOARD
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import NONE, SEATS
from branchline.rules.state import STATE
from branchline.rules.work import WORK

DICE_SHAPE = (SEATS, FAULTS + 1)
BLOCK = 512  # threads: as many as fit an SM, so that they share its cache of instructions
REGISTERS = 65_536 // BLOCK
BUILT_IN = [ask_greedy, ask_planner, ask_without_network]


def numbers_of(board: Board) -> tuple[tuple[str, int], ...]:
    """Every single number of a board, without its tables: boards with the same numbers share a kernel."""
    return tuple((name, int(board.record[name])) for name in BOARD.names or () if BOARD[name] == np.int64)


@rule
def nothing(_):  # type: ignore[no-untyped-def]  # compiled: types come from the call
    return None


@cache
def games_kernel(numbers: tuple[tuple[str, int], ...], words: int, only_random: bool, only_results: bool, bots: Any, after_turn: Any) -> Any:
    """Plays games of any compiled bots on boards with these numbers and masks of this many words.

    `bots` and `after_turn` are those of `play` in `batch/compiled/playing.py`. What is not to be done or written is left out of the code.
    """
    cuda = load_cuda()
    from numba import from_dtype, types

    from branchline.cuda.compiled.warps import play_together

    state_type, work_type, result_type = from_dtype(STATE), from_dtype(WORK), from_dtype(RESULT)
    tally_type, thoughts_type = from_dtype(TALLY), from_dtype(THOUGHTS)
    know = knowing(dict(numbers))
    for_bots, to_write = nothing if only_random else given, nothing if only_results else given

    @cuda.jit(max_registers=REGISTERS)
    def kernel(boards, states, results, decisions, tallies, outs, faults, players, options, seed, first, policies, weights):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        plays = game < results.shape[0]
        # a thread's own memory is laid out so that a warp's threads reach the same field together; an array of records is not
        mask = cuda.local.array(words, types.uint64)
        dice = cuda.local.array(DICE_SHAPE, types.uint64)
        state, work, result = cuda.local.array(1, state_type), cuda.local.array(1, work_type), cuda.local.array(1, result_type)
        tally, seen, thoughts = cuda.local.array(1, tally_type), cuda.local.array(1, state_type), cuda.local.array(SEATS, thoughts_type)
        wipe(state[0])
        wipe(result[0])
        wipe(tally[0])
        row = game if plays and not only_results else 0
        if plays and not only_results:
            for number in range(outs.shape[1]):
                outs[row, number] = 0
        if not only_random:
            forget(thoughts, players, weights)
            for seat in range(players):
                dice[seat, FAULTS] = 0
        minds, telling = (for_bots(policies), bots, seen, thoughts, dice), (to_write(tally[0]), after_turn, to_write(outs[row]))
        table, key = (players, np.int64(NONE), options), (np.uint64(seed), np.uint64(first + game))
        made = play_together(know(boards[0]), state[0], mask, work[0], result[0], minds, telling, table, key, plays)
        if plays:
            results[game] = result[0]
            decisions[game] = made
            if not only_results:
                states[game] = state[0]
                tallies[game] = tally[0]
            if not only_random:
                for seat in range(players):
                    faults[game, seat] = dice[seat, FAULTS]

    if after_turn is None and (bots is None or bots in BUILT_IN):
        which = None if bots is None else BUILT_IN.index(bots)
        keep(kernel, f"games {numbers} {words} {only_random} {only_results} {which}")
    return kernel
