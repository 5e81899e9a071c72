"""The tables as folders of Parquet parts, one part for each chunk of games: polars, pandas, DuckDB and R read such a folder as one table.

A part appears under its name only when it is whole, and a chunk's seats are written last: a simulation that is
killed loses only the chunks that it was writing. A folder can be at any address that fsspec knows; `upath` makes it look like a path.
"""

from __future__ import annotations

import threading
from bisect import insort
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import polars as pl

from branchline.batch.games import Games
from branchline.cluster.locations import is_here, looked_up
from branchline.cluster.part_names import PART, chunk_of, name_of
from branchline.simulation.columns import Columns
from branchline.simulation.frames import tables_of
from branchline.simulation.orders import Orders
from branchline.simulation.output import Output
from branchline.simulation.parts import UNFINISHED, parts_in, write_part
from branchline.simulation.plan import TABLES, Plan, SimulationError
from branchline.simulation.summary import Summary, Sums

BROKEN = (OSError, pl.exceptions.PolarsError)  # a part that is missing, cut off, or not Parquet
FORCE = "name another with --out, or overwrite it with --force"


class PartWriter:
    """Writes the tables of a chunk: `x.parquet` with a row for each seat of each game, and beside it `x.actions.parquet` and the other tables."""

    def __init__(self, plan: Plan, out: Path, games: int) -> None:
        self._plan, self._facts = plan, plan.facts | {"games": str(games)}
        self.folders = {table: folder_of(out, table) for table in ("actions", *plan.tables, "seats")}

    def write(self, games: Games, columns: Columns) -> None:
        name = name_of(range(games.first, games.first + len(games.states)))
        tables = tables_of(self._plan, games, columns)
        for table, folder in self.folders.items():
            write_part(tables[table], folder / name, self._facts)


class TableFolders(Output):
    """What is there already, and what is still missing."""

    def __init__(self, plan: Plan, out: Path, orders: Orders, say: Callable[[str], None]) -> None:
        super().__init__()
        self._plan, self._say = plan, say
        self._writer = PartWriter(plan, out, orders.games)
        self._folders = self._writer.folders
        self.files = (out, *(folder for table, folder in self._folders.items() if table != "seats"))
        self._chunks: list[range] = []  # that are done, in order
        self._lock = threading.Lock()
        there = [folder for table in ("seats", "actions", *TABLES) if holds_something(folder := folder_of(out, table))]
        if there and not (orders.resume or orders.force):
            raise SimulationError(f"{there[0]} already exists: continue it with --resume, overwrite it with --force, or name another file with --out")
        self._stale = there if orders.force else []  # what is overwritten stays until the first games are there
        if orders.resume and any(table.is_file() for table in there):
            raise SimulationError(f"{there[0]} is a single file, and a simulation can only continue in folders: {FORCE}")
        if orders.resume:
            check_plan(plan, out)  # before anything is touched: what another plan has played is not ours to judge
        self._made = [] if self._stale else [folder for folder in self.files if not folder.exists()]
        for folder in self._made:
            folder.mkdir(exist_ok=True)  # if writing fails, say so before the first game
        if there and orders.resume:
            self._take_up()

    def _take_up(self) -> None:
        """Find what is done. A chunk of which a part is missing or broken is removed, to be played again, and so is one that is there twice."""
        there = {table: {part.name for part in parts_in(folder)} for table, folder in self._folders.items()}
        for unfinished in filter(self._is_unfinished, list(self.files[0].parent.iterdir())):
            unfinished.unlink()
        for name in sorted(set().union(*there.values())):
            chunk = chunk_of(name)
            if all(name in names for names in there.values()) and self._is_whole(name, len(chunk)) and chunk.start >= self._end:
                self._chunks.append(chunk)
                continue
            if name in there["seats"]:
                self._say(f"{self._folders['seats'] / name} is broken; its games are played again.")
            self._remove(name)
        self.done = sum(map(len, self._chunks))

    @property
    def _end(self) -> int:
        return self._chunks[-1].stop if self._chunks else 0

    def _remove(self, name: str) -> None:
        """The seats first: without them, the rest is not looked at."""
        for folder in reversed(self._folders.values()):
            (folder / name).unlink(missing_ok=True)

    def give_up(self) -> None:
        for folder in filter(is_here, self._made):  # at an address there are no empty folders
            with suppress(OSError):
                folder.rmdir()

    def recount(self) -> None:
        """See that every chunk is there in every table, and nothing twice: a worker that everybody had given up may still have written something."""
        names = set(map(name_of, self._chunks))
        there = {folder: {part.name for part in parts_in(folder)} for folder in self._folders.values()}
        for name in set().union(*there.values()) - names:
            self._remove(name)
        for folder, found in there.items():
            if lost := sorted(names - found):
                raise SimulationError(f"{folder / lost[0]} has vanished: continue with the same command and --resume")
        self._count_rows()

    def _count_rows(self) -> None:
        """Each seat of each game has a row. At an address, what is there is whole, and reading it would take as long as playing."""
        if not is_here(self._folders["seats"]):
            return
        for chunk in self._chunks:
            part = self._folders["seats"] / name_of(chunk)
            if not self._is_whole(part.name, len(chunk)):
                raise SimulationError(f"{part} is broken: continue with the same command and --resume")

    def _is_unfinished(self, path: Path) -> bool:
        """Is it what `write_part` was killed over? A simulation with a longer name may be running beside this one."""
        name = UNFINISHED.sub("", path.name)
        return name != path.name and any(PART.fullmatch(name.removeprefix(f".{folder.name}.")) for folder in self.files)

    def _is_whole(self, name: str, games: int) -> bool:
        if not is_here(self._folders["seats"]):
            return True  # elsewhere parts are put in place as a whole, and reading them again would take as long as playing
        try:
            rows = {table: rows_in(folder / name) for table, folder in self._folders.items()}
        except BROKEN:
            return False
        return rows["seats"] == self._plan.players * games

    def missing(self, games: int) -> list[range]:
        return missing(self._chunks, games)

    def sum_up(self, summary: Summary) -> None:
        if not is_here(self._folders["seats"]):
            return
        numbers = {name: pl.col(name).cast(pl.Float64) for name in summary.columns}
        there = {name: number.filter(number.is_finite()) for name, number in numbers.items()}
        wanted = [*(number.sum() for number in there.values()), *(number.count().name.suffix(" count") for number in there.values())]
        found = pl.scan_parquet(parts_in(self._folders["seats"]), glob=False).group_by("seat").agg(wanted).sort("seat").collect(engine="streaming")
        sums, counts = ({name: found[f"{name}{end}"].to_numpy() for name in numbers} for end in ("", " count"))
        summary.add(Sums(self.done, sums, counts))

    def write(self, games: Games, columns: Columns) -> None:
        self.clear()
        self._writer.write(games, columns)

    def clear(self) -> None:
        """What is to be overwritten goes."""
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
    if not looked_up(path).is_dir():
        return path.exists()
    for one in path.iterdir():
        if not (PART.fullmatch(one.name) or one.name.startswith(".")):  # file managers leave hidden files anywhere
            raise SimulationError(f"{path} does not belong to a simulation: it contains {one.name}. Name another with --out")
    return bool(parts_in(path))


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
        for part in looked_at(parts_in(folder)):
            with suppress(*BROKEN):
                plan.check(pl.read_parquet_metadata(part if is_here(part) else part.read_bytes()), folder)


def looked_at(parts: list[Path]) -> Iterable[Path]:
    """All of them if they are on this machine, elsewhere the first."""
    return parts if all(map(is_here, parts)) else parts[:1]


def rows_in(path: Path) -> int:
    return int(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())


def missing(done: list[range], games: int) -> list[range]:
    """The games from 0 to `games` - 1 that are not done. What is done is in order, and does not overlap."""
    ends = [0, *(chunk.stop for chunk in done)]
    starts = [*(chunk.start for chunk in done), games]
    return [range(end, min(start, games)) for end, start in zip(ends, starts, strict=True) if end < min(start, games)]
