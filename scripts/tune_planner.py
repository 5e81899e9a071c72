"""Tune the planner's weights for a board and a number of seats: every seat plays with weights that are a little off, and the winners show the way.

    python scripts/tune_planner.py europe --players 4 --seconds 120 --jobs 2

In a round, each weight of each seat is larger or smaller by the same factor, by the toss of a coin. How much better those seats did that had it
larger says which way it should go, for all weights at once. A game counts by a smooth function of the margin, which tells more than wins do.
Prints the weights it finds: copy them into the board's planner.toml, for that number of seats under [seats.N], after you have measured them
against the old file (`--against`).
"""

from __future__ import annotations

import argparse
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from branchline.batch.compiled.playing import play_games
from branchline.batch.games import Games
from branchline.batch.rooms import new_room
from branchline.boards import load_board
from branchline.bots.compiled.policies import PLANNER
from branchline.bots.compiled.thoughts import INDEX, WEIGHTS
from branchline.bots.weights import COMMON, tuned_for, weights_of_seats
from branchline.play.first_use import compile_first
from branchline.rules.sizes import NONE

YARD = ("needed", "late")  # the first and the last weight of planners with a yard
FIXED = ("halved", "whims", "shy", "forgets", "held_at")  # they are not the planner's
FACTOR, LEAST_FACTOR, SHRINKS = 0.3, 0.1, 0.9  # logarithms: how far a weight is off in the first round and in the last ones
DEALS = 4  # games with the same weights


class Table:
    """Plays games in which every seat has weights of its own."""

    def __init__(self, game: str, players: int) -> None:
        self.board, self.players = load_board(game), players
        self.weights = weights_of_seats(game, players)
        self._room = new_room(game, players, weights=self.weights)
        self._policies = np.full(players, PLANNER, np.int64)
        pieces = self.board.record.pieces.sum()
        self._scale = 6.0 if 0 < pieces < 20 else 20.0  # games with few pieces have small margins

    def play(self, games: int, seed: int, first: int) -> tuple[Any, Any]:
        """For every game and seat: how good the margin is, from 0 to 1, and the share of the win."""
        played = Games.blank(games, first)
        play_games(self.board.records, played.arrays(), self._room, (self.players, NONE, 0), self._policies, np.uint64(seed), np.uint64(first))
        totals = played.results["total"][:, : self.players].astype(float)
        best = np.stack([np.delete(totals, seat, 1).max(1) for seat in range(self.players)], 1)
        won = played.results["winners"][:, None] >> np.arange(self.players) & 1
        return 1 / (1 + np.exp(-np.clip((totals - best) / self._scale, -50, 50))), won / won.sum(1, keepdims=True)


def round_of(table: Table, names: list[str], base: dict[str, float], factor: float, seed: int, groups: range) -> tuple[Any, Any]:
    """For some groups of games, the coins of each seat and how it did."""
    columns, middle = [INDEX[name] for name in names], np.log([base[name] for name in names])
    coins = np.random.default_rng([seed, groups.start]).choice([-1.0, 1.0], (len(groups), table.players, len(names)))
    scores = np.zeros((len(groups), table.players))
    for i, group in enumerate(groups):
        table.weights[: table.players, columns] = np.rint(np.exp(middle + factor * coins[i]))
        scores[i] = table.play(DEALS, seed, group * DEALS)[0].mean(0)
    return coins, scores


def step_of(coins: Any, scores: Any) -> Any:
    """Which way the weights should go, as a step of length 1: those whose difference is within its error stay where they are."""
    scores = (scores - scores.mean()).ravel()
    coins = coins.reshape(len(scores), -1)
    clear = (coins * scores[:, None]).mean(0) / (scores.std() / len(scores) ** 0.5)
    way = np.where(np.abs(clear) > 1, clear, 0.0)
    return way / max(float(np.linalg.norm(way)), 1.0)


def tune(game: str, players: int, base: dict[str, int], seconds: float, jobs: int, games: int, seed: int) -> dict[str, int]:
    tables = [Table(game, players) for _ in range(jobs)]
    names, now = tunable(tables[0].board, base), {name: float(value) for name, value in base.items()}
    factor, deadline, groups = FACTOR, time.monotonic() + seconds, games // DEALS // jobs
    with ThreadPoolExecutor(jobs) as pool:
        number = 0
        while time.monotonic() < deadline:
            parts = [(table, range(i * groups, (i + 1) * groups)) for i, table in enumerate(tables)]
            done = [pool.submit(round_of, table, names, now, factor, seed + number, part) for table, part in parts]
            step = step_of(*(np.concatenate(one) for one in zip(*(one.result() for one in done), strict=True)))
            for name, way in zip(names, step, strict=True):
                now[name] = max(now[name] * float(np.exp(factor * way)), 1.0)
            factor, number = max(factor * SHRINKS, LEAST_FACTOR), number + 1
            changes = sorted(zip(names, step, strict=True), key=lambda one: -abs(one[1]))[:5]
            print(f"round {number}: {', '.join(f'{name} {way:+.2f}' for name, way in changes)}", flush=True)
    return {name: round(now[name]) for name in names}


def tunable(board: Any, base: dict[str, int]) -> list[str]:
    """The weights that matter on a board, because it has what they are about; one that is 0 stays so."""
    record, of_yard = board.record, range(INDEX[YARD[0]], INDEX[YARD[1]] + 1)
    about = {"wild": record.ferry.any(), "tunnel": record.tunnel.any(), "station": record.stations, "harbour": record.harbours}
    about |= dict.fromkeys(("longest", "doubt"), record.longest_points)
    return [
        name
        for name, value in base.items()
        if name not in FIXED and value > 0 and about.get(name, True) and (INDEX[name] in of_yard) == bool(record.yards)
    ]


def compare(game: str, players: int, new: dict[str, int], old: dict[str, int], games: int, seed: int, jobs: int) -> tuple[float, float]:
    """The share of wins of one seat with new weights against old ones, each deal from every seat, and half its 95 % interval."""

    def wins(part: tuple[int, int]) -> Any:
        seat, job = part
        table, deals = Table(game, players), games // players // jobs
        table.weights[:, :WEIGHTS] = row(old)
        table.weights[seat, :WEIGHTS] = row(new)
        return table.play(deals, seed, job * deals)[1][:, seat]

    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(wins, [(seat, job) for seat in range(players) for job in range(jobs)]))
    per_deal = np.concatenate([np.mean([found[seat * jobs + job] for seat in range(players)], 0) for job in range(jobs)])
    return float(per_deal.mean()), float(1.96 * per_deal.std() / len(per_deal) ** 0.5)


def row(weights: dict[str, int]) -> Any:
    numbers = np.zeros(WEIGHTS, np.int32)
    for name, value in weights.items():
        numbers[INDEX[name]] = value
    return numbers


def weights_in(file: Path, players: int) -> dict[str, int]:
    """What another planner.toml says for a number of seats."""
    found = tomllib.loads(file.read_text())
    return COMMON | {name: value for name, value in found.items() if name in INDEX} | found.get("seats", {}).get(str(players), {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--games", type=int, default=4000, help="in a round, or in all with --against")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", type=Path, help="only measure the board's weights against those of another planner.toml")
    arguments = parser.parse_args()
    compile_first("games")
    base = COMMON | tuned_for(arguments.game, arguments.players)
    if arguments.against:
        old = weights_in(arguments.against, arguments.players)
        share, error = compare(arguments.game, arguments.players, base, old, arguments.games, arguments.seed, arguments.jobs)
        print(f"{arguments.game}, {arguments.players} seats: {share:.1%} ± {error:.1%} of {arguments.games} games")
        return
    weights = tune(arguments.game, arguments.players, base, arguments.seconds, arguments.jobs, arguments.games, arguments.seed)
    print("\n".join(f"{name} = {value}" for name, value in weights.items()))


if __name__ == "__main__":
    main()
