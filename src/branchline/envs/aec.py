"""The games for PettingZoo, one agent after the other.

env = aec_env(game, players=4)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    env.step(None if termination or truncation else env.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from branchline.envs.spaces import Observation, observed, rewards_of, started
from branchline.envs.table import Table
from branchline.errors import GameOptionError
from branchline.play.games import Game


class AecEnv(Table, AECEnv[str, Observation, int]):
    """A game in which the seat that decides is the agent that acts. Simultaneous choices are asked for seat by seat; nobody sees another's."""

    def __init__(self, game: str, players: int = 2, *, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        self._set_up(Game(game, players, **options), "", render_mode)
        self.metadata["is_parallelizable"] = False
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002  # there are none
        self._state = self.game.start(self._seeds.next(seed))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()
        self._show()

    def _select(self) -> None:
        seat = self.game_state.seat
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]

    def observe(self, agent: str) -> Observation:
        """What the agent sees, and what it may do if it is asked now."""
        return observed(started(self._state).view(self._seat_of[agent]))

    def step(self, action: int | None) -> None:
        """Carry out a decision. An illegal one raises IllegalDecision and changes nothing."""
        agent, state = self.agent_selection, started(self._state)
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise GameOptionError(f"{agent} is still playing: it has to decide, and None is not a decision")
        state.apply(action)
        self._cumulative_rewards[agent] = 0.0
        seat = state.seat
        if seat is None:
            self._end()
        else:
            self.agent_selection = self.possible_agents[seat]
        self._show()

    def _end(self) -> None:
        self.rewards = dict(zip(self.possible_agents, rewards_of(self.game_state), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()


def aec_env(game: str, players: int = 2, *, render_mode: str | None = None, **options: Any) -> AecEnv:
    """A PettingZoo environment of a board, with the options of `Game`."""
    return AecEnv(game, players, render_mode=render_mode, **options)
