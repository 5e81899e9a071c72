"""Tune the planner's weights for a board with an evolution strategy: each candidate plays the current weights, the everyday ones, and `greedy`.

    python scripts/tune_planner.py europe --seconds 120 --jobs 2

Prints the weights it finds; to use them, copy them into the board's planner.toml. Within a generation every candidate plays the same seeds,
with rotated seats. A game counts by a smooth function of the margin, which tells more than wins do when there are few games.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache

from branchline import Game
from branchline.batch.matches import Match
from branchline.bots.weights import COMMON, tuned_for, weights_for

CANDIDATES, BEST, SHARE = 31, 8, 0.35  # a generation, how many of them make the next one, and the share of weights each one changes


@lru_cache(maxsize=8)
def table(game: str, players: int) -> Game:
    return Game(game, players)


def outcome(totals: list[int], seat: int, scale: float) -> float:
    """From 0 to 1: roughly the chance that a margin like this wins."""
    margin = totals[seat] - max(total for other, total in enumerate(totals) if other != seat)
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, margin / scale))))


def score(task: tuple[str, int, dict[str, int], dict[str, int], int, int]) -> float:
    """How a candidate does against the base, against everyday weights and against greedy."""
    game_name, players, weights, base, seed, games = task
    game = table(game_name, players)
    scale = 6.0 if 0 < game.board.record.pieces.sum() < 20 else 20.0  # games with few pieces have small margins
    new, old, everyday = weights_for(game_name, weights), weights_for(game_name, base), weights_for(game_name, COMMON)
    total = 0.0
    for number in range(games):
        seat = number % players
        rival, taste = (("planner", old), ("planner", everyday), ("greedy", old))[number // players % 3]
        names, tastes = [rival] * players, [taste] * players
        names[seat], tastes[seat] = "planner", new
        state = Match(game, names, tastes).play((seed << 32) + number // players)
        total += outcome([one["total"] for one in state.result["scores"]], seat, scale)
    return total / games


def changed(weights: dict[str, int], step: float, rng: random.Random) -> dict[str, int]:
    def other(value: int) -> int:
        return max(0, round(value * math.exp(rng.gauss(0, step)) + rng.gauss(0, 3)))

    return {name: other(value) if rng.random() < SHARE else value for name, value in weights.items()}


def mean(weights: list[dict[str, int]]) -> dict[str, int]:
    return {name: round(sum(one[name] for one in weights) / len(weights)) for name in weights[0]}


def tune(game: str, players: list[int], seconds: float, jobs: int, games: int, seed: int) -> dict[str, int]:
    rng = random.Random(seed)
    base, step, generation = COMMON | tuned_for(game), 0.35, 0
    deadline = time.monotonic() + seconds
    with ProcessPoolExecutor(jobs) as pool:
        while time.monotonic() < deadline:
            candidates = [changed(base, step, rng) for _ in range(CANDIDATES)]
            seats = players[generation % len(players)]
            tasks = [(game, seats, one, base, seed + generation, games) for one in [*candidates, base]]
            scores = list(pool.map(score, tasks, chunksize=1))
            order = sorted(range(CANDIDATES), key=lambda i: -scores[i])
            base = mean([candidates[i] for i in order[:BEST]] + [base] * 2)
            step = max(0.12, step * 0.985)
            generation += 1
            print(f"generation {generation}: base {scores[-1]:.3f}, best {scores[order[0]]:.3f}", flush=True)
    return base


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", type=int, nargs="*", default=[2])
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    weights = tune(arguments.game, arguments.players, arguments.seconds, arguments.jobs, arguments.games, arguments.seed)
    print("\n".join(f"{name} = {value}" for name, value in weights.items()))


if __name__ == "__main__":
    main()
