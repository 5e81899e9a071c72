"""Parts at an address: copied here a batch at a time while they are counted, so that no disk has to hold a whole table."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from branchline.cluster.locations import is_here
from branchline.report import ReportError


@contextmanager
def at_hand(parts: Sequence[Path]) -> Iterator[list[Path]]:
    """The parts themselves, or copies of them until the block ends."""
    if all(map(is_here, parts)):
        yield list(parts)
        return
    with tempfile.TemporaryDirectory(prefix="branchline-report-") as folder:
        copies = [Path(folder) / part.name for part in parts]
        remote = [cast(Any, part) for part in parts]
        try:
            remote[0].fs.get([part.path for part in remote], [str(copy) for copy in copies])
        except OSError as error:
            raise ReportError(f"{parts[0].parent} cannot be fetched: {error}") from None
        yield copies
