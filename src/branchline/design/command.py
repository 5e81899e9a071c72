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
from branchline.design.page.sections import figure
from branchline.design.versus import Comparison
from branchline.design.watching import Question, Watch
from branchline.design.words import Sentences
from branchline.pages.prose import Prose
from branchline.report.command import begun
from branchline.simulation.pace import Stop

FEW = 5  # findings that the terminal shows
STDOUT = Path("-")
Figures = dict[str, Any]


def report_board(console: Console, question: Question, out: Path | None, json_file: Path | None, language: str) -> bool:
    """Write the page, or the figures as JSON, or both; says whether all games were played. Ctrl-C ends it early, with what is known by then."""
    question.check()
    says, sentences = Prose(language, question.board), Sentences(question.board, language)

    def tell_about(figures: Figures) -> None:
        tell(console, says, sentences, figures)

    return written(console, says, Watch(question), out, json_file, lambda figures: page(question.board, figures, language), tell_about)


def compare_boards(console: Console, question: Question, other: Board, out: Path | None, json_file: Path | None, language: str) -> bool:
    """The same about what differs between two boards that play the same deals."""
    boards = question.board, other
    says, comparison = Prose(language, *boards), Comparison(question, other)

    def tell_about(found: Figures) -> None:
        tell_differences(console, says, found)

    return written(console, says, comparison, out, json_file, lambda found: versus_page(boards, found, language), tell_about)


def written(
    console: Console,
    says: Prose,
    watch: Watch | Comparison,
    out: Path | None,
    json_file: Path | None,
    page_of: Callable[[Figures], str],
    tell_about: Callable[[Figures], None],
) -> bool:
    part = begun(out) if out is not None else None
    try:
        figures, finished = watched(console, says, watch)
        if part is not None and out is not None:
            part.write_text(page_of(figures), encoding="utf-8")
            part.replace(out)
    finally:
        if part is not None:
            part.unlink(missing_ok=True)
    write_json(figures, json_file)
    if json_file != STDOUT:
        tell_about(figures)
        for path in filter(None, (out, json_file)):
            say(console, says("report.written", path=path))
    return finished


def watched(console: Console, says: Prose, watch: Watch | Comparison) -> tuple[Figures, bool]:
    """Play with a bar that shows how far it is."""
    begun_at = time.monotonic()
    with Stop() as stop, progress_bar(Console(stderr=True) if not console.is_terminal else console) as progress:
        task = progress.add_task(watch.question.board.name, total=watch.asked, speed="")
        for _ in watch.play():
            speed = says.whole(watch.done / (time.monotonic() - begun_at + 1e-9))
            progress.update(task, completed=watch.done, speed=says("board_report.speed", count=speed))
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


def tell(console: Console, says: Prose, sentences: Sentences, figures: Figures) -> None:
    """The worst findings."""
    say(console, says("board_report.played", games=says.games(figures["games"]), seconds=says.decimal(figures["seconds"])) + ".")
    for number, one in enumerate(figures["findings"][:FEW], 1):
        say(console, f"{number}. {' '.join(sentences.told(one))}")
    if not figures["findings"]:
        say(console, says("finding.nothing"))
    if len(figures["findings"]) > FEW:
        say(console, says("board_report.rest", count=len(figures["findings"]) - FEW))


def tell_differences(console: Console, says: Prose, found: Figures) -> None:
    """The figures of both boards, and the differences with their intervals; tickets and routes are in the page."""
    say(console, says("board_report.compared", a=found["a"]["name"], b=found["b"]["name"], games=says.games(found["games"])))
    for table in found["tables"]:
        columns = "", "A", "B", says("report.column.difference"), says("report.column.interval")
        shown = Table(*columns, title=says.players(table["players"]), title_justify="left", box=None)
        for one in table["figures"]:
            form, change = (says.percent, says.points) if one["is_share"] else (says.decimal, lambda value: says.signed(value, 2))
            sure = one["low"] is not None and (one["low"] > 0 or one["high"] < 0)
            numbers = form(one["a"]), form(one["b"]), change(one["difference"]), says.interval(change(one["low"]), change(one["high"]))
            shown.add_row(figure(says, one["figure"]), *numbers, style="bold" if sure else None)
        console.print(shown)
