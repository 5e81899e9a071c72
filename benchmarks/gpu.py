"""Measure how fast a GPU plays games. Run it on a machine with a GPU; `make bench` measures the CPU.

    python benchmarks/gpu.py [quick]

Every line is the best of several launches, including the launch itself; games and results stay on the device.
Kernels are built first, in parallel processes. `quick` measures only Europe.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from branchline.batch import Batch
from branchline.boards import available_boards, load_board
from branchline.cuda import GpuPlayer

ROUNDS, STEPS = 3, 50
SLOTS = 1 << 20
console = Console(width=130)


class Games(NamedTuple):
    """What a line of the first table measures."""

    board: str
    players: int
    bots: str
    games: int
    only_results: bool

    def player(self) -> GpuPlayer:
        return GpuPlayer(load_board(self.board), [self.bots] * self.players, only_results=self.only_results)


def lines(quick: bool) -> list[Games]:
    europe = [Games("europe", 4, "random", 1 << 22, True), Games("europe", 4, "random", 1 << 20, True), Games("europe", 4, "random", 1 << 20, False)]
    bots = [Games("europe", 4, "greedy", 1 << 18, False), Games("europe", 4, "planner", 1 << 17, False)]
    if quick:
        return europe + bots
    tables = [(name, seats) for name in available_boards() for seats in range(load_board(name).players[0], load_board(name).players[1] + 1)]
    return europe + [Games(name, seats, "random", 1 << 20, True) for name, seats in tables] + bots


def best_of(what: Callable[[int], object]) -> float:
    """Seconds of the fastest round; the first one loads things and does not count."""
    times = []
    for number in range(ROUNDS + 1):
        started = time.perf_counter()
        what(number)
        times.append(time.perf_counter() - started)
    return min(times[1:])


def measure_games(some: Games, table: Table) -> None:
    player = some.player()
    seconds = best_of(lambda number: player.launch(some.games, 2, number * some.games))
    decisions = float(player.fetch().decisions.mean())
    written = "results" if some.only_results else "results, states, tallies"
    speeds = (f"{some.games * decisions / seconds / 1e6:,.1f}", f"{some.games / seconds / 1e6:.3f}")
    table.add_row(some.board, str(some.players), some.bots, written, f"{some.games:,}", *speeds, f"{decisions:.0f}")
    console.print(f"{some.board} {some.players} {some.bots} {written}: {speeds[0]} M decisions/s, {speeds[1]} M games/s", highlight=False)
    player.close()


def measure_steps(name: str, table: Table) -> None:
    """Steps of a batch from its first decision, on their own and with an observation before each."""
    for observed in (False, True):
        batch = Batch(name, SLOTS, load_board(name).players[1], device="cuda", seed=1)
        speed = STEPS * SLOTS / best_of(lambda _, batch=batch, observed=observed: take_steps(batch, observed)) / 1e6
        written = f"{speed * 4 * batch.observation_size / 1000:,.0f}" if observed else ""
        table.add_row(name, str(batch.players), "with observations" if observed else "alone", f"{speed:,.1f}", written)
        console.print(f"{name} steps, observed {observed}: {speed:,.1f} M/s {written}", highlight=False)


def take_steps(batch: Batch, observed: bool) -> None:
    for _ in range(STEPS):
        if observed:
            batch.observe()
        batch.step(batch.sample())
    batch.synchronize()


def build(part: str) -> None:
    """Build a kernel, which is then kept on disk."""
    name, what = part.split(":")
    if what == "steps":
        batch = Batch(name, 2, 2, device="cuda", seed=1)
        batch.observe()
        batch.step(batch.sample())
    else:
        Games(name, 2, what.removesuffix("-results"), 1, what.endswith("-results")).player().prepare()


def build_all(boards: list[str]) -> None:
    parts = ["europe:random", "europe:greedy", "europe:planner"] + [f"{name}:{what}" for name in boards for what in ("random-results", "steps")]
    started = time.perf_counter()
    with console.status(f"building {len(parts)} kernels"):
        workers = [subprocess.Popen([sys.executable, __file__, "build", part]) for part in parts]
        failures = [worker.args for worker in workers if worker.wait()]
        if failures:
            sys.exit("a kernel could not be built: see above")
    console.print(f"{len(parts)} kernels built or found in {time.perf_counter() - started:.0f} s", highlight=False)


def main() -> None:
    if "build" in sys.argv:
        build(sys.argv[-1])
        return
    quick = "quick" in sys.argv
    boards = ["europe"] if quick else available_boards()
    build_all(boards)
    games, steps = Table(title="Whole games on one GPU"), Table(title=f"{STEPS} steps of {SLOTS:,} games, with the most seats")
    for heading in ("board", "seats", "bots", "written", "games", "million decisions/s", "million games/s", "decisions per game"):
        games.add_column(heading, justify="left" if heading in ("board", "bots", "written") else "right")
    for heading in ("board", "seats", "steps", "million decisions/s", "GB/s written"):
        steps.add_column(heading, justify="left" if heading in ("board", "steps") else "right")
    for some in lines(quick):
        measure_games(some, games)
    for name in boards:
        measure_steps(name, steps)
    console.print(games, steps)


if __name__ == "__main__":
    main()
