"""How far many games have come: a bar in the terminal, for arenas and simulations."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def progress_bar(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("games, {task.fields[speed]}"), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)
