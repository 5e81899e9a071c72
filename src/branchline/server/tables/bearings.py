"""How far a viewer's tickets are. Finding their ways is by far the dearest part of an update, and most updates change none: the latest are kept."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from branchline.boards import Board
from branchline.play.bitsets import members
from branchline.play.compass import compass
from branchline.play.games import View
from branchline.play.outlook import turns_left
from branchline.rules.vocabulary.phases import ACTION
from branchline.server.tables.patches import Json

KEPT = 8192  # viewers, of whom each needs its latest
OF_ALL_SEATS = ("owned", "open_to", "built", "unbuilt", "pieces", "box", "tickets")  # what ways depend on, besides the viewer's own hand


@dataclass(frozen=True)
class Bearings:
    board: Board  # kept alive, because it is known by its place in memory
    done: list[str]  # tickets that would count now
    compass: Json


_kept: OrderedDict[Any, Bearings] = OrderedDict()


def bearings(view: View) -> Bearings:
    """Of a viewer with a seat, on a board with routes. To be read only: others get the same."""
    positions = (view.records[name].tobytes() for name in OF_ALL_SEATS)
    key = id(view.game.board), view.viewer, last_chance(view), view.records["hands"][0, view.viewer].tobytes(), *positions
    found = _kept.get(key)
    if found is None:
        found = _kept[key] = worked_out(view)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    else:
        _kept.move_to_end(key)
    return found


def last_chance(view: View) -> tuple[int | None, bool]:
    """Near the end it also matters how many turns are left, and in the last one what can be claimed now."""
    left = turns_left(view)
    return left, left is not None and view.seat == view.viewer and view.record.phase == ACTION


def worked_out(view: View) -> Bearings:
    board = view.game.board
    if not board.routes:
        return Bearings(board, [], {})
    done = [board.tickets[number].id for number in members(view.counted().completed[view.viewer])]
    found = {ticket: {name: value for name, value in vars(one).items() if value not in ([], None)} for ticket, one in compass(view, done).items()}
    return Bearings(board, done, found)
