"""Tables at an address: copied to this machine first, folder by folder, so that counting reads from a disk and takes no more memory than usual."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console

from branchline.cluster.places import is_here
from branchline.report import ReportError
from branchline.report.source import BESIDE


@contextmanager
def at_hand(console: Console, file: Path) -> Iterator[Path]:
    """The tables themselves, or copies of them until the block ends."""
    if is_here(file):
        yield file
        return
    with tempfile.TemporaryDirectory(prefix="branchline-report-") as folder:
        with console.status(f"Fetching {file} …"):
            fetch(file, Path(folder))
        yield Path(folder) / file.name


def fetch(file: Any, folder: Path) -> None:
    if not file.exists():
        raise ReportError(f"there is nothing at {file}")
    for table in (file, *(file.with_name(f"{file.stem}.{name}{file.suffix}") for name in BESIDE)):
        if table.exists():
            table.fs.get(f"{table.path.rstrip('/')}/", f"{folder / table.name}/", recursive=True)
