"""Histories in the manner of Jepsen: what clients asked and were answered, and when, held against the log.

A table behaves like a single thing that does one request after the other (it is linearizable) if every answer is right for some moment between
its request and its arrival, and these moments are in the order of the log. Whatever was acknowledged is in the log, once; whatever was refused
is not; whatever got no answer is there once or not at all.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from branchline.server.protocol import messages as m
from branchline.server.protocol.keys import hash_of
from branchline.server.protocol.refusals import Refused
from branchline.server.store.entries import Entry, Header
from branchline.server.tables.commands import Already, Asked, answer
from branchline.server.tables.snapshots import snapshot
from branchline.server.tables.table import Table

NOT_NOW = ("busy", "preparing", "failed", "too_many")  # refused for the server's own reasons: nothing may have happened
READ = "see"


@dataclass
class Operation:
    table: str
    key: str
    verb: str
    body: dict[str, Any]
    began: float
    ended: float | None = None  # None: no answer
    answer: dict[str, Any] | None = None

    @property
    def is_done(self) -> bool:
        return self.answer is not None and self.answer["type"] == "done"

    @property
    def code(self) -> str | None:
        return None if self.answer is None or self.is_done else self.answer["code"]

    def asked(self, at: float) -> Asked:
        return Asked(hash_of(self.key), m.COMMANDS[self.verb].model_validate(self.body), at)


class Model:
    """The table after each entry of its log."""

    def __init__(self, header: Header, log: Sequence[Entry]) -> None:
        assert [entry.sequence for entry in log] == list(range(1, len(log) + 1)), "the log has a gap"
        self.log = log
        self.states = [Table(header)]
        for entry in log:
            self.states.append(self.states[-1].after(entry))
        self.place = {(entry.author, entry.client_id): entry.sequence for entry in log if entry.client_id is not None}
        sent = Counter((entry.author, entry.client_id) for entry in log if entry.client_id is not None)
        assert not [who for who, times in sent.items() if times > 1], "something was done twice"

    def entry_of(self, one: Operation) -> int | None:
        """The place of what an operation wrote, if it has an id of its own."""
        return self.place.get((hash_of(one.key), one.body.get("id"))) if "id" in one.body else None


def check(header: Header, log: Sequence[Entry], history: Sequence[Operation]) -> int:
    """Raises where an answer was wrong; returns how many answers were right."""
    model = Model(header, log)
    answered = [one for one in history if one.ended is not None]
    for one in history:
        low, high = window(model, one, answered)
        if one.verb == READ:
            assert one.answer is None or reads(model, one, low, high), f"nobody could see this between {low} and {high}: {one}"
        elif one.is_done:
            check_done(model, one, low, high)
        elif one.code is not None:
            check_refused(model, one, low, high)
    return len(answered)


def window(model: Model, one: Operation, answered: Sequence[Operation]) -> tuple[int, int]:
    """Between which states an operation must have taken effect: after all that was known before it began, before all that began after it ended."""
    known = [place for other in answered if other.ended is not None and other.ended < one.began and (place := known_by(model, other)) is not None]
    later = [place for other in answered if one.ended is not None and other.began > one.ended and (place := model.entry_of(other)) is not None]
    return max(known, default=0), min(later, default=len(model.log) + 1) - 1


def known_by(model: Model, other: Operation) -> int | None:
    """Up to which entry somebody has heard, once this was answered."""
    if other.verb == READ and other.answer is not None and other.is_done:
        viewer, cursor = other.answer["state"].get("you"), other.answer["cursor"]
        return model.states[-1].streams[viewer][cursor - 1] if cursor else 0
    return model.entry_of(other) if other.is_done else None


def check_done(model: Model, one: Operation, low: int, high: int) -> None:
    place = model.entry_of(one)
    if "id" in one.body:
        assert place is not None, f"acknowledged, and lost: {one}"
        assert low < place <= high, f"out of order, {place} is not between {low} and {high}: {one}"
        return
    assert any(does(model, one, state) for state in range(low, high + 1)), f"acknowledged, but not done between {low} and {high}: {one}"


def does(model: Model, one: Operation, state: int) -> bool:
    """Would this state have done it, as the next entry says, or known it done?"""
    table = model.states[state]
    following = model.log[state] if state < len(model.log) else None
    try:
        answered = answer(table, one.asked(table.changed_at))
    except Refused:
        return False
    if isinstance(answered, Already):
        return True
    return following is not None and replace(answered, at=following.at) == following


def check_refused(model: Model, one: Operation, low: int, high: int) -> None:
    assert model.entry_of(one) is None, f"refused, and done: {one}"
    if one.code in NOT_NOW:
        return
    assert any(refuses(model, one, state) for state in range(low, high + 1)), f"no state between {low} and {high} refuses so: {one}"


def refuses(model: Model, one: Operation, state: int) -> bool:
    table = model.states[state]
    try:
        answer(table, one.asked(table.changed_at))
    except Refused as refused:
        return refused.code == one.code
    return False


def reads(model: Model, one: Operation, low: int, high: int) -> bool:
    assert one.answer is not None
    if not one.is_done:
        return True
    return any(seen_in(model, one.key, state) == (one.answer["cursor"], one.answer["state"]) for state in range(low, high + 1))


def seen_in(model: Model, key: str, state: int) -> tuple[int, dict[str, Any]]:
    table = model.states[state]
    shown = json.loads(json.dumps(snapshot(table, table.seat_of(hash_of(key)))))
    return shown["cursor"], shown["state"]
