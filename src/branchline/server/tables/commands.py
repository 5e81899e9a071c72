"""What people ask a table to do, and whether they may: each request becomes an entry in the log, or is refused. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from branchline.errors import NotADecision
from branchline.play.bitsets import is_member
from branchline.play.chance import commitment_of
from branchline.play.games import State, View
from branchline.play.reasons import why_not
from branchline.play.wording import in_english
from branchline.server.protocol import messages as m
from branchline.server.protocol.refusals import Refused
from branchline.server.protocol.texts import clean_name, clean_text, free_name
from branchline.server.store import entries as kinds
from branchline.server.store.entries import FINISHED, PLAYING, WAITING, Entry
from branchline.server.tables.table import Table

# A log must remain quick to read, so what is written besides the decisions of a game is limited (docs/server.md, "The store").
MOST_BESIDES = 2_500  # entries that do not advance the game: what all people at a table may have written, in equal shares
SPARE = 100  # and how many more when they come back: whoever has talked too much can still play
SITTINGS, SITTINGS_PER_MINUTE, MOST_SITTINGS = 100, 2, 500  # how often people may sit down at a table that waits, and stand up again


@dataclass(frozen=True)
class Already:
    """What was asked for has already been done."""

    cursor: int  # of the sender


@dataclass(frozen=True)
class Asked:
    """A request: who asks (a key's hash), what for, and when."""

    key: str | None
    command: Any
    at: float


Answer = Entry | Already


def answer(table: Table, asked: Asked) -> Answer:
    """The entry that carries out a request, or that it is already done; raises Refused."""
    if asked.key is None:
        raise Refused("no_key")
    return HANDLERS[type(asked.command)](table, asked, asked.command)


Handler = Callable[[Table, Asked, Any], Answer]
HANDLERS: dict[type[m.Command], Handler] = {}


def handles(command: type[m.Command]) -> Callable[[Handler], Handler]:
    """Mark the handler of a command."""

    def register(handler: Handler) -> Handler:
        HANDLERS[command] = handler
        return handler

    return register


def entry(table: Table, kind: str, at: float, seat: int | None = None, /, **body: Any) -> Entry:
    return Entry(table.last_entry + 1, kind, max(at, table.changed_at), seat, body)


def sent(table: Table, asked: Asked, kind: str, seat: int, client_id: str, /, **body: Any) -> Entry:
    """An entry with the id that the sender gave it."""
    return replace(entry(table, kind, asked.at, seat, **body), author=asked.key, client_id=client_id)


def done_before(table: Table, asked: Asked, client_id: str) -> Already | None:
    """Was the same message sent before?"""
    known = table.answered.get(asked.key or "")
    return Already(known[client_id]) if known is not None and client_id in known else None


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


def must_be_settled(table: Table) -> None:
    """It must be settled who plays."""
    if not table.is_drawing:
        must_play(table)


def must_wait(table: Table) -> None:
    if table.status == PLAYING:
        raise Refused("started")
    if table.status != WAITING:
        raise Refused("over")


def already(table: Table, seat: int | None) -> Already:
    return Already(len(table.streams[seat]))


def must_be_moderate(table: Table, asked: Asked, spare: int = 0) -> None:
    """Limit what does not advance the game: each person has a share, and while people can still come and go one share is for all of them, since
    anybody may come back as somebody else. Leaving and ending the game are never refused: they cannot be repeated without what is limited."""
    people = len(table.seats) if table.status == WAITING else max(1, table.people)
    done = sum(table.besides.values()) if table.status == WAITING else table.besides.get(asked.key or "", 0)
    if done >= MOST_BESIDES // people + spare:
        raise Refused.because("too_many", "besides")


def must_sit_still(table: Table, asked: Asked) -> None:
    """Whoever has the link may sit down and stand up as somebody else each time, so all of them are counted together."""
    if table.sittings >= min(MOST_SITTINGS, SITTINGS + SITTINGS_PER_MINUTE * (asked.at - table.header.created_at) / 60):
        raise Refused("too_many")


@handles(m.Join)
def join(table: Table, asked: Asked, command: m.Join) -> Answer:
    """A person who already has a seat has joined: sending the request again does not take a second one."""
    seat = table.seat_of(asked.key)
    if seat is not None:
        return already(table, seat)
    must_wait(table)
    name = clean_name(command.name)
    free = [number for number in table.free_seats if table.seats[number].is_free_for(asked.key) and command.seat in (None, number)]
    if not free:
        raise Refused("full")
    must_sit_still(table, asked)
    kept = [number for number in free if table.seats[number].reserved is not None]
    seat = [*kept, *free][0]
    taken = [other.name for number, other in enumerate(table.seats) if other.name is not None and number != seat]
    sits = own_chance(table, command.commitment) | as_bot(command.bot)
    return entry(table, kinds.SIT, asked.at, seat, name=free_name(name, taken), key=asked.key, **sits)


def as_bot(is_bot: bool) -> dict[str, bool]:
    """What an entry says about a program that sits down."""
    return {"bot": True} if is_bot else {}


def own_chance(table: Table, commitment: str | None) -> dict[str, Any]:
    """What an entry says about the number of a person who sits down. A table without players' chance needs none."""
    return {"commitment": commitment} if commitment is not None and table.header.settings.get("chance") else {}


@handles(m.Start)
def start(table: Table, asked: Asked, command: m.Start) -> Answer:
    if asked.key != table.host:
        raise Refused("not_host")
    if table.status == PLAYING or table.is_drawing:
        return already(table, table.seat_of(asked.key))
    must_wait(table)
    missing = [seat.reserved for seat in table.seats if seat.is_free and seat.reserved is not None]
    bots = {str(seat): command.level for seat in table.free_seats}
    kind = kinds.DRAW_LOTS if table.promised else kinds.START
    return entry(table, kind, asked.at, bots=bots, **({"missing": missing} if missing else {}))


@handles(m.Reveal)
def reveal(table: Table, asked: Asked, command: m.Reveal) -> Answer:
    """Only once it is settled who plays: whoever showed a number earlier would let others choose theirs by it."""
    seat = seated(table, asked)
    person = table.seats[seat]
    if person.commitment is None:
        raise Refused("no_commitment")
    if commitment_of(command.number) != person.commitment:
        raise Refused("wrong_number")
    if person.number is not None:
        return already(table, seat)
    must_wait(table)
    if not table.is_drawing:
        raise Refused("not_drawing")
    return entry(table, kinds.REVEAL, asked.at, seat, number=command.number)


@handles(m.Decide)
def decide(table: Table, asked: Asked, command: m.Decide) -> Answer:
    seat = seated(table, asked)
    if before := done_before(table, asked, command.id):
        return before
    must_be_asked(table, seat, command.question)
    number = decision_number(table, command.decision)
    must_be_legal(table.state, seat, number)
    return sent(table, asked, kinds.DECIDE, seat, command.id, decision=number)


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


def must_be_legal(state: State | None, seat: int, number: int) -> None:
    """What is legal for the seat that the rules ask is known already; only a refusal needs a view."""
    assert state is not None
    if state.seat != seat or not is_member(state.mask, number):
        check_legal(state.view(seat), number)


def check_legal(view: View, number: int) -> None:
    """The reason comes from the seat's view, so it reveals nothing that the seat may not know."""
    if not is_member(view.mask, number):
        raise Refused.because("illegal", "because", decision=view.game.text(number), reason=in_english(view.game.board, why_not(view, number)))


@handles(m.Undo)
def undo(table: Table, asked: Asked, command: m.Undo) -> Answer:
    seat = seated(table, asked)
    if before := done_before(table, asked, command.id):
        return before
    must_be_asked(table, seat, command.question)
    must_be_moderate(table, asked)
    assert table.state is not None
    if not table.state.may_undo(seat):
        raise Refused("nothing_to_undo")
    return sent(table, asked, kinds.UNDO, seat, command.id)


@handles(m.Say)
def say(table: Table, asked: Asked, command: m.Say) -> Answer:
    seat = seated(table, asked)
    if before := done_before(table, asked, command.id):
        return before
    must_be_moderate(table, asked)
    if (command.text is None) == (command.phrase is None):
        raise Refused.because("malformed", "say")
    said: dict[str, Any] = {"phrase": command.phrase} if command.phrase is not None else {"text": clean_text(command.text or "")}
    return sent(table, asked, kinds.SAY, seat, command.id, **said)


@handles(m.Mute)
def mute(table: Table, asked: Asked, command: m.Mute) -> Answer:
    seat = seated(table, asked)
    if command.seat >= len(table.seats) or command.seat == seat:
        raise Refused("no_such_seat")
    if (command.seat in table.seats[seat].muted) == command.muted:
        return already(table, seat)
    must_be_moderate(table, asked)
    return entry(table, kinds.MUTE, asked.at, seat, other=command.seat, muted=command.muted)


@handles(m.Pace)
def pace(table: Table, asked: Asked, command: m.Pace) -> Answer:
    seat = sets_pace(table, asked)
    must_play(table)
    if table.pace == command.pace:
        return already(table, seat)
    must_be_moderate(table, asked)
    return entry(table, kinds.PACE, asked.at, seat, pace=command.pace)


@handles(m.Skip)
def skip(table: Table, asked: Asked, _: m.Skip) -> Answer:
    seat = sets_pace(table, asked)
    if seat is None:
        raise Refused("not_seated")
    must_play(table)
    if seat in table.choosers or table.skips_to == seat:
        return already(table, seat)
    must_be_moderate(table, asked)
    return entry(table, kinds.SKIP, asked.at, seat)


def sets_pace(table: Table, asked: Asked) -> int | None:
    """The seat of somebody who may set the pace: the host, or whoever plays against bots alone."""
    seat = table.seat_of(asked.key)
    if asked.key == table.host or (seat is not None and table.people == 1):
        return seat
    raise Refused("not_seated" if seat is None else "not_host")


@handles(m.Leave)
def leave(table: Table, asked: Asked, _: m.Leave) -> Answer:
    """Before the game, the seat becomes free; once it is settled who plays, a bot takes it over after a while."""
    seat = seated(table, asked)
    if table.status == WAITING and not table.is_drawing:
        return entry(table, kinds.RISE, asked.at, seat, key=asked.key)
    must_be_settled(table)
    if table.seats[seat].left_at is not None:
        return already(table, seat)
    return entry(table, kinds.LEAVE, asked.at, seat)


@handles(m.Return)
def come_back(table: Table, asked: Asked, _: m.Return) -> Answer:
    seat = seated(table, asked)
    must_be_settled(table)
    if table.seats[seat].is_here:
        return already(table, seat)
    must_be_moderate(table, asked, SPARE)
    return entry(table, kinds.RETURN, asked.at, seat)


@handles(m.Replace)
def replace_silent(table: Table, asked: Asked, command: m.Replace) -> Answer:
    """Only where no time limit does the same, and only somebody who has let everybody wait for a while."""
    seat = seated(table, asked)
    must_play(table)
    if command.seat >= len(table.seats) or command.seat == seat:
        raise Refused("no_such_seat")
    silent = table.seats[command.seat]
    if silent.bot_plays or seat in silent.replacers:
        return already(table, seat)
    if not table.seats[seat].is_here:
        raise Refused("away")
    since = table.silent_at(command.seat)
    if since is None or asked.at < since:
        raise Refused("not_silent")
    must_be_moderate(table, asked)
    return entry(table, kinds.REPLACE, asked.at, seat, other=command.seat)


@handles(m.Abandon)
def abandon(table: Table, asked: Asked, command: m.Abandon) -> Answer:
    """The host can close a waiting table. A game ends when all its people want it to, or by its host if it has only bots."""
    seat = table.seat_of(asked.key)
    is_host = asked.key == table.host
    if seat is None and not is_host:
        raise Refused("not_seated")
    if table.status == WAITING and not is_host:
        raise Refused("not_host")
    if table.status not in (WAITING, PLAYING):
        return already(table, seat)
    if table.status == PLAYING and seat is None and any(one.key is not None for one in table.seats):
        raise Refused("not_seated")
    if table.status == PLAYING and seat is not None and table.seats[seat].gives_up == command.gives_up:
        return already(table, seat)
    if not command.gives_up:
        must_be_moderate(table, asked)
    return entry(table, kinds.ABANDON, asked.at, seat, gives_up=command.gives_up, by_all=True)


def may_rematch(table: Table, asked: Asked) -> None:
    """Only checks: `LoadedTables` makes the new table, together with this table's entry."""
    if asked.key is None:
        raise Refused("no_key")
    if table.seat_of(asked.key) is None and asked.key != table.host:
        raise Refused("not_seated")
    if table.status != FINISHED:
        raise Refused("not_over")
