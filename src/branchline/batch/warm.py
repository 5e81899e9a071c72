"""Compiles rules and bots ahead of their first use, on two cores at once.

    python -m branchline.batch.warm [batches]

Compiled code is kept on disk, so this is needed once for each version of the rules; whoever plays without it waits a little longer at first.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from branchline.batch.compiled.playing import play_games
from branchline.batch.compiled.stepping import begin_slots, first_illegal, observe_slots, observe_view, sample_slots, step_slots
from branchline.batch.games import Games
from branchline.batch.rooms import new_room
from branchline.batch.slots import new_slot_room, new_slots
from branchline.boards import available_boards, load_board
from branchline.bots.compiled.candidates import MOST
from branchline.bots.compiled.playouts import begin, try_candidates
from branchline.bots.compiled.policies import THOUGHTS, decide, play_game
from branchline.compiling import MODE
from branchline.compiling.sources import PACKAGE, cache_folder
from branchline.rules import engine
from branchline.rules.board import BOARD
from branchline.rules.log import new_log
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import MASK_WORDS
from branchline.rules.state import STATE
from branchline.rules.work import WORK

ANY_BOARD = available_boards()[0]  # only types matter here
KEY = np.uint64(0)
DICE = np.zeros(3, np.uint64)


def arrays() -> dict[str, Any]:
    """One argument of each type."""
    kinds = {"boards": BOARD, "states": STATE, "works": WORK, "results": RESULT, "thoughts": THOUGHTS}
    return {name: np.zeros(1, kind) for name, kind in kinds.items()} | {"mask": np.zeros(MASK_WORDS, np.uint64), "log": new_log(0)}


def compile_turns() -> None:
    a = arrays()
    compile_for(engine.legal, a["boards"], a["states"], a["mask"])
    compile_for(engine.is_at_once, a["states"])
    compile_for(engine.ask, a["boards"], a["states"], a["mask"], 0)
    compile_for(engine.apply, a["boards"], a["states"], a["log"], a["mask"], a["works"], 0)


def compile_start() -> None:
    a = arrays()
    compile_for(engine.start, a["boards"], a["states"], a["log"], a["mask"], 2, KEY, KEY, 0, 0)


def compile_counts() -> None:
    a = arrays()
    compile_for(engine.final_count, a["boards"], a["states"], a["works"], a["results"])
    compile_for(engine.view, a["boards"], a["states"], 0, a["states"])
    compile_for(engine.imagine, a["boards"], a["states"], KEY, KEY)
    compile_for(engine.payable_routes, a["boards"], a["states"], a["mask"])
    compile_for(engine.next_station_cost, a["boards"], a["states"])


def compile_thinking() -> None:
    a = arrays()
    compile_for(decide, 0, a["boards"], a["states"], a["mask"], a["thoughts"], DICE)
    compile_for(begin, a["boards"], a["states"], a["mask"], a["thoughts"], DICE, np.zeros(MOST, np.int64))


def compile_playouts() -> None:
    a = arrays()
    table = (a["boards"], a["states"], a["states"], a["states"], a["log"], a["mask"], a["works"], a["results"])
    trials, active = np.zeros((MOST, 2), np.float32), np.zeros(MOST, np.bool_)
    compile_for(try_candidates, *table, np.zeros(MOST, np.int64), active, a["thoughts"], a["thoughts"], DICE, KEY, KEY, 0, 1, trials, trials)


def compile_matches() -> None:
    a = arrays()
    numbers, dice = np.zeros(1, np.int64), DICE[np.newaxis]
    table = (a["boards"], a["states"], a["log"], a["mask"], a["works"], numbers, a["states"], a["states"], a["thoughts"], dice)
    compile_for(play_game, *table, 2, KEY, KEY, 0, 0, numbers)


def compile_batches() -> None:
    compile_for(play_games, np.zeros(1, BOARD), Games.blank(1).arrays(), new_room(ANY_BOARD), (2, 0), np.zeros(2, np.int64), KEY, KEY)


def compile_slots() -> None:
    a, room, slots = arrays(), new_slot_room(), tuple(new_slots(load_board(ANY_BOARD), 2, 1))
    table, decisions, rows = (2, KEY, 1, 0, 0), np.zeros(1, np.int64), np.zeros((1, 1), np.float32)
    compile_for(begin_slots, a["boards"], slots, room, table)
    compile_for(step_slots, a["boards"], slots, room, table, decisions)
    compile_for(first_illegal, slots[2], 1, decisions)
    compile_for(sample_slots, slots[2], slots[4], slots[9], decisions)
    compile_for(observe_slots, a["boards"], slots[0], slots[4], room, 2, rows)
    compile_for(observe_view, a["boards"], a["states"], a["works"], 2, rows[0])


def compile_for(function: Any, *arguments: Any) -> None:
    import numba

    function.compile(tuple(numba.typeof(argument) for argument in arguments))


# The parts of a stage are compiled side by side, each by a process of its own; the second stage puts together what the first has compiled.
Stage = dict[str, tuple[Callable[[], None], ...]]
FOR_PLAY: tuple[Stage, ...] = (
    {"rules": (compile_turns, compile_counts, compile_start), "bots": (compile_thinking,)},
    {"matches": (compile_matches,), "playouts": (compile_playouts,)},
)
FOR_BATCHES: tuple[Stage, ...] = ({"games": (compile_batches,), "slots": (compile_slots,)},)
DONE, BATCHES_DONE = "complete", "batches"


def mark(name: str) -> Path:
    """The file that says that all is compiled. Numba keeps code apart by where the package lies and by Python's and its own version: so do marks."""
    place = f"{PACKAGE} {sys.version_info[:2]} {version('numba')} {version('llvmlite')}"
    return cache_folder() / f"{name}-{hashlib.sha256(place.encode()).hexdigest()[:16]}"


def is_compiled(batches: bool = False) -> bool:
    """Is everything compiled that people who play need? For batches of games there is more."""
    return mark(BATCHES_DONE if batches else DONE).exists()


def is_warm(batches: bool = False) -> bool:
    """Is nothing left to compile, in this mode?"""
    return MODE != "compiled" or is_compiled(batches)


def warm(batches: bool = False) -> None:
    """Compile everything that is not compiled yet."""
    if not is_warm():
        compile_stages(FOR_PLAY)
        mark(DONE).touch()
    if batches and not is_warm(batches):
        compile_stages(FOR_BATCHES)
        mark(BATCHES_DONE).touch()


def compile_stages(stages: tuple[Stage, ...]) -> None:
    for stage in stages:
        workers = [subprocess.Popen([sys.executable, "-m", "branchline.batch.warm", part]) for part in stage]
        codes = [worker.wait() for worker in workers]
        if any(codes):
            raise RuntimeError(f"compiling the rules failed (exit codes {codes}); see above for the reason")


if __name__ == "__main__":
    parts = {name: part for stage in (*FOR_PLAY, *FOR_BATCHES) for name, part in stage.items()}
    if len(sys.argv) > 1 and sys.argv[1] in parts:
        for compile_part in parts[sys.argv[1]]:
            compile_part()
    else:
        warm(batches="batches" in sys.argv)
