"""What people ask of a table, and whether they may: each request becomes an entry of the log, or is refused. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from branchline.errors import NotADecision
from branchline.games import View
from branchline.reasons import why_not
from branchline.server import entries as kinds
from branchline.server import messages as m
from branchline.server.entries import Entry
from branchline.server.refusals import Refused
from branchline.server.table import FINISHED, PLAYING, WAITING, Table
from branchline.server.texts import clean_name, clean_text, free_name


@dataclass(frozen=True)
class Already:
    """What is asked for has been done; the number is the asker's."""

    number: int


@dataclass(frozen=True)
class Asked:
    """A request: who asks (a key's hash), what for, and when."""

    key: str | None
    command: Any
    at: float


Answer = Entry | Already


def answer(table: Table, asked: Asked) -> Answer:
    """The entry that carries out a request now, or that it was done; raises Refused."""
    if asked.key is None:
        raise Refused("no_key")
    return ANSWERS[type(asked.command)](table, asked, asked.command)


def entry(table: Table, kind: str, at: float, seat: int | None = None, client_id: str | None = None, /, **body: Any) -> Entry:
    return Entry(table.number + 1, kind, max(at, table.changed_at), seat, body, client_id)


def seated(table: Table, asked: Asked) -> int:
    seat = table.seat_of(asked.key)
    if seat is None:
        raise Refused("not_seated")
    return seat


def must_play(table: Table) -> None:
    if table.status == WAITING:
        raise Refused("not_started")
    if table.status != PLAYING:
        raise Refused("over")


def must_wait(table: Table) -> None:
    if table.status == PLAYING:
        raise Refused("started")
    if table.status != WAITING:
        raise Refused("over")


def already(table: Table, seat: int | None, client_id: str | None = None) -> Already:
    if client_id is not None and seat is not None:
        return Already(table.answered[seat][client_id])
    return Already(len(table.streams[seat]))


def join(table: Table, asked: Asked, command: m.Join) -> Answer:
    """Whoever sits here already has joined: a request sent again takes no second seat."""
    seat = table.seat_of(asked.key)
    if seat is not None:
        return already(table, seat)
    must_wait(table)
    name = clean_name(command.name)
    free = [number for number in table.free_seats if table.seats[number].is_free_for(asked.key) and command.seat in (None, number)]
    if not free:
        raise Refused("full")
    kept = [number for number in free if table.seats[number].reserved is not None]
    seat = [*kept, *free][0]
    taken = [other.name for number, other in enumerate(table.seats) if other.name is not None and number != seat]
    return entry(table, kinds.SIT, asked.at, seat, name=free_name(name, taken), key=asked.key)


def start(table: Table, asked: Asked, command: m.Start) -> Answer:
    if asked.key != table.host:
        raise Refused("not_host")
    if table.status == PLAYING:
        return already(table, table.seat_of(asked.key))
    must_wait(table)
    return entry(table, kinds.START, asked.at, bots={str(seat): command.level for seat in table.free_seats})


def decide(table: Table, asked: Asked, command: m.Decide) -> Answer:
    seat = seated(table, asked)
    if command.id in table.answered[seat]:
        return already(table, seat, command.id)
    must_be_asked(table, seat, command.number)
    number = decision_number(table, command.decision)
    assert table.state is not None
    check_legal(table.state.view(seat), number)
    return entry(table, kinds.DECIDE, asked.at, seat, command.id, decision=number)


def must_be_asked(table: Table, seat: int, question: int) -> None:
    must_play(table)
    if not table.seats[seat].is_here:
        raise Refused("away")
    if seat not in table.questions:
        raise Refused("not_your_turn")
    if table.questions[seat] != question:
        raise Refused("stale", question=table.questions[seat])


def decision_number(table: Table, decision: int | str) -> int:
    try:
        return table.game.number(decision)
    except NotADecision as error:
        raise Refused("not_a_decision", str(error)) from None


def check_legal(view: View, number: int) -> None:
    """The reason is found in the seat's view, so it tells nothing that the seat may not know."""
    if number not in view.legal:
        raise Refused("illegal", f"'{view.game.text(number)}' is not legal now: {why_not(view, number)}")


def undo(table: Table, asked: Asked, command: m.Undo) -> Answer:
    seat = seated(table, asked)
    if command.id in table.answered[seat]:
        return already(table, seat, command.id)
    must_be_asked(table, seat, command.number)
    assert table.state is not None
    if not table.state.may_undo(seat):
        raise Refused("nothing_to_undo")
    return entry(table, kinds.UNDO, asked.at, seat, command.id)


def say(table: Table, asked: Asked, command: m.Say) -> Answer:
    seat = seated(table, asked)
    if command.id in table.answered[seat]:
        return already(table, seat, command.id)
    if (command.text is None) == (command.phrase is None):
        raise Refused("malformed", "Give either a text or a phrase.")
    said = {"phrase": command.phrase} if command.phrase is not None else {"text": clean_text(command.text or "")}
    return entry(table, kinds.SAY, asked.at, seat, command.id, **said)


def mute(table: Table, asked: Asked, command: m.Mute) -> Answer:
    seat = seated(table, asked)
    if command.seat >= len(table.seats) or command.seat == seat:
        raise Refused("no_such_seat")
    if (command.seat in table.seats[seat].muted) == command.muted:
        return already(table, seat)
    return entry(table, kinds.MUTE, asked.at, seat, other=command.seat, muted=command.muted)


def leave(table: Table, asked: Asked, _: m.Leave) -> Answer:
    """Before the game the seat is free again; in the game a bot takes it over after a while."""
    seat = seated(table, asked)
    if table.status == WAITING:
        return entry(table, kinds.RISE, asked.at, seat, key=asked.key)
    must_play(table)
    if table.seats[seat].left_at is not None:
        return already(table, seat)
    return entry(table, kinds.LEAVE, asked.at, seat)


def come_back(table: Table, asked: Asked, _: m.Return) -> Answer:
    seat = seated(table, asked)
    must_play(table)
    if table.seats[seat].is_here:
        return already(table, seat)
    return entry(table, kinds.RETURN, asked.at, seat)


def abandon(table: Table, asked: Asked, _: m.Abandon) -> Answer:
    """The host closes a table that waits; a game ends when all people who are still there want it, or by its host if none plays."""
    seat = table.seat_of(asked.key)
    is_host = asked.key == table.host
    if seat is None and not is_host:
        raise Refused("not_seated")
    if table.status == WAITING and not is_host:
        raise Refused("not_host")
    if table.status not in (WAITING, PLAYING):
        return already(table, seat)
    if table.status == PLAYING and seat is None and any(one.is_here for one in table.seats):
        raise Refused("not_seated")
    if seat is not None and table.seats[seat].gives_up:
        return already(table, seat)
    return entry(table, kinds.ABANDON, asked.at, seat)


def may_rematch(table: Table, asked: Asked) -> None:
    """The table where it is played is made by the hall, together with this table's entry."""
    if asked.key is None:
        raise Refused("no_key")
    if table.seat_of(asked.key) is None and asked.key != table.host:
        raise Refused("not_seated")
    if table.status != FINISHED:
        raise Refused("not_over")


ANSWERS: dict[type, Callable[[Table, Asked, Any], Answer]] = {
    m.Join: join,
    m.Start: start,
    m.Decide: decide,
    m.Undo: undo,
    m.Say: say,
    m.Mute: mute,
    m.Leave: leave,
    m.Return: come_back,
    m.Abandon: abandon,
}
