"""The folder beside an output file in which every finished chunk is kept until all are joined: who is killed loses one chunk at most."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from branchline.simulation.plan import SimulationError

PLAN = "plan.json"
NAME = re.compile(r"(\d+)-(\d+)\.seats\.parquet")  # of the table that is written last: a chunk that has it is whole


class Parts:
    """Chunks of games, each a file for every table. A file appears under its name only when it is whole."""

    def __init__(self, out: Path, tables: tuple[str, ...], players: int) -> None:
        self.folder = out.with_name(f"{out.name}.parts")
        self._tables, self._players = tables, players
        self.chunks: list[range] = []  # the games of each chunk, in their order

    def begin(self, facts: Mapping[str, str]) -> None:
        """Make the folder: whoever cannot write hears of it before the first game."""
        self.folder.mkdir(exist_ok=True)
        for unfinished in self.folder.glob("*.writing"):
            unfinished.unlink()
        with written(self.folder / PLAN) as path:
            path.write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    def plan(self) -> dict[str, str] | None:
        """The plan of the run that began the folder; None if there is none."""
        path = self.folder / PLAN
        if not path.exists():
            return None
        try:
            return dict(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, TypeError):
            raise SimulationError(f"{path} cannot be read: remove the folder, or begin anew with --force") from None

    def take_up(self) -> list[str]:
        """Find the chunks that are there; answers with the names of those that are broken, which are to be played again."""
        found = [
            range(int(match[1]), int(match[1]) + int(match[2])) for path in self.folder.glob("*.parquet") if (match := NAME.fullmatch(path.name))
        ]
        self.chunks, broken = [], []
        for chunk in sorted(found, key=lambda chunk: (chunk.start, -chunk.stop)):
            if not self._is_whole(chunk):
                broken.append(self.path(chunk, "seats").name)
                self.path(chunk, "seats").unlink()
            elif not self.chunks or chunk.start >= self.chunks[-1].stop:
                self.chunks.append(chunk)
        return broken

    def _is_whole(self, chunk: range) -> bool:
        try:
            rows = [pl.scan_parquet(self.path(chunk, table), glob=False).select(pl.len()).collect().item() for table in self._tables]
        except (OSError, pl.exceptions.PolarsError):
            return False
        return bool(rows[-1] == self._players * len(chunk))

    def path(self, chunk: range, table: str) -> Path:
        return self.folder / f"{chunk.start:015d}-{len(chunk)}.{table}.parquet"

    def write(self, first: int, games: int, tables: Mapping[str, pl.DataFrame]) -> None:
        chunk = range(first, first + games)
        for table in self._tables:
            with written(self.path(chunk, table)) as path:
                tables[table].write_parquet(path, compression="lz4")

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def written(path: Path) -> Iterator[Path]:
    """A file that is written under another name, and has its own once it is whole."""
    unfinished = path.with_name(f"{path.name}.writing")
    try:
        yield unfinished
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
