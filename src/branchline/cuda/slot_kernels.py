"""The kernels of `GpuBatch`, made for a board when needed: one slot per thread, and a call to what a CPU's thread does in `batch.stepping`."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from branchline.batch.compiled.observing import observe
from branchline.batch.compiled.stepping import begin_in, step_in
from branchline.bots.compiled.policies import pick
from branchline.compiling import wipe
from branchline.cuda.compiling import keep, knowing
from branchline.cuda.loading import load_cuda
from branchline.rules.bits import count, has
from branchline.rules.state import STATE
from branchline.rules.views import view
from branchline.rules.work import WORK


class SlotKernels(NamedTuple):
    begin: Any
    check: Any
    step: Any
    sample: Any
    observe: Any


@cache
def slot_kernels(numbers: tuple[tuple[str, int], ...]) -> SlotKernels:
    """For boards of these numbers, see `kernels.numbers_of`."""
    cuda = load_cuda()
    from numba import from_dtype

    state_type, work_type = from_dtype(STATE), from_dtype(WORK)
    know = knowing(dict(numbers))

    @cuda.jit
    def begin(boards, states, results, masks, legal, seats, games, finished, scores, shares, dice, players, seed, slots, first_seat, options):  # type: ignore[no-untyped-def]  # compiled
        i = cuda.grid(1)
        if i < states.shape[0]:
            work = cuda.local.array(1, work_type)
            arrays = (states, results, masks, legal, seats, games, finished, scores, shares, dice)
            begin_in((know(boards[0]),), arrays, (None, work, None), (players, seed, slots, first_seat, options), i)

    @cuda.jit
    def check(masks, size, given, decisions, illegal):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < decisions.shape[0]:
            decision = np.int64(given[i])
            decisions[i] = decision
            if decision < 0 or decision >= size or not has(masks[i], decision):
                cuda.atomic.min(illegal, 0, i)

    @cuda.jit
    def step(boards, states, results, masks, legal, seats, games, finished, scores, shares, dice, players, seed, slots, first_seat, options, chosen):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < states.shape[0]:
            work = cuda.local.array(1, work_type)
            arrays = (states, results, masks, legal, seats, games, finished, scores, shares, dice)
            step_in((know(boards[0]),), arrays, (None, work, None), (players, seed, slots, first_seat, options), i, chosen[i])

    @cuda.jit
    def sample(masks, seats, dice, decisions):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < decisions.shape[0]:
            decisions[i] = pick(masks[i], count(masks[i]), dice[i, seats[i]])

    @cuda.jit
    def observe_all(boards, states, viewers, seats, out):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < out.shape[0]:
            board, work, seen = know(boards[0]), cuda.local.array(1, work_type), cuda.local.array(1, state_type)
            wipe(seen[0])
            view(board, states[i], np.int64(viewers[i]), seen[0])
            observe(board, seen[0], work[0], seats, out[i])

    made = SlotKernels(begin, check, step, sample, observe_all)
    for name, kernel in zip(SlotKernels._fields, made, strict=True):
        keep(kernel, f"slots {name} {numbers}")
    return made
