"""Commands that measure a board and improve it: board report, board balance."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from branchline.cli.boards import board
from branchline.cli.shared import compile_once, complete_bots, complete_games, console
from branchline.errors import UsageError

AnyBoard = Annotated[
    str, typer.Argument(metavar="BOARD", help="The folder of a board, or the name of a game.", show_default=False, autocompletion=complete_games)
]
Games = Annotated[int, typer.Option(help="Games with each number of players.")]


def numbers_in(text: str) -> tuple[int, ...]:
    """The numbers in a list such as `2,4`, or a range such as `2-5`."""
    found: list[int] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        first, _, last = part.partition("-")
        if not first.isdigit() or not (last or first).isdigit():
            raise UsageError(f"--players is a list such as 2,4 or 2-5, not {text!r}")
        found += range(int(first), int(last or first) + 1)
    return tuple(dict.fromkeys(found))


@board.command()
def report(
    name: AnyBoard,
    players: Annotated[str, typer.Option(help="Numbers of players, such as 2,4 or 2-5.", show_default="all that the board allows")] = "",
    bots: Annotated[
        str, typer.Option(help="Who plays: planner (the strongest of these), greedy (faster), learned, or your own.", autocompletion=complete_bots)
    ] = "planner",
    games: Games = 10_000,
    styles: Annotated[int | None, typer.Option(help="Games between strategies with each number of players.", show_default="half as many")] = None,
    seed: Annotated[int, typer.Option(help="Seed: the same seed gives the same games.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Where to write the page.", show_default="report.html, unless --json is given")] = None,
    json: Annotated[Path | None, typer.Option(help="Where to write all figures as JSON; - for the terminal.", show_default=False)] = None,
    seconds_per_turn: Annotated[float, typer.Option(help="How long people take for a turn, to tell minutes.")] = 30.0,
    device: Annotated[str, typer.Option(help="cpu, cuda (an NVIDIA GPU), or auto (the GPU if there is one).")] = "cpu",
    threads: Annotated[int | None, typer.Option(help="Number of threads.", show_default="all cores")] = None,
    language: Annotated[str, typer.Option(help="Language of place names in the page: en, pl or uk.")] = "en",
) -> None:
    """Say what is wrong with a board: play very many games, and write a page with ranked findings and all figures."""
    from branchline.boards import load_board
    from branchline.design.command import report_board
    from branchline.design.watching import Question

    question = Question(load_board(name), numbers_in(players), bots, games, styles, seed, threads, device, seconds_per_turn)
    question.check()
    compile_once(("games",))
    if not report_board(console, question, out or (Path("report.html") if json is None else None), json, language):
        raise KeyboardInterrupt
