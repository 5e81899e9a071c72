"""Running an arena: plays what is missing from the plan, keeps it, and sums it up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from branchline.arena.crews import Crew, played_by
from branchline.arena.figures import Results, results_of
from branchline.arena.ledger import Ledger
from branchline.arena.plan import Arena, PlannedGame, chunks
from branchline.arena.playing import Played, play
from branchline.arena.workers import played_here
from branchline.batch.progress import progress_bar


def run_arena(
    arena: Arena, games: int = 1000, out: Path | None = None, jobs: int | None = None, stop_after: float | None = None,
    console: Console | None = None, cluster: str | None = None,
) -> Results:  # fmt: skip
    """Play at least this many games of each line-up on each board. If interrupted or out of time, keep and sum up what is done."""
    console = console or Console(quiet=True)
    with closing(Ledger(arena, out)) as ledger:
        done = len(ledger.games)
        if done:
            console.print(f"{out} has {done:,} games already.", highlight=False)
        rest = [planned for planned in arena.plan(games) if planned not in ledger.games]
        interrupted = play_rest(arena, ledger, rest, Crew(jobs, cluster), stop_after, console)
        with console.status(f"Summing up {len(ledger.games):,} games …"):
            return replace(results_of(arena, ledger.games), interrupted=interrupted)


def play_rest(arena: Arena, ledger: Ledger, rest: list[PlannedGame], crew: Crew, stop_after: float | None, console: Console) -> bool:
    """Play what is missing; true if it was interrupted by Ctrl-C."""
    interrupted = False
    deadline = time.monotonic() + stop_after if stop_after is not None else None
    stream = stream_of(arena, rest, crew)
    with progress_bar(console) as progress, closing(stream):  # type: ignore[type-var]  # a generator can be closed
        task = progress.add_task("Arena", total=len(rest), speed="")
        started = time.monotonic()
        try:
            for played in stream:
                ledger.add(played)
                progress.advance(task, len(played))
                progress.update(task, speed=f"{progress.tasks[0].completed / (time.monotonic() - started + 1e-9):,.1f} games/s")
                if deadline is not None and time.monotonic() >= deadline:
                    break
        except KeyboardInterrupt:
            interrupted = True
    if not progress.finished:
        console.print(f"Stopped after {len(ledger.games):,} games; what is done is kept.", highlight=False)
    return interrupted


def stream_of(arena: Arena, rest: list[PlannedGame], crew: Crew) -> Iterator[list[Played]]:
    """With a time limit always in other processes: a bot that never returns can only be ended together with its process."""
    parts = list(chunks(rest))
    if crew.cluster is None and arena.limit is None and ((crew.jobs or 1) == 1 or len(parts) < 2):
        return played_here(arena, iter(parts), play)
    return played_by(crew, arena, iter(parts), play)
