"""`branchline board report`: play, count, and write the page."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from branchline.batch.progress import progress_bar
from branchline.boards import Board
from branchline.design.page import page, versus_page
from branchline.design.versus import Comparison
from branchline.design.watching import Question, Watch
from branchline.pages.numbers import decimal, percent, points, signed
from branchline.report.command import begun
from branchline.simulation.pace import Stop
from branchline.words import spoken_in

FEW = 5  # findings that the terminal shows
STDOUT = Path("-")
Figures = dict[str, Any]


def report_board(console: Console, question: Question, out: Path | None, json_file: Path | None, language: str) -> bool:
    """Write the page, or the figures as JSON, or both; says whether all games were played. Ctrl-C ends it early, with what is known by then."""
    question.check()
    return written(console, Watch(question), question.board, out, json_file, lambda figures: page(question.board, figures, language), tell)


def compare_boards(console: Console, question: Question, other: Board, out: Path | None, json_file: Path | None, language: str) -> bool:
    """The same about what differs between two boards that play the same deals."""
    comparison = Comparison(question, other)
    return written(console, comparison, question.board, out, json_file, lambda found: versus_page(question.board, found, language), tell_differences)


def written(
    console: Console,
    watch: Watch | Comparison,
    board: Board,
    out: Path | None,
    json_file: Path | None,
    page_of: Callable[[Figures], str],
    tell_about: Callable[[Console, Figures], None],
) -> bool:
    part = begun(out) if out is not None else None
    try:
        figures, finished = watched(console, watch, board.name)
        if part is not None and out is not None:
            part.write_text(page_of(figures), encoding="utf-8")
            part.replace(out)
    finally:
        if part is not None:
            part.unlink(missing_ok=True)
    write_json(figures, json_file)
    if json_file != STDOUT:
        tell_about(console, figures)
        for path in filter(None, (out, json_file)):
            say(console, f"Written: {path}")
    return finished


def watched(console: Console, watch: Watch | Comparison, name: str) -> tuple[Figures, bool]:
    """Play with a bar that shows how far it is."""
    begun_at = time.monotonic()
    with Stop() as stop, progress_bar(Console(stderr=True) if not console.is_terminal else console) as progress:
        task = progress.add_task(name, total=watch.asked, speed="")
        for _ in watch.play():
            progress.update(task, completed=watch.done, speed=f"{watch.done / (time.monotonic() - begun_at + 1e-9):,.0f} games/s")
            if stop.asked:
                break
        return watch.figures(), watch.done >= watch.asked


def write_json(figures: Figures, file: Path | None) -> None:
    if file is None:
        return
    text = json.dumps(figures, ensure_ascii=False, indent=1)
    if file == STDOUT:
        print(text)
    else:
        file.write_text(text + "\n", encoding="utf-8")


def say(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def tell(console: Console, figures: Figures) -> None:
    """The worst findings."""
    say(console, f"{figures['games']:,} games in {figures['seconds']:.1f} s.")
    for number, one in enumerate(figures["findings"][:FEW], 1):
        say(console, f"{number}. {one['text']} {one['advice']}")
    if not figures["findings"]:
        say(console, spoken_in().say("finding.nothing"))
    if len(figures["findings"]) > FEW:
        say(console, f"… and {len(figures['findings']) - FEW} more.")


def tell_differences(console: Console, found: Figures) -> None:
    """The figures of both boards, and the differences with their intervals; tickets and routes are in the page."""
    say(console, f"A: {found['a']['name']}, B: {found['b']['name']}; {found['games']:,} games on the same deals.")
    for table in found["tables"]:
        shown = Table("", "A", "B", "B − A", "95 % interval", title=f"{table['players']} players", title_justify="left", box=None)
        for one in table["figures"]:
            form, change = (percent, points) if one["is_share"] else (decimal, lambda value: signed(value, 2))
            sure = one["low"] is not None and (one["low"] > 0 or one["high"] < 0)
            numbers = form(one["a"]), form(one["b"]), change(one["difference"]), f"{change(one['low'])} to {change(one['high'])}"
            shown.add_row(one["figure"], *numbers, style="bold" if sure else None)
        console.print(shown)
