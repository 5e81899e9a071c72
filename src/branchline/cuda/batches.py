"""Batch on a GPU: the same games, with the arrays on the device.

They have the CUDA array interface: PyTorch, JAX and CuPy take them without copying (examples/batch_sharing.py). Everything runs on PyTorch's current
stream where PyTorch is used, otherwise on the default stream; an unchecked step and an observation never wait, so CUDA graphs can hold them.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from branchline.batch.batches import Batch
from branchline.batch.compiled.stepping import BEGIN
from branchline.batch.own_bots import asks, seat
from branchline.batch.refusals import check_seats, illegal, not_decisions, statistics_of
from branchline.batch.rewards import Rewards
from branchline.batch.slots import Slots, plain
from branchline.bots.weights import weights_of_seats
from branchline.cuda.loading import load_cuda
from branchline.errors import GameOptionError
from branchline.play.games import State
from branchline.play.observations.compiled.writing import LANES
from branchline.rules.sizes import NONE, TICKET_WORDS
from branchline.rules.state import STATE

BLOCK = 64  # threads
STEP_BLOCK = 256  # of a step: they wait for each other
COUNTERS = 1056  # blocks that count games which have ended: eight for each SM of a large GPU
KINDS = {"float32": np.float32, "float16": np.float16, "bfloat16": np.int16}  # NumPy has no bfloat16: its bits


class GpuBatch(Batch):
    stream: Any = None  # a stream of any library; None: PyTorch's current one if PyTorch is imported, otherwise the default stream

    def _open(self, threads: int | None, rewards: Rewards) -> None:
        if threads is not None:
            raise GameOptionError("threads are for device='cpu'; on a GPU every game has a thread of its own")
        self._cuda, self.device = load_cuda(), "cuda"
        from branchline.cuda.kernels import numbers_of
        from branchline.cuda.slot_kernels import LINES, against_kernel, lines_of, observe_kernels, small_kernels, step_kernels

        self._made_for, to = numbers_of(self.game.board), self._cuda.to_device
        self._small, seats = small_kernels(), self._rows or self.game.board.players[1]
        self._lines, self._lines_of_rows = LINES, lines_of(self.observation_size)
        self._observers = observe_kernels(self._made_for, seats, self.observation_size, self.dtype)
        self._against = against_kernel(self._made_for, asks(self._seating)) if self._seating.bots else None
        self._steppers = step_kernels(self._made_for)
        self._weights: Any = to(rewards.array())
        self._is_shaped = rewards.shaping != 0
        self._boards, self._bot_weights = to(self.game.board.records), to(weights_of_seats(self.game.name, self.players))
        self._slots: Any = Slots(*map(to, self._new_slots()))
        vars(self).update(self._slots._asdict())
        self._columns = [to(array) for array in (self._means, self._factors)]
        # slots whose game ends or begins in a step, and how many there are
        self._ending, self._endings = self._cuda.device_array(self.games, np.int32), to(np.zeros(1, np.int32))
        # what `sample` decides, and what a step is given: a refused step changes neither
        self._decisions, self._chosen = (self._cuda.device_array(self.games, np.int64) for _ in range(2))
        self._illegal, self._everywhere = to(np.array([self.games], np.int64)), to(np.ones(self.games, np.bool_))
        self._own, self._viewers = {}, dict[Any, Any]()
        self._step(to(np.full(self.games, BEGIN, np.int64)))

    def _launch(self, kernel: Any, *arguments: Any) -> None:
        self._launch_grid(kernel, -(-self.games // BLOCK), BLOCK, *arguments)

    def _launch_grid(self, kernel: Any, blocks: Any, threads: Any, *arguments: Any) -> None:
        from branchline.cuda.compiling import short_code

        with short_code():
            kernel[blocks, threads, self._current_stream()](*arguments)

    def _current_stream(self) -> Any:
        stream = self.stream
        if stream is None:
            torch = sys.modules.get("torch")
            stream = torch.cuda.current_stream() if torch and torch.cuda.is_initialized() else 0
        handle = next((getattr(stream, name) for name in ("cuda_stream", "ptr", "handle") if hasattr(stream, name)), stream)
        return self._cuda.external_stream(handle) if isinstance(handle, int) and handle else self._cuda.default_stream()

    @property
    def games_played(self) -> int:
        return int(self._slots.played.copy_to_host().sum())

    def _launch_lines(self, kernel: Any, lines: int, *arguments: Any) -> None:
        """With a warp per slot, and that many slots in a block."""
        self._launch_grid(kernel, -(-self.games // lines), (LANES, lines), *arguments)

    def _step(self, chosen: Any) -> None:
        if self._against is not None:
            self._launch(self._against, self._boards, *self._slots, *self._table, self._weights, self._bot_weights, chosen)
            return
        slots, ends = self._slots, (chosen, self._ending, self._endings)
        earned = (slots.finished, slots.shares, slots.rewards)
        self._launch_grid(
            self._steppers.advance, -(-self.games // STEP_BLOCK), STEP_BLOCK, self._boards, slots.states, slots.masks, slots.seats, *earned, *ends
        )
        self._launch_grid(
            self._steppers.finish, min(COUNTERS, -(-self.games // BLOCK)), BLOCK, self._boards, *slots, *self._table, self._weights, *ends
        )
        if self._is_shaped:
            shaped = (slots.finished, slots.rewards, slots.potentials, self._weights)
            self._launch(self._steppers.progress, self._boards, slots.states, *shaped, chosen)
        self._launch_lines(self._small.spread, self._lines, slots.masks, slots.legal, self._endings)

    def _checked(self, decisions: Any, check: bool) -> Any:
        """Decisions on the device as int64, all of them legal."""
        given = self._cuda.as_cuda_array(decisions) if hasattr(decisions, "__cuda_array_interface__") else np.asarray(decisions)
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            raise not_decisions(given, self.games)
        there = self._cuda.to_device(np.ascontiguousarray(given, np.int64)) if isinstance(given, np.ndarray) else given
        if not check and there.dtype == np.int64 and there.is_c_contiguous():
            return there
        self._launch(self._small.check, self.masks, self.legal.shape[1] if check else NONE, there, self._chosen, self._illegal)
        slot = int(self._illegal.copy_to_host()[0]) if check else self.games
        if slot < self.games:
            self._illegal = self._cuda.to_device(np.array([self.games], np.int64))
            raise illegal(self.state(slot), slot, int(given[slot]))
        return self._chosen

    def _renumber(self, which: Any, numbers: Any) -> None:
        given = np.zeros(0, np.uint64) if numbers is None else numbers
        there = [self._cuda.to_device(array) for array in (which, given)]
        self._launch(self._small.renumber, self.states, self.numbers, *there, self.games, self._chosen)

    def reset(self, slots: Any = None, seeds: Any = None) -> None:
        from branchline.batch.refusals import chosen_slots

        slots, seeds = (array.copy_to_host() if hasattr(array, "copy_to_host") else array for array in (slots, seeds))
        self._renumber(*chosen_slots(slots, seeds, self.games))
        self._step(self._chosen)

    def sample(self) -> Any:
        self._launch(self._small.sample, self.masks, self.seats, self.dice, self._decisions)
        return self._decisions

    def ask(self, bot: str, where: Any = None, out: Any = None) -> Any:
        from branchline.cuda.slot_kernels import ask_kernel

        asked = seat([bot])
        there = self._everywhere if where is None else self._given("where", where, (self.games,), np.bool_)
        decisions = self._own_array("ask", (self.games,), np.int64) if out is None else self._given("out", out, (self.games,), np.int64)
        kernel = ask_kernel(self._made_for, asks(asked))
        self._launch(kernel, self._boards, self.states, self.masks, self.dice, self._bot_weights, int(asked.policies[0]), there, decisions)
        return decisions

    def _given(self, name: str, array: Any, shape: tuple[int, ...], kind: Any) -> Any:
        """An array of the caller's on the device."""
        if str(getattr(array, "dtype", "")) == "torch.bfloat16":
            array = array.view(sys.modules["torch"].int16)
        if not hasattr(array, "__cuda_array_interface__"):
            raise GameOptionError(f"{name} must be an array on the device, not {type(array).__name__}")
        there = self._cuda.as_cuda_array(array)
        if there.shape != shape or there.dtype != kind:
            raise GameOptionError(
                f"{name} must be an array of {np.dtype(kind)} on the device in the shape {shape}; this has {there.shape} and {there.dtype}"
            )
        return there

    def _own_array(self, name: str, shape: Any, kind: Any) -> Any:
        if name not in self._own:
            self._own[name] = self._cuda.device_array(shape, kind)
        return self._own[name]

    def weigh(self, rewards: Rewards) -> None:
        """A CUDA graph goes on with the weights of now; if it was recorded without any shaping, it has none."""
        self._weights.copy_to_device(rewards.array())
        self._is_shaped = rewards.shaping != 0

    def normalise(self, mean: Any, scale: Any) -> None:
        self._means, self._factors = statistics_of(mean, scale, self.observation_size)
        self._columns = [self._cuda.to_device(array) for array in (self._means, self._factors)]

    def observe_seat(self, seat: Any, out: Any = None) -> Any:
        return self._observe("observe_seat", self.states, self._seats(seat), out)

    def observe_final(self, seat: Any = None, out: Any = None) -> Any:
        return self._observe("observe_final", self.finals, self._seats(seat), out)

    def _seats(self, seat: Any) -> Any:
        """(n,) int8 on the device; what was asked for once is there already."""
        if hasattr(seat, "__cuda_array_interface__"):
            return self._given("seat", seat, (self.games,), np.int8)
        known = seat is None or np.ndim(seat) == 0
        if not known or seat not in self._viewers:
            there = self._cuda.to_device(self._your_seats() if seat is None else check_seats(seat, self.players, self.games))
            if not known:
                return there
            self._viewers[seat] = there
        return self._viewers[seat]

    def _observe(self, name: str, states: Any, viewers: Any, out: Any) -> Any:
        shape, kind = self.observation_shape, KINDS[self.dtype]
        rows = self._own_array(name, shape, kind) if out is None else self._given("out", out, shape, kind)
        if name != "observe":  # others see less than the seat that decides
            views = self._own_array("views", self.games, STATE)
            self._launch(self._observers.show, self._boards, states, viewers, views)
            states = views
        joined = self._own_array("joined", (self.games, TICKET_WORDS), np.uint64)
        self._launch(self._observers.join, self._boards, states, viewers, joined)
        written = rows.view(np.uint16) if self.dtype == "bfloat16" else rows
        self._launch_lines(self._observers.observe, self._lines_of_rows, self._boards, states, viewers, joined, *self._columns, written)
        return rows

    def synchronize(self) -> None:
        self._cuda.synchronize()

    def state(self, slot: int) -> State:
        slot = self._place(slot)
        return self._state_of(self._slots.states[slot : slot + 1].copy_to_host())

    def save(self) -> dict[str, Any]:
        return {"table": self._signature(), **{name: plain(array.copy_to_host()) for name, array in self._slots._asdict().items()}}

    def restore(self, saved: Any) -> None:
        if "table" not in saved or not np.array_equal(saved["table"], self._signature()):
            raise GameOptionError(
                "this was saved from a batch with another game, seed, or number of games or players, or other opponents, or by another version"
            )
        for name, array in self._slots._asdict().items():
            kept = np.ascontiguousarray(saved[name])
            array.copy_to_device(kept.reshape(-1).view(array.dtype).reshape(array.shape))

    def _keywords(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("opponents", "packed", "dtype", "pad", "device", "seed")}

    def _take_over(self, other: Any) -> None:
        self._weights.copy_to_device(other._weights.copy_to_host())
        self._is_shaped = other._is_shaped
        if other._means.shape[0]:
            self.normalise(other._means, np.float32(1) / other._factors)
