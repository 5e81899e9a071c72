"""How far a viewer's tickets are. Their ways are the most expensive part of an update, and most updates change none: the latest are kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from branchline.boards import Board
from branchline.play.bitsets import members
from branchline.play.compass import Heading, bearings_of, headings
from branchline.play.games import View
from branchline.play.outlook import turns_left
from branchline.play.patches import Json
from branchline.rules.vocabulary.phases import ACTION

T = TypeVar("T")
KEPT = 4096  # viewers, of whom each needs its latest
FOR_DONE = ("owned", "built")  # what decides, with the viewer's own tickets, which of them would count now
FOR_WAYS = ("open_to", "unbuilt", "pieces", "box")  # of the viewer: what decides, with those, which ways the others have


@dataclass(frozen=True)
class Bearings:
    board: Board  # kept alive, because it is known by its place in memory
    done: list[str]  # tickets that would count now
    compass: Json


_done: OrderedDict[Any, tuple[Board, list[str]]] = OrderedDict()
_headings: OrderedDict[Any, tuple[list[str], list[Heading]]] = OrderedDict()  # with what is done
_kept: OrderedDict[Any, Bearings] = OrderedDict()


def bearings(view: View) -> Bearings:
    """Of a viewer with a seat, on a board with routes. To be read only: others get the same."""
    board, seat, left, hand = view.game.board, view.viewer, last_chance(view), view.bytes_of("hands", seat=view.viewer)
    for_done = id(board), seat, view.bytes_of(*FOR_DONE), view.bytes_of("tickets", seat=seat)
    for_ways = for_done, view.bytes_of(*FOR_WAYS, seat=seat), left, None if left is None else hand
    return latest(_kept, (for_ways, hand), lambda: worked_out(view, *latest(_headings, for_ways, lambda: found(view, for_done))))


def found(view: View, for_done: Any) -> tuple[list[str], list[Heading]]:
    done = latest(_done, for_done, lambda: (view.game.board, done_tickets(view)))[1]
    return done, headings(view, done)


def latest(kept: OrderedDict[Any, T], key: Any, work_out: Callable[[], T]) -> T:
    found = kept.get(key)
    if found is None:
        found = kept[key] = work_out()
        while len(kept) > KEPT:
            kept.popitem(last=False)
    else:
        kept.move_to_end(key)
    return found


def last_chance(view: View) -> tuple[int, bool] | None:
    """Near the end it also matters how many turns are left, and in the last one what can be claimed now."""
    left = turns_left(view)
    return None if left is None else (left, view.seat == view.viewer and view.phase_number == ACTION)


def done_tickets(view: View) -> list[str]:
    board = view.game.board
    return [board.tickets[number].id for number in members(view.counted().completed[view.viewer])] if board.routes else []


def worked_out(view: View, done: list[str], ways: list[Heading]) -> Bearings:
    return Bearings(view.game.board, done, {ticket: one.shown for ticket, one in bearings_of(view, ways).items()})
