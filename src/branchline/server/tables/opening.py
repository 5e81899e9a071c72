"""Opening tables: new ones, and those for a rematch."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from branchline.boards import BoardError, check_known, load_board
from branchline.errors import GameOptionError
from branchline.play.games import Game
from branchline.server.protocol import messages as m
from branchline.server.protocol.keys import new_seed, new_table_id
from branchline.server.protocol.refusals import Refused
from branchline.server.protocol.texts import clean_name, free_name
from branchline.server.store import entries as kinds
from branchline.server.store.entries import Entry, Header
from branchline.server.tables.commands import Already, Answer, Asked, as_bot, entry, may_rematch, own_chance
from branchline.server.tables.due import beginning
from branchline.server.tables.table import Table


@dataclass
class Opening:
    """A table in the making: the beginning of its log. It is stored as a whole."""

    table: Table
    log: list[Entry] = field(default_factory=list)

    def add(self, kind: str, at: float, seat: int | None = None, **body: Any) -> None:
        self.log.append(entry(self.table, kind, at, seat, **body))
        self.table.apply(self.log[-1])

    def begin_if_full(self, at: float) -> Opening:
        if (due := beginning(self.table)) is not None:
            self.add(due.what, at)
        return self


def new_table(key: str, asked: m.CreateTable, at: float) -> Opening:
    """The person who opens a table gets the first seat for a person."""
    new = Opening(Table(new_header(key, asked, at)))
    if new.table.free_seats:
        taken = [seat.name for seat in new.table.seats if seat.name is not None]
        name = free_name(clean_name(asked.name), taken)
        new.add(kinds.SIT, at, new.table.free_seats[0], name=name, key=key, **own_chance(new.table, asked.commitment), **as_bot(asked.bot))
    return new.begin_if_full(at)


def new_header(key: str, asked: m.CreateTable, at: float) -> Header:
    options = {name: value for name, value in asked.options.model_dump().items() if value}
    if asked.first_seat is not None:
        options["first_seat"] = asked.first_seat
    try:
        check_known(asked.game)
        game = Game(asked.game, len(asked.seats), **options)
    except (BoardError, GameOptionError) as error:
        raise Refused("bad_game", f"{error}.") from None
    settings = asked.model_dump(include={"open", "spectators", "turn_seconds", "grace_seconds", "stand_in", "pace"})
    if game.board.mark:
        settings["board"] = game.board.mark  # a server of tomorrow may have another board of that name
    settings["chance"] = asked.seats.count(m.PERSON) > 1 if asked.chance is None else asked.chance
    return Header(new_table_id(), at, key, game.name, game.board.rules_version, new_seed(), tuple(asked.seats), game.options, settings)


def rematch(table: Table, asked: Asked) -> tuple[Answer, Opening | None]:
    """The same seats again, with the next seat starting. Bots and the person who asked sit down; the others' seats are kept for them.

    The new table and the old one's entry must be stored together.
    """
    may_rematch(table, asked)
    if table.rematch is not None:
        return Already(len(table.streams[table.seat_of(asked.key)])), None
    new = Opening(Table(rematch_header(table, asked)))
    for number, seat in enumerate(table.seats):
        if seat.key is not None:
            sits = seat.key == asked.key
            promised = own_chance(new.table, asked.command.commitment) | as_bot(seat.is_bot) if sits else {}
            new.add(kinds.SIT if sits else kinds.RESERVE, asked.at, number, name=seat.name, key=seat.key, **promised)
    return entry(table, kinds.REMATCH, asked.at, table=new.table.header.id), new.begin_if_full(asked.at)


def rematch_header(table: Table, asked: Asked) -> Header:
    assert table.state is not None
    old = table.header
    first = (int(table.state.record.first_seat) + 1) % len(table.seats)
    plan = tuple(seat.plan for seat in table.seats)
    header = replace(old, id=new_table_id(), created_at=asked.at, host=asked.key or old.host, seed=new_seed(), plan=plan)
    game = newest(table.game, first)
    settings = old.settings | {"pace": table.pace} | ({"board": game.board.mark} if game.board.mark else {})
    return replace(header, rules_version=game.board.rules_version, options=game.options, settings=settings)


def newest(old: Game, first_seat: int) -> Game:
    """The same game by the newest rules. Version 1 completed tickets for the players, unless the table chose otherwise (CG-19)."""
    board = load_board(old.name)
    options = {name: value for name, value in old.options.items() if name in board.options}
    if "choose_tickets_by_hand" in old.board.options and not old.choose_tickets_by_hand:
        options["complete_tickets_for_me"] = True
    return Game(old.name, old.players, first_seat, **options)
