"""Compiles the rules and bots that a command needs before their first use, on several cores.

    python -m branchline.batch.warm [replay] [play] [arena] [batches]
    python -m branchline.batch.warm --beside [...]       # ends with the process that started it

Without a name, it compiles what people need to play; `batches` is everything. Compiled code is kept on disk, so this is needed once for each
version of the rules; without it, whatever is missing is compiled at its first use.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from branchline.batch.ending import end_with
from branchline.boards import load_board
from branchline.boards.folders import packed_boards
from branchline.compiling import MODE
from branchline.compiling.sources import PACKAGE, cache_folder
from branchline.play.compiled.listing import list_members
from branchline.play.compiled.measuring import measure
from branchline.rules import engine
from branchline.rules.board import BOARD
from branchline.rules.log import new_log
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import MASK_WORDS, SEATS, TICKET_WORDS
from branchline.rules.state import STATE
from branchline.rules.work import WORK

# What can be compiled. One process compiles the names on a line, and the lines of a stage run in parallel; the next stage puts together
# what they have made.
STAGES = (
    (("turns", "start", "counts", "views"), ("bots",)),
    (("matches", "games"), ("playouts", "slots")),
)

# What is needed: to replay a record; for people to play; for a game between policies that is recorded; for everything
REPLAY = ("turns", "start", "counts")
RULES = (*REPLAY, "views")
PLAY = (*RULES, "bots", "playouts")
RECORDED = (*RULES, "bots", "matches")
ALL = tuple(part for stage in STAGES for line in stage for part in line)
NEEDS = {"replay": REPLAY, "play": PLAY, "arena": RECORDED, "batches": ALL}

THINK_AHEAD = ("search", "master")  # bots that play games out

SAID = "Compiling the rules, once per version"

KEY = np.uint64(0)
DICE = np.zeros(3, np.uint64)
DISTANCES = np.zeros(1, np.int64)


def for_bots(names: Iterable[str]) -> tuple[str, ...]:
    """What a game of these bots needs, decision by decision."""
    named = [name.partition("@")[0] for name in names]
    return (*RULES, *["bots"] * bool(named), *["playouts"] * any(name in THINK_AHEAD for name in named))


def arrays() -> dict[str, Any]:
    """One argument of each type."""
    kinds = {"boards": BOARD, "states": STATE, "works": WORK, "results": RESULT}
    return {name: np.zeros(1, kind) for name, kind in kinds.items()} | {"mask": np.zeros(MASK_WORDS, np.uint64), "log": new_log(0)}


def compile_turns() -> None:
    a = arrays()
    compile_for(engine.legal, a["boards"], a["states"], a["mask"])
    compile_for(engine.is_at_once, a["states"])
    compile_for(list_members, a["mask"], np.zeros(1, np.int64))
    compile_for(engine.ask, a["boards"], a["states"], a["mask"], 0)
    compile_for(engine.apply, a["boards"], a["states"], a["log"], a["mask"], a["works"], 0)


def compile_start() -> None:
    a = arrays()
    compile_for(engine.start, a["boards"], a["states"], a["log"], a["mask"], 2, KEY, KEY, 0, 0)


def compile_counts() -> None:
    a = arrays()
    compile_for(engine.final_count, a["boards"], a["states"], a["works"], a["results"])


def compile_views() -> None:
    a = arrays()
    compile_for(engine.view, a["boards"], a["states"], 0, a["states"])
    compile_for(engine.imagine, a["boards"], a["states"], KEY, KEY)
    compile_for(measure, *[DISTANCES] * 4, 0, 0, *[DISTANCES] * 3)
    compile_for(engine.payable_routes, a["boards"], a["states"], a["mask"])
    compile_for(engine.next_station_cost, a["boards"], a["states"])
    compile_for(engine.best_to_complete, a["boards"], a["states"], a["works"], a["mask"][:TICKET_WORDS])


def compile_thinking() -> None:
    from branchline.bots.compiled.candidates import MOST
    from branchline.bots.compiled.foresight import begin_learned
    from branchline.bots.compiled.network import scores_of
    from branchline.bots.compiled.playouts import begin
    from branchline.bots.compiled.policies import THOUGHTS, decide

    a, thoughts = arrays(), np.zeros(1, THOUGHTS)
    compile_for(scores_of, 0, 0, a["boards"], a["states"], np.zeros(1, np.int64))
    compile_for(decide, 0, a["boards"], a["states"], a["mask"], thoughts, DICE)
    compile_for(begin, a["boards"], a["states"], a["mask"], thoughts, DICE, np.zeros(MOST, np.int64))
    compile_for(begin_learned, a["boards"], a["states"], a["mask"], thoughts, np.zeros(MOST, np.int64))


def compile_playouts() -> None:
    from branchline.bots.compiled.candidates import MOST
    from branchline.bots.compiled.foresight import foresee
    from branchline.bots.compiled.playouts import try_candidates
    from branchline.bots.compiled.policies import THOUGHTS

    a, thoughts = arrays(), np.zeros(1, THOUGHTS)
    table = (a["boards"], a["states"], a["states"], a["states"], a["log"], a["mask"], a["works"], a["results"])
    trials, active = np.zeros((MOST, 2), np.float32), np.zeros(MOST, np.bool_)
    compile_for(try_candidates, *table, np.zeros(MOST, np.int64), active, thoughts, thoughts, DICE, KEY, KEY, 0, 1, trials, trials)
    compile_for(foresee, *table, np.zeros(MOST, np.int64), active, thoughts, KEY, KEY, 0, 1, 0, trials)


def whole_games() -> tuple[Any, ...]:
    """The arguments that all loops of whole games have."""
    from branchline.batch.games import Games
    from branchline.batch.rooms import new_room

    return np.zeros(1, BOARD), Games.blank(1).arrays(), new_room(packed_boards()[0], 2), (2, 0, 0), np.zeros(2, np.int64), KEY, KEY


def compile_matches() -> None:
    from branchline.batch.compiled.playing import play_recorded

    compile_for(play_recorded, *whole_games(), np.zeros((SEATS, 3), np.uint64), np.zeros(1, np.int64))


def compile_games() -> None:
    from branchline.batch.compiled.playing import play_games

    compile_for(play_games, *whole_games())


def compile_slots() -> None:
    from branchline.batch.compiled.stepping import ask_slots, first_illegal, observe_slots, observe_view, sample_slots, step_against, step_slots
    from branchline.batch.slots import new_slot_room, new_slots

    game = packed_boards()[0]
    a, room, slots = arrays(), new_slot_room(game, 2), tuple(new_slots(load_board(game), 2, 1))
    numbers, decisions, row = np.zeros(1, np.float32), np.zeros(1, np.int64), np.zeros((1, 1), np.float32)
    table = (2, 1, 0, 0, numbers)
    compile_for(step_slots, a["boards"], slots, room, table, decisions)
    compile_for(step_against, a["boards"], slots, room, table, decisions)
    compile_for(ask_slots, a["boards"], slots, room, 0, slots[6], decisions)
    compile_for(first_illegal, slots[2], 1, decisions)
    compile_for(sample_slots, slots[2], slots[4], slots[9], decisions)
    compile_for(observe_slots, a["boards"], slots[0], slots[4], room, 2, numbers, numbers, row)
    compile_for(observe_view, a["boards"], a["states"], a["works"], 2, row[0])


def compile_for(function: Any, *arguments: Any) -> None:
    import numba

    function.compile(tuple(numba.typeof(argument) for argument in arguments))


PARTS: dict[str, Callable[[], None]] = {
    "turns": compile_turns,
    "start": compile_start,
    "counts": compile_counts,
    "views": compile_views,
    "bots": compile_thinking,
    "playouts": compile_playouts,
    "matches": compile_matches,
    "games": compile_games,
    "slots": compile_slots,
}


def mark(part: str) -> Path:
    """The file that says that a part is compiled. Like Numba, we keep code apart by the package's place and the versions of Python and Numba."""
    place = f"{PACKAGE} {sys.version_info[:2]} {version('numba')} {version('llvmlite')}"
    return cache_folder() / f"{part}-{hashlib.sha256(place.encode()).hexdigest()[:16]}"


def is_compiled(needs: Iterable[str] = PLAY) -> bool:
    """Is all of this compiled?"""
    return all(mark(part).exists() for part in needs)


def is_warm(needs: Iterable[str] = PLAY) -> bool:
    """Is nothing of this left to compile in this mode?"""
    return MODE != "compiled" or is_compiled(needs)


def warm(needs: Iterable[str] = PLAY) -> None:
    """Compile what is needed and not compiled yet."""
    if MODE != "compiled":
        return
    missing = left_to_compile(needs)
    for stage in STAGES:
        compile_beside([chosen for line in stage if (chosen := [part for part in line if part in missing])])


def left_to_compile(needs: Iterable[str]) -> list[str]:
    return [part for part in dict.fromkeys(needs) if not mark(part).exists()]


def compile_all_unless(needs: Iterable[str]) -> None:
    """If any of this is not compiled, compile everything, and show it: a program that needs one thing will often need the next."""
    if not is_compiled(needs):
        warm_and_show(ALL)


def warm_and_show(needs: Iterable[str]) -> None:
    """Compile, with a bar on the terminal or, where there is none, a line."""
    from rich.console import Console

    from branchline.batch.progress import part_by_part

    missing = left_to_compile(needs)
    part_by_part(Console(stderr=True), SAID, len(missing), lambda: len(missing) - len(left_to_compile(missing)), lambda: warm(missing))


def compile_beside(lines: list[list[str]]) -> None:
    """Compile each line in its own process, which ends with this one, and without a word on Ctrl-C."""
    code = "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL)"
    code += "; from branchline.batch.warm import compile_parts, end_with; end_with(int(sys.argv[1])); compile_parts(sys.argv[2:])"
    workers = [subprocess.Popen([sys.executable, "-c", code, str(os.getpid()), *line]) for line in lines]
    codes = [worker.wait() for worker in workers]
    if any(codes):
        raise RuntimeError(f"compiling the rules failed (exit codes {codes}); see above for the reason")


def compile_parts(parts: Iterable[str]) -> None:
    for part in parts:
        PARTS[part]()
        mark(part).touch()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    names = sys.argv[1:]
    if names[:1] == ["--beside"]:
        end_with(os.getppid())
        names = names[1:]
    warm({part for name in names or ["play"] for part in NEEDS[name]})
