"""`branchline report A B`: two simulations compared, as a page and as tables."""

from __future__ import annotations

from html import escape
from pathlib import Path

import polars as pl
from rich.console import Console

from branchline.pages import html_parts as parts
from branchline.pages.document import document
from branchline.pages.html_parts import Cell, leaning
from branchline.pages.prose import Prose
from branchline.play.wording import Speaker
from branchline.report import ReportOptionError, words
from branchline.report.command import begun, check_not_overwritten, make_folders, write_figures
from branchline.report.counting.comparing import Pair, Sums, compared_routes, compared_tickets, comparison, summed
from branchline.report.drawing.style import NO_CHARTS, own_script, style
from branchline.report.places import Places
from branchline.report.source import Simulation, open_simulation

Row = dict[str, float]


def compare(console: Console, files: tuple[Path, Path], out: Path, csv: Path | None, parquet: Path | None, language: str) -> dict[str, pl.DataFrame]:
    pair = Pair(*(open_simulation(file) for file in files))
    if pair.one.players != pair.other.players:
        raise ReportOptionError(
            f"{files[0]} has {pair.one.players} seats and {files[1]} has {pair.other.players}: compare games with the same number of players"
        )
    places, says = Places(pair.one.board, language), Prose(language, pair.one.board, pair.other.board)
    for file in files:
        check_not_overwritten(file, out, csv, parquet)
    part = begun(out)
    make_folders(csv, parquet)
    try:
        with console.status(says("report.comparing", one=says.whole(pair.one.games), other=says.whole(pair.other.games))):
            sums = summed(pair)
            found = {"comparison": comparison(sums), "compared_tickets": compared_tickets(pair, sums), "compared_routes": compared_routes(pair, sums)}
            tables = {name: table for name, table in found.items() if table is not None}
            part.write_text(page(pair, sums, tables, places, says), encoding="utf-8")
            part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    for path in [out, *write_figures(tables, csv, parquet)]:
        console.print(says("report.written", path=path), highlight=False, markup=False, soft_wrap=True)
    return tables


def page(pair: Pair, sums: Sums, tables: dict[str, pl.DataFrame], places: Places, says: Prose) -> str:
    about = says("report.paired", games=says.games(sums.apart.number)) if pair.paired else says("report.not_paired")
    both = seats(says, "A", pair.one) + seats(says, "B", pair.other)
    content = f'<div class="top"><h1>{says("report.versus")}</h1>{both}<p class="facts-line">{about}</p></div>'
    drawn = parts.card(figures(says, tables["comparison"]))
    content += parts.section("comparison", says("report.what_differs"), drawn, says("report.read_differences"))
    if "compared_tickets" in tables:
        drawn = parts.card(tickets(says, tables["compared_tickets"], places))
        content += parts.section("tickets", says("report.heading.tickets"), drawn, says("report.completed_tickets"))
    if "compared_routes" in tables:
        drawn = parts.card(routes(says, tables["compared_routes"], places))
        content += parts.section("routes", says("report.heading.routes"), drawn, says("report.claimed_routes"))
    return document(says("report.versus"), says("report.kind"), content, style(), places.language, (own_script(),), NO_CHARTS)


def seats(says: Prose, letter: str, simulation: Simulation) -> str:
    board = Speaker(simulation.board, says.language).game
    named = f"{board}: {', '.join(simulation.bots)}; {says.games(simulation.games)}; {simulation.file.name}"
    return f'<p class="facts-line"><b>{letter}</b> {escape(named)}</p>'


def differences(says: Prose, what: str, rows: list[list[Cell]], sortable: bool = False) -> str:
    """A table of both means, their difference and its interval; `what` is the heading of the rows."""
    return parts.table([what, "A", "B", *words.columns(says, "difference", "interval")], rows, sortable)


def ticket_differences(says: Prose, rows: list[list[Cell]]) -> str:
    return parts.table([*words.columns(says, "ticket", "printed"), "A", "B", *words.columns(says, "difference", "interval")], rows, sortable=True)


def figures(says: Prose, table: pl.DataFrame) -> str:
    return differences(says, "", [figure_row(says, row) for row in table.rows(named=True)])


def figure_row(says: Prose, row: dict[str, object]) -> list[Cell]:
    name = str(row["figure"])
    is_share = name.startswith("wins of") or name in ("first_player_wins", "shared")
    return [escape(words.compared(says, name)), *numbers(says, row, is_share)]  # type: ignore[arg-type]  # all but the name are numbers


def numbers(says: Prose, row: Row, is_share: bool) -> list[Cell]:
    """Both means, the difference with a tint if its interval excludes zero, and the interval."""
    form, change = (says.percent, says.points) if is_share else (says.decimal, lambda value: says.signed(value, 2))
    sure = row["low"] is not None and (row["low"] > 0 or row["high"] < 0)
    told = leaning(row["difference"] * 1e9, change(row["difference"])) if sure else change(row["difference"])
    return [
        (form(row["a"]), row["a"]),
        (form(row["b"]), row["b"]),
        (told, row["difference"]),
        (f"<small>{says.interval(change(row['low']), change(row['high']))}</small>", row["low"]),
    ]


def tickets(says: Prose, table: pl.DataFrame, places: Places) -> str:
    return ticket_differences(says, [ticket_row(says, row, places) for row in table.rows(named=True)])


def ticket_row(says: Prose, row: dict[str, object], places: Places) -> list[Cell]:
    name, before, after = places.ticket(str(row["ticket"])), row["printed_a"], row["printed_b"]
    printed = str(before) if before == after else f"{before} → {after}"
    return [(escape(name), name), (printed, str(before)), *numbers(says, row, True)]  # type: ignore[arg-type]


def routes(says: Prose, table: pl.DataFrame, places: Places) -> str:
    rows: list[list[Cell]] = []
    for row in table.rows(named=True):
        name = places.route(row["route"])
        rows.append([(escape(name), name), *numbers(says, row, True)])
    return differences(says, says("report.column.route"), rows, sortable=True)
