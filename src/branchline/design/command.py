"""`branchline board report`: play, count, and write the page."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from rich.console import Console

from branchline.batch.progress import progress_bar
from branchline.design.page import page
from branchline.design.watching import Question, Watch
from branchline.report.command import begun
from branchline.simulation.pace import Stop
from branchline.words import spoken_in

FEW = 5  # findings that the terminal shows
STDOUT = Path("-")


def report_board(console: Console, question: Question, out: Path | None, json_file: Path | None, language: str) -> bool:
    """Write the page, or the figures as JSON, or both; says whether all games were played. Ctrl-C ends it early, with what is known by then."""
    question.check()
    part = begun(out) if out is not None else None
    try:
        figures, finished = watched(console, question)
        if part is not None and out is not None:
            part.write_text(page(question.board, figures, language), encoding="utf-8")
            part.replace(out)
    finally:
        if part is not None:
            part.unlink(missing_ok=True)
    write_json(figures, json_file)
    if json_file != STDOUT:
        tell(console, figures, [path for path in (out, json_file) if path is not None])
    return finished


def watched(console: Console, question: Question) -> tuple[dict[str, Any], bool]:
    """Play with a bar that shows how far it is."""
    watch, begun_at = Watch(question), time.monotonic()
    with Stop() as stop, progress_bar(Console(stderr=True) if not console.is_terminal else console) as progress:
        task = progress.add_task(question.board.name, total=watch.asked, speed="")
        for _ in watch.play():
            progress.update(task, completed=watch.done, speed=f"{watch.done / (time.monotonic() - begun_at + 1e-9):,.0f} games/s")
            if stop.asked:
                break
        return watch.figures(), watch.done >= watch.asked


def write_json(figures: dict[str, Any], file: Path | None) -> None:
    if file is None:
        return
    text = json.dumps(figures, ensure_ascii=False, indent=1)
    if file == STDOUT:
        print(text)
    else:
        file.write_text(text + "\n", encoding="utf-8")


def tell(console: Console, figures: dict[str, Any], files: list[Path]) -> None:
    """The worst findings, and where the rest is."""

    def say(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    say(f"{figures['games']:,} games in {figures['seconds']:.1f} s.")
    for number, one in enumerate(figures["findings"][:FEW], 1):
        say(f"{number}. {one['text']} {one['advice']}")
    if not figures["findings"]:
        say(spoken_in().say("finding.nothing"))
    if len(figures["findings"]) > FEW:
        say(f"… and {len(figures['findings']) - FEW} more.")
    for path in files:
        say(f"Written: {path}")
