"""The tables of a simulation: opened, looked at, not yet read."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from branchline.boards import Board, BoardError, load_board
from branchline.errors import GameOptionError, RecordError
from branchline.play.records import check_board
from branchline.report import ReportError
from branchline.report.counting.exact import read

SEATS = ("game", "seat", "bot", "first_seat", "turns", "total", "won", "share")  # columns that a report cannot do without
SAME = ("game", "players", "bots", "seed", "code", "fingerprint")  # what the tables of one simulation agree on, where they say it
BESIDE = {
    "actions": ("seat", "bot", "round", "action", "count"),
    "claims": ("game", "seat", "route", "turn"),
    "tickets": ("game", "seat", "ticket", "points", "completed"),
}


@dataclass(frozen=True)
class Simulation:
    """What was simulated, and its tables. `seats` has a row for each seat of each game; a table that was not written is None."""

    file: Path
    board: Board
    players: int
    bots: tuple[str, ...]  # of the seats
    games: int  # that are in the tables
    facts: dict[str, str]  # what the files say about themselves
    seats: pl.LazyFrame = field(repr=False)
    actions: pl.LazyFrame | None = field(repr=False)
    claims: pl.LazyFrame | None = field(repr=False)
    tickets: pl.LazyFrame | None = field(repr=False)

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
    facts = facts_of(file)
    board = board_of(file, facts)
    rows = read(seats.group_by("seat", "bot").agg(pl.len())).sort("seat", "len", "bot")
    if rows.is_empty():
        raise ReportError(f"{file}: there are no games in it")
    firsts = rows.unique("seat", keep="last", maintain_order=True)
    tables = {name: open_beside(file, name, facts) for name in BESIDE}
    games = int(rows["len"].sum()) // firsts.height
    return Simulation(file, board, firsts.height, tuple(firsts["bot"]), games, facts, seats, **tables)


def open_beside(file: Path, name: str, facts: dict[str, str]) -> pl.LazyFrame | None:
    """Another table of the same simulation, if it is there. An older simulation may have left one behind."""
    path = file.with_name(f"{file.stem}.{name}{file.suffix}")
    if not parts_of(path):
        return None
    table, own = open_table(path, BESIDE[name], parts_of(file) if file.is_dir() else None), facts_of(path)
    for fact in SAME:
        if own.get(fact) != facts.get(fact):
            raise ReportError(
                f"{path} is from another simulation than {file}: its {fact} is {own.get(fact)}, not {facts.get(fact)}. Remove it, or simulate again"
            )
    return table


def parts_of(path: Path) -> list[Path]:
    """A table is a folder of parts, or a single file; no parts if there is nothing. Hidden files of file managers are no parts."""
    return sorted(path.glob("[!.]*.parquet")) if path.is_dir() else [path] if path.exists() else []


def open_table(file: Path, columns: tuple[str, ...], seats: list[Path] | None = None) -> pl.LazyFrame:
    """`seats`: the parts of the seats. Theirs are written last, so parts that they do not have belong to a chunk that was not finished."""
    parts = parts_of(file) if seats is None else [file / part.name for part in seats]
    if not parts:
        raise ReportError(f"there are no games in {file}" if file.exists() else f"there is no file {file}")
    if lost := [part for part in parts if not part.exists()]:
        raise ReportError(f"there is no file {lost[0]}: make it again with branchline simulate --resume")
    try:
        table = pl.scan_parquet(parts, glob=False)
        there = table.collect_schema().names()
    except (pl.exceptions.PolarsError, OSError):
        raise ReportError(f"{file} is not a Parquet table, or is broken: make broken parts again with branchline simulate --resume") from None
    missing = [column for column in columns if column not in there]
    if missing:
        raise ReportError(f"{file} is not a table of a simulation: it has no column {', '.join(missing)}")
    return table


def facts_of(file: Path) -> dict[str, str]:
    """What the table says about itself, in its last part."""
    return {name: text for name, text in pl.read_parquet_metadata(parts_of(file)[-1]).items() if not name.startswith("ARROW")}


def board_of(file: Path, facts: dict[str, str]) -> Board:
    if "game" not in facts:
        raise ReportError(f"{file} does not say which game was simulated: branchline simulate writes it into the file")
    try:
        check_board(facts["game"], facts.get("fingerprint"), "the simulation")
        return load_board(facts["game"])
    except (BoardError, GameOptionError, RecordError) as error:
        raise ReportError(f"{file}: {error}") from None
