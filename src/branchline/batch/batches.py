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
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from branchline.batch.compiled.stepping import BEGIN, LEAVE, first_illegal, observe_slots, sample_slots
from branchline.batch.opponents import Names, asker, seat_opponents, stepper
from branchline.batch.own_bots import seat
from branchline.batch.refusals import (
    check_device,
    check_dtype,
    check_number,
    check_out,
    check_seats,
    chosen_slots,
    illegal,
    not_decisions,
    statistics_of,
)
from branchline.batch.rewards import Rewards
from branchline.batch.slots import Array, Slots, aligned, new_slot_room, new_slots, part_of, plain
from branchline.batch.threads import Threads, cores, slices
from branchline.bots.networks import check_networks
from branchline.errors import GameOptionError
from branchline.play.first_use import compile_first
from branchline.play.games import Game, State
from branchline.play.observations.layout import Field, bounds_of, layout_of, size_of
from branchline.play.positions import copy_of
from branchline.rules.sizes import NONE
from branchline.rules.state import STATE

SEED_BITS = 64
WORTH_A_THREAD = 256  # games; fewer are done before another thread has started
MANY_SAMPLES = 8_192  # random decisions; fewer are chosen before another thread has started


class Batch:
    """Games of one kind, each in a slot. When a slot has finished its game, it begins the next at once.

    The k-th game of slot i is number i + k * n of the seed, the same for any number of threads and on any device. `opponents` play the seats that
    are not yours; a step then ends with your next decision. Packed observations have rows only for the seats that play.
    """

    seats: Array  # (n,) int8: who decides
    legal: Array  # (n, decisions) bool: the legal decisions
    masks: Array  # (n, words) uint64: the same as bits, decision d in bit d % 64 of word d // 64
    finished: Array  # (n,) bool: the slots whose game ended with the last step; they are already playing the next
    rewards: Array  # (n, players) float32: what each seat earned with the last step, see `Rewards`
    shares: Array  # (n, players) float32: in games that ended with the last step, each seat's share of the win: 1 if it won alone; otherwise 0
    scores: Array  # (n, players) int16: the totals of the game that last ended in each slot
    results: Array  # (n,) its full count, fields in `rules/scoring.py`
    finals: Array  # (n,) its last position
    numbers: Array  # (n,) uint64: which game of the seed each slot plays
    played: Array  # (n,) int64: how many games have ended in each slot
    policies: Array  # (n, players) int8: the opponents' numbers; NONE for your seats
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
        opponents: Names | Sequence[Names] | None = None,
        rewards: Rewards | None = None,
        packed: bool = False,
        dtype: str = "float32",
        pad: int = 1,
        device: str = "cpu",
        seed: int | None = None,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        self.game = Game(game, players, **options)
        self.games = check_number("games", games, 1, 1 << 31)
        self.seed = secrets.randbits(SEED_BITS) if seed is None else check_number("seed", seed, 0, (1 << SEED_BITS) - 1)
        self.players, self.device, self.opponents, self.packed = players, device, opponents, packed
        self.dtype, self.pad = check_dtype(dtype, device), check_number("pad", pad, 1, 1024)
        self._rows = players if packed else None  # rows for seats; None: all the game can have
        self._means = self._factors = np.zeros(0, np.float32)
        self._policies, self._seating = seat_opponents(opponents, players, self.games)
        check_networks(self._seating.bots, self.game.name, players)
        first = NONE if self.game.first_seat is None else self.game.first_seat
        self._table = (players, self.games, first, self.game.rule_options)
        self._open(threads, rewards or Rewards())

    def _open(self, threads: int | None, rewards: Rewards) -> None:
        """Make all arrays, and begin the games."""
        compile_first("slots")
        wanted = min(cores(), -(-self.games // WORTH_A_THREAD)) if threads is None else check_number("threads", threads, 1, 1024)
        self._threads, self._weights = Threads(wanted), rewards.array()
        self._slots = self._new_slots()
        vars(self).update(self._slots._asdict())
        self._parts = [part_of(self._slots, part) for part in slices(self.games, wanted)]
        self._rooms = [new_slot_room(self.game.name, self.players) for _ in self._parts]
        self._decisions = aligned(self.games, np.int64)
        self._own: dict[str, Array] = {}
        self._step(np.full(self.games, BEGIN, np.int64))

    def _new_slots(self) -> Slots:
        slots = new_slots(self.game.board, self.players, self.games)
        slots.states["key"][:, 0] = self.seed
        slots.policies[:] = self._policies
        return slots

    @property
    def games_played(self) -> int:
        """How many games have ended."""
        return int(self.played.sum())

    @property
    def observation_layout(self) -> dict[str, Field]:
        """What is where in an observation, by name."""
        return layout_of(self.game.name, self._rows)

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has, without padding."""
        return size_of(self.game.name, self._rows)

    @property
    def observation_shape(self) -> tuple[int, int]:
        """The shape of all observations, with padding."""
        return self.games, -(-self.observation_size // self.pad) * self.pad

    @property
    def observation_bounds(self) -> tuple[Array, Array]:
        """The least and the greatest number that each place can hold, before they are normalised."""
        return bounds_of(self.game.name, self._rows)

    def __len__(self) -> int:
        return self.games

    def step(self, decisions: Any, check: bool = True) -> None:
        """Carry out a decision in every slot, every forced one after it, and those of opponents.

        Raises an error and changes nothing if one is not legal. Unchecked, they must be legal: anything may happen otherwise.
        """
        self._step(self._checked(decisions, check))

    def check(self, decisions: Any) -> None:
        """Raise an error if one of the decisions is not legal."""
        self._checked(decisions, True)

    def _step(self, chosen: Array) -> None:
        board, table, step = self.game.board.records, (*self._table, self._weights), stepper(self._seating)
        self._threads.run(lambda thread, part: step(board, self._parts[thread], self._rooms[thread], table, chosen[part]), self.games)

    def _checked(self, decisions: Any, check: bool) -> Array:
        given = np.asarray(decisions)
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            raise not_decisions(given, self.games)
        chosen = np.ascontiguousarray(given, np.int64)
        slot = first_illegal(self.masks, self.legal.shape[1], chosen) if check else NONE
        if slot != NONE:
            raise illegal(self.state(slot), slot, given[slot])
        return chosen

    def reset(self, slots: Any = None, seeds: Any = None) -> None:
        """Begin another game in some slots (numbers, or true and false for each; None: all), without counting the one they play.

        With seeds, one whole number per slot, these are the games that `Game.start` begins with them; otherwise the next ones of each slot.
        """
        which, numbers = chosen_slots(slots, seeds, self.games)
        self._renumber(which, numbers)
        self._step(np.where(which, BEGIN, LEAVE).astype(np.int64))

    def _renumber(self, which: Array, numbers: Array | None) -> None:
        """Give slots the numbers of their next games."""
        if numbers is None:
            self.numbers[which] += np.uint64(self.games)
        else:
            self.numbers[which] = numbers[which]
            self.states["key"][which, 0] = 0

    def sample(self) -> Array:
        """(n,) int64: a random legal decision for every slot. Stepping with them plays the same games as the bot `random`."""
        decisions = self._decisions

        def work(_: int, part: slice) -> None:
            sample_slots(self.masks[part], self.seats[part], self.dice[part], decisions[part])

        if self.games < MANY_SAMPLES:
            work(0, slice(None))
        else:
            self._threads.run(work, self.games)
        return decisions

    def ask(self, bot: str, where: Any = None, out: Any = None) -> Array:
        """(n,) int64: what a compiled bot would decide, in every slot or only where `where` is true; the others keep what `out` has."""
        check_networks([bot], self.game.name, self.players)
        asked, decisions = seat([bot]), self._own_array("ask", self.games, np.int64) if out is None else check_out(out, (self.games,), np.int64)
        there = np.ones(self.games, np.bool_) if where is None else check_out(where, (self.games,), np.bool_, name="where")
        board, policy, ask = self.game.board.records, int(asked.policies[0]), asker(asked)
        self._threads.run(lambda thread, part: ask(board, self._parts[thread], self._rooms[thread], policy, there[part], decisions[part]), self.games)
        return decisions

    def weigh(self, rewards: Rewards) -> None:
        """Change how rewards count from the next step on."""
        self._weights[:] = rewards.array()

    def normalise(self, mean: Any, scale: Any) -> None:
        """From now on, observations are (numbers - mean) / scale: one of each per number, without padding."""
        self._means, self._factors = statistics_of(mean, scale, self.observation_size)

    def observe(self, out: Any = None) -> Array:
        """(n, size) float32: what the deciding seat of each slot sees; written to `out`, or to an array of the batch."""
        return self._observe("observe", self.states, self.seats, out)

    def observe_seat(self, seat: Any, out: Any = None) -> Array:
        """The same for a given seat in every slot, or one per slot, whether it decides or not."""
        return self._observe("observe_seat", self.states, check_seats(seat, self.players, self.games), out)

    def observe_final(self, seat: Any = None, out: Any = None) -> Array:
        """The same for the last position of the game that last ended in each slot; zeros if none has. Without a seat, for the only one of yours."""
        viewers = self._your_seats() if seat is None else check_seats(seat, self.players, self.games)
        return self._observe("observe_final", self.finals, viewers, out)

    def _your_seats(self) -> Array:
        """(n,) int8: the seat that is yours in each slot."""
        yours = self._policies == NONE
        if (yours.sum(1) != 1).any():
            raise GameOptionError("you play several seats: say whose observation you want")
        seats: Array = yours.argmax(1).astype(np.int8)
        return seats

    def _observe(self, name: str, states: Array, viewers: Array, out: Any) -> Array:
        shape = self.observation_shape
        rows = self._own_array(name, shape, np.float32) if out is None else check_out(out, shape, np.float32)
        boards, seats = self.game.board.records, self._rows or self.game.board.players[1]

        def work(thread: int, part: slice) -> None:
            observe_slots(boards, states[part], viewers[part], self._rooms[thread], seats, self._means, self._factors, rows[part])

        self._threads.run(work, self.games)
        return rows

    def _own_array(self, name: str, shape: Any, kind: Any) -> Array:
        if name not in self._own:
            self._own[name] = aligned(shape, kind)
        return self._own[name]

    def synchronize(self) -> None:
        """Wait until everything is done: a GPU works in the background. On the CPU this returns at once."""

    def state(self, slot: int) -> State:
        """A copy of one game, to look at or continue; its history is empty."""
        place = self._place(slot)
        return self._state_of(copy_of(self.states[place : place + 1]))

    def _state_of(self, records: Array) -> State:
        high, low = (int(word) for word in records["key"][0])
        return State(self.game, high << SEED_BITS | low, records)

    def _place(self, slot: int) -> int:
        place = operator.index(slot)
        if not 0 <= place < self.games:
            raise IndexError(f"there is no slot {slot}; the slots are 0 to {self.games - 1}")
        return place

    def save(self) -> dict[str, Array]:
        """A copy of everything, as arrays that `numpy.savez` takes."""
        return {"table": self._signature(), **{name: plain(array).copy() for name, array in self._slots._asdict().items()}}

    def restore(self, saved: Any) -> None:
        """Go back to a saved state of this batch, or of one with the same game, seed, number of games and opponents."""
        if "table" not in saved or not np.array_equal(saved["table"], self._signature()):
            raise GameOptionError(
                "this was saved from a batch with another game, seed, or number of games or players, or other opponents, or by another version"
            )
        found = {name: saved[name] for name in self._slots._asdict()}  # all, before the first is written
        for name, array in self._slots._asdict().items():
            plain(array)[...] = found[name]

    def _signature(self) -> Array:
        versions = (self.game.board.rules_version, hashlib.sha256(str(STATE).encode()).hexdigest()[:16])
        return np.array([self.game.name, *map(str, (*versions, self.seed, *self._table, *self._seating.bots))])

    def copy(self) -> Batch:
        """An independent batch in the same position."""
        other = type(self)(self.game.name, self.games, self.players, **self._keywords(), **self.game.keywords)
        other.restore(self.save())
        other._take_over(self)
        return other

    def _keywords(self) -> dict[str, Any]:
        """What makes another batch like this one, besides the game, on a CPU."""
        names = ("opponents", "packed", "dtype", "pad", "device", "seed")
        return {name: getattr(self, name) for name in names} | {"threads": self._threads.number}

    def _take_over(self, other: Batch) -> None:
        """What is not in `save`: how rewards count, and what observations are normalised by."""
        self._weights[:] = other._weights
        self._means, self._factors = other._means, other._factors

    def __repr__(self) -> str:
        against = f" against {', '.join(self._seating.bots)}" if self._seating.bots else ""
        return f"<Batch of {self.games} games of {self.game.name}{against}, {self.players} players, seed {self.seed}, {self.games_played} played>"


def gpu_batch() -> type[Batch]:
    """The class that does the same on a GPU. Imported by name: it is in a higher layer, and not needed without a GPU."""
    try:
        found: type[Batch] = import_module("branchline.cuda").GpuBatch
    except (ImportError, AttributeError) as error:
        raise GameOptionError(f"device='cuda' cannot be used here ({error}); use device='cpu'") from None
    return found
