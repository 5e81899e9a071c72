"""Records of a table's game: in full once it is over, before that only as the viewer may know it."""

from __future__ import annotations

from dataclasses import replace

from branchline.play.events import for_people
from branchline.play.patches import Json
from branchline.play.records import Record
from branchline.server.protocol.refusals import Refused
from branchline.server.store.entries import FINISHED
from branchline.server.tables.table import Table, Viewer


def record_for(table: Table, viewer: Viewer) -> Record:
    if table.state is None:
        raise Refused("not_started")
    record = Record.of(table.state, table.players)
    record.commitment, record.chance = table.commitment, chance_of(table)
    return record if table.status == FINISHED else as_shown(record.redacted(viewer))


def chance_of(table: Table) -> Json | None:
    """Everything that the seed was made of, if the players' numbers were asked for."""
    if table.drawn_at is None:
        return None
    return {
        "secret": table.header.seed,
        "commitments": [seat.commitment for seat in table.seats],
        "numbers": [seat.number for seat in table.seats],
    }


def as_shown(record: Record) -> Record:
    """As the people at the table were shown it (CG-8)."""
    return replace(record, events=[for_people(event) for event in record.events])
