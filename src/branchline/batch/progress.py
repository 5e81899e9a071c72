"""How far something has come that takes a while: a bar in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

LOOKS_EVERY = 0.2  # seconds


def progress_bar(console: Console) -> Progress:
    """For many games: arenas and simulations. Without a terminal there is none: it would leave an empty line behind."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("games, {task.fields[speed]}"), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def part_by_part(console: Console, said: str, parts: int, done: Callable[[], int], act: Callable[[], None]) -> None:
    """Do something that has parts, and show how many are done. Without a terminal, a line says that it has begun."""
    if not console.is_terminal:
        console.print(f"{said} …")
        act()
        return
    over = Event()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("parts"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(said, total=parts)

        def look() -> None:
            while not over.wait(LOOKS_EVERY):
                bar.update(task, completed=done())

        watcher = Thread(target=look, daemon=True)
        watcher.start()
        try:
            act()
        finally:
            over.set()
            watcher.join()
