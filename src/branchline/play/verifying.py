"""`branchline verify`: was the game shuffled as promised before it began?

A server shows the SHA-256 of the seed when a game begins and the seed when it is over. Nobody can find another seed with the same hash, so the
cards were fixed before the first decision.
"""

from __future__ import annotations

import hashlib
import re

from branchline.errors import RecordError
from branchline.play.events import for_people, redact
from branchline.play.records import Record

COMMITMENT = r"[0-9a-f]{64}"


def commitment_of(seed: str) -> str:
    """The SHA-256 of the seed's 32 hexadecimal digits, as text."""
    return hashlib.sha256(seed.encode()).hexdigest()


def verify(record: Record, promised: str | None, early: Record | None) -> list[str]:
    """Check a finished record against what was promised. Returns what was confirmed, in words; raises RecordError at the first mismatch."""
    state = record.replay()
    if not state.is_over or record.seed is None:
        raise RecordError("the game is not over: it can be verified once its seed is shown")
    found = [f"the {len(record.decisions or [])} decisions and {len(record.events)} events follow from the seed by the rules"]
    if promised is None and (early is None or early.commitment is None):
        raise RecordError(
            "there is nothing to verify against: give the commitment that was shown when the game began (--commitment), or a record from then"
        )
    promises = {"the one you gave": promised, "the one in the record": record.commitment, "the one in the early record": early and early.commitment}
    for whose, one in ((whose, one.lower()) for whose, one in promises.items() if one):
        if not re.fullmatch(COMMITMENT, one):
            raise RecordError(f"a commitment is 64 hexadecimal digits; {whose} is not")
        if commitment_of(record.seed) != one:
            raise RecordError(f"NOT as promised: the seed {record.seed} has the SHA-256 {commitment_of(record.seed)}, but {whose} is {one}")
        found.append(f"the seed's SHA-256 is {whose}")
    if early is not None:
        check_early(record, early)
        found.append(f"the {len(early.events)} events of the early record are the first of this game")
    return found


def check_early(record: Record, early: Record) -> None:
    """Check that what a viewer saw during the game is what happened."""
    if (early.game, len(early.seats)) != (record.game, len(record.seats)):
        raise RecordError("the early record is of another game")
    for viewer in (*range(len(record.seats)), None):
        shown = [redact(event, viewer) for event in record.events[: len(early.events)]]
        if early.events in (shown, list(map(for_people, shown)), record.events[: len(early.events)]):
            return
    raise RecordError("NOT as shown: the events of the early record are not the first of this game")
