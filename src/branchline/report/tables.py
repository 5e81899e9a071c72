"""A table of a simulation: a folder of parts, or a single file. It is never read whole: parts are counted in batches.

The parts of a chunk have the same name in every table and hold the same games, so a batch can be counted by itself, and counts are added up.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from branchline.cluster.locations import is_here, looked_up
from branchline.cluster.part_names import PART, chunk_of
from branchline.report import ReportError
from branchline.report.fetching import at_hand

AT_ONCE = 1 << 17  # games in a batch, unless one part has more: about 150 MB for five seats with claims and tickets


@dataclass(frozen=True)
class Table:
    """`schema` is that of the last part; the others must have the same columns."""

    parts: tuple[Path, ...]
    schema: dict[str, pl.DataType] = field(repr=False)

    @contextmanager
    def some(self, batch: slice) -> Iterator[pl.LazyFrame]:
        """Some of the parts, to be read until the block ends."""
        with at_hand(self.parts[batch]) as files:
            yield pl.scan_parquet(files, glob=False)


def parts_of(path: Path) -> list[Path]:
    """All parts of a table; none if there is nothing. The hidden files of file managers do not count."""
    if not looked_up(path).is_dir():
        return [path] if path.exists() else []
    there = [part for part in path.iterdir() if part.name.endswith(".parquet") and not part.name.startswith(".")]
    return sorted(there, key=lambda part: part.name)


def open_table(file: Path, columns: tuple[str, ...], seats: Table | None = None) -> Table:
    """`seats`: those of the same simulation. They are written last, so parts that they do not have belong to a chunk that was not finished."""
    parts = parts_of(file)
    if seats is not None and len(parts) and parts[0] != file:
        parts = of_the_same_chunks(file, parts, seats)
    if not parts:
        raise ReportError(f"there are no games in {file}" if file.exists() else f"there is no file {file}")
    try:
        with at_hand(parts[-1:]) as files:
            schema = dict(pl.scan_parquet(files, glob=False).collect_schema())
    except (pl.exceptions.PolarsError, OSError):
        raise ReportError(f"{file} is not a Parquet table, or is broken: make broken parts again with branchline simulate --resume") from None
    missing = [column for column in columns if column not in schema]
    if missing:
        raise ReportError(f"{file} is not a table of a simulation: it has no column {', '.join(missing)}")
    return Table(tuple(parts), schema)


def of_the_same_chunks(folder: Path, parts: list[Path], seats: Table) -> list[Path]:
    there, wanted = {part.name: part for part in parts}, [part.name for part in seats.parts]
    if lost := [name for name in wanted if name not in there]:
        raise ReportError(f"there is no file {folder / lost[0]}: make it again with branchline simulate --resume")
    return [there[name] for name in wanted]


def facts_of(table: Table) -> dict[str, str]:
    """What the table says about itself, in its last part."""
    last = table.parts[-1]
    found = pl.read_parquet_metadata(last if is_here(last) else last.read_bytes())
    return {name: text for name, text in found.items() if not name.startswith("ARROW")}


def games_in(part: Path) -> int | None:
    """As its name says; None if it does not."""
    return len(chunk_of(part.name)) if PART.fullmatch(part.name) else None


def batches_of(tables: list[Table]) -> Iterator[slice]:
    """Which parts are counted together. Tables that are not in the same parts are counted as one batch."""
    sizes = [games_in(part) or AT_ONCE for part in tables[0].parts]
    if any(len(table.parts) != len(sizes) for table in tables):
        yield slice(None)
        return
    first = held = 0
    for number, size in enumerate(sizes):
        if held and held + size > AT_ONCE:
            yield slice(first, number)
            first, held = number, 0
        held += size
    yield slice(first, None)
