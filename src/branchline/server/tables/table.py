"""A table: the state that its log leads to. It knows no database, socket or clock; the same entries always give the same table."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from itertools import takewhile
from typing import Any

from branchline.play.chance import commitment_of, dealing_seed
from branchline.play.events import for_people, redact
from branchline.play.facts import known_game
from branchline.play.games import State
from branchline.play.past import Past
from branchline.server.protocol import table_events as told_as
from branchline.server.protocol.refusals import Refused
from branchline.server.protocol.texts import free_name
from branchline.server.store import entries as kinds
from branchline.server.store.entries import ABANDONED, FINISHED, PLAYING, WAITING, Entry, Header
from branchline.server.tables.seats import Seat, bot_names

# What does not advance the game, and how many entries a log has because of it: with an undo also the decision that it takes back.
BESIDES = {kinds.UNDO: 2} | dict.fromkeys(
    (kinds.LEAVE, kinds.TAKE_OVER, kinds.RETURN, kinds.SAY, kinds.MUTE, kinds.PACE, kinds.SKIP, kinds.ABANDON, kinds.REPLACE, kinds.RISE), 1
)
SILENT_AFTER = 180.0  # seconds without a decision, where there is no time limit, after which the others may agree on a bot
RECENT_IDS = 64  # per person: the latest messages, to recognise one that is sent again; the store knows them all
Viewer = int | None  # a seat, or a spectator
Event = dict[str, Any]


class Table:
    def __init__(self, header: Header) -> None:
        self.header = header
        self.game = known_game(header.game, len(header.plan), tuple(sorted((header.options | {"rules_version": header.rules_version}).items())))
        self.seats = [Seat(plan, name) for plan, name in zip(header.plan, bot_names(header.plan), strict=True)]
        self.host: str | None = header.host  # the hash of a key; a host who leaves before the game passes the table on
        self.status = WAITING
        self.last_entry = 0  # its place in the log
        self.changed_at = self.played_at = header.created_at
        self.ended_at: float | None = None
        self.state: State | None = None
        self._choosers: list[int] | None = None
        self.rematch: str | None = None
        self.drawn_at: float | None = None  # when the numbers of the players were asked for
        self.seed = header.seed  # deals the cards: the secret of the header, with the numbers of the players if they were asked for
        self.players: list[dict[str, str]] = []  # who played, as it was settled: for the record
        self.pace: float = header.settings["pace"]  # seconds between the actions of bots
        self.skips_to: int | None = None  # bots do not wait until this seat is asked
        self.clock: dict[int, float] = {}  # seats that may decide: since when
        self.questions: dict[int, int] = {}  # seats that may decide: their question, numbered by the cursor of their own stream
        # Each viewer has its own numbered stream, so that even the numbers do not show that another seat has half decided.
        self.streams: dict[Viewer, Past[int]] = {viewer: Past() for viewer in self.viewers}
        self.happened: Past[tuple[int, Event]] = Past()  # by entry; complete, to be redacted for a viewer
        self.noticed: dict[Viewer, float] = dict.fromkeys(self.viewers, header.created_at)  # when each viewer was last told something
        self.answered: dict[str, dict[str, int]] = {}  # per person: what was sent, by id, and the cursor it led to
        self.besides: dict[str, int] = {}  # per person: entries that do not advance the game, see BESIDES
        self.sittings = 0  # how often somebody has sat down
        self.ends_by_all = False  # logs of 0.1 counted only the votes of those who were there

    @property
    def viewers(self) -> list[Viewer]:
        return [*range(len(self.header.plan)), None]

    @property
    def commitment(self) -> str:
        """Shown from the start, so that nobody can change the secret later: the SHA-256 of its 32 hexadecimal digits."""
        return commitment_of(self.header.seed)

    @property
    def choosers(self) -> list[int]:
        """The seats that may decide now; asked for many times between two entries, worked out once."""
        if self._choosers is None:
            self._choosers = self.state.choosers if self.state is not None and self.status == PLAYING else []
        return self._choosers

    @property
    def host_seat(self) -> int | None:
        return self.seat_of(self.host)

    @property
    def free_seats(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.is_free]

    @property
    def people(self) -> int:
        """Seats that belong to a person, whoever plays for them now."""
        return sum(seat.key is not None for seat in self.seats)

    @property
    def is_drawing(self) -> bool:
        """Is it settled who plays, and are the numbers of the players being asked for?"""
        return self.status == WAITING and self.drawn_at is not None

    @property
    def promised(self) -> list[int]:
        """Seats that have promised a number."""
        return [number for number, seat in enumerate(self.seats) if seat.commitment is not None]

    @property
    def awaited(self) -> list[int]:
        """Of these, the seats whose number has not come."""
        return [number for number in self.promised if self.seats[number].number is None]

    def seat_of(self, key: str | None) -> int | None:
        """The seat comes from the key, never from a message."""
        if key is None:
            return None
        for number, seat in enumerate(self.seats):  # not a generator: this is asked for every reader of every change
            if seat.key == key:
                return number
        return None

    def may_look(self, key: str | None) -> bool:
        """People with a seat and the host may watch; others if the table allows it, or while they could still sit down."""
        known = key is not None and (key == self.host or self.seat_of(key) is not None)
        return known or bool(self.header.settings["spectators"]) or self.status == WAITING

    def silent_at(self, seat: int) -> float | None:
        """When a person who is asked counts as silent; None if a time limit watches over that, or a bot plays."""
        is_asked = seat in self.clock and self.status == PLAYING and not self.seats[seat].bot_plays
        return self.clock[seat] + SILENT_AFTER if is_asked and self.header.settings["turn_seconds"] is None else None

    # the log, entry by entry

    def after(self, entry: Entry) -> Table:
        """The table after the entry is written; this one does not change. They share their past, so this costs the same at any length."""
        table = copy(self)
        if entry.kind != kinds.DECIDE:
            table.seats = [replace(seat, muted=set(seat.muted)) for seat in self.seats]
        table.state = self.state.twin() if self.state is not None else None
        table.clock, table.questions = dict(self.clock), dict(self.questions)
        table.streams = {viewer: stream.twin() for viewer, stream in self.streams.items()}
        table.happened = self.happened.twin()
        table.noticed = self.noticed.copy()
        table.answered = self.answered.copy()
        table.besides = self.besides.copy()
        table.apply(entry)
        return table

    def apply(self, entry: Entry) -> None:
        assert entry.sequence == self.last_entry + 1, "the log has a gap"
        if entry.kind not in HANDLERS:  # while servers are upgraded one after the other, a newer one may write what this one does not know
            raise Refused("newer_version")
        asked = set(self.choosers)
        told = len(self.happened)
        self._choosers = None
        self._count_besides(entry)
        HANDLERS[entry.kind](self, entry)
        self._choosers = None
        self.last_entry = entry.sequence
        if self.skips_to in self.choosers or self.status != PLAYING:
            self.skips_to = None
        self.changed_at = entry.at
        if self.ended_at is None and self.status in (FINISHED, ABANDONED):
            self.ended_at = entry.at
        if entry.kind in (kinds.START, kinds.DECIDE, kinds.UNDO, kinds.TAKE_OVER):
            self.played_at = entry.at
        events = [event for _, event in self.happened[told:]]
        for viewer in self.viewers:
            if self._shows(entry, viewer, asked, events):
                self.streams[viewer].append(entry.sequence)
                self.noticed[viewer] = entry.at
        self._ask(entry, asked, bool(events))
        if entry.client_id is not None and entry.author is not None:
            self._remember(entry.author, entry.client_id, len(self.streams[entry.seat]))

    def _count_besides(self, entry: Entry) -> None:
        if entry.kind == kinds.SIT:
            self.sittings += 1
        elif entry.kind in BESIDES and (person := self.host if entry.seat is None else self.seats[entry.seat].key) is not None:
            self.besides[person] = self.besides.get(person, 0) + BESIDES[entry.kind]

    def _shows(self, entry: Entry, viewer: Viewer, asked: set[int], events: list[Event]) -> bool:
        """Does a viewer notice the entry? Only the seat itself notices what it decides before showing anything."""
        if viewer is not None and viewer == entry.seat:
            return True
        if entry.kind == kinds.SAY:
            return viewer is None or entry.seat not in self.seats[viewer].muted
        if entry.kind in (kinds.DECIDE, kinds.UNDO, kinds.MUTE):
            return bool(events) or asked != set(self.choosers)
        return True

    def _ask(self, entry: Entry, asked: set[int], announced: bool) -> None:
        """Number the questions. A seat that is asked the same question as before, while others decide, keeps the number."""
        played = entry.kind in (kinds.START, kinds.DECIDE, kinds.UNDO)
        choosers = self.choosers
        self.questions = {seat: number for seat, number in self.questions.items() if seat in choosers}
        for seat in choosers:
            if played and (announced or seat == entry.seat or seat not in asked):
                self.questions[seat] = len(self.streams[seat])

    def _remember(self, author: str, client_id: str, cursor: int) -> None:
        known = self.answered[author] = self.answered.get(author, {}).copy()  # the table before keeps its own
        known[client_id] = cursor
        if len(known) > RECENT_IDS:
            del known[next(iter(known))]

    def _tell(self, entry: Entry, event: str, **facts: Any) -> None:
        self._tell_of(entry, entry.seat, event, **facts)

    def _tell_of(self, entry: Entry, seat: int | None, event: str, **facts: Any) -> None:
        self.happened.append((entry.sequence, {"event": event} | ({} if seat is None else {"seat": seat}) | facts))

    def _sit(self, entry: Entry) -> None:
        for kept in self.seats:
            if kept.reserved == entry.body["key"]:
                kept.reserved = kept.name = None
        seat = self._seat(entry)
        seat.name, seat.key, seat.commitment = entry.body["name"], entry.body["key"], entry.body.get("commitment")
        seat.is_bot = entry.body.get("bot", False)
        self._tell(entry, told_as.SIT, name=seat.name, **({} if seat.commitment is None else {"commitment": seat.commitment}))

    def _reserve(self, entry: Entry) -> None:
        seat = self._seat(entry)
        seat.name, seat.reserved = entry.body["name"], entry.body["key"]
        self._tell(entry, told_as.RESERVE, name=seat.name)

    def _rise(self, entry: Entry) -> None:
        seat = self._seat(entry)
        was_host = seat.key == self.host
        seat.name = seat.key = seat.commitment = None
        seat.is_bot = False
        seat.muted.clear()
        for other in self.seats:
            other.muted -= {entry.seat}
        if was_host:
            self.host = next((key for key in (*(one.key for one in self.seats), *(one.reserved for one in self.seats)) if key is not None), None)
        if self.host is None:
            self.status = ABANDONED
        self._tell(entry, told_as.RISE)

    def _draw_lots(self, entry: Entry) -> None:
        self._fill_seats(entry)
        self.drawn_at = entry.at
        self._tell(entry, told_as.DRAW_LOTS)

    def _reveal(self, entry: Entry) -> None:
        """Nobody else learns the number before the end, only that it is there."""
        self._seat(entry).number = entry.body["number"]

    def _fill_seats(self, entry: Entry) -> None:
        """Bots take the seats that were free."""
        for number, level in entry.body.get("bots", {}).items():
            seat = self.seats[int(number)]
            seat.plan, seat.reserved, seat.name = level, None, None
            seat.name = free_name(level.capitalize(), [one.name for one in self.seats if one.name is not None])

    def _start(self, entry: Entry) -> None:
        self._fill_seats(entry)
        self.players = [{"name": seat.name or "?", "player": seat.player} for seat in self.seats]
        if self.drawn_at is not None:
            self.seed = dealing_seed(self.header.seed, self.players, [seat.number for seat in self.seats])
        for number in self.awaited:
            self._tell_of(entry, number, told_as.LEFT_OUT)
        self.status = PLAYING
        self.state = self.game.start(self.seed)
        self._tell(entry, told_as.BEGIN, commitment=self.commitment)
        self._follow(entry, 0)
        self.clock = dict.fromkeys(self.choosers, entry.at)

    def _decide(self, entry: Entry) -> None:
        state = self._playing()
        told = state.event_count
        before = set(state.choosers)
        state.apply(entry.body["decision"], entry.seat)
        events = self._follow(entry, told)
        if state.is_over:
            self.status = FINISHED
        restarts = any(event["event"] == "turn" for event in events) or (state.is_at_once and bool(events))
        self.clock = {seat: entry.at if restarts or seat not in before else self.clock[seat] for seat in self.choosers}
        if restarts:  # not with every decision: nobody may notice that a seat has half decided
            self.seats = [replace(seat, replacers=frozenset()) if seat.replacers else seat for seat in self.seats]

    def _follow(self, entry: Entry, told: int) -> list[Event]:
        events = self._playing().events_since(told)
        self.happened.extend((entry.sequence, event) for event in events)
        return events

    def _undo(self, entry: Entry) -> None:
        """If nobody has seen it, nobody is told. Viewers who saw it learn that it was undone, and how many events with it."""
        state = self._playing()
        told = state.event_count
        state.undo(entry.seat)
        if state.event_count < told:
            self._tell(entry, told_as.UNDO, events=told - state.event_count)

    def _leave(self, entry: Entry) -> None:
        self._seat(entry).left_at = entry.at
        self._tell(entry, told_as.LEAVE)
        self._count_replacers(entry)

    def _take_over(self, entry: Entry) -> None:
        self._seat(entry).stand_in = True
        self._tell(entry, told_as.TAKE_OVER, reason=entry.body["reason"])
        self._count_votes()
        self._count_replacers(entry)

    def _replace(self, entry: Entry) -> None:
        """Once everybody else who is there wants it, a bot plays for the silent seat."""
        assert entry.seat is not None
        self.seats[entry.body["other"]].replacers |= {entry.seat}
        self._tell(entry, told_as.REPLACE, other=entry.body["other"])
        self._count_replacers(entry)

    def _count_replacers(self, entry: Entry) -> None:
        """Of those who are there, only people who are silent themselves need not agree. Counted again when somebody goes."""
        silent = {number for number in range(len(self.seats)) if (since := self.silent_at(number)) is not None and entry.at >= since}
        for number, seat in enumerate(self.seats):
            others = {other for other, one in enumerate(self.seats) if one.is_here and other != number and other not in silent}
            if seat.replacers and not seat.stand_in and others <= seat.replacers:
                seat.stand_in = True
                self._tell_of(entry, number, told_as.TAKE_OVER, reason="vote")

    def _return(self, entry: Entry) -> None:
        seat = self._seat(entry)
        seat.left_at, seat.stand_in, seat.replacers = None, False, frozenset()
        self._tell(entry, told_as.RETURN)

    def _say(self, entry: Entry) -> None:
        self._tell(entry, told_as.SAY, at=int(entry.at), **entry.body)

    def _mute(self, entry: Entry) -> None:
        (self._seat(entry).muted.add if entry.body["muted"] else self._seat(entry).muted.discard)(entry.body["other"])

    def _pace(self, entry: Entry) -> None:
        self.pace, self.skips_to = entry.body["pace"], None

    def _skip(self, entry: Entry) -> None:
        self.skips_to = entry.seat

    def _abandon(self, entry: Entry) -> None:
        if entry.seat is None or self.status == WAITING:
            self.status = ABANDONED
        else:
            self._seat(entry).gives_up = entry.body["gives_up"]
            self.ends_by_all = entry.body.get("by_all", False)
            self._count_votes()
        self._tell(entry, told_as.ABANDON, gives_up=entry.body["gives_up"])

    def _count_votes(self) -> None:
        """A game ends early only if all its people want it to, also those for whom a bot plays: nobody who is losing can void it alone."""
        here = [seat for seat in self.seats if seat.key is not None and (self.ends_by_all or not seat.stand_in)]
        if here and all(seat.gives_up for seat in here):
            self.status = ABANDONED

    def _expire(self, entry: Entry) -> None:
        self.status = ABANDONED
        self._tell(entry, told_as.EXPIRE)

    def _rematch(self, entry: Entry) -> None:
        self.rematch = entry.body["table"]
        self._tell(entry, told_as.REMATCH, table=self.rematch)

    def _seat(self, entry: Entry) -> Seat:
        assert entry.seat is not None
        return self.seats[entry.seat]

    def _playing(self) -> State:
        assert self.state is not None
        return self.state

    # what a viewer is told

    def events_for(self, viewer: Viewer, after: int) -> list[Event]:
        """What a viewer may know about what happened after a cursor of its stream."""
        stream = self.streams[viewer]
        seen = stream[after:]
        if not seen:
            return []
        shown, first = set(seen), seen[0]
        latest_first = takewhile(lambda one: one[0] >= first, reversed(self.happened))
        return [for_people(redact(event, viewer)) for sequence, event in latest_first if sequence in shown][::-1]


HANDLERS: dict[str, Callable[[Table, Entry], None]] = {
    kinds.SIT: Table._sit,
    kinds.RESERVE: Table._reserve,
    kinds.RISE: Table._rise,
    kinds.DRAW_LOTS: Table._draw_lots,
    kinds.REVEAL: Table._reveal,
    kinds.START: Table._start,
    kinds.DECIDE: Table._decide,
    kinds.UNDO: Table._undo,
    kinds.LEAVE: Table._leave,
    kinds.TAKE_OVER: Table._take_over,
    kinds.REPLACE: Table._replace,
    kinds.RETURN: Table._return,
    kinds.SAY: Table._say,
    kinds.MUTE: Table._mute,
    kinds.PACE: Table._pace,
    kinds.SKIP: Table._skip,
    kinds.ABANDON: Table._abandon,
    kinds.EXPIRE: Table._expire,
    kinds.REMATCH: Table._rematch,
}
