"""Games to look at: the latest of each line-up and board, as records and as replays that open offline."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from branchline.errors import BranchlineError
from branchline.play.records import Record, read_records
from branchline.play.replays.page import NotBuilt, replay_page

MOST = 12
EVERY = 20.0  # seconds between two samples of the same bots on the same board: a replay takes a moment to write


@dataclass(frozen=True)
class Sample:
    """A game in the folder: `name` is that of its files."""

    name: str
    game: str
    seats: tuple[str, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]
    has_page: bool

    @property
    def table(self) -> tuple[str, ...]:
        return (self.game, *sorted(self.seats))


class Samples:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        found = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
        self.shown = [sample for file in found if (sample := read_sample(file))]  # newest first
        self._written: dict[tuple[str, ...], float] = {}

    def offer(self, name: str, text: str) -> None:
        """Keep a game, unless one of the same bots on the same board was kept a moment ago."""
        record = Record.from_json(text)
        table = (record.game, *sorted(seat["name"] for seat in record.seats))
        if time.monotonic() - self._written.get(table, -EVERY) < EVERY:
            return
        self._written[table] = time.monotonic()
        self.shown.insert(0, self._write(name, text, record))
        for sample in superfluous(self.shown):
            self.shown.remove(sample)
            for kind in ("html", "json"):
                (self.folder / f"{sample.name}.{kind}").unlink(missing_ok=True)

    def _write(self, name: str, text: str, record: Record) -> Sample:
        """The page first: a sample is there once its record is."""
        with suppress(NotBuilt):  # then the record can be replayed elsewhere
            write_whole(self.folder / f"{name}.html", replay_page(record))
        write_whole(self.folder / f"{name}.json", text + "\n")
        return sample_of(name, record, (self.folder / f"{name}.html").is_file())


def superfluous(samples: list[Sample]) -> list[Sample]:
    """All but the newest of each table, and the oldest of too many."""
    newest: dict[tuple[str, ...], Sample] = {}
    for sample in samples:
        newest.setdefault(sample.table, sample)
    kept = list(newest.values())[:MOST]
    return [sample for sample in samples if sample not in kept]


def read_sample(file: Path) -> Sample | None:
    """None for a file that somebody else put there."""
    try:
        return sample_of(file.stem, next(read_records(file)), file.with_suffix(".html").is_file())
    except (BranchlineError, KeyError, TypeError):
        return None


def sample_of(name: str, record: Record, has_page: bool) -> Sample:
    scores, winners = record.result["scores"], record.result["winners"]
    return Sample(
        name, record.game, tuple(seat["name"] for seat in record.seats), tuple(score["total"] for score in scores), tuple(winners), has_page
    )


def write_whole(file: Path, text: str) -> None:
    """Readers see the old contents or the new ones, never half of them."""
    beside = file.with_name(f".{file.name}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(file)
