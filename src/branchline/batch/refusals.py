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
DTYPES = ("float32", "bfloat16", "float16")
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


def check_dtype(dtype: str, device: str) -> str:
    if dtype not in DTYPES or (device == "cpu" and dtype != "float32"):
        there = f"{', '.join(DTYPES[:-1])} or {DTYPES[-1]}" if device == "cuda" else "float32 on the CPU"
        raise GameOptionError(f"dtype must be {there}, not {dtype!r}")
    return dtype


def check_out(out: Any, shape: tuple[int, ...], kind: Any, name: str = "out") -> Any:
    fits = isinstance(out, np.ndarray) and out.shape == shape and out.dtype == kind
    if not fits or not out.flags.c_contiguous or not (out.flags.writeable or name != "out"):
        there = f"shape {out.shape} and type {out.dtype}" if isinstance(out, np.ndarray) else f"type {type(out).__name__}"
        raise GameOptionError(f"{name} must be a writable, contiguous NumPy array of {np.dtype(kind)} in the shape {shape}; this has {there}")
    return out


def check_seats(seat: Any, players: int, games: int) -> Any:
    """(n,) int8: a seat for every slot, given one for all or one for each."""
    if np.ndim(seat) == 0:
        return np.full(games, check_number("seat", seat, 0, players - 1), np.int8)
    seats = np.asarray(seat)
    if seats.shape != (games,) or seats.dtype.kind not in "iu" or seats.min() < 0 or seats.max() >= players:
        raise GameOptionError(f"seat must be a whole number from 0 to {players - 1}, or {games} of them, one per slot")
    return np.ascontiguousarray(seats, np.int8)


def chosen_slots(slots: Any, seeds: Any, games: int) -> tuple[Any, Any]:
    """(n,) bool: which slots; and (n,) uint64: their seeds, or None."""
    which = np.zeros(games, np.bool_)
    given = np.arange(games) if slots is None else np.asarray(slots)
    if given.dtype == np.bool_ and given.shape == (games,):
        given = np.flatnonzero(given)
    if given.ndim != 1 or (given.size and (given.dtype.kind not in "iu" or given.min() < 0 or given.max() >= games)):
        raise GameOptionError(f"slots must be numbers from 0 to {games - 1}, or {games} times true or false")
    which[given.astype(np.int64)] = True
    if seeds is None:
        return which, None
    if np.ndim(seeds) != 1 or len(seeds) != len(given):
        raise GameOptionError(f"seeds must be {len(given)} whole numbers, one for each slot")
    numbers = np.zeros(games, np.uint64)
    numbers[given.astype(np.int64)] = np.array([check_number("seed", seed, 0, (1 << 64) - 1) for seed in seeds], np.uint64)
    return which, numbers


def statistics_of(mean: Any, scale: Any, size: int) -> tuple[Any, Any]:
    """The mean of each number of an observation, and what it is multiplied by."""
    means, scales = (np.array(given, np.float32) for given in (mean, scale))
    if means.shape != (size,) or scales.shape != (size,) or not np.isfinite(means).all() or not (scales > 0).all():
        raise GameOptionError(f"mean and scale must be {size} finite numbers each, and scales more than 0")
    return means, np.float32(1) / scales


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
