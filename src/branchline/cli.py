"""The `branchline` command."""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

from branchline import __version__
from branchline.boards.presentation import boards_in_order
from branchline.errors import BranchlineError, GameOptionError, UsageError
from branchline.server.settings import Declared, Settings, declared
from branchline.words import languages, systems_language

app = typer.Typer(no_args_is_help=True)
console = Console()
FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 130  # exit codes
FIRST_GAME = boards_in_order()[0]
GAMES = f"{', '.join(boards_in_order()[:-1])} or {boards_in_order()[-1]}"


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
ForMe = Annotated[bool, typer.Option("--complete-tickets-for-me", help="With track piles: complete tickets for the players, without asking them.")]
DrawOne = Annotated[bool, typer.Option("--may-draw-one", help="With track piles: a player may stop after the first card of a draw.")]


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"branchline {__version__}")
        raise typer.Exit


@app.callback()
def branchline(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.", callback=show_version, is_eager=True)] = False,
) -> None:
    """Railway-network board games: play, simulate, replay, show."""


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


def compile_once(needs: Iterable[str]) -> None:
    """Compile what a command needs (`batch/warm.py`) if this version has not compiled it yet, and say so: it takes a while."""
    from branchline.batch.warm import is_warm, warm

    if not is_warm(needs):
        with console.status("Compiling the rules: up to a minute, once per version …"):
            warm(needs)


@app.command()
def play(
    game: GameName = FIRST_GAME,
    players: Players = 3,
    bots: Annotated[
        str | None,
        typer.Option(
            help="Bots for the other seats: easy, normal, hard, expert or any other bot. One name for all, or a comma-separated list.",
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
def simulate(
    name: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Which game, the same as --game.", show_default=False, autocompletion=complete_games)
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", help=f"Which game: {GAMES}.", show_default=FIRST_GAME, autocompletion=complete_games),
    ] = None,
    players: Players = 4,
    games: Annotated[int, typer.Option(help="Number of games.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed: the same seed gives the same games.")] = 1,
    bots: Annotated[
        str,
        typer.Option(
            help="One bot for all seats, or a comma-separated list with one per seat: random, greedy, planner, or your own module:function.",
            autocompletion=complete_bots,
        ),
    ] = "random",
    out: Annotated[Path | None, typer.Option(help="File to write: tables (.parquet), or records with all events, one per line (.jsonl).")] = None,
    tables: Annotated[
        str, typer.Option(help="More tables to write next to the .parquet file, comma-separated: claims, tickets.", show_default=False)
    ] = "",
    statistics: Annotated[list[Path] | None, typer.Option(help="A Python file with functions marked @statistic. Can be repeated.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the file where it ends.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    device: Annotated[str, typer.Option(help="cpu, cuda (an NVIDIA GPU), or auto (the GPU if there is one).")] = "cpu",
    threads: Annotated[int | None, typer.Option(help="Number of threads.", show_default="all cores")] = None,
    chunk: Annotated[int | None, typer.Option(help="Most games to play at once.", show_default="about a second's worth")] = None,
    complete_tickets_for_me: ForMe = False,
    may_draw_one: DrawOne = False,
) -> None:
    """Play any number of games between bots, and get a summary, tables or records."""
    from branchline.play.games import Game
    from branchline.simulation import Orders, Plan, check_orders, chosen_tables, load_statistics, needs, seat_bots
    from branchline.simulation import simulate as run

    orders = Orders(games, out, device, threads, chunk, resume, force)
    if name and game and name != game:
        raise GameOptionError(f"there are two games, {name} and --game {game}: choose one")
    chosen = Game(name or game or FIRST_GAME, players, complete_tickets_for_me=complete_tickets_for_me, may_draw_one=may_draw_one)
    plan = Plan(chosen, tuple(seat_bots(bots, players)), seed, chosen_tables(tables), load_statistics(statistics or []))
    check_orders(plan, orders)  # before compiling, which can take a minute
    compile_once(needs(plan, orders))
    if run(plan, orders, console).stopped:
        raise KeyboardInterrupt


@app.command()
def report(
    file: Annotated[Path, typer.Argument(help="The tables of a simulation, as written by branchline simulate --out FILE.parquet.")],
    out: Annotated[Path, typer.Option(help="Where to write the page.")] = Path("report.html"),
    csv: Annotated[Path | None, typer.Option(help="Folder to write the figures to, as CSV.")] = None,
    parquet: Annotated[Path | None, typer.Option(help="Folder to write the figures to, as Parquet.")] = None,
    language: Annotated[str, typer.Option(help=f"Language of place names: {', '.join(languages())}.")] = "en",
) -> None:
    """Turn a simulation into a single web page that works offline: who wins, tickets, routes, bots."""
    from branchline.report import make_report

    make_report(console, file, out, csv, parquet, language)


@app.command()
def arena(
    bots: Annotated[
        list[str] | None, typer.Argument(help="Bots by name, or your own as module:Class.", show_default=False, autocompletion=complete_bots)
    ] = None,
    game: Annotated[str, typer.Option(help="Games, comma-separated, or all.", autocompletion=complete_games)] = FIRST_GAME,
    players: Players = 2,
    games: Annotated[int, typer.Option(min=1, help="Games per line-up and board, rounded up so that every bot plays from every seat.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed: the same arena and seed give the same games.")] = 1,
    against_many: Annotated[
        bool, typer.Option("--against-many", help="For each pair of bots: one against the other on all remaining seats.")
    ] = False,
    lineup: Annotated[
        list[str] | None,
        typer.Option(help="Bots that play each other, such as greedy,random,random. Can be repeated.", autocompletion=complete_bots),
    ] = None,
    limit: Annotated[float | None, typer.Option(min=0.001, help="Seconds per decision for bots that are not compiled.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Number of processes.", show_default="all cores")] = None,
    stop_after: Annotated[float | None, typer.Option(min=0, help="Stop after this many seconds and sum up the games played.")] = None,
    out: Annotated[Path | None, typer.Option(help="File to keep the games in. Run the same command again to continue it.")] = None,
    json: Annotated[Path | None, typer.Option(help="File to write the results to, as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="File to write the results to, as a web page.")] = None,
) -> None:
    """Compare bots: they play the same deals from every seat; results come with confidence intervals and ratings."""
    from branchline.arena.command import chosen_lineups, run_command
    from branchline.arena.plan import Arena

    lineups = chosen_lineups(bots or [], lineup or [], players, against_many)
    asked = Arena(tuple(lineups), tuple(game_names(game)), players, seed, limit)
    compile_once(asked.needs)
    if run_command(console, asked, games, jobs or os.cpu_count() or 1, stop_after, out, json, html).interrupted:
        raise KeyboardInterrupt


@app.command("check-bot")
def check_bot(
    bot: Annotated[str, typer.Argument(help="A bot by name, or your own as module:Class.", autocompletion=complete_bots)],
    game: Annotated[str, typer.Option(help="Games, comma-separated, or all.", autocompletion=complete_games)] = "all",
    players: Annotated[str | None, typer.Option(help="Numbers of seats, comma-separated.", show_default="all")] = None,
    games: Annotated[int, typer.Option(min=1, help="Games per board and number of seats.")] = 1,
    limit: Annotated[float, typer.Option(min=0.001, help="Seconds per decision.")] = 10.0,
    not_deterministic: Annotated[
        bool, typer.Option("--not-deterministic", help="Skip the determinism checks, for bots that think against the clock.")
    ] = False,
) -> None:
    """Check a bot against the bot contract, on every board and with every number of seats."""
    from branchline.batch.warm import for_bots
    from branchline.terminal.checking import check_bot as run

    compile_once(for_bots([bot]))
    report = run(console, bot, game_names(game), seat_numbers(players), games, limit, not not_deterministic)
    if report.stopped:
        raise KeyboardInterrupt
    if not report.passed:
        raise typer.Exit(FAILED)


def game_names(text: str) -> list[str]:
    from branchline.boards import available_boards, load_board

    names = list(available_boards()) if text == "all" else [name.strip() for name in text.split(",")]
    return [load_board(name).game for name in names]


def seat_numbers(text: str | None) -> list[int] | None:
    """The numbers in a list such as `2,4`."""
    if text is None:
        return None
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        raise GameOptionError(f"--players must be a comma-separated list of numbers, such as 2,4, not {text!r}") from None


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record (.json), or a file with one record per line (.jsonl).")],
    number: Annotated[int, typer.Option("--number", min=1, help="Which game in a .jsonl file.")] = 1,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter before each turn.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Check every game in the file without showing it.")] = False,
    language: InLanguage = None,
) -> None:
    """Step through a record, and check that its decisions and events agree."""
    from branchline.batch.warm import REPLAY
    from branchline.terminal.replaying import check_file, nth_record, replay_one

    compile_once(REPLAY)
    if check:
        console.print(f"{check_file(console, file)} games: all decisions and events agree.")
    else:
        replay_one(console, nth_record(file, number), step, str(language))


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="The record of a finished game.")],
    commitment: Annotated[str | None, typer.Option(help="The SHA-256 shown when the game began.")] = None,
    early: Annotated[Path | None, typer.Option(help="A record of the same game, downloaded while it was being played.")] = None,
    number: Annotated[str | None, typer.Option(help="The number that your browser gave to the shuffle.")] = None,
) -> None:
    """Check that a game was shuffled as promised before it began, with the numbers and for the people that its record names."""
    from branchline.batch.warm import REPLAY
    from branchline.play.verifying import verify as run
    from branchline.terminal.replaying import nth_record

    compile_once(REPLAY)
    for found in run(nth_record(file, 1), commitment, nth_record(early, 1) if early else None, number):
        console.print(f"✓ {found}", highlight=False, soft_wrap=True)


def settings_as_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option and an environment variable for each setting of a server, as declared there."""
    own = [one for one in inspect.signature(command, eval_str=True).parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    command.__signature__ = inspect.Signature([*own, *map(option_of, declared())])  # type: ignore[attr-defined]  # what Typer reads
    return command


def option_of(one: Declared) -> inspect.Parameter:
    kinds: dict[str, Any] = {"str": str, "int": int, "float": float}
    about = f"{one.about[0].upper()}{one.about[1:]}." + (" Can be repeated." if one.is_list else "")
    option = typer.Option(one.option, envvar=one.variable, min=one.least, help=about, show_default=bool(one.default))
    kind = list[str] if one.is_list else kinds[one.kind]
    default = list(one.default) if one.is_list else one.default
    return inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])


@app.command()
@settings_as_options
def serve(
    host: Annotated[str, typer.Option(envvar="BRANCHLINE_HOST", help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(envvar="BRANCHLINE_PORT", min=0, max=65535, help="Port to listen on; 0 for any free port.")] = 8000,
    log_level: Annotated[str, typer.Option(envvar="BRANCHLINE_LOG_LEVEL", help="debug, info, warning or error.")] = "info",
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser. If the port is in use, take the next free one.")] = False,
    **settings: Any,
) -> None:
    """Run a server where people and bots play, over HTTP and WebSockets."""
    from branchline.server.logs import LEVELS
    from branchline.server.serving import serve as run

    if log_level not in LEVELS:
        raise UsageError(f"--log-level is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}, not {log_level!r}")
    chosen: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in settings.items()}
    run(Settings(**chosen), host, port, log_level, open_page)


admin = typer.Typer(no_args_is_help=True)
app.add_typer(admin, name="admin")
BY_NAME = {one.name: one for one in declared()}
DatabaseUrl = Annotated[str, typer.Option(envvar=BY_NAME["database_url"].variable, help="The server's database.")]
KeyFile = Annotated[str, typer.Option(envvar=BY_NAME["key_file"].variable, help="The server's key.", show_default="beside the database")]
TableName = Annotated[str, typer.Argument(metavar="TABLE", help="The table's name, or its link.")]
Network = Annotated[str, typer.Argument(metavar="ADDRESS", help="An address, or a network such as 203.0.113.0/24.")]
DATABASE_URL = Settings.database_url


@admin.callback()
def admin_group() -> None:
    """Look after a server: its tables, blocked addresses, backups. The server may be running."""


@admin.command("tables")
def admin_tables(
    status: Annotated[str | None, typer.Option(help="Only waiting, playing, finished or abandoned tables.")] = None,
    game: Annotated[str | None, typer.Option(help=f"Only one game: {GAMES}.", autocompletion=complete_games)] = None,
    player: Annotated[str | None, typer.Option(help="Only tables where somebody has this in their name.")] = None,
    most: Annotated[int, typer.Option(min=1, help="Most tables to list, newest first.")] = 50,
    database_url: DatabaseUrl = DATABASE_URL,
    key_file: KeyFile = "",
) -> None:
    """List or find tables."""
    from branchline.server import admin as work
    from branchline.terminal.operating import print_tables

    if status is not None and status not in work.STATUSES:
        raise UsageError(f"--status is {', '.join(work.STATUSES)}, not {status!r}")
    found = asyncio.run(work.list_tables(work.Where(database_url, key_file), status, game_names(game)[0] if game else None, player, most))
    print_tables(console, [(one.found.id, one.found.game, one.found.status, one.changed_at, one.entries, one.names) for one in found])


# names of tables may begin with a hyphen
@admin.command("close", context_settings={"ignore_unknown_options": True})
def admin_close(table: TableName, database_url: DatabaseUrl = DATABASE_URL, key_file: KeyFile = "") -> None:
    """End a table for everybody at it. Its log stays."""
    from branchline.server import admin as work

    compile_for_tables()
    asyncio.run(work.close_table(work.Where(database_url, key_file), table))
    console.print("The table is closed.")


@admin.command("export", context_settings={"ignore_unknown_options": True})
def admin_export(
    table: TableName,
    out: Annotated[Path | None, typer.Option(help="File to write.", show_default="standard output")] = None,
    database_url: DatabaseUrl = DATABASE_URL,
    key_file: KeyFile = "",
) -> None:
    """Write the record of a table's game: in full once it is over, before that as a spectator may know it."""
    from branchline.server import admin as work

    compile_for_tables()
    record = asyncio.run(work.export_table(work.Where(database_url, key_file), table))
    if out is None:
        print(record)
    else:
        out.write_text(record, encoding="utf-8")


@admin.command("archive")
def admin_archive(
    after: Annotated[float, typer.Option(min=0.05, help="Only games that ended at least this many days ago; by then every process knows.")] = 1.0,
    keep: Annotated[float, typer.Option(min=0, help="Drop finished games that are older than this many days; 0: none.")] = 0.0,
    keep_abandoned: Annotated[float, typer.Option(min=0, help="The same for abandoned games.")] = 0.0,
    database_url: DatabaseUrl = DATABASE_URL,
    key_file: KeyFile = "",
) -> None:
    """Store games that are over compactly, and drop old ones if you say so. A running server does this by itself, by its own settings."""
    from branchline.server import admin as work

    archived, dropped = asyncio.run(work.archive(work.Where(database_url, key_file), after, keep, keep_abandoned))
    console.print(f"{archived} games stored compactly, {dropped} dropped.", highlight=False)


@admin.command("block")
def admin_block(
    address: Network,
    reason: Annotated[str, typer.Option(help="A note for yourself.")] = "",
    database_url: DatabaseUrl = DATABASE_URL,
    key_file: KeyFile = "",
) -> None:
    """Let nobody in from an address or network. All server processes follow within seconds, and close what is open."""
    from branchline.server import admin as work

    console.print(f"{asyncio.run(work.block(work.Where(database_url, key_file), address, reason))} is blocked.", highlight=False)


@admin.command("unblock")
def admin_unblock(address: Network, database_url: DatabaseUrl = DATABASE_URL, key_file: KeyFile = "") -> None:
    """Let an address or network in again."""
    from branchline.server import admin as work

    console.print(f"{asyncio.run(work.unblock(work.Where(database_url, key_file), address))} is no longer blocked.", highlight=False)


@admin.command("blocked")
def admin_blocked(database_url: DatabaseUrl = DATABASE_URL, key_file: KeyFile = "") -> None:
    """List what is blocked."""
    from branchline.server import admin as work
    from branchline.terminal.operating import print_blocked

    print_blocked(console, [(one.network, one.since, one.reason) for one in asyncio.run(work.blocked(work.Where(database_url, key_file)))])


@admin.command("check-backup")
def admin_check_backup(
    database: Annotated[str, typer.Argument(metavar="DATABASE", help="An SQLite file, or the URL of a PostgreSQL database.")], key_file: KeyFile = ""
) -> None:
    """Check that a database is sound, and that every table in it plays again by its rules. A file is not changed."""
    from branchline.server import admin as work

    compile_for_tables()
    url = database if "://" in database else f"sqlite:///{database}"
    checked = asyncio.run(work.check_backup(work.Where(url, key_file)))
    for problem in checked.problems:
        console.print(problem, highlight=False, soft_wrap=True)
    console.print(f"{checked.tables} tables with {checked.entries} entries, {len(checked.problems)} problems.", highlight=False)
    if checked.problems:
        raise typer.Exit(FAILED)


def compile_for_tables() -> None:
    from branchline.batch.warm import REPLAY

    compile_once(REPLAY)


@app.command()
def show(game: Annotated[str, typer.Argument(help=f"{GAMES}.", autocompletion=complete_games)], language: InLanguage = None) -> None:
    """Show the facts of a board: cards, cities, routes and tickets."""
    from branchline.boards import load_board
    from branchline.terminal.showing import show as show_board

    show_board(console, load_board(game), str(language))


def main() -> None:
    """Run a command. Whatever goes wrong is said in one line; a traceback means a bug in Branchline."""
    try:
        sys.exit(app(prog_name="branchline", standalone_mode=False))
    except typer.TyperException as error:
        fail(f"{error.format_message() or 'a command is missing'}{where_to_read(error)}", error.exit_code)
    except typer.Abort:
        fail("the input has ended")
    except BranchlineError as error:
        fail(error, WRONG_USAGE if isinstance(error, UsageError) else FAILED)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else error)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def where_to_read(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f" (see {context.command_path} --help)" if context else ""


def fail(reason: object, code: int = FAILED) -> NoReturn:
    Console(stderr=True).print(f"branchline: {reason}", style="red", highlight=False, markup=False, soft_wrap=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
