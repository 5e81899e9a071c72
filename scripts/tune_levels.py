"""Find how whimsical each level must be on a board, so that the one above wins about three games out of four against it.

    python scripts/tune_levels.py london            # prints levels.toml for the board, and what was measured

From the top: `expert` is the network as it is; each level below is as whimsical as it takes. Two seats, the same deals from both.
"""

from __future__ import annotations

import math
import sys
from typing import Any

from branchline import Game
from branchline.batch.matches import Match
from branchline.bots.levels import MANNERS
from branchline.bots.weights import weights_for
from branchline.pages.intervals import Estimate, share_of
from branchline.play.observations.layout import layout_of

AIM, TRIES, DEALS, CONFIRMING = 0.735, 8, 150, 500
MOST = 9000  # whims
NEAR = 1.0  # what is this near to the aim in log-odds counts for the fit
SHY, FORGETS = {"hard": 0.0, "normal": 0.1, "easy": 0.15, "beginner": 0.2}, {"hard": 0, "normal": 15, "easy": 30, "beginner": 50}
Manner = dict[str, int]


def manner_of(level: str, whims: float) -> Manner:
    return {"whims": round(whims), "shy": round(SHY[level] * whims), "forgets": FORGETS[level]}


def wins(game: str, above: Manner, below: Manner, deals: int, seed: int) -> Estimate:
    """The share of wins of the manner above, from both seats of the same deals."""
    held: Manner = {"held_at": layout_of(game)["held"].offset}
    found: list[float] = []
    for seat in (0, 1):
        manners = (above, below) if seat == 0 else (below, above)
        match = Match(Game(game, 2), ["learned"] * 2, [weights_for(game, 2, held | manner) for manner in manners])
        found += [share(match.play((seed << 64) + number), seat) for number in range(deals)]
    return share_of([(first + second) / 2 for first, second in zip(found[:deals], found[deals:], strict=True)], 2 * deals)


def share(state: Any, seat: int) -> float:
    winners = state.result["winners"]
    return (seat in winners) / len(winners)


def odds(mean: float) -> float:
    mean = min(max(mean, 0.02), 0.98)
    return math.log(mean / (1 - mean))


def fitted(points: list[tuple[float, float]]) -> float:
    """The whims at which a line through the odds meets the aim, both by logarithms; of what is near."""
    near = [(math.log(whims), odds(mean) - odds(AIM)) for whims, mean in points if abs(odds(mean) - odds(AIM)) < NEAR]
    middle, height = (sum(values) / max(1, len(near)) for values in ([x for x, _ in near], [y for _, y in near]))
    across = sum((x - middle) ** 2 for x, _ in near)
    slope = sum((x - middle) * (y - height) for x, y in near) / across if across else 0.0
    nearest = min(points, key=lambda point: abs(odds(point[1]) - odds(AIM)))[0]
    return math.exp(middle - height / slope) if slope > 0 else nearest


def tune(game: str, level: str, above: Manner) -> Manner:
    """Halve the range in which the aim is met, then fit a line to what was seen."""
    low, high, points = above.get("whims", 50), MOST, list[tuple[float, float]]()
    for number in range(TRIES):
        whims = math.sqrt(low * high)
        points.append((whims, wins(game, above, manner_of(level, whims), DEALS, 100 + number).mean))
        low, high = (whims, high) if points[-1][1] < AIM else (low, whims)
    return manner_of(level, min(max(fitted(points), above.get("whims", 0)), MOST))


def main(game: str) -> None:
    above: Manner = {}
    print("# How each level falls short on this board (bots/levels.py), found by scripts/tune_levels.py. No rule reads this.")
    for level in reversed(MANNERS):
        manner = tune(game, level, above)
        won = wins(game, above, manner, CONFIRMING, 7)
        print(f"[{level}]  # the level above wins {100 * won.mean:.0f} % ({100 * won.low:.0f}–{100 * won.high:.0f}) of {2 * CONFIRMING} games")
        print("\n".join(f"{name} = {value}" for name, value in manner.items()), flush=True)
        above = manner


if __name__ == "__main__":
    main(sys.argv[1])
