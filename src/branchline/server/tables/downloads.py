"""Records of a table's game: in full once it is over, before that only as the viewer may know it."""

from __future__ import annotations

from dataclasses import replace

from branchline.play.events import for_people
from branchline.play.records import Record
from branchline.server.protocol.refusals import Refused
from branchline.server.store.entries import FINISHED
from branchline.server.tables.table import Table, Viewer


def record_for(table: Table, viewer: Viewer) -> Record:
    if table.state is None:
        raise Refused("not_started")
    seats = [{"name": seat.name or "?", "player": "human" if seat.is_person else f"bot:{seat.plan}"} for seat in table.seats]
    record = Record.of(table.state, seats)
    record.commitment = table.commitment
    return record if table.status == FINISHED else as_shown(record.redacted(viewer))


def as_shown(record: Record) -> Record:
    """As the people at the table were shown it (CG-8)."""
    return replace(record, events=[for_people(event) for event in record.events])
