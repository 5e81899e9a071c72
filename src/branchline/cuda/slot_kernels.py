"""The kernels of `GpuBatch`, made for a board when needed: one slot per thread, and a call to what a CPU's thread does in `batch.stepping`.

A thread steps a game where it is, in the array of records: a copy in its own memory would not stay in the caches (benchmarks/results.md).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype

from branchline.batch.compiled.stepping import BEGIN, LEAVE, ask_in, observe_in, step_in
from branchline.bots.compiled.policies import ask_greedy, ask_planner, ask_without_network, pick
from branchline.bots.compiled.thoughts import THOUGHTS
from branchline.cuda.compiling import keep, knowing
from branchline.cuda.loading import load_cuda
from branchline.observations.compiled.scaling import as_bfloat16, normalised, scaled
from branchline.rules.bits import count, has
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import MASK_WORDS
from branchline.rules.state import STATE
from branchline.rules.work import WORK

Numbers = tuple[tuple[str, int], ...]  # of a board, see `kernels.numbers_of`
BUILT_IN = (None, ask_greedy, ask_planner, ask_without_network)  # functions that ask bots; None: there are none
REGISTERS = 64  # for observing: it waits for memory, and more threads wait together
TILE, LINES = 32, 8  # `scale` turns tiles of columns into rows; each of its blocks has that many lines of threads
TILE_SHAPE = (TILE, TILE + 1)  # one more: a column of a tile is then in as many banks of memory


class SmallKernels(NamedTuple):
    """Those that are the same for all boards."""

    check: Any
    sample: Any
    renumber: Any
    scale: Any


@cache
def small_kernels(dtype: str) -> SmallKernels:
    """For observations of this type."""
    cuda = load_cuda()
    from numba import types

    bits_of, bfloat16 = cuda.libdevice.float_as_int, dtype == "bfloat16"

    @cuda.jit
    def check(masks, size, given, decisions, illegal):  # type: ignore[no-untyped-def]  # compiled
        i = cuda.grid(1)
        if i < decisions.shape[0]:
            decision = np.int64(given[i])
            decisions[i] = decision
            if size >= 0 and (decision < 0 or decision >= size or not has(masks[i], decision)):
                cuda.atomic.min(illegal, 0, i)

    @cuda.jit
    def sample(masks, seats, dice, decisions):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < decisions.shape[0]:
            decisions[i] = pick(masks[i], count(masks[i]), dice[i, seats[i]])

    @cuda.jit
    def renumber(states, numbers, which, given, step, decisions):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < decisions.shape[0]:
            decisions[i] = BEGIN if which[i] else LEAVE
            if which[i] and given.shape[0]:
                numbers[i] = given[i]
                states[i].key[0] = np.uint64(0)
            elif which[i]:
                numbers[i] += np.uint64(step)

    @cuda.jit
    def scale(whole, units, means, factors, out):  # type: ignore[no-untyped-def]
        tile = cuda.shared.array(TILE_SHAPE, types.int16)
        row, place = cuda.blockIdx.x * TILE + cuda.threadIdx.x, cuda.blockIdx.y * TILE
        for line in range(cuda.threadIdx.y, TILE, LINES):
            if row < whole.shape[0] and place + line < whole.shape[1]:
                tile[line, cuda.threadIdx.x] = whole[row, place + line]
        cuda.syncthreads()
        place += cuda.threadIdx.x
        for line in range(cuda.threadIdx.y, TILE, LINES):
            row = cuda.blockIdx.x * TILE + line
            if row < out.shape[0] and place < out.shape[1]:
                number = np.float32(0)
                if place < units.shape[0]:
                    number = scaled(tile[cuda.threadIdx.x, line], units[place])
                    if means.shape[0]:
                        number = normalised(tile[cuda.threadIdx.x, line], units[place], means[place], factors[place])
                if bfloat16:
                    out[row, place] = as_bfloat16(np.int64(bits_of(number)) & 0xFFFFFFFF)
                else:
                    out[row, place] = number

    made = SmallKernels(check, sample, renumber, scale)
    for name, kernel in zip(SmallKernels._fields, made, strict=True):
        keep(kernel, f"slots {name} {bfloat16}")
    return made


@cache
def step_kernel(numbers: Numbers, against: bool, bots: Any) -> Any:
    """Steps slots, with bots on some seats or without."""
    cuda = load_cuda()
    from numba import types

    state_type, work_type, result_type, thoughts_type = (from_dtype(kind) for kind in (STATE, WORK, RESULT, THOUGHTS))
    know = knowing(dict(numbers))

    @cuda.jit
    def step(  # type: ignore[no-untyped-def]
        boards, states, results, masks, legal, seats, games, finished, scores, shares, dice, rewards, potentials, finals, played, policies,
        players, slots, first_seat, options, reward_weights, weights, chosen,
    ):  # fmt: skip
        i = cuda.grid(1)
        if i < states.shape[0] and chosen[i] != LEAVE:
            work, result = cuda.local.array(1, work_type), cuda.local.array(1, result_type)
            arrays = (
                states, results, masks, legal, seats, games, finished, scores, shares, dice, rewards, potentials, finals, played, policies,
            )  # fmt: skip
            table = (players, slots, first_seat, options, reward_weights)
            if against:
                seen, thoughts, mask = cuda.local.array(1, state_type), cuda.local.array(1, thoughts_type), cuda.local.array(MASK_WORDS, types.uint64)
                room = (None, work, seen, mask, thoughts, weights, result)
                step_in((know(boards[0]),), arrays, room, table, (policies, bots), i, chosen[i])
            else:
                room_alone = (None, work, None, None, None, None, result)
                step_in((know(boards[0]),), arrays, room_alone, table, (None, None), i, chosen[i])

    if bots in BUILT_IN:
        keep(step, f"slots step {against} {BUILT_IN.index(bots)} {numbers}")
    return step


@cache
def ask_kernel(numbers: Numbers, bots: Any) -> Any:
    """Asks a bot in some slots what it would decide."""
    cuda = load_cuda()
    from numba import types

    state_type, thoughts_type = from_dtype(STATE), from_dtype(THOUGHTS)
    know = knowing(dict(numbers))

    @cuda.jit
    def ask(boards, states, masks, dice, weights, policy, where, decisions):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < decisions.shape[0] and where[i]:
            seen, thoughts = cuda.local.array(1, state_type), cuda.local.array(1, thoughts_type)
            room = (None, None, seen, cuda.local.array(MASK_WORDS, types.uint64), thoughts, weights, None)
            decisions[i] = ask_in((know(boards[0]),), states, masks, dice, room, bots, i, policy)

    if bots in BUILT_IN:
        keep(ask, f"slots ask {BUILT_IN.index(bots)} {numbers}")
    return ask


@cache
def observe_kernel(numbers: Numbers) -> Any:
    """Writes what viewers see as whole numbers, column by column: neighbouring threads write side by side."""
    cuda = load_cuda()
    state_type, work_type = from_dtype(STATE), from_dtype(WORK)
    know = knowing(dict(numbers))

    @cuda.jit(max_registers=REGISTERS)
    def observe(boards, states, viewers, seats, whole):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < whole.shape[0]:
            seen, work = cuda.local.array(1, state_type), cuda.local.array(1, work_type)
            observe_in(know(boards[0]), states[i], viewers[i], seen[0], work[0], seats, whole[i])

    keep(observe, f"slots observe {numbers}")
    return observe
