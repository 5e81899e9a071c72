"""A simulation's tables as a web page, and the figures behind it as files.

`source` opens the tables, `counting` turns them into small tables, `figures` holds them all; `drawing` draws, `sections` combine pictures, tables and
words, `page` is the whole page. Text for readers is in the catalogues of `words/`. Games are counted in batches, and counts added up: memory does not
grow with the number of games.
"""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from branchline.errors import BranchlineError, UsageError, from_extra


class ReportError(BranchlineError):
    """A report cannot be made of these files."""


class ReportOptionError(ReportError, UsageError):
    """The options of a report do not fit together."""


def make_report(console: Console, file: Path, out: Path, csv: Path | None, parquet: Path | None, language: str, other: Path | None = None) -> None:
    """Read the tables of a simulation, or of two to compare, write the page and, if wanted, the figures."""
    with from_extra("report", "a report"):
        from branchline.report.command import run_command
        from branchline.report.versus import compare
    if other is None:
        run_command(console, file, out, csv, parquet, language)
    else:
        compare(console, (file, other), out, csv, parquet, language)
