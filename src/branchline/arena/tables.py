"""The results of an arena in the terminal."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from branchline.arena.figures import BotFigures, LineupFigures, Results
from branchline.bots.verdicts import in_seconds
from branchline.pages.numbers import decimal, give_or_take, span
from branchline.words.plurals import counted

HEADINGS = ("bot", "won in % (95 %)", "points", "margin", "done", "failed", "decision")  # done and failed are tickets


def show_results(console: Console, results: Results) -> None:
    if not results.lineups:
        console.print("No seed has been played with all rotations of the seats: there is nothing to sum up yet.")
        return
    for figures in results.lineups:
        console.print(lineup_table(figures))
    console.print(ratings_table(results))
    if results.left_out:
        console.print(f"{results.left_out:,} games are left out: their seeds have not been played with all rotations of the seats.", highlight=False)


def lineup_table(figures: LineupFigures) -> Table:
    about = f"{counted(figures.games, 'games')} of {counted(figures.seeds, 'seeds')}, {figures.turns:.1f} turns per game"
    faults = "\n".join(f"faults of {row.bot}: {fault_counts(row)}" for row in figures.bots if row.faults)
    table = Table(title=f"{figures.game}: {' · '.join(figures.lineup)}\n{about}", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), caption=faults or None)
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading == "bot" else "right", overflow="fold", no_wrap=heading != "bot")
    for row in figures.bots:
        table.add_row(*lineup_row(row))
    return table


def lineup_row(row: BotFigures) -> list[str]:
    return [
        row.bot if row.seats == 1 else f"{row.bot} (each of {row.seats})",
        f"{100 * row.win_rate.mean:.1f} ({span(row.win_rate.low, row.win_rate.high)})",
        decimal(row.points.mean),
        " ".join(give_or_take(row.margin, signed=True)).strip(),
        f"{row.completed:.2f}",
        f"{row.failed:.2f}",
        "–" if row.seconds is None else in_seconds(row.seconds),
    ]


def fault_counts(row: BotFigures) -> str:
    return ", ".join(f"{count:,} {kind}" for kind, count in sorted(row.faults.items()))


def ratings_table(results: Results) -> Table:
    table = Table(title=f"Ratings over {results.games:,} games", box=SIMPLE_HEAD)
    for heading in ("bot", "mu", "sigma", "ordinal"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for rating in results.ratings:
        table.add_row(rating.bot, f"{rating.mu:.2f}", f"{rating.sigma:.2f}", f"{rating.ordinal:.2f}")
    return table
