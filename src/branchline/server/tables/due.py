"""What is due at a table without anybody sending it: bots act, seats are taken over, tables expire. Worked out from the table alone."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from branchline.rules.vocabulary.phases import PAYMENT, PLACING
from branchline.server.settings import Settings
from branchline.server.store import entries as kinds
from branchline.server.store.entries import PLAYING, WAITING
from branchline.server.tables.table import Table

BOT = "bot"
LEFT, TIME = "left", "time"
REVEAL_WITHIN = 10.0  # seconds that browsers have to show their numbers


@dataclass(frozen=True)
class Due:
    at: float
    what: str  # BOT, or the kind of entry
    seat: int | None = None
    reason: str | None = None


def next_due(table: Table, settings: Settings, but_for: Collection[str] = ()) -> Due | None:
    """The next thing that is due, whenever that is; without those whose kind or reason has to wait."""
    everything = [due for due in all_due(table, settings) if due.what not in but_for and due.reason not in but_for]
    return min(everything, key=lambda due: due.at, default=None)


def all_due(table: Table, settings: Settings) -> list[Due]:
    if table.status == WAITING:
        return [beginning(table) or Due(table.changed_at + settings.waiting_expires, kinds.EXPIRE)]
    if table.status != PLAYING:
        return []
    return [*bots_due(table), *people_due(table), Due(table.changed_at + settings.game_expires, kinds.EXPIRE)]


def beginning(table: Table) -> Due | None:
    """Once every seat is taken, the promised numbers are asked for; when they are there, or their time is up, the game begins."""
    if table.free_seats:
        return None
    if table.drawn_at is None:
        return Due(table.changed_at, kinds.DRAW_LOTS if table.promised else kinds.START)
    return Due(reveals_until(table) if table.awaited else table.changed_at, kinds.START)


def reveals_until(table: Table) -> float:
    assert table.drawn_at is not None
    return table.drawn_at + REVEAL_WITHIN


def bots_due(table: Table) -> list[Due]:
    """A bot acts at the table's pace; the cards of one payment follow each other at once."""
    assert table.state is not None
    in_midst = table.state.phase_number in (PAYMENT, PLACING) or table.state.is_at_once
    wait = 0.0 if in_midst or table.skips_to is not None else table.pace
    return [Due(table.played_at + wait, BOT, seat) for seat in table.choosers if table.seats[seat].bot_plays]


def people_due(table: Table) -> list[Due]:
    """A bot stands in for people who left after a while, and for people who run out of time at once."""
    seconds = table.header.settings["turn_seconds"]
    dues = []
    for number, seat in enumerate(table.seats):
        if seat.bot_plays:
            continue
        if seat.left_at is not None:
            dues.append(Due(seat.left_at + table.header.settings["grace_seconds"], kinds.TAKE_OVER, number, LEFT))
        if seconds is not None and number in table.clock:
            dues.append(Due(table.clock[number] + seconds, kinds.TAKE_OVER, number, TIME))
    return dues
