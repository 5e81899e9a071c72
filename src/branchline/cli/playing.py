"""Commands for a single game: play, replay, verify, show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from branchline.cli.shared import (
    FIRST_GAME,
    GAMES,
    DrawOne,
    ForMe,
    GameName,
    InLanguage,
    Players,
    app,
    compile_once,
    complete_bots,
    complete_games,
    console,
)


@app.command()
def play(
    game: GameName = FIRST_GAME,
    players: Players = 3,
    bots: Annotated[
        str | None,
        typer.Option(
            help="Bots for the other seats: beginner, easy, normal, hard, expert, master or any other. One name for all, or a comma-separated list.",
            show_default="normal",
            autocompletion=complete_bots,
        ),
    ] = None,
    hot_seat: Annotated[bool, typer.Option("--hot-seat", help="Several people share this terminal and take all seats that --bots leaves.")] = False,
    seed: Annotated[str | None, typer.Option(help="Hex seed of a game to play again.")] = None,
    complete_tickets_for_me: ForMe = False,
    may_draw_one: DrawOne = False,
    look_into_own_pile: Annotated[bool, typer.Option("--look-into-own-pile", help="With track piles: show what is in your track pile.")] = False,
    save: Annotated[Path, typer.Option(help="Where to save the game. If the file exists, a number is added to its name.")] = Path(
        "branchline-game.json"
    ),
    resume: Annotated[Path | None, typer.Option(help="Continue a saved game. Other options are ignored, except --language.")] = None,
    language: InLanguage = None,
) -> None:
    """Play in the terminal: you against bots."""
    from branchline.batch.warm import PLAY, for_bots
    from branchline.play.games import Game
    from branchline.terminal.game import TerminalGame
    from branchline.terminal.seating import free_file, new_table, resumed_table

    named = bots.split(",") if bots is not None else [] if hot_seat else ["normal"]
    compile_once(PLAY if resume else for_bots(named))
    if resume:
        state, seats, names = resumed_table(resume)
        file = resume
    else:
        options = {"complete_tickets_for_me": complete_tickets_for_me, "may_draw_one": may_draw_one, "look_into_own_pile": look_into_own_pile}
        chosen = Game(game, players, **options)
        state, seats, names = new_table(chosen, bots, hot_seat, seed, str(language))
        file = free_file(save)
    TerminalGame(console, state, seats, names, file, str(language)).play()


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record (.json), or a file with one record per line (.jsonl).")],
    number: Annotated[int, typer.Option("--number", min=1, help="Which game in a .jsonl file.")] = 1,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter before each turn.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Check every game in the file without showing it.")] = False,
    html: Annotated[Path | None, typer.Option(help="File to write the game to, as a web page that works offline.")] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, help="With --html: as this seat saw it. For an unfinished game, the file then holds nothing more.", show_default="all"),
    ] = None,
    chances: Annotated[bool, typer.Option("--chances", help="After each turn, show how likely everybody is to win.")] = False,
    language: InLanguage = None,
) -> None:
    """Step through a record, and check that its decisions and events agree."""
    from branchline.batch.warm import REPLAY, for_bots
    from branchline.terminal.replaying import check_file, nth_record, replay_one, write_page

    compile_once(for_bots(["learned"]) if chances else REPLAY)
    if check:
        console.print(f"{check_file(console, file)} games: all decisions and events agree.")
    elif html:
        write_page(console, nth_record(file, number), html, seat, str(language))
    else:
        replay_one(console, nth_record(file, number), step, str(language), chances)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="The record of a finished game.")],
    commitment: Annotated[str | None, typer.Option(help="The SHA-256 shown when the game began.")] = None,
    early: Annotated[Path | None, typer.Option(help="A record of the same game, downloaded while it was being played.")] = None,
    number: Annotated[str | None, typer.Option(help="The number that your browser gave to the shuffle.")] = None,
) -> None:
    """Check that a game was dealt with the shuffle promised before it began."""
    from branchline.batch.warm import REPLAY
    from branchline.play.verifying import not_checked
    from branchline.play.verifying import verify as run
    from branchline.terminal.replaying import nth_record

    compile_once(REPLAY)
    record, early_record = nth_record(file, 1), nth_record(early, 1) if early else None
    for found in run(record, commitment, early_record, number):
        console.print(f"✓ {found}", highlight=False, soft_wrap=True)
    for left in not_checked(record, early_record):
        console.print(f"– {left}", highlight=False, soft_wrap=True)


@app.command()
def show(game: Annotated[str, typer.Argument(help=f"{GAMES}.", autocompletion=complete_games)], language: InLanguage = None) -> None:
    """Show the facts of a board: cards, cities, routes and tickets."""
    from branchline.boards import load_board
    from branchline.terminal.showing import show as show_board

    show_board(console, load_board(game), str(language))
