"""The tables as Parquet files: taken up where a run has ended, and joined from their parts."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from pathlib import Path

import polars as pl

from branchline.batch.games import Games
from branchline.simulation.columns import Columns
from branchline.simulation.frames import tables_of
from branchline.simulation.output import Output
from branchline.simulation.parts import Parts, missing, written
from branchline.simulation.plan import Plan, SimulationError
from branchline.simulation.summary import Summary

ROWS = 1 << 18  # of a row group: fixed, so that a file's bytes do not depend on the chunks that it was joined from
MAGIC = b"PAR1"


class TableFiles(Output):
    """`x.parquet` with a row a seat a game, and beside it `x.actions.parquet` and the other tables."""

    def __init__(self, plan: Plan, out: Path, resume: bool, force: bool, say: Callable[[str], None]) -> None:
        super().__init__()
        self._out, self._plan, self._say = out, plan, say
        self._tables = ("actions", *plan.tables, "seats")
        self.files = tuple(map(self.path, ("seats", "actions", *plan.tables)))
        self._parts = Parts(out, self._tables, plan.players)
        self._stale = force  # there may be files to overwrite; they stay until the first games are there
        if force:
            self._parts.remove()
        else:
            if not resume:
                self._refuse_to_overwrite()
            self._check_plans()
        # the games in each table's file
        self._joined = {table: 0 if force else self._games_in(self.path(table)) for table in self._tables}
        self._base = 0  # the games that are in all of them
        self._parts.begin(plan.facts)
        self._take_up()

    def path(self, table: str) -> Path:
        return self._out if table == "seats" else self._out.with_name(f"{self._out.stem}.{table}{self._out.suffix}")

    def _clear(self) -> None:
        self._stale = False
        for table in ("seats", "actions", "claims", "tickets"):
            self.path(table).unlink(missing_ok=True)

    def _refuse_to_overwrite(self) -> None:
        for path in (*self.files, self._parts.folder):
            if path.exists():
                raise SimulationError(f"{path} is there already: go on with it by --resume, overwrite it by --force, or name another file with --out")

    def _check_plans(self) -> None:
        begun = self._parts.plan()
        if begun is not None:
            self._plan.check(begun, self._parts.folder)
        for path in self.files:
            if path.exists() and (facts := facts_of(path)) is not None:
                if "done" not in facts:
                    raise SimulationError(f"{path} holds no simulation: name another file with --out, or overwrite it by --force")
                self._plan.check(facts, path)

    def _games_in(self, path: Path) -> int:
        """The games of a file that is whole."""
        facts = facts_of(path) if path.exists() else None
        if path.exists() and facts is None:
            self._say(f"{path} was not written to its end; its games are played again.")
        return int(facts["done"]) if facts else 0

    def _take_up(self) -> None:
        """Find what is done. Killed while it joined, a run leaves some files with more games than others, and the parts that make up for it."""
        for name in self._parts.take_up():
            self._say(f"{self._parts.folder / name} is broken; its games are played again.")
        self._base = min(self._joined.values())
        ends = {self._base, *(chunk.stop for chunk in self._unbroken())}
        if not ends.issuperset(self._joined.values()):
            self._say(f"{self._out} and the tables beside it have not the same games; all are played again.")
            self._base, self._joined = 0, dict.fromkeys(self._tables, 0)
        self._parts.chunks = [chunk for chunk in self._parts.chunks if chunk.start >= self._base]
        self.done = self._base + sum(map(len, self._parts.chunks))

    def _unbroken(self) -> list[range]:
        """The chunks that follow on what is joined, as far as none is missing between them."""
        found: list[range] = []
        for chunk in self._parts.chunks:
            if chunk.start == (found[-1].stop if found else self._base):
                found.append(chunk)
        return found

    def missing(self, games: int) -> list[range]:
        return missing([*([range(self._base)] if self._base else []), *self._parts.chunks], games)

    def sum_up(self, summary: Summary) -> None:
        numbers = {name: pl.col(name).cast(pl.Float64) for name in summary.columns}
        there = {name: number.filter(number.is_finite()) for name, number in numbers.items()}
        wanted = [*(number.sum() for number in there.values()), *(number.count().name.suffix(" count") for number in there.values())]
        found = self._sources("seats").group_by("seat").agg(wanted).sort("seat").collect(engine="streaming")
        sums, counts = ({name: found[f"{name}{end}"].to_numpy() for name in numbers} for end in ("", " count"))
        summary.add_sums(self.done, sums, counts)

    def write(self, games: Games, columns: Columns) -> None:
        if self._stale:
            self._clear()
        self._parts.write(games.first, len(games.states), tables_of(self._plan, games, columns))

    def add(self, chunk: range) -> None:
        super().add(chunk)
        insort(self._parts.chunks, chunk, key=lambda chunk: chunk.start)

    def finish(self, games: int) -> None:
        """Join the parts. Where some are missing in between, they wait for the rest."""
        if self._parts.chunks and self._unbroken() == self._parts.chunks:
            facts = self._plan.facts | {"games": str(max(games, self.done)), "done": str(self.done)}
            for table in self._tables:
                self._join(table, facts)
            self._parts.chunks = []
        self.leave()

    def leave(self) -> None:
        if not self._parts.chunks:
            self._parts.remove()

    def _join(self, table: str, facts: dict[str, str]) -> None:
        if self._joined[table] == self.done:
            return
        rows = self._sources(table)
        if table == "actions":
            rows = rows.group_by("seat", "bot", "round", "action").agg(pl.col("count").sum()).sort("seat", "round", "action")
        with written(self.path(table)) as path:
            rows.sink_parquet(path, row_group_size=ROWS, metadata=facts)

    def _sources(self, table: str) -> pl.LazyFrame:
        joined = self._joined[table]
        chunks = [self._parts.path(chunk, table) for chunk in self._parts.chunks if chunk.start >= joined]
        return pl.scan_parquet([*([self.path(table)] if joined else []), *chunks], glob=False)


def facts_of(path: Path) -> dict[str, str] | None:
    """What a Parquet file says of itself; None if its end is missing. A file of another kind is not ours to touch."""
    try:
        return pl.read_parquet_metadata(path)
    except pl.exceptions.PolarsError:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) not in (MAGIC, b""):
                raise SimulationError(f"{path} is no Parquet file: name another with --out, or overwrite it by --force") from None
        return None
