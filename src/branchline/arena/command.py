"""`branchline arena`: run what the command line asks for, and show the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from branchline.arena.crews import Crew
from branchline.arena.figures import Results
from branchline.arena.lineups import Lineup, against_many, named, round_robin
from branchline.arena.page import write_page
from branchline.arena.plan import Arena
from branchline.arena.running import run_arena
from branchline.arena.tables import show_results
from branchline.bots import BotOptionError


def chosen_lineups(bots: Sequence[str], lineups: Sequence[str], players: int, many: bool) -> list[Lineup]:
    """Named line-ups, or those of the named bots."""
    if lineups and (bots or many):
        raise BotOptionError("name the line-ups with --lineup, or bots to make line-ups of, not both")
    if lineups:
        return named(lineups, players)
    if not bots:
        raise BotOptionError("name at least two bots, such as: branchline arena greedy random")
    return against_many(bots, players) if many else round_robin(bots, players)


def run_command(
    console: Console, arena: Arena, games: int, crew: Crew, stop_after: float | None, out: Path | None, json: Path | None, html: Path | None
) -> Results:
    for path in (json, html):
        if path is not None:
            path.open("a").close()  # if writing fails, say so before the first game
    results = run_arena(arena, games, out, crew.jobs, stop_after, console, crew.cluster)
    show_results(console, results)
    writers: list[tuple[Path | None, Callable[[Path], None]]] = [(json, results.write_json), (html, lambda path: write_page(results, path))]
    for path, write in writers:
        if path is not None:
            write(path)
            console.print(f"Written: {path}", highlight=False, markup=False, soft_wrap=True)
    return results
