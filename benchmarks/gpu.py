"""How fast games are played on a GPU: run it on a machine that has one. `make bench` measures the CPU.

    python benchmarks/gpu.py

Every line is the best of several launches, kernel time and its start included; games lie on the device and results are written there.
"""

from __future__ import annotations

import sys
import time

from rich.console import Console
from rich.table import Table

from branchline.boards import available_boards, load_board
from branchline.cuda import GpuPlayer

ROUNDS = 3
console = Console(width=130)


def best_launch(player: GpuPlayer, games: int) -> tuple[float, float]:
    """Seconds, and decisions a game."""
    times = []
    for round_number in range(ROUNDS + 1):  # the first may compile
        started = time.perf_counter()
        player.launch(games, 2, round_number * games)
        times.append(time.perf_counter() - started)
    return min(times[1:]), float(player.fetch().decisions.mean())


def line(table: Table, name: str, players: int, bots: str, games: int, only_results: bool) -> None:
    player = GpuPlayer(load_board(name), [bots] * players, only_results=only_results)
    seconds, decisions = best_launch(player, games)
    written = "results" if only_results else "results, states, tallies"
    speeds = (f"{games * decisions / seconds / 1e6:,.1f}", f"{games / seconds / 1e6:.3f}")
    table.add_row(name, str(players), bots, written, f"{games:,}", *speeds, f"{decisions:.0f}")
    console.print(f"{name} {players} {bots} {written}: {speeds[0]} M decisions/s, {speeds[1]} M games/s", highlight=False)


def main() -> None:
    quick = "quick" in sys.argv
    table = Table(title="Whole games on one GPU")
    for heading in ("board", "seats", "bots", "written", "games", "million decisions/s", "million games/s", "decisions a game"):
        table.add_column(heading, justify="left" if heading in ("board", "bots", "written") else "right")
    line(table, "europe", 4, "random", 1 << 22, True)
    line(table, "europe", 4, "random", 1 << 20, False)
    for name in available_boards():
        if not quick:
            for players in range(load_board(name).players[0], load_board(name).players[1] + 1):
                line(table, name, players, "random", 1 << 20, True)
    for bots, games in (("greedy", 1 << 18), ("planner", 1 << 17)):
        line(table, "europe", 4, bots, games, False)
    console.print(table)


if __name__ == "__main__":
    main()
