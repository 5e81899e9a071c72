"""What callers want committed: rows for the tables of the database. Each change is stored as a whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from itertools import chain
from operator import itemgetter
from typing import Any

from branchline.server.store.entries import RESERVE, RISE, SIT, Entry, Header

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Summary:
    """The columns by which tables are found."""

    status: str
    listed: bool
    wake_at: float | None
    ended_at: float | None = None

    def row(self) -> Row:
        return self.status, int(self.listed), self.wake_at, self.ended_at


@dataclass
class Change:
    """Rows, in the order in which the statements for them are carried out."""

    tables: list[Row] = field(default_factory=list)
    entries: list[Row] = field(default_factory=list)
    risen: list[Row] = field(default_factory=list)  # table and key of people who have lost a seat, or change it
    seated: list[Row] = field(default_factory=list)
    put_off: list[Row] = field(default_factory=list)
    corrected: list[Row] = field(default_factory=list)
    summaries: list[Row] = field(default_factory=list)
    seeds: list[Row] = field(default_factory=list)  # of games that are over: no longer sealed
    archives: list[Row] = field(default_factory=list)
    archived: list[Row] = field(default_factory=list)  # table and last entry: these entries are in the archive now
    dropped: list[Row] = field(default_factory=list)  # tables of which nothing is kept
    blocked: list[Row] = field(default_factory=list)  # network, since when, why
    unblocked: list[Row] = field(default_factory=list)
    probes: list[Row] = field(default_factory=list)  # 1, and when
    news: list[Row] = field(default_factory=list)  # for other server processes: table and number of an entry

    def open(self, header: Header, log: Sequence[Entry], summary: Summary) -> None:
        named = header.id, header.created_at, header.host, header.game, header.rules_version, header.seed
        told = json.dumps(list(header.plan)), json.dumps(header.options), json.dumps(header.settings)
        self.tables.append((*named, *told, *summary.row()))
        for entry in log:
            self.write(header.id, entry)

    def append(self, table: str, entry: Entry, summary: Summary) -> None:
        self.write(table, entry)
        self.summaries.append((*summary.row(), table))
        self.news.append((f"{table} {entry.sequence}",))

    def write(self, table: str, entry: Entry) -> None:
        body = json.dumps(entry.body)
        self.entries.append((table, entry.sequence, entry.kind, entry.at, entry.seat, body, entry.author, entry.client_id))
        gone = [entry.body["key"]] if entry.kind in (SIT, RESERVE, RISE) else entry.body.get("missing", [])
        self.risen += [(table, key) for key in gone]
        if entry.kind in (SIT, RESERVE):
            self.seated.append((table, entry.body["key"]))

    def rows_of(self, statement: str) -> list[Row]:
        """What is dropped takes several statements, named `dropped from TABLE`."""
        rows: list[Row] = getattr(self, statement.partition(" ")[0])
        return rows

    def correct(self, table: str, last_entry: int, summary: Summary) -> None:
        """If another entry was written since, its row is right and stays."""
        self.corrected.append((*summary.row(), table, last_entry))


PLACE_OF_TABLE = {"put_off": 1, "corrected": 4, "summaries": 4, "seeds": 1}  # in a row; the first in all others


def together(changes: Sequence[Change]) -> Change:
    """One change with the rows of all. Sorted by table, so that two processes never wait for each other crosswise."""
    if len(changes) == 1:
        return changes[0]
    rows = {one.name: list(chain.from_iterable(getattr(change, one.name) for change in changes)) for one in fields(Change)}
    return Change(**{name: sorted(found, key=itemgetter(PLACE_OF_TABLE.get(name, 0))) for name, found in rows.items()})
