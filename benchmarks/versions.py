"""Random play of two versions in turns, on every board: `python benchmarks/versions.py FOLDER`, where FOLDER is the tree of the other version.

Machines are noisy, so both play the same games alternately, a round each, and the best round of CPU time counts. They must play the same games.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from branchline.batch import Player
from branchline.boards import available_boards, load_board

ROUNDS, GAMES = 8, 600


def answer() -> None:
    """Play a round for each line that is read: a board and a number of seats."""
    players: dict[str, Player] = {}
    for line in sys.stdin:
        name, seats = line.split()
        if line not in players:
            players[line] = Player(load_board(name), ["random"] * int(seats), threads=1)
        started = time.thread_time()
        played = players[line].play(GAMES, 1)
        seconds = time.thread_time() - started
        digest = hashlib.sha256(played.states.tobytes() + played.results.tobytes() + played.tallies.tobytes()).hexdigest()
        print(played.decisions.sum() / seconds, digest, flush=True)


def opened(tree: Path) -> subprocess.Popen[str]:
    env = os.environ | {"PYTHONPATH": str(tree / "src")}
    return subprocess.Popen([sys.executable, __file__, "answer"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def asked(version: subprocess.Popen[str], name: str, seats: int) -> tuple[float, str]:
    assert version.stdin
    assert version.stdout
    print(name, seats, file=version.stdin, flush=True)
    speed, digest = version.stdout.readline().split()
    return float(speed), digest


def main() -> None:
    trees = Path(sys.argv[1]), Path(__file__).parents[1]
    versions = [opened(tree) for tree in trees]
    table = Table("board", "seats", "before, million decisions/s", "now", "ratio")
    for name in available_boards():
        least, most = load_board(name).players
        for seats in range(least, most + 1):
            rounds = [[asked(version, name, seats) for version in versions] for _ in range(ROUNDS)]
            if len({digest for both in rounds for _, digest in both}) > 1:
                sys.exit(f"{name} with {seats} seats: the versions play different games")
            before, now = (max(both[which][0] for both in rounds) for which in (0, 1))
            table.add_row(name, str(seats), f"{before / 1e6:.2f}", f"{now / 1e6:.2f}", f"{now / before:.2f}")
    for version in versions:
        assert version.stdin
        version.stdin.close()
        version.wait()
    Console(width=100).print(table)


if __name__ == "__main__":
    answer() if "answer" in sys.argv else main()
