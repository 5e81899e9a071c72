"""Train Stable-Baselines3's MaskablePPO on one seat against a bot: `python examples/maskable_ppo.py --steps 200000`.

Needs `pip install 'branchline[rl]' sb3-contrib`. Most of the time goes into PyTorch; to train in earnest, use `Batch`, which steps thousands of games
at once.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO

import branchline.envs  # noqa: F401  # makes the environments known to Gymnasium


class ObservationOnly(gymnasium.ObservationWrapper):
    """The network gets the observation; MaskablePPO asks for the mask by `action_masks`."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        self.observation_space = env.observation_space["observation"]

    def observation(self, observation: dict[str, Any]) -> Any:
        return observation["observation"]

    def action_masks(self) -> np.ndarray:
        return self.unwrapped.action_masks()


def made(board: str, players: int, opponent: str) -> ObservationOnly:
    return ObservationOnly(gymnasium.make(f"branchline/{board}-v0", players=players, opponents=[opponent]))


def trained(env: ObservationOnly, steps: int, seed: int, rollout: int = 1024) -> MaskablePPO:
    model = MaskablePPO("MlpPolicy", env, n_steps=rollout, batch_size=min(256, rollout), gamma=1.0, ent_coef=0.01, seed=seed, device="cpu", verbose=0)
    return model.learn(steps)


def wins(model: MaskablePPO, env: ObservationOnly, games: int) -> float:
    """The share of games won; a draw counts as half of one."""
    earned = 0.0
    for game in range(games):
        seen, _ = env.reset(seed=1_000_000 + game)
        over = False
        while not over:
            decision, _ = model.predict(seen, action_masks=env.action_masks())
            seen, reward, over, _, _ = env.step(int(decision))
        earned += (reward + 1) / 2
    return earned / games


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--board", default="London")
    options.add_argument("--players", type=int, default=2)
    options.add_argument("--opponent", default="random")
    options.add_argument("--steps", type=int, default=100_000)
    options.add_argument("--rollout", type=int, default=1024, help="steps between two updates")
    options.add_argument("--games", type=int, default=200, help="games to count wins in, before and after")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    env = made(chosen.board, chosen.players, chosen.opponent)
    before = wins(trained(env, 0, chosen.seed), env, chosen.games)
    after = wins(trained(env, chosen.steps, chosen.seed, chosen.rollout), env, chosen.games)
    print(f"against {chosen.opponent}: {before:.0%} of {chosen.games} games before training, {after:.0%} after {chosen.steps:,} steps")


if __name__ == "__main__":
    main()
