"""The games for PettingZoo's parallel API, where choices that seats make at once are one step.

All agents act in every step. Those who have nothing to decide have one legal action, the last: to wait.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv as ZooParallelEnv

from branchline.envs.rendering import METADATA, Screen
from branchline.envs.spaces import LOST, Decisions, Observation, Seeds, agent_of, checked_illegal, observation_space, observed, rewards_of, started
from branchline.errors import GameOver, IllegalDecision
from branchline.play.games import Game, State

Steps = tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class ParallelEnv(ZooParallelEnv[str, Observation, int]):
    """An illegal action loses the game at once; with `illegal="raise"` it raises IllegalDecision and changes nothing."""

    metadata = METADATA

    def __init__(self, game: str, players: int = 2, *, illegal: str = "lose", render_mode: str | None = None, **options: Any) -> None:
        self.game = Game(game, players, **options)
        self.metadata = {**METADATA, "name": f"branchline_{self.game.name.replace('-', '_')}_parallel_v0"}
        self.render_mode, self.illegal = render_mode, checked_illegal(illegal)
        self.wait = len(self.game.decisions)  # the action of whoever has nothing to decide
        self.possible_agents = [agent_of(seat) for seat in range(players)]
        self.observation_spaces = {agent: observation_space(self.game, 1) for agent in self.possible_agents}
        self.action_spaces = {agent: Decisions(self.wait + 1) for agent in self.possible_agents}
        self.agents: list[str] = []
        self._screen, self._seeds = Screen(render_mode), Seeds()
        self._state: State | None = None

    @property
    def game_state(self) -> State:
        """The game itself, with nothing hidden."""
        return started(self._state)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

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

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The game as everybody sees it."""
        return self._screen.render(self.game_state.view(None))

    def close(self) -> None:
        self._screen.close()


def parallel_env(game: str, players: int = 2, *, illegal: str = "lose", render_mode: str | None = None, **options: Any) -> ParallelEnv:
    """A PettingZoo environment in which simultaneous choices are one step, with the options of `Game`."""
    return ParallelEnv(game, players, illegal=illegal, render_mode=render_mode, **options)
