"""`branchline check-bot`: the results as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from branchline.bots.conformance import check
from branchline.bots.verdicts import NEEDS_DETERMINISM, Report, in_seconds
from branchline.words.plurals import counted

STYLES = {"pass": "green", "fail": "bold red", "not tried": "dim"}


def check_bot(
    console: Console, spec: str, games: Sequence[str] | None, players: Sequence[int] | None, rounds: int, limit: float, deterministic: bool
) -> Report:
    """Check a bot with a progress bar, and show the results."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("tables"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(spec, total=None)
        report = check(spec, games, players, rounds, limit, deterministic, lambda done, all_: progress.update(task, completed=done, total=all_))
    show_report(console, report)
    return report


def show_report(console: Console, report: Report) -> None:
    table = Table(title=f"{report.bot}: {counted(report.games, 'games')}{' (stopped early)' if report.stopped else ''}")
    for heading in ("check", "verdict", "looked at", "failed"):
        table.add_column(heading, justify="right" if heading in ("looked at", "failed") else "left")
    for one in report.checks:
        table.add_row(one.title, Text(one.verdict, STYLES[one.verdict]), f"{one.tried:,}", f"{one.failures:,}")
    console.print(table)
    for line in remarks(report):
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def remarks(report: Report) -> list[str]:
    failed = [f"Failed: {one.title}. First in {one.first}" for one in report.checks if one.first]
    times = ", ".join(f"{name} {in_seconds(report.slowest(share))}" for name, share in (("median", 0.5), ("99 %", 0.99), ("longest", 1.0)))
    lines = [*failed, f"Time for a decision: {times}; the limit is {report.limit:g} s."]
    lines.append("Asked for: " + ", ".join(f"{phase} {count:,}" for phase, count in report.phases.most_common()) + ".")
    if report.stuck:
        lines.append("The bot was still thinking long after its time was up, so the check ended there.")
    if not any(report.checks[number].tried for number in NEEDS_DETERMINISM):
        lines.append("Determinism was not checked: deciding by its view alone, and playing the same game again.")
    if report.may_be_by_design:
        lines.append("The same view and seed gave a different decision. If your bot thinks against the clock, check it with --not-deterministic.")
    return lines
