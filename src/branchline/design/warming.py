"""Compiles what reports need besides whole games: how games went, and strategies against each other.

python -m branchline.design.warming
"""

from __future__ import annotations

from rich.console import Console

from branchline.batch.progress import part_by_part
from branchline.batch.warm import SAID, is_warm, mark, warm
from branchline.boards import load_board
from branchline.boards.folders import packed_boards
from branchline.compiling import MODE
from branchline.design.playing import Table
from branchline.design.styles import BALANCED

GAMES = ("games",)  # what `batch/warm.py` compiles for reports
PART = "reports"


def are_warm() -> bool:
    """Is nothing left to compile for a report?"""
    return is_warm(GAMES) and (MODE != "compiled" or mark(PART).exists())


def warm_reports() -> None:
    """Compile what is not compiled yet. Playing a game compiles whatever it calls."""
    warm(GAMES)
    if are_warm():
        return
    for seats, styles in (["planner", "planner"], False), ([BALANCED, BALANCED], True):
        table = Table(load_board(packed_boards()[0]), seats, threads=1, styles=styles)
        table.play(1, seed=1, first=0)
        table.close()
    mark(PART).touch()


def warm_and_show() -> None:
    """The same, with a bar on the terminal or, where there is none, a line."""
    if not are_warm():
        part_by_part(Console(stderr=True), SAID, 1, lambda: 0, warm_reports)


if __name__ == "__main__":
    warm_reports()
