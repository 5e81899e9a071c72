"""Compiles the rules ahead of their first use, on two cores at once.

    python -m branchline.warm

Compiled code is kept on disk, so this is needed once for each version of the rules; whoever plays without it waits a little longer at first.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from branchline.modes import MODE, cache_folder
from branchline.rules import imagination, phases, routes, scoring, setup, stations, views
from branchline.rules.board import BOARD
from branchline.rules.events import new_log
from branchline.rules.network import WORK
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import MASK_WORDS
from branchline.rules.state import STATE

KEY = np.uint64(0)


def samples() -> dict[str, Any]:
    """One argument of each type."""
    kinds = {"board": BOARD, "state": STATE, "work": WORK, "result": RESULT}
    records = {name: np.zeros(1, kind) for name, kind in kinds.items()}
    singles = {name: array[0] for name, array in records.items()}
    return singles | {"mask": np.zeros(MASK_WORDS, np.uint64), "log": new_log(0), "states": records["state"]}


def compile_turns() -> None:
    a = samples()
    compile_for(setup.start, a["board"], a["state"], a["log"], a["mask"], 2, KEY, KEY, 0)
    compile_for(phases.apply, a["board"], a["state"], a["log"], a["mask"], 0)
    compile_for(phases.legal, a["board"], a["state"], a["mask"])


def compile_counts() -> None:
    a = samples()
    compile_for(scoring.final_count, a["board"], a["state"], a["work"], a["result"])
    compile_for(views.view, a["board"], a["state"], 0, a["state"])
    compile_for(imagination.imagine, a["board"], a["state"], KEY, KEY)
    compile_for(routes.payable_routes, a["board"], a["state"].hands[0], a["mask"])
    compile_for(stations.next_cost, a["board"], a["state"])


def compile_thinking() -> None:
    from branchline.bots.policies import THOUGHTS, choose

    a = samples()
    compile_for(choose, 0, a["board"], a["state"], a["mask"], np.zeros(1, THOUGHTS)[0], np.zeros(3, np.uint64))


def compile_matches() -> None:
    """Whole games between bots: puts together what the other stages have left on disk."""
    from branchline.bots.policies import THOUGHTS, play_game

    a = samples()
    thoughts, dice, numbers = np.zeros(1, THOUGHTS)[0], np.zeros((1, 3), np.uint64), np.zeros(1, np.int64)
    table = (a["board"], a["state"], a["log"], a["mask"], numbers, a["states"], a["states"], thoughts, dice)
    compile_for(play_game, *table, 2, KEY, KEY, 0, numbers)


def compile_for(function: Any, *arguments: Any) -> None:
    import numba

    function.compile(tuple(numba.typeof(argument) for argument in arguments))


# Each row is compiled by a process of its own, side by side; matches come last.
STAGES: dict[str, tuple[Callable[[], None], ...]] = {
    "turns": (compile_turns,),
    "counts": (compile_counts, compile_thinking),
}
DONE = "complete"


def is_warm() -> bool:
    return MODE != "compiled" or (cache_folder() / DONE).exists()


def warm() -> None:
    """Compile everything that is not compiled yet."""
    if is_warm():
        return
    workers = [subprocess.Popen([sys.executable, "-m", "branchline.warm", stage]) for stage in STAGES]
    codes = [worker.wait() for worker in workers]
    if any(codes):
        raise RuntimeError(f"compiling the rules failed (exit codes {codes}); see above for the reason")
    compile_matches()
    (cache_folder() / DONE).touch()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        for compile_part in STAGES[sys.argv[1]]:
            compile_part()
    else:
        warm()
