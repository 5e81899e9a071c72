"""`branchline report`: from tables to a page, and to the figures behind it."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from branchline.pages.prose import Prose
from branchline.report import ReportError, ReportOptionError
from branchline.report.figures import Figures, Table, figures_of
from branchline.report.page import page
from branchline.report.places import Places
from branchline.report.source import open_simulation


def run_command(console: Console, file: Path, out: Path, csv: Path | None, parquet: Path | None, language: str) -> Figures:
    simulation = open_simulation(file)
    places, says = Places(simulation.board, language), Prose(language, simulation.board)
    check_not_overwritten(file, out, csv, parquet)
    part = begun(out)
    make_folders(csv, parquet)
    try:
        with console.status(says("report.counting", games=says.games(simulation.games))):
            figures = figures_of(simulation)
            part.write_text(page(figures, places), encoding="utf-8")
            part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    written = [out, *write_figures(figures.named(), csv, parquet)]
    for path in written:
        console.print(says("report.written", path=path), highlight=False, markup=False, soft_wrap=True)
    return figures


def begun(out: Path) -> Path:
    """The file that becomes the page when it is complete. If writing fails, say so before anything is counted."""
    part = out.with_name(f"{out.name}.part")
    try:
        part.touch()
    except OSError as error:
        raise ReportError(f"{out}: {error.strerror}") from None
    return part


def make_folders(*folders: Path | None) -> None:
    for folder in folders:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)


def check_not_overwritten(file: Path, out: Path, csv: Path | None, parquet: Path | None) -> None:
    """Neither the page nor a table may overwrite what it is made from, or end up among its parts."""
    tables = [file.with_name(f"{file.stem}{table}{file.suffix}").resolve() for table in ("", ".actions", ".claims", ".tickets")]
    if out.resolve() in tables or out.resolve().parent in tables:
        raise ReportOptionError(f"{out} is in the simulation itself: name another file for the page")
    taken = {csv: tables, parquet: [*tables, file.parent.resolve()]}
    for folder, places in taken.items():
        if folder is not None and folder.resolve() in places:
            raise ReportOptionError(f"{folder} is where the simulation is: name another folder for the tables")


def write_figures(tables: dict[str, Table], csv: Path | None, parquet: Path | None) -> list[Path]:
    """Write every figure's table to a file; returns the folders."""
    for name, table in tables.items():
        if csv is not None:
            table.write_csv(csv / f"{name}.csv")
        if parquet is not None:
            table.write_parquet(parquet / f"{name}.parquet")
    return [folder for folder in (csv, parquet) if folder is not None]
