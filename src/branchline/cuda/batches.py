"""Batch on a GPU: the same games, with the arrays on the device.

They have the CUDA array interface: PyTorch, JAX and CuPy take them without copying (examples/batch_sharing.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.batch.batches import SEED_BITS, Batch
from branchline.batch.refusals import illegal, not_decisions
from branchline.batch.slots import Slots, new_slots, plain
from branchline.cuda.loading import load_cuda
from branchline.errors import GameOptionError
from branchline.play.games import State

BLOCK = 128  # threads


class GpuBatch(Batch):
    def _open(self, threads: int | None) -> None:
        if threads is not None:
            raise GameOptionError("threads are for device='cpu'; on a GPU every game has a thread of its own")
        from branchline.cuda.kernels import numbers_of
        from branchline.cuda.slot_kernels import slot_kernels

        self._cuda, self.device = load_cuda(), "cuda"
        self._kernels = slot_kernels(numbers_of(self.game.board))
        self._boards = self._cuda.to_device(self.game.board.records)
        self._slots: Any = Slots(*map(self._cuda.to_device, new_slots(self.game.board, self.players, self.games)))
        vars(self).update(self._slots._asdict())
        # what `sample` decides, and what a step is given: a refused step changes neither
        self._decisions, self._chosen = (self._cuda.device_array(self.games, np.int64) for _ in range(2))
        self._illegal = self._cuda.to_device(np.array([self.games], np.int64))
        self._own = {}
        self._launch(self._kernels.begin, self._boards, *self._slots, *self._table)

    def _launch(self, kernel: Any, *arguments: Any) -> None:
        from branchline.cuda.compiling import launch

        launch(kernel, self.games, BLOCK, *arguments)

    @property
    def games_played(self) -> int:
        return int((self._slots.numbers.copy_to_host() // np.uint64(self.games)).sum())

    def step(self, decisions: Any) -> None:
        chosen = self._checked(decisions)
        self._launch(self._kernels.step, self._boards, *self._slots, *self._table, chosen)

    def _checked(self, decisions: Any) -> Any:
        """Decisions on the device as int64, all of them legal."""
        given = self._cuda.as_cuda_array(decisions) if hasattr(decisions, "__cuda_array_interface__") else np.asarray(decisions)
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            raise not_decisions(given, self.games)
        there = self._cuda.to_device(np.ascontiguousarray(given, np.int64)) if isinstance(given, np.ndarray) else given
        self._launch(self._kernels.check, self.masks, self.legal.shape[1], there, self._chosen, self._illegal)
        slot = int(self._illegal.copy_to_host()[0])
        if slot < self.games:
            self._illegal = self._cuda.to_device(np.array([self.games], np.int64))
            raise illegal(self.state(slot), slot, int(given[slot]))
        return self._chosen

    def sample(self) -> Any:
        self._launch(self._kernels.sample, self.masks, self.seats, self.dice, self._decisions)
        return self._decisions

    def _observe(self, name: str, viewers: Any, out: Any) -> Any:
        shape = (self.games, self.observation_size)
        if out is None and name not in self._own:
            self._own[name] = self._cuda.device_array(shape, np.float32, order="F")  # neighbouring threads write side by side: several times as fast
        rows = self._own[name] if out is None else self._cuda.as_cuda_array(out)
        if rows.shape != shape or rows.dtype != np.float32:
            raise GameOptionError(f"out must be an array of float32 on the device in the shape {shape}; this has {rows.shape} and {rows.dtype}")
        if isinstance(viewers, np.ndarray):
            viewers = self._cuda.to_device(viewers)
        self._launch(self._kernels.observe, self._boards, self.states, viewers, self.game.board.players[1], rows)
        return rows

    def synchronize(self) -> None:
        self._cuda.synchronize()

    def state(self, slot: int) -> State:
        slot = self._place(slot)
        numbers, records = (array[slot : slot + 1].copy_to_host() for array in (self._slots.numbers, self._slots.states))
        return State(self.game, self.seed << SEED_BITS | int(numbers[0]), records)

    def save(self) -> dict[str, Any]:
        return {"table": self._signature(), **{name: plain(array.copy_to_host()) for name, array in self._slots._asdict().items()}}

    def restore(self, saved: Any) -> None:
        if "table" not in saved or not np.array_equal(saved["table"], self._signature()):
            raise GameOptionError("this was saved from a batch with another game, seed, or number of games or players, or by another version")
        for name, array in self._slots._asdict().items():
            kept = np.ascontiguousarray(saved[name])
            array.copy_to_device(kept.reshape(-1).view(array.dtype).reshape(array.shape))

    def copy(self) -> Batch:
        other = type(self)(self.game.name, self.games, self.players, device=self.device, seed=self.seed, **self.game.keywords)
        other.restore(self.save())
        return other
