"""The `branchline` command."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from branchline.errors import BranchlineError, GameOptionError

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Railway-network board games: play, simulate, replay, show.")
console = Console()
STOPPED = 130  # the exit code of whoever was ended by Ctrl-C

GameName = Annotated[str, typer.Option("--game", help="Which game: europe, london, usa, world or card-game.")]
Players = Annotated[int, typer.Option("--players", help="Number of seats.")]
ByHand = Annotated[bool, typer.Option("--choose-tickets-by-hand", help="Card Game: players choose which tickets they complete.")]


def compile_once(batches: bool = False) -> None:
    """Compiling takes some seconds, once for each version of the rules: say so."""
    from branchline.batch.warm import is_warm, warm

    if not is_warm(batches):
        with console.status("Compiling the rules, once for this version (about a minute) …"):
            warm(batches)


@app.command()
def play(
    game: GameName = "europe",
    players: Players = 3,
    bots: Annotated[
        str | None,
        typer.Option(
            help="Bots for the other seats: easy, normal, hard, expert, or any bot; one name, or several with commas.", show_default="normal"
        ),
    ] = None,
    hot_seat: Annotated[bool, typer.Option("--hot-seat", help="Several people at this terminal: all seats, less those of --bots if given.")] = False,
    seed: Annotated[str | None, typer.Option(help="Hex seed, to play a known game again.")] = None,
    choose_tickets_by_hand: ByHand = False,
    look_into_own_pile: Annotated[bool, typer.Option("--look-into-own-pile", help="Card Game: you see what is in your track pile.")] = False,
    save: Annotated[Path, typer.Option(help="File for the record; where it exists, a number is added to its name.")] = Path("branchline-game.json"),
    resume: Annotated[Path | None, typer.Option(help="Go on with a game that was stopped; all other options are its own.")] = None,
) -> None:
    """Play in the terminal: you against bots."""
    from branchline.play.games import Game
    from branchline.terminal.game import TerminalGame
    from branchline.terminal.seating import free_file, new_table, resumed_table

    compile_once()
    if resume:
        state, seats, names = resumed_table(resume)
        file = resume
    else:
        chosen = Game(game, players, choose_tickets_by_hand=choose_tickets_by_hand, look_into_own_pile=look_into_own_pile)
        state, seats, names = new_table(chosen, bots, hot_seat, seed)
        file = free_file(save)
    TerminalGame(console, state, seats, names, file).play()


@app.command()
def simulate(
    name: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Which game, as with --game.", show_default=False)] = None,
    game: Annotated[str | None, typer.Option("--game", help="Which game: europe, london, usa, world or card-game.", show_default="europe")] = None,
    players: Players = 4,
    games: Annotated[int, typer.Option(help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(help="Game i of a seed is always the same game.")] = 1,
    bots: Annotated[
        str, typer.Option(help="One bot for all seats, or one for each, with commas: random, greedy, planner, or your own module:function.")
    ] = "random",
    out: Annotated[Path | None, typer.Option(help="Tables (.parquet), or records one a line with all events (.jsonl).")] = None,
    tables: Annotated[str, typer.Option(help="Further tables beside a .parquet file, with commas: claims, tickets.", show_default=False)] = "",
    statistics: Annotated[list[Path] | None, typer.Option(help="A Python file with functions marked @statistic; may be given several times.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the file where it ends.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    device: Annotated[str, typer.Option(help="cpu, cuda (an NVIDIA GPU), or auto: the GPU if there is one.")] = "cpu",
    threads: Annotated[int | None, typer.Option(help="How many threads play.", show_default="all cores")] = None,
    chunk: Annotated[int | None, typer.Option(help="How many games are played at once at most.", show_default="about a second's")] = None,
    choose_tickets_by_hand: ByHand = False,
) -> None:
    """Play very many games between bots: a summary, tables or records."""
    from branchline.play.games import Game
    from branchline.simulation import Orders, Plan, check_orders, chosen_tables, load_statistics, seat_bots
    from branchline.simulation import simulate as run

    orders = Orders(games, out, device, threads, chunk, resume, force)
    if name and game and name != game:
        raise GameOptionError(f"two games are named, {name} and {game}: name one")
    chosen = Game(name or game or "europe", players, choose_tickets_by_hand=choose_tickets_by_hand)
    plan = Plan(chosen, tuple(seat_bots(bots, players)), seed, chosen_tables(tables), load_statistics(statistics or []))
    check_orders(plan, orders)  # nobody waits for the compiler to hear of a slip
    compile_once(batches=True)
    if run(plan, orders, console).stopped:
        raise typer.Exit(STOPPED)


@app.command()
def report(
    file: Annotated[Path, typer.Argument(help="The tables of a simulation: what branchline simulate --out FILE.parquet wrote.")],
    out: Annotated[Path, typer.Option(help="Where to write the page.")] = Path("report.html"),
    csv: Annotated[Path | None, typer.Option(help="Write the figures into this folder, as CSV.")] = None,
    parquet: Annotated[Path | None, typer.Option(help="Write the figures into this folder, as Parquet.")] = None,
    language: Annotated[str, typer.Option(help="Language of the places' names: en, pl or uk.")] = "en",
) -> None:
    """A simulation as one page to look at: who wins, tickets, routes, bots; it stands alone and opens offline."""
    from branchline.report import make_report

    make_report(console, file, out, csv, parquet, language)


@app.command()
def arena(
    bots: Annotated[list[str] | None, typer.Argument(help="Bots: names, or module:Class for your own.", show_default=False)] = None,
    game: Annotated[str, typer.Option(help="Which games, with commas, or all.")] = "europe",
    players: Players = 2,
    games: Annotated[int, typer.Option(min=1, help="Games of each line-up on each board, rounded up so that everybody has every seat.")] = 1000,
    seed: Annotated[int, typer.Option(help="The same arena of a seed has the same games.")] = 1,
    against_many: Annotated[bool, typer.Option("--against-many", help="One bot against another on all other seats, for each two.")] = False,
    lineup: Annotated[
        list[str] | None, typer.Option(help="Who sits down together, such as greedy,random,random; may be given several times.")
    ] = None,
    limit: Annotated[float | None, typer.Option(min=0.001, help="Seconds for a decision of a bot that is not a compiled policy.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="How many processes play.", show_default="all cores")] = None,
    stop_after: Annotated[float | None, typer.Option(min=0, help="Seconds after which to stop and sum up what is done.")] = None,
    out: Annotated[Path | None, typer.Option(help="Keep every game here; the same command again goes on where this file ends.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write the results here, as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the results here, as a page to look at.")] = None,
) -> None:
    """Bots against bots: everybody gets the same cards on every seat, results come with intervals and ratings."""
    from branchline.arena.command import chosen_lineups, run_command
    from branchline.arena.plan import Arena

    compile_once()
    lineups = chosen_lineups(bots or [], lineup or [], players, against_many)
    asked = Arena(tuple(lineups), tuple(game_names(game)), players, seed, limit)
    run_command(console, asked, games, jobs or os.cpu_count() or 1, stop_after, out, json, html)


@app.command("check-bot")
def check_bot(
    bot: Annotated[str, typer.Argument(help="A bot's name, or module:Class for your own.")],
    game: Annotated[str, typer.Option(help="Which games, with commas, or all.")] = "all",
    players: Annotated[str | None, typer.Option(help="Which numbers of seats, with commas.", show_default="all")] = None,
    games: Annotated[int, typer.Option(min=1, help="Games on each board with each number of seats.")] = 1,
    limit: Annotated[float, typer.Option(min=0.001, help="Seconds the bot has for a decision.")] = 10.0,
    not_deterministic: Annotated[
        bool, typer.Option("--not-deterministic", help="Leave out what a bot that thinks by the clock cannot pass.")
    ] = False,
) -> None:
    """Check that a bot keeps to the rules of being a bot, on every board and number of seats."""
    from branchline.terminal.checking import check_bot as run

    compile_once()
    if not run(console, bot, game_names(game), seat_numbers(players), games, limit, not not_deterministic).passed:
        sys.exit(1)


def game_names(text: str) -> list[str]:
    from branchline.boards import available_boards, load_board

    names = list(available_boards()) if text == "all" else [name.strip() for name in text.split(",")]
    return [load_board(name).game for name in names]


def seat_numbers(text: str | None) -> list[int] | None:
    """Numbers of seats, such as 2,4."""
    if text is None:
        return None
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        raise GameOptionError(f"--players must be numbers of seats with commas, such as 2,4, not {text!r}") from None


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record (.json), or records one a line (.jsonl).")],
    number: Annotated[int, typer.Option("--number", min=1, help="Which game of a .jsonl file.")] = 1,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter before each turn.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only check every game of the file.")] = False,
) -> None:
    """Step through a record, and check that its decisions and events agree."""
    from branchline.terminal.replaying import check_file, nth_record, replay_one

    compile_once()
    if check:
        console.print(f"{check_file(console, file)} games: all decisions and events agree.")
    else:
        replay_one(console, nth_record(file, number), (lambda: void(console.input("[dim]Enter …[/dim]"))) if step else None)


def void(_: object) -> None:
    return None


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="The record of a finished game.")],
    commitment: Annotated[str | None, typer.Option(help="The SHA-256 that was shown when the game began.")] = None,
    early: Annotated[Path | None, typer.Option(help="A record of the same game, downloaded while it was played.")] = None,
) -> None:
    """Check that a game was shuffled as promised when it began."""
    from branchline.play.verifying import verify as run
    from branchline.terminal.replaying import nth_record

    compile_once()
    for found in run(nth_record(file, 1), commitment, nth_record(early, 1) if early else None):
        console.print(f"✓ {found}", highlight=False, soft_wrap=True)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0: any that is free.")] = 8000,
    database_url: Annotated[
        str, typer.Option(envvar="BRANCHLINE_DATABASE_URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME.")
    ] = "sqlite:///branchline.db",
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "info",
    origin: Annotated[list[str] | None, typer.Option(help="Another site whose pages may use this server; may be given several times.")] = None,
    bot_workers: Annotated[int, typer.Option(min=1, help="Processes for bots that think long.")] = 2,
    tables_per_guest: Annotated[int, typer.Option(min=1, help="Tables of one host that are not over.")] = 50,
    sockets_per_address: Annotated[int, typer.Option(min=1, help="Open WebSockets of one address.")] = 200,
    requests_per_minute: Annotated[int, typer.Option(min=1, help="HTTP requests of one address.")] = 600,
    new_tables_per_minute: Annotated[int, typer.Option(min=1, help="Tables that one address opens.")] = 20,
    messages_per_second: Annotated[int, typer.Option(min=1, help="Messages on one WebSocket, four times as many at once.")] = 20,
    chat_per_minute: Annotated[int, typer.Option(min=1, help="Chat messages of one seat.")] = 20,
    trusted_proxies: Annotated[str, typer.Option(help="Addresses of proxies whose X-Forwarded-For is believed, with commas.")] = "127.0.0.1",
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser; if the port is in use, the next free one will do.")] = False,
) -> None:
    """Serve tables for people and bots, over HTTP and WebSockets."""
    from branchline.server.logs import LEVELS
    from branchline.server.serving import serve as run
    from branchline.server.settings import Settings

    if log_level not in LEVELS:
        raise GameOptionError(f"--log-level is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}, not {log_level!r}")
    limits = {
        "tables_per_guest": tables_per_guest,
        "sockets_per_address": sockets_per_address,
        "requests_per_minute": requests_per_minute,
        "new_tables_per_minute": new_tables_per_minute,
        "messages_per_second": messages_per_second,
        "chat_per_minute": chat_per_minute,
    }
    run(Settings(database_url, tuple(origin or ()), bot_workers, trusted_proxies=trusted_proxies, **limits), host, port, log_level, open_page)


@app.command()
def show(game: Annotated[str, typer.Argument(help="europe, london, usa, world or card-game.")]) -> None:
    """The facts of a board."""
    from branchline.boards import load_board
    from branchline.terminal.showing import show as show_board

    show_board(console, load_board(game))


def main() -> None:
    from branchline.boards import BoardError

    try:
        app()
    except (BranchlineError, BoardError) as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else error)


def fail(reason: object) -> NoReturn:
    Console(stderr=True).print(f"branchline: {reason}", style="red", highlight=False, markup=False, soft_wrap=True)
    sys.exit(1)


if __name__ == "__main__":
    main()
