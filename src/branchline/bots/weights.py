"""The planner's preferences on each board. What the weights mean: thoughts.py.

The numbers were found by playing (scripts/tune_planner.py). Each board has its own set in its folder, `planner.toml`, and here is one
for boards that nobody has tuned.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np

from branchline.boards import BoardError
from branchline.boards.checks import is_whole
from branchline.boards.folders import board_folder, is_available, kept_per_board
from branchline.boards.lines import line_of
from branchline.boards.tables import read_settings, read_text
from branchline.bots.compiled.network import ROOM
from branchline.bots.compiled.thoughts import ADDRESSES, INDEX, WEIGHTS
from branchline.bots.networks import address_for
from branchline.rules.sizes import SEATS

FILE = "planner.toml"
BY_SEATS = "seats"  # its tables of weights for some numbers of seats: [seats.4]
ALIGNED = 64  # bytes
MOST = 2**31 - 1  # they are 32-bit numbers
COMMON = {
    "turn": 200, "card": 100, "piece": 50, "points": 100, "wild": 150, "tunnel": 100, "station": 500, "least": 20,
    "failed": 100, "offered": 90, "rate": 110, "drawn": 170, "detour": 1500, "near": 100, "claim": 0, "conflict": 150,
    "wild_spent": 150, "tickets_turns": 1000, "tickets_gain": 600, "face_up_wild": 120, "blind": 100, "gray": 80, "harbour": 400, "urgent": 30,
    "extra": 0, "slack": 100, "needed": 400, "unneeded": 120, "wild_moved": 450, "safe": 40, "rob_slope": 60, "robbed": 100,
    "in_hand": 60, "wild_in_hand": 150, "placing": 0, "consumed": 130, "hand_supply": 85, "deck_supply": 60, "ticket": 90, "deficit": 500,
    "big_city": 100, "promise": 60, "ticket_turn": 400, "late": 500, "rob_most": 60, "halved": 10,
    "longest": 0, "doubt": 50, "rare": 0,
}  # fmt: skip


@kept_per_board
def tuned_for(game: str, players: int) -> dict[str, int]:
    """The weights that the board's folder names for this many seats; none for a board that nobody has tuned."""
    if not is_available(game):
        return {}
    weights, seats = read_weights(board_folder(game))
    return weights | seats.get(players, {})


def read_weights(folder: Traversable) -> tuple[dict[str, int], dict[int, dict[str, int]]]:
    """The weights for any number of seats, and those that differ for some numbers of seats."""
    if not (folder / FILE).is_file():
        return {}, {}
    weights = dict(read_settings(folder, FILE))
    tables = weights.pop(BY_SEATS, {})
    check_weights(folder, weights)
    if not isinstance(tables, dict):
        raise wrong(folder, f"{BY_SEATS} = {tables!r} is not tables of weights, such as [{BY_SEATS}.4]", BY_SEATS)
    for players, changes in tables.items():
        if players not in map(str, range(2, SEATS + 1)) or not isinstance(changes, dict):
            raise wrong(folder, f"{BY_SEATS}.{players} is not a table for 2 to {SEATS} seats", BY_SEATS, players)
        check_weights(folder, changes, BY_SEATS, players)
    return weights, {int(players): changes for players, changes in tables.items()}


def check_weights(folder: Traversable, weights: dict[str, Any], *table: str) -> None:
    for name, value in weights.items():
        if name not in INDEX or not is_whole(value, 0, MOST):
            raise wrong(folder, f"{name} = {value!r} is not a weight from 0 to {MOST}", *table, name)


def wrong(folder: Traversable, reason: str, *place: str) -> BoardError:
    return BoardError(f"{folder.name}/{FILE}", f"{reason}: correct or remove it", line_of(read_text(folder, FILE), place))


def weights_for(game: str, players: int, changes: dict[str, int] | None = None) -> Any:
    """The weights for a board and a number of seats, in the order of the record, and the address of its network."""
    chosen = COMMON | tuned_for(game, players) | (changes or {})
    return with_room([chosen], address_for(game))[0]


def with_room(chosen: list[dict[str, int]], network: int) -> Any:
    """The weights of some seats, and after each the addresses of the network and of the room in which it thinks. The room is behind the weights, and
    there as long as they are."""
    size = len(chosen) * (WEIGHTS + ADDRESSES)
    memory = np.zeros(size + ROOM // 4 + ALIGNED, np.int32)
    weights, room = memory[:size].reshape(len(chosen), -1), memory.ctypes.data + 4 * size
    for row, named in zip(weights, chosen, strict=True):
        for name, value in named.items():
            row[INDEX[name]] = value
        row[WEIGHTS:] = np.array([network, room + -room % ALIGNED], np.int64).view(np.int32)
    return weights


def weights_of_seats(game: str, players: int, changes: Sequence[dict[str, int]] = ()) -> Any:
    """As the loop of whole games takes them: the same for every seat, except for what `changes` says about the first seats."""
    own = [*changes, *[{}] * (SEATS - len(changes))]
    return with_room([COMMON | tuned_for(game, players) | changed for changed in own], address_for(game))
