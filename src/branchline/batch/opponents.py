"""Who plays against you in a batch: compiled bots on some of the seats, and the functions that step with them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from branchline import compiling
from branchline.batch.compiled.stepping import ask_slots, ask_some, step_against, step_slots, step_some
from branchline.batch.own_bots import Seating, seat
from branchline.batch.slots import Array, new_slot_room, new_slots
from branchline.boards import available_boards, load_board
from branchline.errors import GameOptionError
from branchline.rules.board import BOARD
from branchline.rules.sizes import NONE

Names = Sequence[str | None]


def rows_of(opponents: Names | Sequence[Names], players: int, games: int) -> list[tuple[str | None, ...]]:
    """The opponents of all slots in one row, or a row for each slot. With one name fewer than seats, yours is seat 0."""
    rows: Sequence[Any] = opponents if len(opponents) and isinstance(opponents[0], list | tuple) else [opponents]
    if isinstance(opponents, str) or len(rows) not in (1, games):
        raise GameOptionError(f"opponents must be a list of bots, or {games} such lists, one per slot; not {opponents!r:.80}")
    full = [(None, *row) if len(row) == players - 1 else tuple(row) for row in rows]
    for row in full:
        if len(row) != players or None not in row or not all(isinstance(name, str | None) for name in row):
            raise GameOptionError(
                f"opponents must be {players - 1} bots, and you play seat 0; or one for each of {players} seats, and None for at least one "
                f"that is yours; not {list(row)!r:.80}"
            )
    return full


def seat_opponents(opponents: Names | Sequence[Names] | None, players: int, games: int) -> tuple[Array, Seating]:
    """(n, players) int8: the policy on each seat, NONE for yours; and who they are."""
    rows = rows_of([None] * players if opponents is None else opponents, players, games)
    names = list(dict.fromkeys(name for row in dict.fromkeys(rows) for name in row if name is not None))
    seating = seat(names)
    numbers: dict[str | None, int] = {None: NONE, **dict(zip(names, seating.policies.tolist(), strict=True))}
    policies = np.array([[numbers[name] for name in row] for row in rows], np.int8)
    return np.broadcast_to(policies, (games, players)), seating


def stepper(seating: Seating) -> Any:
    """The function that steps slots with these opponents."""
    if seating.ask is None:
        return step_against if seating.bots else step_slots
    return own_stepper(seating.ask)


@cache
def own_stepper(ask: Any) -> Any:
    def step_own(boards, slots, room, table, decisions):  # type: ignore[no-untyped-def]  # compiled: types come from the call
        step_some(boards, slots, room, table, (slots[14], ask), decisions)

    return compiling.made(step_own, *examples(), (2, 1, 0, 0, np.zeros(4, np.float32)), np.zeros(1, np.int64))


def asker(seating: Seating) -> Any:
    """The function that asks a bot what it would decide in some slots."""
    return ask_slots if seating.ask is None else own_asker(seating.ask)


@cache
def own_asker(ask: Any) -> Any:
    def ask_own(boards, slots, room, policy, where, decisions):  # type: ignore[no-untyped-def]
        ask_some(boards, slots, room, ask, policy, where, decisions)

    return compiling.made(ask_own, *examples(), 0, np.zeros(1, np.bool_), np.zeros(1, np.int64))


def examples() -> tuple[Any, ...]:
    """The arguments that both have."""
    game = available_boards()[0]
    return np.zeros(1, BOARD), tuple(new_slots(load_board(game), 2, 1)), new_slot_room(game, 2)
