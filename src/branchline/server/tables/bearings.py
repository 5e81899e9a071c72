"""How far a viewer's tickets are. Their ways are the most expensive part of an update, and most updates change none: the latest are kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from branchline.boards import Board
from branchline.play.bitsets import members
from branchline.play.compass import Heading, bearings_of, headings
from branchline.play.games import View
from branchline.play.outlook import turns_left
from branchline.play.patches import Json
from branchline.rules.vocabulary.phases import ACTION

FOR_DONE = ("owned", "built")  # what decides, with the viewer's own tickets, which of them would count now
FOR_WAYS = ("open_to", "unbuilt", "pieces", "box")  # of the viewer: what decides, with those, which ways the others have


class Depends(NamedTuple):
    """What the bearings of a viewer depend on: which tickets would count now, which ways there are, and how many turns they take."""

    board: Board
    for_done: tuple[bytes, bytes]
    for_ways: tuple[bytes, tuple[int, bool] | None, bytes | None]
    hand: bytes


@dataclass(frozen=True)
class Bearings:
    depends: Depends
    done: list[str]  # tickets that would count now
    headings: list[Heading]
    compass: Json


def bearings(view: View, before: Bearings | None = None) -> Bearings:
    """Of a viewer with a seat, on a board with routes; as much as still holds is taken from its bearings before. To be read only: they share it."""
    now = depends_on(view)
    if before is None or before.depends.board is not now.board:
        done = done_tickets(view)
        return worked_out(view, now, done, headings(view, done))
    known = before.depends
    if known == now:
        return before
    done = before.done if known.for_done == now.for_done else done_tickets(view)
    hold = (known.for_done, known.for_ways) == (now.for_done, now.for_ways)
    return worked_out(view, now, done, before.headings if hold else headings(view, done, before.headings))


def depends_on(view: View) -> Depends:
    seat, left, hand = view.viewer, last_chance(view), view.bytes_of("hands", seat=view.viewer)
    for_done = view.bytes_of(*FOR_DONE), view.bytes_of("tickets", seat=seat)
    return Depends(view.game.board, for_done, (view.bytes_of(*FOR_WAYS, seat=seat), left, None if left is None else hand), hand)


def last_chance(view: View) -> tuple[int, bool] | None:
    """Near the end it also matters how many turns are left, and in the last one what can be claimed now."""
    left = turns_left(view)
    return None if left is None else (left, view.seat == view.viewer and view.phase_number == ACTION)


def done_tickets(view: View) -> list[str]:
    board = view.game.board
    return [board.tickets[number].id for number in members(view.counted().completed[view.viewer])] if board.routes else []


def worked_out(view: View, depends: Depends, done: list[str], ways: list[Heading]) -> Bearings:
    return Bearings(depends, done, ways, {ticket: one.shown for ticket, one in bearings_of(view, ways).items()})
