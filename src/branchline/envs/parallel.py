"""The games for PettingZoo's parallel API, where choices that seats make at once are one step.

All agents act in every step. Those who have nothing to decide have one legal action, the last: to wait.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo import ParallelEnv as ZooParallelEnv

from branchline.envs.spaces import LOST, Observation, checked_illegal, observed, rewards_of
from branchline.envs.table import Table
from branchline.errors import GameOver, IllegalDecision
from branchline.play.games import Game, State

Steps = tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class ParallelEnv(Table, ZooParallelEnv[str, Observation, int]):
    """An illegal action loses the game at once; with `illegal="raise"` it raises IllegalDecision and changes nothing."""

    def __init__(self, game: str, players: int = 2, *, illegal: str = "lose", render_mode: str | None = None, **options: Any) -> None:
        self._set_up(Game(game, players, **options), "_parallel", render_mode, more=1)
        self.illegal = checked_illegal(illegal)
        self.wait = len(self.game.decisions)  # the action of whoever has nothing to decide

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002  # there are none
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self._state = self.game.start(self._seeds.next(seed))
        self.agents = self.possible_agents[:]
        self._show()
        return self._observed(), {agent: {} for agent in self.agents}

    def _observed(self) -> dict[str, Observation]:
        """For each seat; its mask ends with whether it waits."""
        found = {}
        for seat, agent in enumerate(self.possible_agents):
            seen = observed(self.game_state.view(seat))
            waits = np.array([seat not in self.game_state.choosers], np.int8)
            found[agent] = {"observation": seen["observation"], "action_mask": np.concatenate([seen["action_mask"], waits])}
        return found

    def step(self, actions: dict[str, int]) -> Steps:
        """Carry out the decisions of all who are asked."""
        state, losers = self.game_state.twin(), []
        if not self.agents:
            raise GameOver("the game is over: call reset() to begin another")
        choosers = state.choosers
        for seat, agent in enumerate(self.possible_agents):
            try:
                self._act(state, seat, int(actions.get(agent, self.wait)), seat in choosers)
            except IllegalDecision:
                if self.illegal == "raise":
                    raise
                losers.append(agent)
        if losers:
            return self._told(True, {agent: LOST * (agent in losers) for agent in self.agents})
        self._state = state
        return self._told(state.is_over, dict(zip(self.agents, rewards_of(state), strict=True)))

    def _act(self, state: State, seat: int, action: int, is_asked: bool) -> None:
        if (action == self.wait) == is_asked:
            raise IllegalDecision(
                f"seat {seat} has to decide now" if is_asked else f"seat {seat} has nothing to decide: its action must be {self.wait}"
            )
        if is_asked:
            state.apply(action, seat)

    def _told(self, is_over: bool, rewards: dict[str, float]) -> Steps:
        agents = self.agents
        if is_over:
            self.agents = []
        self._show()
        return self._observed(), rewards, dict.fromkeys(agents, is_over), dict.fromkeys(agents, False), {agent: {} for agent in agents}


def parallel_env(game: str, players: int = 2, *, illegal: str = "lose", render_mode: str | None = None, **options: Any) -> ParallelEnv:
    """A PettingZoo environment in which simultaneous choices are one step, with the options of `Game`."""
    return ParallelEnv(game, players, illegal=illegal, render_mode=render_mode, **options)
