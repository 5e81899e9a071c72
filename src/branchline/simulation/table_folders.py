"""The tables as folders of Parquet parts, one part for each chunk of games: polars, pandas, DuckDB and R read such a folder as one table.

A part appears under its name only when it is whole, and a chunk's seats are written last: a simulation that is
killed loses only the chunks that it was writing.
"""

from __future__ import annotations

import os
import re
import threading
from bisect import insort
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import polars as pl

from branchline.batch.games import Games
from branchline.simulation.columns import Columns
from branchline.simulation.frames import tables_of
from branchline.simulation.orders import Orders
from branchline.simulation.output import Output
from branchline.simulation.plan import TABLES, Plan, SimulationError
from branchline.simulation.summary import Summary

PART = re.compile(r"(\d{12})-(\d+)\.parquet")  # the chunk's first game, and how many there are
WRITING = ".writing"  # the ending of a part that is not whole yet
BROKEN = (OSError, pl.exceptions.PolarsError)  # a part that is missing, cut off, or not Parquet
FORCE = "name another with --out, or overwrite it with --force"


class TableFolders(Output):
    """`x.parquet` with a row for each seat of each game, and beside it `x.actions.parquet` and the other tables."""

    def __init__(self, plan: Plan, out: Path, orders: Orders, say: Callable[[str], None]) -> None:
        super().__init__()
        self._plan, self._say = plan, say
        self._facts = plan.facts | {"games": str(orders.games)}
        self._folders = {table: folder_of(out, table) for table in ("actions", *plan.tables, "seats")}
        self.files = (out, *(folder for table, folder in self._folders.items() if table != "seats"))
        self._chunks: list[range] = []  # that are done, in order
        self._lock = threading.Lock()
        there = [folder for table in ("seats", "actions", *TABLES) if holds_something(folder := folder_of(out, table))]
        if there and not (orders.resume or orders.force):
            raise SimulationError(f"{there[0]} already exists: continue it with --resume, overwrite it with --force, or name another file with --out")
        self._stale = there if orders.force else []  # what is overwritten stays until the first games are there
        if orders.resume and any(map(Path.is_file, there)):
            raise SimulationError(f"{there[0]} is a single file, and a simulation can only continue in folders: {FORCE}")
        if orders.resume:
            check_plan(plan, out)  # before anything is touched: what another plan has played is not ours to judge
        for folder in () if self._stale else self.files:
            folder.mkdir(exist_ok=True)  # if writing fails, say so before the first game
        if there and orders.resume:
            self._take_up()

    def _take_up(self) -> None:
        """Find what is done. A chunk of which a part is missing or broken is removed, to be played again."""
        names = {part.name for folder in self._folders.values() for part in parts_in(folder)}
        for unfinished in filter(self._is_unfinished, list(self.files[0].parent.iterdir())):
            unfinished.unlink()
        for name in sorted(names):
            chunk, seats = chunk_of(name), self._folders["seats"] / name
            if self._is_whole(name, len(chunk)):
                self._chunks.append(chunk)
                continue
            if seats.exists():
                self._say(f"{seats} is broken; its games are played again.")
            for folder in self._folders.values():
                (folder / name).unlink(missing_ok=True)
        self.done = sum(map(len, self._chunks))

    def _is_unfinished(self, path: Path) -> bool:
        """Is it what `write_part` was killed over? A simulation with a longer name may be running beside this one."""
        name = path.name.removesuffix(WRITING)
        return path.name.endswith(WRITING) and any(PART.fullmatch(name.removeprefix(f".{folder.name}.")) for folder in self.files)

    def _is_whole(self, name: str, games: int) -> bool:
        try:
            rows = {table: rows_in(folder / name) for table, folder in self._folders.items()}
        except BROKEN:
            return False
        return rows["seats"] == self._plan.players * games

    def missing(self, games: int) -> list[range]:
        return missing(self._chunks, games)

    def sum_up(self, summary: Summary) -> None:
        numbers = {name: pl.col(name).cast(pl.Float64) for name in summary.columns}
        there = {name: number.filter(number.is_finite()) for name, number in numbers.items()}
        wanted = [*(number.sum() for number in there.values()), *(number.count().name.suffix(" count") for number in there.values())]
        found = pl.scan_parquet(parts_in(self._folders["seats"]), glob=False).group_by("seat").agg(wanted).sort("seat").collect(engine="streaming")
        sums, counts = ({name: found[f"{name}{end}"].to_numpy() for name in numbers} for end in ("", " count"))
        summary.add_sums(self.done, sums, counts)

    def write(self, games: Games, columns: Columns) -> None:
        self._clear()
        name = f"{games.first:012d}-{len(games.states)}.parquet"
        tables = tables_of(self._plan, games, columns)
        for table, folder in self._folders.items():
            write_part(tables[table], folder / name, self._facts)

    def _clear(self) -> None:
        with self._lock:
            for path in self._stale:
                remove(path)
            for folder in self._folders.values() if self._stale else ():
                folder.mkdir(exist_ok=True)  # an empty one was nothing to overwrite
            self._stale = []

    def add(self, chunk: range) -> None:
        super().add(chunk)
        insort(self._chunks, chunk, key=lambda chunk: chunk.start)


def folder_of(out: Path, table: str) -> Path:
    return out if table == "seats" else out.with_name(f"{out.stem}.{table}{out.suffix}")


def holds_something(path: Path) -> bool:
    """Is there anything to continue or overwrite? A folder of other things is never touched."""
    if not path.is_dir():
        return path.exists()
    for one in path.iterdir():
        if not (PART.fullmatch(one.name) or one.name.startswith(".")):  # file managers leave hidden files anywhere
            raise SimulationError(f"{path} does not belong to a simulation: it contains {one.name}. Name another with --out")
    return bool(parts_in(path))


def parts_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if PART.fullmatch(path.name)) if folder.is_dir() else []


def remove(table: Path) -> None:
    """Remove a file, or a folder of parts; a folder with hidden files in it stays."""
    if table.is_file():
        table.unlink()
        return
    for part in parts_in(table):
        part.unlink()
    with suppress(OSError):
        table.rmdir()


def check_plan(plan: Plan, out: Path) -> None:
    """Raise if any part is of another simulation. Whichever tables are asked for, all that are there are looked at."""
    for folder in (folder_of(out, table) for table in ("seats", "actions", *TABLES)):
        for part in parts_in(folder):
            with suppress(*BROKEN):
                plan.check(pl.read_parquet_metadata(part), folder)


def chunk_of(name: str) -> range:
    first, games = map(int, PART.fullmatch(name).groups())  # type: ignore[union-attr]  # `parts_in` has looked at it
    return range(first, first + games)


def rows_in(path: Path) -> int:
    return int(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())


def write_part(table: pl.DataFrame, path: Path, facts: dict[str, str]) -> None:
    """Under another name and outside of the folder, until it is whole."""
    unfinished = path.parent.with_name(f".{path.parent.name}.{path.name}{WRITING}")
    try:
        table.write_parquet(unfinished, metadata=facts)
        os.replace(unfinished, path)
    except pl.exceptions.PolarsError as error:
        raise SimulationError(f"{path} cannot be written: {error}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def missing(done: list[range], games: int) -> list[range]:
    """The games from 0 to `games` - 1 that are not done. What is done is in order, and does not overlap."""
    ends = [0, *(chunk.stop for chunk in done)]
    starts = [*(chunk.start for chunk in done), games]
    return [range(end, min(start, games)) for end, start in zip(ends, starts, strict=True) if end < min(start, games)]
