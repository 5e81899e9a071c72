"""Shows on a machine with a GPU that GPU and CPU play the same games, byte for byte, and how fast.

python scripts/check_gpu.py [games to compare] [games to time]
"""

import sys
import time

import numpy as np

from branchline.batch import random_games
from branchline.boards import available_boards, load_board
from branchline.cuda import GpuRandomGames


def main() -> None:
    compared, timed = (int(argument) for argument in (*sys.argv[1:3], "2000", "200000")[:2])
    for game in available_boards():
        board = load_board(game)
        for players in range(board.players[0], board.players[1] + 1):
            gpu = GpuRandomGames(board, players, compared)
            started = time.perf_counter()
            gpu.play(seed=1)
            compile_and_play = time.perf_counter() - started
            on_gpu, on_cpu = gpu.fetch(), random_games(board, players, compared, 1)
            for field in ("states", "results", "decisions"):
                same = np.array_equal(getattr(on_gpu, field).view(np.uint8), getattr(on_cpu, field).view(np.uint8))
                if not same:
                    sys.exit(f"{game} with {players} seats: {field} differ between GPU and CPU")
            gpu = GpuRandomGames(board, players, timed)
            gpu.play(seed=2)
            best = min(time_launch(gpu, first) for first in (timed, 2 * timed, 3 * timed))
            decisions = gpu.fetch().decisions.sum()
            print(
                f"{game:8} {players} seats: {compared} games equal, first launch {compile_and_play:.1f} s; "
                f"{decisions / best / 1e6:8.1f} M decisions/s, {timed / best / 1e6:6.3f} M games/s",
                flush=True,
            )


def time_launch(gpu: GpuRandomGames, first: int) -> float:
    gpu.clear()
    started = time.perf_counter()
    gpu.launch(2, first)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
