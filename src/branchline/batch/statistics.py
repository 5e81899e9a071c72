"""Your own statistics: a few lines of Python that become columns next to the scores.

    @statistic(size=SEATS)
    def wilds_left(board, state, result, out):
        for seat in range(state.players):
            out[seat] = state.hands[seat, board.wild]

A function's parameters determine what it gets to see of a game; see `FORMS`. Functions over records are compiled like rules, and may call functions
marked `@rule`; functions over a whole chunk of games are ordinary Python.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from branchline import compiling
from branchline.boards import Board
from branchline.bots.base import in_short
from branchline.compiling.sources import PACKAGE
from branchline.errors import BranchlineError
from branchline.rules.board import BOARD
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import SEATS
from branchline.rules.state import STATE

if TYPE_CHECKING:
    from branchline.batch.games import Games

COLOURS = re.compile(r"\x1b\[[0-9;]*m")  # which Numba uses for its messages where colorama is installed
GUARD = 16  # numbers after those of each statistic that must stay 0
OVER_GAMES, OVER_BOARD_AND_GAMES, AT_END, AFTER_TURN = 1, 2, 4, 6  # the forms, by their number of parameters
FORMS = "(games), (board, games), (board, state, result, out) or (board, state, seat, action, turn, out)"


class StatisticError(BranchlineError):
    """An added statistic cannot be used."""


@dataclass(frozen=True)
class Statistic:
    """A function, how many numbers it writes per game (none if it returns a whole column), and its form."""

    name: str
    function: Callable[..., Any]
    form: int
    size: int

    def names(self) -> list[str]:
        """Its columns."""
        return [self.name] if self.size in (0, 1, SEATS) else [f"{self.name}_{number}" for number in range(self.size)]


def statistic(function: Callable[..., Any] | None = None, *, size: int = 1) -> Any:
    """Make a statistic from a function, with or without `@rule`.

    `size` is how many numbers it writes into `out`: SEATS for one per seat, 1 for one per game, or more, which become numbered columns.
    """
    if function is None:
        return lambda function: statistic(function, size=size)
    written = getattr(function, "py_func", function)
    parameters = list(inspect.signature(written).parameters)
    form = len(parameters)
    if form in (OVER_GAMES, OVER_BOARD_AND_GAMES) and parameters[-1] == "games":
        return Statistic(written.__name__, function, form, 0)
    if form not in (AT_END, AFTER_TURN):
        raise StatisticError(f"the statistic {written.__name__} has the parameters ({', '.join(parameters)}); they must be {FORMS}")
    if size < 1:
        raise StatisticError(f"the statistic {written.__name__} has the size {size}; it must be at least 1")
    return Statistic(written.__name__, function if function is not written else compiling.rule(function), form, size)


def check_names(statistics: Sequence[Statistic], taken: Sequence[str] = ()) -> None:
    """Check that every column has a different name."""
    names = list(taken)
    for one in statistics:
        for name in one.names():
            if name in names:
                raise StatisticError(f"the statistic {one.name} would write a second column {name!r}: give it another name")
            names.append(name)


def places(statistics: Sequence[Statistic]) -> list[slice]:
    """Where each statistic's numbers are in a game's row."""
    starts = np.cumsum([0, *(one.size + GUARD for one in statistics)]).tolist()
    return [slice(first, first + one.size) for first, one in zip(starts, statistics, strict=False)]


def numbers(statistics: Sequence[Statistic]) -> int:
    """The length of that row."""
    return sum(one.size + GUARD for one in statistics)


def check_guards(statistics: Sequence[Statistic], written: Any) -> None:
    """Compiled code does not check indices: has a statistic written beyond its own numbers?"""
    for one, place in zip(statistics, places(statistics), strict=True):
        if written[:, place.stop : place.stop + GUARD].any():
            raise StatisticError(f"the statistic {one.name} writes beyond its size of {one.size}: say how many numbers it writes, @statistic(size=…)")


def after_turn(statistics: Sequence[Statistic]) -> Any:
    """One function for all statistics that follow every turn; None if there are none."""
    all_of_them = None
    for one, place in zip(statistics, places(statistics), strict=True):
        if one.form == AFTER_TURN:
            loop(one)  # compile each on its own, which is quick: compiling the whole game would not say which one fails
            all_of_them = told_after(all_of_them, one.function, place.start, place.stop)
    return all_of_them


@cache
def told_after(others: Any, function: Any, first: int, end: int) -> Any:
    """Call the others, then this one, which sees only its own part of the row."""
    if others is None:

        def tell(board, state, seat, action, turn, out):  # type: ignore[no-untyped-def]  # compiled: types come from the call
            function(board, state, seat, action, turn, out[first:end])
    else:

        def tell(board, state, seat, action, turn, out):  # type: ignore[no-untyped-def]
            others(board, state, seat, action, turn, out)
            function(board, state, seat, action, turn, out[first:end])

    return compiling.rule(tell)


def at_end(statistics: Sequence[Statistic]) -> list[tuple[Statistic, slice]]:
    """Statistics over finished games, and where each writes. They are compiled here, which is quick, because they run after the games."""
    found = [(one, place) for one, place in zip(statistics, places(statistics), strict=True) if one.form == AT_END]
    for one, _ in found:
        loop(one)
    return found


def look_at(one: Statistic, boards: Any, states: Any, results: Any, numbers: Any, place: slice) -> None:
    """Run a statistic over finished games."""
    try:
        loop(one)(boards, states, results, numbers, place.start, place.stop)
    except Exception as error:
        raise StatisticError(f"the statistic {one.name} failed: {in_short(error)}") from error


@cache
def loop(one: Statistic) -> Any:
    function = one.function
    if one.form == AT_END:

        def look(boards, states, results, outs, first, end):  # type: ignore[no-untyped-def]  # compiled: types come from the call
            for game in range(states.shape[0]):
                function(boards[0], states[game], results[game], outs[game, first:end])
    else:

        def look(boards, states, results, outs, first, end):  # type: ignore[no-untyped-def]  # noqa: ARG001
            for game in range(states.shape[0]):
                function(boards[0], states[game], 0, 0, 1, outs[game, first:end])

    boards, states, results = (np.zeros(1, kind) for kind in (BOARD, STATE, RESULT))
    try:
        return compiling.made(look, boards, states, results, np.zeros((1, 1), np.int32), 0, 1)
    except Exception as error:
        raise StatisticError(f"the statistic {one.name} cannot be compiled: {why_not_compiled(error, function)}") from error


def why_not_compiled(error: Exception, function: Any = None) -> str:
    """Numba's long explanation on one line: the reason, and the place in your own code, or where the function begins."""
    text = COLOURS.sub("", str(error))
    told = [line.strip() for line in text.splitlines()]
    told = [line for line in told if line and not line.startswith("Failed in")] or [type(error).__name__]
    reason = " ".join(told[:2]) if told[0].endswith(":") else told[0]
    if isinstance(error, KeyError):
        reason = f"the record has no field {error}"
    found = [place for place in re.findall(r"at (\S.*?) \((\d+)\)", text) if not place[0].startswith(str(PACKAGE))]
    code = function.py_func.__code__ if function is not None else None
    file, line = found[0] if found else (code.co_filename, code.co_firstlineno) if code else ("", "")
    return f"{reason}{f' ({file}, line {line})' if file else ''}; with BRANCHLINE_MODE=plain it runs as ordinary Python"


def columns(one: Statistic, place: slice, board: Board, games: Games, players: int) -> dict[str, Any]:
    """A statistic's columns, each an array with a number per seat and game."""
    if one.size == 0:
        return {one.name: whole_column(one, board, games, players)}
    written = games.extra[:, place]
    if one.size == SEATS:
        return {one.name: written[:, :players]}
    return {name: np.repeat(written[:, [number]], players, 1) for number, name in enumerate(one.names())}


def whole_column(one: Statistic, board: Board, games: Games, players: int) -> Any:
    try:
        answer = np.asarray(one.function(games) if one.form == OVER_GAMES else one.function(board, games))
    except Exception as error:
        raise StatisticError(f"the statistic {one.name} failed: {in_short(error)}") from error
    shape = (len(games.states), players)
    if answer.shape not in (shape, shape[:1]) or answer.dtype.kind not in "biuf":
        raise StatisticError(
            f"the statistic {one.name} returned an array of shape {answer.shape} and type {answer.dtype}; "
            f"it must be numbers, one for each of {shape[0]} games or for each of their {players} seats"
        )
    return answer if answer.ndim > 1 else np.repeat(answer[:, None], players, 1)
