"""Replays of finished games and of uploaded records, as they are sent."""

from __future__ import annotations

from typing import Any

from pydantic_core import to_json

from branchline.errors import BranchlineError
from branchline.play.counting import explained_count
from branchline.play.games import State
from branchline.play.records import Record, checked_record
from branchline.play.replays.reel import Reel
from branchline.server.protocol.refusals import Refused
from branchline.server.tables.table import Viewer


def replay_json(record: Record | dict[str, Any], viewer: Viewer) -> bytes:
    """A replay as it is sent. If anything is wrong with an uploaded record, the answer says so and nothing else happens."""
    try:
        known = record if isinstance(record, Record) else checked_record(record)
        if viewer is not None and viewer >= len(known.seats):
            raise Refused("no_such_seat")
        return to_json(Reel(known, viewer).replay())
    except (BranchlineError, RecursionError) as error:
        raise Refused("bad_record", f"{error}.") from None


def count_json(state: State) -> bytes:
    """The final count, explained, as it is sent."""
    return to_json(explained_count(state))
