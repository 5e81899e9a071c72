"""The rules' entry points as single games call them: directly, because the types of their arguments never change (`compiling/direct.py`)."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from branchline.compiling import direct
from branchline.play.compiled.listing import list_members
from branchline.play.compiled.measuring import measure
from branchline.play.first_use import compile_first
from branchline.rules import engine
from branchline.rules.board import BOARD
from branchline.rules.log import new_log
from branchline.rules.sizes import MASK_WORDS
from branchline.rules.state import STATE
from branchline.rules.vocabulary.phases import PHASES
from branchline.rules.work import WORK

EVENTS = 1000  # rows of a log; if a decision needs more, it is carried out again with more


class Calls(NamedTuple):
    apply: Any
    ask: Any
    legal: Any
    list_members: Any
    at_once: frozenset[int]  # the phases in which seats choose simultaneously


class Scratch(threading.local):
    """Space for one call into the rules, one per thread."""

    def __init__(self) -> None:
        self.log = new_log(EVENTS)
        self.work: Any = np.zeros(1, WORK)
        self.found: Any = np.zeros(64 * MASK_WORDS, np.int64)


scratch = Scratch()


@cache
def calls() -> Calls:
    """Compiled, or loaded from disk, when the first game needs them."""
    compile_first("turns", "start", "counts")
    boards, states, works, mask, log = np.zeros(1, BOARD), np.zeros(1, STATE), np.zeros(1, WORK), np.zeros(MASK_WORDS, np.uint64), new_log(0)
    return Calls(
        direct(engine.apply, boards, states, log, mask, works, 0),
        direct(engine.ask, boards, states, mask, 0),
        direct(engine.legal, boards, states, mask),
        direct(list_members, mask, np.zeros(1, np.int64)),
        simultaneous_phases(),
    )


@cache
def view_call() -> Any:
    """The same for `engine.view`, which replaying a game does without."""
    compile_first("views")
    return direct(engine.view, np.zeros(1, BOARD), np.zeros(1, STATE), 0, np.zeros(1, STATE))


@cache
def measure_call() -> Any:
    """The same for the cheapest ways between cities, which only people's tickets need."""
    compile_first("views")
    numbers = np.zeros(1, np.int64)
    return direct(measure, numbers, numbers, numbers, numbers, 0, 0, numbers, numbers, numbers)


def simultaneous_phases() -> frozenset[int]:
    states, found = np.zeros(1, STATE), []
    for phase in PHASES:
        states["phase"] = phase
        if engine.is_at_once(states):
            found.append(phase)
    return frozenset(found)
