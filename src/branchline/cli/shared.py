"""What several commands share: the app, the console, arguments and how they are completed."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer
from rich.console import Console

from branchline.boards.folders import add_copies, use_folders
from branchline.boards.presentation import packed_in_order
from branchline.errors import UsageError
from branchline.words import languages, systems_language


class Commands(typer.Typer):
    """All commands; each also takes --boards. One that compares boards takes several of the same name."""

    def command(self, *arguments: Any, compares: bool = False, **named: Any) -> Callable[[Any], Any]:
        register = super().command(*arguments, **named)

        def add(function: Any) -> Any:
            register(with_boards(function, add_copies if compares else use_folders))
            return function

        return add


Folders = Annotated[
    list[str] | None,
    typer.Option("--boards", metavar="FOLDER", help="A custom board, or a folder of them. Can be repeated.", show_default=False),
]


def with_boards(function: Callable[..., Any], use: Callable[[list[str]], object]) -> Callable[..., Any]:
    """The same command with an option that names folders of boards."""
    own = inspect.signature(function, eval_str=True)
    option = inspect.Parameter("boards", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Folders)

    @functools.wraps(function)
    def command(*arguments: Any, boards: list[str] | None = None, **named: Any) -> Any:
        if boards:
            use(boards)
        return function(*arguments, **named)

    command.__signature__ = own.replace(parameters=[*own.parameters.values(), option])  # type: ignore[attr-defined]  # what Typer reads
    return command


app = Commands(no_args_is_help=True)
console = Console()
FAILED, WRONG_USAGE, INTERRUPTED, NOBODY_READS = 1, 2, 130, 141  # exit codes; the last as a shell says it of other programs
FIRST_GAME = packed_in_order()[0]
GAMES = f"{', '.join(packed_in_order())}, or the folder of a board"


def complete_games(incomplete: str) -> list[str]:
    from branchline.boards import available_boards

    return complete_list(incomplete, available_boards())


def complete_bots(incomplete: str) -> list[str]:
    from branchline.bots import available_bots

    return complete_list(incomplete, available_bots())


def complete_list(incomplete: str, names: Iterable[str]) -> list[str]:
    """Complete the last name of a comma-separated list."""
    before, comma, _ = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in names if f"{before}{comma}{name}".startswith(incomplete)]


GameName = Annotated[str, typer.Option("--game", help=f"Which game: {GAMES}.", autocompletion=complete_games)]
Players = Annotated[int, typer.Option("--players", help="Number of seats.")]
OnCluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Use a cluster: local, local:4 (4 workers on this machine), or the scheduler's address, such as tls://host:8786.",
        show_default="this machine alone",
    ),
]
ForMe = Annotated[bool, typer.Option("--complete-tickets-for-me", help="With track piles: complete tickets for the players, without asking them.")]
DrawOne = Annotated[bool, typer.Option("--may-draw-one", help="With track piles: a player may stop after the first card of a draw.")]


def known_language(wanted: str | None) -> str:
    """The language asked for, or the system's."""
    if wanted is None:
        return systems_language()
    if wanted not in languages():
        raise UsageError(f"there is no language {wanted!r}: choose from {', '.join(languages())}")
    return wanted


InLanguage = Annotated[
    str | None,
    typer.Option(
        "--language",
        callback=known_language,
        show_default="the system's",
        help=f"Language: {', '.join(map(str, languages().values()))}.",
    ),
]


def compile_once(needs: Iterable[str], cluster: str | None = None) -> None:
    """Compile what a command needs (`batch/warm.py`) if this version has not compiled it yet, and say so: it takes a while.

    On a cluster of other machines, they compile for themselves.
    """
    from branchline.batch.warm import is_warm, warm_and_show
    from branchline.cluster import is_elsewhere

    if not is_elsewhere(cluster) and not is_warm(needs):
        warm_and_show(needs)


def game_names(text: str) -> list[str]:
    from branchline.boards import available_boards, load_board

    names = list(available_boards()) if text == "all" else [name.strip() for name in text.split(",")]
    return [load_board(name).game for name in names]
