"""Where the games of a simulation go: nowhere, unless a file is asked for."""

from __future__ import annotations

from pathlib import Path

from branchline.batch.games import Games
from branchline.simulation.columns import Columns
from branchline.simulation.summary import Summary


class Output:
    """No file: only the summary is shown."""

    files: tuple[Path, ...] = ()

    def __init__(self) -> None:
        self.done = 0  # the games that are there, those of earlier runs included

    def missing(self, games: int) -> list[range]:
        """Those of the games 0 to `games` - 1 that are still to be played."""
        return [range(self.done, games)] if self.done < games else []

    def sum_up(self, summary: Summary) -> None:
        """Add what is there to a summary, if possible."""

    def write(self, games: Games, columns: Columns) -> None:
        """Keep a chunk; `columns` are those of its seats. Several threads may write at the same time."""

    def add(self, chunk: range) -> None:
        """These games are written."""
        self.done += len(chunk)

    def clear(self) -> None:
        """Remove what is to be overwritten."""

    def give_up(self) -> None:
        """Nobody could be found to play: leave nothing behind that was not there before."""

    def recount(self) -> None:
        """See that everything is there once."""

    def close(self) -> None:
        """No more games will come."""
