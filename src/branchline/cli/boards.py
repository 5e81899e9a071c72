"""Commands for boards of your own: board new, edit, check, draw, show."""

from __future__ import annotations

import json
import secrets
import shlex
import time
from pathlib import Path
from typing import Annotated

import typer

from branchline.boards.folders import FILE, is_packed, packed_boards
from branchline.boards.model import UnknownBoard
from branchline.cli.serving import checked_level
from branchline.cli.shared import FAILED, Commands, InLanguage, app, console
from branchline.errors import UsageError, did_you_mean, from_extra
from branchline.words.plurals import counted

HELP = (
    "Make a board of your own: start one, edit it in the browser, check it, draw its map, look at it. "
    "From many games, learn what is wrong with it (report), and find better numbers (balance)."
)
board = Commands(no_args_is_help=True, help=HELP)
app.add_typer(board, name="board")
Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the board.", show_default=False)]


def existing(folder: Path) -> Path:
    """The folder, if it holds a board. If not, the command was typed wrong: maybe a game that comes with Branchline was meant."""
    from branchline.design.layout.checking import problems_of

    if (folder / FILE).is_file():
        return folder
    name = str(folder)
    if is_packed(name) and not folder.exists():
        raise UsageError(f"{name} comes with Branchline: `branchline show {name}`")
    missing = problems_of(folder)[0]
    raise UnknownBoard(missing.file, missing.reason + did_you_mean(name, packed_boards()))


def say(text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)


@board.command()
def new(
    folder: Folder,
    name: Annotated[str | None, typer.Option(help="What the game is called.", show_default="as the folder")] = None,
) -> None:
    """Write a small board to begin with: complete, playable, with comments."""
    from branchline.design.layout.beginning import begin

    game = begin(folder, name)
    typed = shlex.quote(str(folder))
    say(f"{folder} holds the board {game}. Play it: branchline serve --open --boards {typed}")
    say(f"Change its files, and look whether all is well: branchline board check {typed}")


@board.command()
def edit(
    folder: Folder,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; if it is in use, the next free one.")] = 8000,
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "warning",
) -> None:
    """Edit a board in the browser, and play it there. A folder that does not exist yet gets a small board to begin with."""
    with from_extra("server", "the board editor"):
        from branchline.design.editor.edited import opened_board
        from branchline.design.editor.saving import BESIDE
        from branchline.server.serving import serve
        from branchline.server.settings import Settings

    beside = opened_board(str(folder)).folder / BESIDE
    beside.mkdir(exist_ok=True)
    # a page of another site cannot guess the code, whatever it makes a browser believe about addresses
    settings = Settings(database_url=f"sqlite:///{beside / 'games.db'}", editor=str(folder), editor_code=kept_code(beside / "code"))
    serve(settings, "127.0.0.1", port, checked_level(log_level), open_page=True)


def kept_code(path: Path) -> str:
    """The code of this folder's editor: the same tomorrow, so that a page that is still open goes on."""
    if not path.is_file():
        path.touch(0o600)
        path.write_text(secrets.token_urlsafe(16), encoding="ascii")
    return path.read_text(encoding="ascii").strip()


@board.command()
def check(folder: Folder) -> None:
    """List everything that is wrong with a board: file, line, reason, and what to do."""
    from branchline.design.layout.checking import problems_of

    found = problems_of(existing(folder))
    for problem in found:
        say(str(problem))
    if found:
        say(f"{counted(len(found), 'problems')}.")
        raise typer.Exit(FAILED)
    say(f"{folder} is fine.")


@board.command()
def draw(
    folder: Folder,
    seed: Annotated[int | None, typer.Option(help="Another start, which may give another map.", show_default="from layout.toml")] = None,
    figures: Annotated[bool, typer.Option("--figures", help="Measure the drawing, and print the figures of docs/boards.md.")] = False,
) -> None:
    """Draw a board's map: layout.json, and a picture, board.svg, that improves meanwhile."""
    from branchline.design.layout.checking import problems_of
    from branchline.design.layout.drawing import PICTURE
    from branchline.design.layout.drawing import draw as run

    if found := problems_of(existing(folder), to_draw=True):
        raise found[0]
    begun = time.monotonic()
    with console.status("Drawing straight tracks …") as status:
        drawn = run(folder, seed, lambda done, doing: status.update(f"{doing}, {100 * done:.0f} % … the picture is {folder / PICTURE}"), figures)
    say(f"{drawn.layout}: drawn in {time.monotonic() - begun:.0f} s. The picture is {drawn.picture}")
    for measure, value in drawn.measures.items():
        say(f"{measure}: {json.dumps(value, ensure_ascii=False)}")
    for kind, flaws in drawn.flaws.items():
        say(f"{FLAWS[kind]}: {', '.join(flaws[:MOST])}{f' and {len(flaws) - MOST} more' if len(flaws) > MOST else ''}")
    if drawn.flaws:
        say("To mend them, try another --seed, `via` places for these routes in layout.toml, or a larger `scale` and `frame`.")


MOST = 6  # flaws of a kind that are named
FLAWS = {
    "missing": "Not drawn",
    "overlaps": "Spaces that touch",
    "on dots": "Spaces on cities",
    "crossings": "Routes that cross",
    "names": "Names that cover something",
}


@board.command()
def show(
    folder: Folder,
    picture: Annotated[Path | None, typer.Option(help="File to write a picture of the board to, as SVG.", show_default=False)] = None,
    language: InLanguage = None,
) -> None:
    """Show the facts of a board: cards, cities, routes and tickets; and its picture."""
    from branchline.boards import load_board
    from branchline.play.drawing.shapes import read_layout
    from branchline.terminal.showing import show as show_board

    facts = load_board(f"{existing(folder)}/")
    show_board(console, facts, str(language))
    say(f"Fingerprint: {facts.fingerprint}")
    if picture is not None:
        from branchline.design.layout.picture import picture_of

        picture.write_text(picture_of(facts, read_layout(facts), str(language)), encoding="utf-8")
        say(f"Written: {picture}")
