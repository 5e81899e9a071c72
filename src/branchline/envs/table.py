"""What both PettingZoo environments have: a game, agents with their spaces, and a screen."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces

from branchline.envs.rendering import METADATA, Screen
from branchline.envs.spaces import Decisions, Seeds, agent_of, observation_space, started
from branchline.play.games import Game, State


class Table:
    """An agent for each seat. Actions are decisions, and after them `more` others."""

    metadata = METADATA

    def _set_up(self, game: Game, kind: str, render_mode: str | None, more: int = 0) -> None:
        self.game, self.render_mode = game, render_mode
        self.metadata = {**METADATA, "name": f"branchline_{game.name.replace('-', '_')}{kind}_v0"}
        self.possible_agents = [agent_of(seat) for seat in range(game.players)]
        self.observation_spaces = {agent: observation_space(game, more) for agent in self.possible_agents}
        self.action_spaces = {agent: Decisions(len(game.decisions) + more) for agent in self.possible_agents}
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

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The game as everybody sees it."""
        return self._screen.render(self.game_state.view(None))

    def close(self) -> None:
        self._screen.close()
