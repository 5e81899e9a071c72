"""The tables of a simulation: opened, looked at, not yet read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from branchline.boards import Board, BoardError, load_board
from branchline.boards.folders import copies_of
from branchline.errors import GameOptionError, RecordError
from branchline.play.records import check_board
from branchline.report import ReportError
from branchline.report.counting.exact import read
from branchline.report.tables import Table, batches_of, facts_of, games_in, open_table, parts_of

SEATS = ("game", "seat", "bot", "first_seat", "turns", "total", "won", "share")  # columns that a report cannot do without
SAME = ("game", "players", "bots", "seed", "code", "fingerprint")  # what the tables of one simulation agree on, where they say it
BESIDE = {
    "actions": ("seat", "bot", "round", "action", "count"),
    "claims": ("game", "seat", "route", "turn"),
    "tickets": ("game", "seat", "ticket", "points", "completed"),
}


@dataclass(frozen=True)
class Batch:
    """Some games in all tables. The seats have been read, as nearly all figures need them."""

    seats: pl.LazyFrame
    actions: pl.LazyFrame | None = None
    claims: pl.LazyFrame | None = None
    tickets: pl.LazyFrame | None = None


@dataclass(frozen=True)
class Simulation:
    """What was simulated, and its tables. `seats` has a row for each seat of each game; a table that was not written is None."""

    file: Path
    board: Board
    players: int
    bots: tuple[str, ...]  # of the seats
    games: int  # that are in the tables
    facts: dict[str, str]  # what the files say about themselves
    seats: Table = field(repr=False)
    actions: Table | None = field(repr=False)
    claims: Table | None = field(repr=False)
    tickets: Table | None = field(repr=False)

    def batches(self) -> Iterator[Batch]:
        """All games, some at a time. A batch is there until the next one is asked for."""
        tables = {name: table for name in ("seats", *BESIDE) if (table := getattr(self, name)) is not None}
        for parts in batches_of(list(tables.values())):
            with ExitStack() as opened:
                there = {name: opened.enter_context(table.some(parts)) for name, table in tables.items()}
                yield Batch(**there | {"seats": read(there["seats"]).lazy()})

    @property
    def fair(self) -> float:
        """The share of victories that chance alone gives to a seat."""
        return 1 / self.players

    @property
    def asked(self) -> int:
        """The games that were asked for; those that are there where the file does not say."""
        return int(self.facts.get("games", self.games))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The bots, each once."""
        return tuple(dict.fromkeys(self.bots))

    @property
    def has_card_tickets(self) -> bool:
        """Are tickets completed with cards, not on a map?"""
        return any(ticket.cards for ticket in self.board.tickets)


def open_simulation(file: Path) -> Simulation:
    seats = open_table(file, SEATS)
    facts = facts_of(seats)
    board = board_of(file, facts)
    with seats.some(slice(-1, None)) as last:
        rows = read(last.group_by("seat", "bot").agg(pl.len())).sort("seat", "len", "bot")
    if rows.is_empty():
        raise ReportError(f"{file}: there are no games in it")
    firsts = rows.unique("seat", keep="last", maintain_order=True)
    tables = {name: open_beside(file, name, seats, facts) for name in BESIDE}
    return Simulation(file, board, firsts.height, tuple(firsts["bot"]), games_of(seats, firsts.height), facts, seats, **tables)


def games_of(seats: Table, players: int) -> int:
    """Names of parts say how many games are in them; other files are counted."""
    named = [games_in(part) for part in seats.parts]
    unnamed = [number for number, games in enumerate(named) if games is None]
    return sum(filter(None, named)) + sum(rows_in(seats, number) for number in unnamed) // players


def rows_in(table: Table, number: int) -> int:
    with table.some(slice(number, number + 1)) as part:
        return int(read(part.select(pl.len())).item())


def open_beside(file: Path, name: str, seats: Table, facts: dict[str, str]) -> Table | None:
    """Another table of the same simulation, if it is there. An older simulation may have left one behind."""
    path = file.with_name(f"{file.stem}.{name}{file.suffix}")
    if not parts_of(path):
        return None
    table = open_table(path, BESIDE[name], seats if seats.parts[0] != file else None)
    own = facts_of(table)
    for fact in SAME:
        if own.get(fact) != facts.get(fact):
            raise ReportError(
                f"{path} is from another simulation than {file}: its {fact} is {own.get(fact)}, not {facts.get(fact)}. Remove it, or simulate again"
            )
    return table


def board_of(file: Path, facts: dict[str, str]) -> Board:
    if "game" not in facts:
        raise ReportError(f"{file} does not say which game was simulated: branchline simulate writes it into the file")
    try:
        for copy in copies_of(facts["game"]):
            if (board := load_board(copy)).mark == facts.get("fingerprint"):
                return board
        check_board(facts["game"], facts.get("fingerprint"), "the simulation")
        return load_board(facts["game"])
    except (BoardError, GameOptionError, RecordError) as error:
        raise ReportError(f"{file}: {error}") from None
