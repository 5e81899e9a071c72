"""What a batch refuses, and the errors it raises."""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.boards.checks import is_whole
from branchline.errors import BranchlineError, GameOptionError, IllegalDecision, NotADecision
from branchline.play.games import State
from branchline.play.reasons import why_not
from branchline.play.wording import in_english

DEVICES = ("cpu", "cuda")
A_FEW = 4


def check_device(device: str) -> str:
    if device not in DEVICES:
        raise GameOptionError(f"there is no device {device!r}; the devices are {' and '.join(DEVICES)}")
    return device


def check_number(name: str, value: Any, least: int, most: int) -> int:
    whole = int(value) if isinstance(value, np.integer) else value
    if not is_whole(whole, least, most):
        raise GameOptionError(f"{name} must be a whole number from {least} to {most}, not {value!r:.80}")
    return int(whole)


def check_out(out: Any, shape: tuple[int, int]) -> Any:
    fits = isinstance(out, np.ndarray) and out.shape == shape and out.dtype == np.float32
    if not fits or not out.flags.c_contiguous or not out.flags.writeable:
        there = f"shape {out.shape} and type {out.dtype}" if isinstance(out, np.ndarray) else f"type {type(out).__name__}"
        raise GameOptionError(f"out must be a writable, contiguous NumPy array of float32 in the shape {shape}; this has {there}")
    return out


def not_decisions(given: Any, games: int) -> BranchlineError:
    return NotADecision(f"decisions must be {games} whole numbers, one per slot; these have the shape {given.shape} and the type {given.dtype}")


def illegal(state: State, slot: int, decision: Any) -> BranchlineError:
    """An illegal decision in a slot: which one, why, and what would be legal."""
    legal, where = state.legal, f"slot {slot}, seat {state.seat}"
    few = ", ".join(f"{number} ({state.game.text(number)})" for number in legal[:A_FEW])
    instead = f"Legal: {few}" + (f" and {len(legal) - A_FEW} more" if len(legal) > A_FEW else "")
    try:
        text = state.game.text(decision)
    except NotADecision as error:
        return NotADecision(f"{where}: {error}. {instead}")
    reason = in_english(state.game.board, why_not(state, int(decision)))
    return IllegalDecision(f"{where}: {decision} ('{text}') is not legal now. {reason} {instead}")
