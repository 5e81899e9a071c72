"""Commands that measure a board and improve it: board report, board balance."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from branchline.cli.boards import board
from branchline.cli.shared import InLanguage, complete_bots, complete_games, console
from branchline.errors import UsageError, from_extra

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
    other: Annotated[
        str | None,
        typer.Argument(metavar="OTHER", help="Another board, to compare on the same deals.", show_default=False, autocompletion=complete_games),
    ] = None,
    players: Annotated[str, typer.Option(help="Numbers of players, such as 2,4 or 2-5.", show_default="all that the board allows")] = "",
    bots: Annotated[str, typer.Option(help="Who plays: planner, greedy (faster), learned, or your own.", autocompletion=complete_bots)] = "planner",
    games: Games = 10_000,
    styles: Annotated[int | None, typer.Option(help="Games between strategies with each number of players.", show_default="half as many")] = None,
    seed: Annotated[int, typer.Option(help="Seed: the same seed gives the same games.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Where to write the page.", show_default="report.html, unless --json is given")] = None,
    json: Annotated[Path | None, typer.Option(help="Where to write all figures as JSON; - for the terminal.", show_default=False)] = None,
    seconds_per_turn: Annotated[float, typer.Option(help="Seconds a person takes per turn, for estimating the game's length.")] = 30.0,
    device: Annotated[str, typer.Option(help="cpu, cuda (an NVIDIA GPU), or auto (the GPU if there is one and the games are many).")] = "auto",
    threads: Annotated[int | None, typer.Option(help="Number of threads.", show_default="all cores")] = None,
    language: InLanguage = None,
) -> None:
    """Play thousands of games, and write a page: what is wrong with a board, with ranked findings and all figures; or what differs between two."""
    from branchline.boards import load_board
    from branchline.boards.loader import load_second
    from branchline.design.watching import Question

    with from_extra("report", "a report on a board"):
        from branchline.design.command import compare_boards, report_board

    question = Question(load_board(name), numbers_in(players), bots, games, styles, seed, threads, device, seconds_per_turn)
    question.check()
    second = load_second(other) if other is not None else None
    compile_reports_once()
    page = out or (Path("report.html") if json is None else None)
    if second is None:
        finished = report_board(console, question, page, json, str(language))
    else:
        finished = compare_boards(console, question, second, page, json, str(language))
    if not finished:
        raise KeyboardInterrupt


def compile_reports_once() -> None:
    from branchline.design.warming import warm_and_show

    warm_and_show()


@board.command()
def balance(
    name: AnyBoard,
    goal: Annotated[
        list[str] | None,
        typer.Option(
            help="first-player (1 %), tickets (1 point) or strategies (5 %), or with a limit: tickets=0.5. Can be repeated.", show_default=False
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder to write the new board to.", show_default="BOARD-balanced")] = None,
    tickets: Annotated[int, typer.Option(min=0, help="Points of tickets may change by this many.")] = 0,
    lengths: Annotated[int, typer.Option(min=0, help="Lengths of routes may change by this many.")] = 0,
    colours: Annotated[bool, typer.Option("--colours", help="Colours of routes may change.")] = False,
    points: Annotated[int, typer.Option(min=0, help="Points of routes of each length may change by this many.")] = 0,
    setting: Annotated[list[str] | None, typer.Option(help="A number in board.toml may change: pieces.trains=16-24. Can be repeated.")] = None,
    keep: Annotated[list[str] | None, typer.Option(help="A ticket or route that stays as it is. Can be repeated.")] = None,
    players: Annotated[str, typer.Option(help="Numbers of players, such as 2,4 or 2-5.", show_default="all that the board allows")] = "",
    minutes: Annotated[float, typer.Option(min=0, help="How long to search.")] = 5.0,
    check: Annotated[int, typer.Option(min=64, help="Games with each number of players to check the result on.")] = 20_000,
    seed: Annotated[int, typer.Option(help="Seed of the games to search with; the check has others.")] = 1,
    threads: Annotated[int | None, typer.Option(help="Number of threads.", show_default="all cores")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is in the folder.")] = False,
) -> None:
    """Look for better numbers: change what you allow until a goal is reached, and check on other games. Ctrl-C keeps the best so far."""
    from branchline.boards import load_board
    from branchline.design.balance import allowed
    from branchline.design.balance.command import Orders, source_of
    from branchline.design.balance.command import balance as run
    from branchline.design.balance.goals import goals_of
    from branchline.design.balance.trials import Setting
    from branchline.design.watching import Question

    chosen = load_board(name)
    source = source_of(chosen)
    may = allowed.with_options(
        allowed.read_allowed(source),
        tickets=tickets,
        lengths=lengths,
        colours=colours,
        points=points,
        keep=tuple(keep or ()),
        settings=allowed.parsed_settings(setting or []),
    )
    question = Question(chosen, numbers_in(players), threads=threads)
    question.check()
    common = Setting(source, chosen, question.numbers, tuple(goals_of(chosen, goal or [])), seed, threads)
    knobs = allowed.knobs_of(chosen, may)
    compile_reports_once()
    if run(console, common, knobs, Orders(out or Path(f"{chosen.game}-balanced"), 60 * minutes, check, force))["stopped"]:
        raise KeyboardInterrupt
