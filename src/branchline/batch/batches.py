"""Batch: many games side by side, for networks that play or learn.

batch = Batch("europe", 4096, players=4, seed=1)
while batch.games_played < 10_000:
    batch.step(batch.sample())

All arrays are made once and changed in place: to keep one, copy it before the next step.
"""

from __future__ import annotations

import hashlib
import operator
import secrets
from importlib import import_module
from typing import Any

import numpy as np

from branchline.batch.compiled.stepping import begin_slots, first_illegal, observe_slots, sample_slots, step_slots
from branchline.batch.layout import Field, layout_of, size_of
from branchline.batch.refusals import check_device, check_number, check_out, illegal, not_decisions
from branchline.batch.slots import Array, aligned, new_slot_room, new_slots, part_of, plain
from branchline.batch.threads import Threads, cores, slices
from branchline.errors import GameOptionError
from branchline.play.games import Game, State
from branchline.play.positions import copy_of
from branchline.rules.sizes import NONE
from branchline.rules.state import STATE

SEED_BITS = 64
WORTH_A_THREAD = 256  # games; fewer are done before another thread has started


class Batch:
    """Games of one kind, each in a slot. When a slot has finished its game, it begins the next at once.

    The k-th game of slot i is number i + k * n of the seed, the same for any number of threads and on any device.
    """

    seats: Array  # (n,) int8: who decides
    legal: Array  # (n, decisions) bool: the legal decisions
    masks: Array  # (n, words) uint64: the same as bits, decision d in bit d % 64 of word d // 64
    finished: Array  # (n,) bool: the slots whose game ended with the last step; they are already playing the next
    shares: Array  # (n, players) float32: in games that ended with the last step, each seat's share of the win: 1 if it won alone; otherwise 0
    scores: Array  # (n, players) int16: the totals of the game that last ended in each slot
    results: Array  # (n,) its full count, fields in `rules/scoring.py`
    numbers: Array  # (n,) uint64: which game of the seed each slot plays
    states: Array  # (n,) the games themselves, fields in `rules/state.py`: nothing is hidden in them, so players must not see them
    dice: Array  # (n, seats, 3) uint64: what `sample` rolls

    def __new__(cls, *_: Any, device: str = "cpu", **__: Any) -> Batch:
        if cls is Batch and check_device(device) == "cuda":
            return object.__new__(gpu_batch())
        return object.__new__(cls)

    def __init__(
        self,
        game: str,
        games: int,
        players: int = 2,
        *,
        device: str = "cpu",
        seed: int | None = None,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        self.game = Game(game, players, **options)
        self.games = check_number("games", games, 1, 1 << 31)
        self.seed = secrets.randbits(SEED_BITS) if seed is None else check_number("seed", seed, 0, (1 << SEED_BITS) - 1)
        self.players, self.device = players, device
        first = NONE if self.game.first_seat is None else self.game.first_seat
        self._table = (players, np.uint64(self.seed), self.games, first, self.game.rule_options)
        self._open(threads)

    def _open(self, threads: int | None) -> None:
        """Make all arrays, and begin the games."""
        wanted = min(cores(), -(-self.games // WORTH_A_THREAD)) if threads is None else check_number("threads", threads, 1, 1024)
        self._threads = Threads(wanted)
        self._slots = new_slots(self.game.board, self.players, self.games)
        vars(self).update(self._slots._asdict())
        self._parts = [part_of(self._slots, part) for part in slices(self.games, wanted)]
        self._rooms = [new_slot_room() for _ in self._parts]
        self._decisions = aligned(self.games, np.int64)
        self._own: dict[str, Array] = {}
        board, table = self.game.board.records, self._table
        self._threads.run(lambda thread, _: begin_slots(board, self._parts[thread], self._rooms[thread], table), self.games)

    @property
    def games_played(self) -> int:
        """How many games have ended."""
        return int((self.numbers // np.uint64(self.games)).sum())

    @property
    def observation_layout(self) -> dict[str, Field]:
        """What is where in an observation, by name."""
        return layout_of(self.game.name)

    @property
    def observation_size(self) -> int:
        return size_of(self.game.name)

    def __len__(self) -> int:
        return self.games

    def step(self, decisions: Any) -> None:
        """Carry out a decision in every slot, and every forced one after it. Raises an error and changes nothing if one is not legal."""
        chosen = self._checked(decisions)
        board, table = self.game.board.records, self._table
        self._threads.run(lambda thread, part: step_slots(board, self._parts[thread], self._rooms[thread], table, chosen[part]), self.games)

    def _checked(self, decisions: Any) -> Array:
        given = np.asarray(decisions)
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            raise not_decisions(given, self.games)
        chosen = np.ascontiguousarray(given, np.int64)
        slot = first_illegal(self.masks, self.legal.shape[1], chosen)
        if slot != NONE:
            raise illegal(self.state(slot), slot, given[slot])
        return chosen

    def sample(self) -> Array:
        """(n,) int64: a random legal decision for every slot. Stepping with them plays the same games as the bot `random`."""
        sample_slots(self.masks, self.seats, self.dice, self._decisions)
        return self._decisions

    def observe(self, out: Any = None) -> Array:
        """(n, size) float32: what the deciding seat of each slot sees; written to `out`, or to an array of the batch."""
        return self._observe("observe", self.seats, out)

    def observe_seat(self, seat: int, out: Any = None) -> Array:
        """The same for a given seat in every slot, whether it decides or not."""
        check_number("seat", seat, 0, self.players - 1)
        return self._observe("observe_seat", np.full(self.games, seat, np.int8), out)

    def _observe(self, name: str, viewers: Array, out: Any) -> Array:
        shape = (self.games, self.observation_size)
        if out is None and name not in self._own:
            self._own[name] = aligned(shape, np.float32)
        rows: Array = self._own[name] if out is None else check_out(out, shape)
        board, states, seats = self.game.board, self.states, self.game.board.players[1]
        self._threads.run(
            lambda thread, part: observe_slots(board.records, states[part], viewers[part], self._rooms[thread], seats, rows[part]), self.games
        )
        return rows

    def synchronize(self) -> None:
        """Wait until everything is done: a GPU works in the background. On the CPU this returns at once."""

    def state(self, slot: int) -> State:
        """A copy of one game, to look at or continue; its history is empty."""
        place = self._place(slot)
        return State(self.game, self.seed << SEED_BITS | int(self.numbers[place]), copy_of(self.states[place : place + 1]))

    def _place(self, slot: int) -> int:
        place = operator.index(slot)
        if not 0 <= place < self.games:
            raise IndexError(f"there is no slot {slot}; the slots are 0 to {self.games - 1}")
        return place

    def save(self) -> dict[str, Array]:
        """A copy of everything, as arrays that `numpy.savez` takes."""
        return {"table": self._signature(), **{name: plain(array).copy() for name, array in self._slots._asdict().items()}}

    def restore(self, saved: Any) -> None:
        """Go back to a saved state of this batch, or of one with the same game, seed and number of games."""
        if "table" not in saved or not np.array_equal(saved["table"], self._signature()):
            raise GameOptionError("this was saved from a batch with another game, seed, or number of games or players, or by another version")
        found = {name: saved[name] for name in self._slots._asdict()}  # all, before the first is written
        for name, array in self._slots._asdict().items():
            plain(array)[...] = found[name]

    def _signature(self) -> Array:
        versions = (self.game.board.rules_version, hashlib.sha256(str(STATE).encode()).hexdigest()[:16])
        return np.array([self.game.name, *map(str, (*versions, *self._table))])

    def copy(self) -> Batch:
        """An independent batch in the same position."""
        other = type(self)(
            self.game.name, self.games, self.players, device=self.device, seed=self.seed, threads=self._threads.number, **self.game.keywords
        )
        other.restore(self.save())
        return other

    def __repr__(self) -> str:
        return f"<Batch of {self.games} games of {self.game.name}, {self.players} players, seed {self.seed}, {self.games_played} played>"


def gpu_batch() -> type[Batch]:
    """The class that does the same on a GPU. Imported by name: it is in a higher layer, and not needed without a GPU."""
    try:
        found: type[Batch] = import_module("branchline.cuda").GpuBatch
    except (ImportError, AttributeError) as error:
        raise GameOptionError(f"device='cuda' cannot be used here ({error}); use device='cpu'") from None
    return found
