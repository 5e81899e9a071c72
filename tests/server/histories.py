"""Histories in the manner of Jepsen: what clients asked and were answered, and when, held against the log.

A table behaves like a single thing that does one request after the other (it is linearizable) if every answer is right for some moment between
its request and its arrival, and these moments are in the order of the log. Whatever was acknowledged is in the log, once; whatever was refused
is not; whatever got no answer is there once or not at all. And nothing else is in the log but what was due: the game begins, bots act and stand in
for people, tables expire, each not before its time, and once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from branchline.server.protocol import messages as m
from branchline.server.protocol.keys import hash_of
from branchline.server.protocol.refusals import Refused
from branchline.server.settings import Settings
from branchline.server.store.entries import DECIDE, SIT, Entry, Header
from branchline.server.tables.commands import Already, Answer, Asked, answer, entry
from branchline.server.tables.due import BOT, Due, all_due
from branchline.server.tables.snapshots import snapshot
from branchline.server.tables.table import Table

NOT_NOW = ("busy", "preparing", "too_many")  # refused for the server's own reasons: nothing may have happened
IN_DOUBT = (None, "failed", "newer_version")  # perhaps done: cut off while it was committed, or somebody sat down and then no game could begin
READ = "see"
SAME_KINDS: Mapping[str, str] = {}
AS_USUAL = Settings()  # the tests' servers do not change when tables expire


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
    """The table after each entry of its log. `as_here`: the log by the kinds that this version writes, where a newer one has others."""

    def __init__(self, header: Header, log: Sequence[Entry], kinds_here: Mapping[str, str] = SAME_KINDS) -> None:
        assert [one.sequence for one in log] == list(range(1, len(log) + 1)), "the log has a gap"
        self.log = log
        self.as_here = [replace(one, kind=kinds_here.get(one.kind, one.kind)) for one in log]
        self.states = [Table(header)]
        for one in log:
            self.states.append(self.states[-1].after(one))
        self.place = {(one.author, one.client_id): one.sequence for one in log if one.client_id is not None}
        sent = Counter((one.author, one.client_id) for one in log if one.client_id is not None)
        assert not [who for who, times in sent.items() if times > 1], "something was done twice"

    def entry_of(self, one: Operation) -> int | None:
        """The place of what an operation wrote, if it has an id of its own."""
        return self.place.get((hash_of(one.key), one.body.get("id"))) if "id" in one.body else None


@dataclass(frozen=True)
class Placed:
    """An operation, and between which states it must have taken effect."""

    one: Operation
    low: int
    high: int


def check(header: Header, log: Sequence[Entry], history: Sequence[Operation], kinds_here: Mapping[str, str] = SAME_KINDS) -> int:
    """Raises where an answer was wrong, or where something happened that nobody asked for; returns how many answers were right."""
    model = Model(header, log, kinds_here)
    answered = [one for one in history if one.ended is not None]
    placed = [Placed(one, *window(model, one, answered)) for one in history]
    for each in placed:
        check_answer(model, each.one, each.low, each.high)
    check_origins(model, placed)
    return len(answered)


def check_answer(model: Model, one: Operation, low: int, high: int) -> None:
    if one.verb == READ:
        assert one.answer is None or reads(model, one, low, high), f"nobody could see this between {low} and {high}: {one}"
    elif one.is_done:
        check_done(model, one, low, high)
    elif one.code not in IN_DOUBT:
        check_refused(model, one, low, high)


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
    answered = answer_in(model, one, state)
    return isinstance(answered, Already) or (answered is not None and answered == following(model, state))


def answer_in(model: Model, one: Operation, state: int) -> Answer | None:
    """What the operation would have led to in a state, at the time of what followed; None if it had been refused."""
    table, after = model.states[state], following(model, state)
    at = table.changed_at if after is None else after.at
    try:
        return answer(table, one.asked(at))
    except Refused:
        return None


def following(model: Model, state: int) -> Entry | None:
    return model.as_here[state] if state < len(model.log) else None


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


# where each entry comes from


def check_origins(model: Model, placed: Sequence[Placed]) -> None:
    """Each entry is what somebody asked for, of requests that can only have led to one each, or what was due."""
    waiting = sorted((each for each in placed if each.one.verb != READ and each.one.code in IN_DOUBT), key=lambda each: each.high)
    for place, written in enumerate(model.log, 1):
        if is_opening(model, written) or was_due(model, place):
            continue
        found = next((each for each in waiting if each.low < place <= each.high and writes(model, each.one, place)), None)
        assert found is not None, f"nobody asked for this, and it was not due: {written}"
        waiting.remove(found)


def is_opening(model: Model, written: Entry) -> bool:
    """The host sits down with the request that makes the table, which is in no history."""
    header = model.states[0].header
    return written.sequence == 1 and (written.kind, written.at, written.body.get("key")) == (SIT, header.created_at, header.host)


def writes(model: Model, one: Operation, place: int) -> bool:
    written = model.as_here[place - 1]
    if written.client_id != one.body.get("id"):
        return False
    return answer_in(model, one, place - 1) == written


def was_due(model: Model, place: int) -> bool:
    """Does the state before name it as due by then? Once done it is due no longer, so nothing that is due can be done twice."""
    before, written = model.states[place - 1], model.log[place - 1]
    return any(due.at <= written.at and fulfils(before, due, written) for due in all_due(before, AS_USUAL))


def fulfils(before: Table, due: Due, written: Entry) -> bool:
    """A bot decides whatever it likes; anything else is determined by what is due."""
    body = {} if due.reason is None else {"reason": due.reason}
    if due.what == BOT:
        return written == entry(before, DECIDE, written.at, due.seat, decision=written.body.get("decision"))
    return written == entry(before, due.what, written.at, due.seat, **body)
