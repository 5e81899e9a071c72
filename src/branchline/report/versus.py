"""`branchline report A B`: two simulations compared, as a page and as tables."""

from __future__ import annotations

from html import escape
from pathlib import Path

import polars as pl
from rich.console import Console

from branchline.pages import html_parts as parts
from branchline.pages.document import document
from branchline.pages.html_parts import Cell, leaning
from branchline.pages.numbers import decimal, percent, points, signed, whole
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
    places = Places(pair.one.board, language)
    for file in files:
        check_not_overwritten(file, out, csv, parquet)
    part = begun(out)
    make_folders(csv, parquet)
    try:
        with console.status(f"Comparing {pair.one.games:,} with {pair.other.games:,} games …"):
            sums = summed(pair)
            found = {"comparison": comparison(sums), "compared_tickets": compared_tickets(pair, sums), "compared_routes": compared_routes(pair, sums)}
            tables = {name: table for name, table in found.items() if table is not None}
            part.write_text(page(pair, sums, tables, places), encoding="utf-8")
            part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    for path in [out, *write_figures(tables, csv, parquet)]:
        console.print(f"Written: {path}", highlight=False, markup=False, soft_wrap=True)
    return tables


def page(pair: Pair, sums: Sums, tables: dict[str, pl.DataFrame], places: Places) -> str:
    about = words.PAIRED.format(games=whole(sums.apart.number)) if pair.paired else words.NOT_PAIRED
    content = f'<div class="top"><h1>{words.VERSUS}</h1>{seats("A", pair.one)}{seats("B", pair.other)}<p class="facts-line">{about}</p></div>'
    content += parts.section("comparison", words.WHAT_DIFFERS, parts.card(figures(tables["comparison"])), words.READ_DIFFERENCES)
    if "compared_tickets" in tables:
        content += parts.section(
            "tickets", words.SECTIONS["tickets"][0], parts.card(tickets(tables["compared_tickets"], places)), words.COMPLETED_TICKETS
        )
    if "compared_routes" in tables:
        content += parts.section("routes", words.SECTIONS["routes"][0], parts.card(routes(tables["compared_routes"], places)), words.CLAIMED_ROUTES)
    return document(words.VERSUS, words.REPORT, content, style(), places.language, (own_script(),), NO_CHARTS)


def seats(letter: str, simulation: Simulation) -> str:
    named = f"{simulation.board.name}: {', '.join(simulation.bots)}; {words.number_of_games(simulation.games)}; {simulation.file.name}"
    return f'<p class="facts-line"><b>{letter}</b> {escape(named)}</p>'


def figures(table: pl.DataFrame) -> str:
    return parts.table(["", "A", "B", words.DIFFERENCE, words.INTERVAL], [figure_row(row) for row in table.rows(named=True)])


def figure_row(row: dict[str, object]) -> list[Cell]:
    name = str(row["figure"])
    is_share = name.startswith("wins of") or name in ("first_player_wins", "shared")
    return [escape(words.COMPARED.get(name, name)), *numbers(row, is_share)]  # type: ignore[arg-type]  # all but the name are numbers


def numbers(row: Row, is_share: bool) -> list[Cell]:
    """Both means, the difference with a tint if its interval excludes zero, and the interval."""
    form, change = (percent, points) if is_share else (decimal, lambda value: signed(value, 2))
    sure = row["low"] is not None and (row["low"] > 0 or row["high"] < 0)
    told = leaning(row["difference"] * 1e9, change(row["difference"])) if sure else change(row["difference"])
    return [
        (form(row["a"]), row["a"]),
        (form(row["b"]), row["b"]),
        (told, row["difference"]),
        (f"<small>{change(row['low'])} to {change(row['high'])}</small>", row["low"]),
    ]


def tickets(table: pl.DataFrame, places: Places) -> str:
    headings = [words.TICKET, words.PRINTED, "A", "B", words.DIFFERENCE, words.INTERVAL]
    return parts.table(headings, [ticket_row(row, places) for row in table.rows(named=True)], sortable=True)


def ticket_row(row: dict[str, object], places: Places) -> list[Cell]:
    name, before, after = places.ticket(str(row["ticket"])), row["printed_a"], row["printed_b"]
    printed = str(before) if before == after else f"{before} → {after}"
    return [(escape(name), name), (printed, str(before)), *numbers(row, True)]  # type: ignore[arg-type]


def routes(table: pl.DataFrame, places: Places) -> str:
    rows: list[list[Cell]] = []
    for row in table.rows(named=True):
        name = places.route(row["route"])
        rows.append([(escape(name), name), *numbers(row, True)])
    return parts.table([words.ROUTE, "A", "B", words.DIFFERENCE, words.INTERVAL], rows, sortable=True)
