"""Random games at tables, and their twins: worlds that differ only in what one viewer may not know."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import copy
from dataclasses import replace

from branchline import load_board
from branchline.play.chance import commitment_of
from branchline.play.past import Past
from branchline.server.protocol.keys import hash_of
from branchline.server.store import entries as kinds
from branchline.server.store.entries import PLAYING, Entry, Header
from branchline.server.tables.seats import Seat
from branchline.server.tables.table import Table, Viewer
from tests.random_games import options_of
from tests.twins import in_payment, twin_world

KEYS = [f"key-of-seat-{seat}-and-some-more-letters" for seat in range(5)]


def key_of(viewer: Viewer) -> str | None:
    """The hash of a seat's key."""
    return None if viewer is None else hash_of(KEYS[viewer])


SETTINGS = {"open": False, "spectators": True, "turn_seconds": 600, "grace_seconds": 60, "stand_in": "normal", "pace": 0.0}


def new_table(game: str, players: int, seed: int, *, chance: bool = True, **options: bool) -> Table:
    """A table with people on all seats, and its game begun. All of them have promised a number, and all but the last have shown it."""
    rng = random.Random(f"table {game} {players} {seed}")
    version = load_board(game).rules_version
    header = Header(
        "AAAAAAAAAAAAAAAA", 0.0, hash_of(KEYS[0]), game, version, f"{rng.getrandbits(128):032x}", ("person",) * players, options, SETTINGS
    )
    table = Table(header)
    for seat in range(players):
        promised = {"commitment": commitment_of(number_of(seed, seat))} if chance else {}
        table.apply(Entry(table.last_entry + 1, kinds.SIT, 0.0, seat, {"name": f"Seat {seat}", "key": hash_of(KEYS[seat])} | promised))
    if chance:
        table.apply(Entry(table.last_entry + 1, kinds.DRAW_LOTS, 0.0))
        for seat in range(players - 1):
            table.apply(Entry(table.last_entry + 1, kinds.REVEAL, 0.0, seat, {"number": number_of(seed, seat)}))
    table.apply(Entry(table.last_entry + 1, kinds.START, 0.0))
    return table


def number_of(seed: int, seat: int) -> str:
    return f"{random.Random(f'number {seed} {seat}').getrandbits(128):032x}"


def next_entry(table: Table, rng: random.Random) -> Entry:
    """Something that may happen now: mostly a decision, sometimes something besides the game."""
    number, at = table.last_entry + 1, table.changed_at + rng.random() * 5
    aside = rng.random()
    seat = rng.randrange(len(table.seats))
    person = table.seats[seat]
    if aside < 0.02:
        return Entry(number, kinds.SAY, at, seat, {"text": f"word {number}"}, key_of(seat), f"s{number}")
    if aside < 0.03 and len(table.seats) > 1:
        other = (seat + 1) % len(table.seats)
        return Entry(number, kinds.MUTE, at, seat, {"other": other, "muted": other not in person.muted})
    if aside < 0.04 and person.is_here:
        return Entry(number, kinds.LEAVE, at, seat)
    if aside < 0.06 and not person.is_here:
        return Entry(number, kinds.RETURN, at, seat)
    if aside < 0.08 and not person.is_here and not person.stand_in:
        return Entry(number, kinds.TAKE_OVER, at, seat, {"reason": "left"})
    silent = [other for other in table.choosers if other != seat and not table.seats[other].bot_plays]
    if aside < 0.1 and person.is_here and silent:
        return Entry(number, kinds.REPLACE, at, seat, {"other": silent[0]})
    chooser = rng.choice(table.choosers)
    assert table.state is not None
    if table.state.may_undo(chooser) and rng.random() < 0.15:
        return Entry(number, kinds.UNDO, at, chooser, {}, key_of(chooser), f"u{number}")
    decision = rng.choice(table.state.view(chooser).legal)
    return Entry(number, kinds.DECIDE, at, chooser, {"decision": decision}, key_of(chooser), f"d{number}")


def random_play(game: str, players: int, seed: int) -> Iterator[Table]:
    """A random game from its first question to its end: the table after each entry (always the same object)."""
    rng = random.Random(f"play {game} {players} {seed}")
    table = new_table(game, players, seed, **options_of(game, seed))
    yield table
    while table.status == PLAYING:
        table.apply(next_entry(table, rng))
        yield table


class TwinTable(Table):
    """Another seed, of which the viewer sees the same hash: nobody can work out a seed from its hash."""

    shown = ""

    @property
    def commitment(self) -> str:
        return self.shown


HIDDEN = {"deal": ("cards",), "draw": ("card",), "offer_tickets": ("tickets",), "keep_tickets": ("kept", "returned")}


def twin_event(event: dict, viewer: Viewer, table: Table, rng: random.Random) -> dict:
    """Replace what another seat was dealt, drew, was offered or kept in secret by something else."""
    if event["event"] not in HIDDEN or event["seat"] == viewer:
        return event
    board = table.game.board
    pool = [one.id for one in (board.cards if event["event"] in ("deal", "draw") else board.tickets)]
    changes = {}
    for name in HIDDEN[event["event"]]:
        changes[name] = rng.choice(pool) if name == "card" else [rng.choice(pool) for _ in event[name]]
    return event | changes


def twin_seat(seat: Seat, is_own: bool, rng: random.Random) -> Seat:
    """With another number, of which the viewer sees the same hash."""
    return seat if is_own or seat.number is None else replace(seat, number=f"{rng.getrandbits(128):032x}")


def twin_table(table: Table, viewer: Viewer, rng: random.Random) -> Table:
    """A world in which all that is hidden from the viewer differs: hands, decks, tickets, seed, numbers, and how often others have half decided."""
    twin = copy(table)
    twin.__class__ = TwinTable
    assert isinstance(twin, TwinTable)
    assert table.state is not None
    twin.shown = table.commitment
    if table.status == PLAYING:
        twin.header = copy(table.header)
        object.__setattr__(twin.header, "seed", f"{rng.getrandbits(128):032x}")
        twin.seed = f"{rng.getrandbits(128):032x}"
        twin.seats = [twin_seat(one, number == viewer, rng) for number, one in enumerate(table.seats)]
        twin.state = twin_state(table, viewer, rng)
        twin.happened = Past((number, twin_event(event, viewer, table, rng)) for number, event in table.happened)
    renumbered(twin, table, viewer, rng)
    return twin


def twin_state(table: Table, viewer: Viewer, rng: random.Random):
    """Deal hidden things again. The viewer knows nothing of a payment that another has begun: in the twin it has not begun."""
    assert table.state is not None
    state = table.state
    if in_payment(state, state.seat) and state.seat != viewer:
        state = state.clone()
        while state.can_undo:
            state.undo()
        if state.record.paid.any():
            return state
    twin = twin_world(state, viewer, rng)
    twin._undo = state._undo.copy()
    return twin


def renumbered(twin: Table, table: Table, viewer: Viewer, rng: random.Random) -> None:
    """The log has other numbers, because others have decided more often in secret; only how many entries the viewer has noticed is the same."""
    new, last = {}, 0
    for number in range(1, table.last_entry + 1):
        last += rng.choice((1, 1, 2, 3))
        new[number] = last
    twin.last_entry = last
    twin.happened = Past((new[number], event) for number, event in twin.happened)
    twin.streams = {whose: Past(new[number] for number in stream) for whose, stream in table.streams.items()}
    for other, stream in twin.streams.items():
        if other != viewer:
            stream.extend(range(last + 1, last + rng.randrange(1, 4)))
    twin.questions = {seat: number if seat == viewer else number + 7 for seat, number in table.questions.items()}
