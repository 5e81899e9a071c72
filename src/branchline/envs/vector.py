"""Thousands of games a step for Gymnasium: a native vector environment over `Batch`, in which bots play the other seats.

gymnasium.make_vec(environment_ids()[0], num_envs=1024, opponents=["planner"])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from branchline.batch import Batch, Rewards
from branchline.batch.compiled.stepping import LEAVE
from branchline.envs.spaces import Array, Decisions, Observation
from branchline.errors import GameOptionError

SEEDS = 1 << 64


class VectorSeatEnv(VectorEnv[Observation, Array, Array]):
    """One seat of many games. `opponents` are compiled bots for the others, in their order; one for all will do.

    `seat` is the learner's, or None for every seat in turn, slot by slot. Actions must be legal, as `action_mask` says. What comes after the end of
    a game is as Gymnasium defines it: with `NEXT_STEP` a step returns the last observation of a game and the next step begins another, whatever
    its action; with `SAME_STEP` a step returns the first observation of the next game, and the last one is in `info["final_obs"]`.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        players: int = 2,
        opponents: Sequence[str] = ("planner",),
        *,
        seat: int | None = None,
        rewards: Rewards | None = None,
        packed: bool = False,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        self.num_envs, self.autoreset_mode = num_envs, AutoresetMode(autoreset_mode)
        if self.autoreset_mode == AutoresetMode.DISABLED:
            raise GameOptionError("games begin by themselves: autoreset_mode must be NEXT_STEP or SAME_STEP")
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.seats = seats_of(seat, players, num_envs)
        rows = [seated(opponents, int(own), players) for own in self.seats[:players]]
        every = [rows[place % players] for place in range(num_envs)]
        self.batch = Batch(game, num_envs, players, opponents=every, rewards=rewards, packed=packed, threads=threads, **options)
        low, high = self.batch.observation_bounds
        decisions = self.batch.legal.shape[1]
        mask = spaces.Box(0, 1, (decisions,), np.int8)
        self.single_observation_space = spaces.Dict({"observation": spaces.Box(low, high, dtype=np.float32), "action_mask": mask})
        self.single_action_space = Decisions(decisions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._slots, self._over = np.arange(num_envs), np.zeros(num_envs, np.bool_)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin games in all slots. With one seed, slot i has the game `Game.start(seed + i)`; or give one for each."""
        super().reset(seed=seed if isinstance(seed, int) else None, options=options)
        seeds = [(seed + slot) % SEEDS for slot in range(self.num_envs)] if isinstance(seed, int) else seed
        if seeds is None:
            self.batch.reset()
        else:
            self.batch.reset(seeds=[int(self.np_random.integers(1 << 63)) if one is None else one for one in seeds])
        self._over[:] = False
        return self._seen(), self._told()

    def _seen(self) -> Observation:
        """A copy: the arrays of a batch change with every step."""
        return {"observation": self.batch.observe().copy(), "action_mask": self.batch.legal.astype(np.int8)}

    def _told(self) -> dict[str, Any]:
        return {"seat": self.seats.copy(), "_seat": np.ones(self.num_envs, np.bool_)}

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Carry out a decision in every slot, and play up to the learner's next."""
        same = self.autoreset_mode == AutoresetMode.SAME_STEP
        decisions = np.where(self._over, self.batch.legal.argmax(1), actions) if self._over.any() else actions
        self.batch.check(decisions)
        self.batch.step(np.where(self._over, LEAVE, decisions), check=False)
        rewards = np.where(self._over, 0.0, self.batch.rewards[self._slots, self.seats]).astype(np.float64)
        over = self.batch.finished & ~self._over
        seen, told = self._seen(), self._told()
        if over.any():
            self._show_ends(over, seen, told, same)
        self._over = np.zeros_like(over) if same else over
        return seen, rewards, over, np.zeros(self.num_envs, np.bool_), told

    def _show_ends(self, over: Array, seen: Observation, told: dict[str, Any], same: bool) -> None:
        finals = self.batch.observe_final(self.seats)
        if same:
            rows = np.full(self.num_envs, None, object)
            for slot in np.flatnonzero(over):
                rows[slot] = {"observation": finals[slot].copy(), "action_mask": np.zeros_like(seen["action_mask"][slot])}
            told |= {
                "final_obs": rows,
                "_final_obs": over.copy(),
                "final_info": {"seat": self.seats.copy(), "_seat": over.copy()},
                "_final_info": over.copy(),
            }
        else:
            seen["observation"][over] = finals[over]
            seen["action_mask"][over] = 0

    def action_masks(self) -> Array:
        """The legal decisions as true and false."""
        return self.batch.legal.copy()


def seats_of(seat: int | None, players: int, games: int) -> Array:
    """The learner's seat in every slot."""
    if seat is not None and seat not in range(players):
        raise GameOptionError(f"seat must be from 0 to {players - 1}, or None for every seat in turn, not {seat!r}")
    return (np.arange(games) % players if seat is None else np.full(games, seat)).astype(np.int8)


def seated(opponents: Sequence[str], own: int, players: int) -> list[str | None]:
    """The opponents on all seats but the learner's."""
    names = [opponents] if isinstance(opponents, str) else list(opponents)
    if len(names) not in (1, players - 1):
        raise GameOptionError(f"there are {len(names)} opponents for {players - 1} seats: name one for all of them, or one for each")
    named: list[str | None] = list(names * (players - 1) if len(names) == 1 else names)
    named.insert(own, None)
    return named
