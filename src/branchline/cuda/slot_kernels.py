"""The kernels of `GpuBatch`, made for a board when needed: calls to what a CPU's thread does in `batch.stepping`.

A step has a thread per slot. It works on a game where it is, in the array of records: a copy in its own memory would not stay in the caches
(benchmarks/results.md). An observation has a warp per slot, which copies the game into the memory that its threads share, and writes a row together.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype

from branchline.batch.compiled.rewarding import SHAPING, reward_progress
from branchline.batch.compiled.stepping import BEGIN, LEAVE, ask_in, begin_in, finish_in, step_in
from branchline.bots.compiled.policies import ask_greedy, ask_planner, ask_without_network, pick
from branchline.bots.compiled.thoughts import THOUGHTS
from branchline.compiling import copy_together, meet, wipe
from branchline.cuda.compiling import keep, knowing
from branchline.cuda.loading import load_cuda
from branchline.play.observations.compiled.observing import observe as write_row
from branchline.play.observations.compiled.observing_tickets import find_joined
from branchline.play.observations.compiled.scaling import as_bfloat16, normalised
from branchline.play.observations.compiled.writing import IN_UNITS, LANES
from branchline.rules.bits import count, has
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import CITIES, MASK_WORDS
from branchline.rules.state import STATE
from branchline.rules.views import view
from branchline.rules.work import WORK

Numbers = tuple[tuple[str, int], ...]  # of a board, see `kernels.numbers_of`
BUILT_IN = (None, ask_greedy, ask_planner, ask_without_network)  # functions that ask bots; None: there are none
LINES = 4  # slots of a block that has a warp per slot
STEP_REGISTERS = 64
GROUPS = CITIES // 2  # of joined cities: none has fewer than two
SHARED = 48 * 1024  # bytes of memory that a block can share


def lines_of(size: int) -> int:
    """How many slots of a block have room for their game and a row of this many numbers."""
    return min(LINES, SHARED // (STATE.itemsize + 4 * size))


class SmallKernels(NamedTuple):
    """Those that are the same for all boards."""

    check: Any
    sample: Any
    renumber: Any
    spread: Any


@cache
def small_kernels() -> SmallKernels:
    cuda = load_cuda()

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
    def spread(masks, legal, endings):  # type: ignore[no-untyped-def]
        i, lane = cuda.blockIdx.x * LINES + cuda.threadIdx.y, cuda.threadIdx.x
        if i == 0 and lane == 0:
            endings[0] = 0  # for the next step: this is the last kernel of one
        if i < legal.shape[0]:
            for decision in range(lane, legal.shape[1], LANES):
                legal[i, decision] = has(masks[i], decision)

    made = SmallKernels(check, sample, renumber, spread)
    for name, kernel in zip(SmallKernels._fields, made, strict=True):
        keep(kernel, f"slots {name}")
    return made


class StepKernels(NamedTuple):
    """The parts of a step, in their order; `spread` comes after them."""

    advance: Any
    finish: Any
    progress: Any


@cache
def step_kernels(numbers: Numbers) -> StepKernels:
    """Steps slots in which you play all seats."""
    cuda = load_cuda()
    from branchline.cuda.compiled.steps import advance_together

    work_type, result_type = from_dtype(WORK), from_dtype(RESULT)
    know = knowing(dict(numbers))

    @cuda.jit(max_registers=STEP_REGISTERS)
    def advance(boards, states, masks, seats, finished, shares, rewards, chosen, ending, endings):  # type: ignore[no-untyped-def]
        i, decision = cuda.grid(1), np.int64(LEAVE)
        work = cuda.local.array(1, work_type)
        if i < chosen.shape[0]:
            decision = chosen[i]
        choices = advance_together(know(boards[0]), states, masks, work[0], i, decision)
        if decision != LEAVE:
            finished[i] = False
            for seat in range(shares.shape[1]):
                shares[i, seat] = 0
                rewards[i, seat] = 0
            if choices == 0:
                ending[cuda.atomic.add(endings, 0, 1)] = i
            else:
                seats[i] = states[i].seat

    @cuda.jit
    def finish(  # type: ignore[no-untyped-def]
        boards, states, results, masks, legal, seats, games, finished, scores, shares, dice, rewards, potentials, finals, played, policies,
        players, slots, first_seat, options, reward_weights, chosen, ending, endings,
    ):  # fmt: skip
        # few slots are on the list: every warp takes one before any takes a second
        warps = cuda.gridDim.x * cuda.blockDim.x // LANES
        work, result = cuda.local.array(1, work_type), cuda.local.array(1, result_type)
        arrays = (states, results, masks, legal, seats, games, finished, scores, shares, dice, rewards, potentials, finals, played, policies)
        room, table = (None, work, None, None, None, None, result), (players, slots, first_seat, options, reward_weights)
        place = cuda.grid(1) // LANES + warps * (cuda.grid(1) % LANES)
        while place < endings[0]:
            i = ending[place]
            if chosen[i] == BEGIN:
                begin_in((know(boards[0]),), arrays, room, table, i)
            else:
                finish_in((know(boards[0]),), arrays, room, table, i)
            seats[i] = states[i].seat
            place += warps * LANES

    @cuda.jit
    def progress(boards, states, finished, rewards, potentials, reward_weights, chosen):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < chosen.shape[0] and reward_weights[SHAPING] != 0 and chosen[i] != LEAVE:
            work, result = cuda.local.array(1, work_type), cuda.local.array(1, result_type)
            begins = chosen[i] == BEGIN
            reward_progress(know(boards[0]), states[i], work[0], result[0], begins, finished[i], reward_weights, potentials[i], rewards[i])

    made = StepKernels(advance, finish, progress)
    for name, kernel in zip(StepKernels._fields, made, strict=True):
        keep(kernel, f"slots {name} {numbers}")
    return made


@cache
def against_kernel(numbers: Numbers, bots: Any) -> Any:
    """Steps slots with bots on some seats."""
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
            seen, thoughts, mask = cuda.local.array(1, state_type), cuda.local.array(1, thoughts_type), cuda.local.array(MASK_WORDS, types.uint64)
            arrays = (
                states, results, masks, legal, seats, games, finished, scores, shares, dice, rewards, potentials, finals, played, policies,
            )  # fmt: skip
            room, table = (None, work, seen, mask, thoughts, weights, result), (players, slots, first_seat, options, reward_weights)
            step_in((know(boards[0]),), arrays, room, table, (policies, bots), i, chosen[i])

    if bots in BUILT_IN:
        keep(step, f"slots against {BUILT_IN.index(bots)} {numbers}")
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


class ObserveKernels(NamedTuple):
    """The parts of an observation, in their order; `show` is left out if every viewer decides."""

    show: Any
    join: Any
    observe: Any


@cache
def observe_kernels(numbers: Numbers, seats: int, size: int, dtype: str) -> ObserveKernels:
    """For rows with this many numbers, of this many seats, and of this type."""
    cuda = load_cuda()
    from numba import types

    state_type, know = from_dtype(STATE), knowing(dict(numbers))
    lines = lines_of(size)
    bits_of, bfloat16, row_shape = cuda.libdevice.float_as_int, dtype == "bfloat16", (lines, size)

    @cuda.jit
    def show(boards, states, viewers, views):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < viewers.shape[0]:
            wipe(views[i])
            if states[i].players != 0:
                view(know(boards[0]), states[i], np.int64(viewers[i]), views[i])

    @cuda.jit
    def join(boards, states, viewers, joined):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < viewers.shape[0]:
            groups = cuda.local.array(GROUPS, types.uint64)
            find_joined(know(boards[0]), states[i], np.int64(viewers[i]), groups, joined[i])

    @cuda.jit
    def observe(boards, states, viewers, joined, means, factors, out):  # type: ignore[no-untyped-def]
        lane, line = np.int64(cuda.threadIdx.x), cuda.threadIdx.y
        i = cuda.blockIdx.x * lines + line
        seen, rows = cuda.shared.array(lines, state_type), cuda.shared.array(row_shape, types.float32)
        if i < out.shape[0]:
            copy_together(seen[line], states[i], lane)
            meet()
            row = rows[line]
            if seen[line].players == 0:
                for place in range(lane, size, LANES):
                    row[place] = np.float32(0)
            else:
                write_row(know(boards[0]), seen[line], np.int64(viewers[i]), joined[i], seats, row, IN_UNITS, lane)
            meet()
            for place in range(lane, out.shape[1], LANES):
                number = np.float32(0)
                if place < size:
                    number = row[place]
                    if means.shape[0]:
                        number = normalised(number, means[place], factors[place])
                if bfloat16:
                    out[i, place] = as_bfloat16(np.int64(bits_of(number)) & 0xFFFFFFFF)
                else:
                    out[i, place] = number

    made = ObserveKernels(show, join, observe)
    for name, kernel in zip(ObserveKernels._fields, made, strict=True):
        keep(kernel, f"slots {name} {seats} {size} {bfloat16} {numbers}" if name == "observe" else f"slots {name} {numbers}")
    return made
