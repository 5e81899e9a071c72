"""Commands for many games between bots: simulate, report, arena, ladder, check-bot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from branchline.cli.shared import (
    FAILED,
    FIRST_GAME,
    GAMES,
    DrawOne,
    ForMe,
    InLanguage,
    OnCluster,
    Players,
    app,
    compile_once,
    complete_bots,
    complete_games,
    console,
    game_names,
)
from branchline.errors import GameOptionError

SEATS = 4  # of a simulation, unless somebody says how many


@app.command()
def simulate(
    name: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Which game, the same as --game.", show_default=False, autocompletion=complete_games)
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", help=f"Which game: {GAMES}.", show_default=FIRST_GAME, autocompletion=complete_games),
    ] = None,
    players: Annotated[int | None, typer.Option(help="Number of seats.", show_default=f"{SEATS}, or the board's most if that is less")] = None,
    games: Annotated[int, typer.Option(help="Number of games.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed: the same seed gives the same games.")] = 1,
    bots: Annotated[
        str,
        typer.Option(
            help="One bot for all seats, or a comma-separated list with one per seat: random, greedy, planner, learned, or your own module:function.",
            autocompletion=complete_bots,
        ),
    ] = "random",
    out: Annotated[
        str | None,
        typer.Option(help="File or address to write: tables (.parquet, also s3://…), or records with all events, one per line (.jsonl)."),
    ] = None,
    tables: Annotated[
        str, typer.Option(help="More tables to write next to the .parquet file, comma-separated: claims, tickets.", show_default=False)
    ] = "",
    statistics: Annotated[list[Path] | None, typer.Option(help="A Python file with functions marked @statistic. Can be repeated.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the file where it ends.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    device: Annotated[
        str | None,
        typer.Option(help="cpu, cuda (an NVIDIA GPU), or auto (the GPU if there is one).", show_default="cpu; auto with --cluster"),
    ] = None,
    threads: Annotated[int | None, typer.Option(help="Number of threads.", show_default="all cores")] = None,
    chunk: Annotated[int | None, typer.Option(help="Most games to play at once.", show_default="about a second's worth")] = None,
    cluster: OnCluster = None,
    complete_tickets_for_me: ForMe = False,
    may_draw_one: DrawOne = False,
) -> None:
    """Play any number of games between bots, and get a summary, tables or records."""
    from branchline.boards import load_board
    from branchline.cluster.locations import located
    from branchline.play.games import Game
    from branchline.simulation import Orders, Plan, check_orders, chosen_tables, load_statistics, needs, seat_bots
    from branchline.simulation import simulate as run

    chosen_device = device or ("auto" if cluster else "cpu")
    orders = Orders(games, located(out) if out else None, chosen_device, threads, chunk, resume, force, cluster, tuple(statistics or ()))
    if name and game and name != game:
        raise GameOptionError(f"there are two games, {name} and --game {game}: choose one")
    board = load_board(name or game or FIRST_GAME)
    seats = min(SEATS, board.players[1]) if players is None else players
    chosen = Game(board.game, seats, complete_tickets_for_me=complete_tickets_for_me, may_draw_one=may_draw_one)
    plan = Plan(chosen, tuple(seat_bots(bots, seats)), seed, chosen_tables(tables), load_statistics(statistics or []))
    check_orders(plan, orders)  # before compiling, which can take a minute
    compile_once(needs(plan, orders), cluster)
    if run(plan, orders, console).stopped:
        raise KeyboardInterrupt


@app.command(compares=True)
def report(
    file: Annotated[str, typer.Argument(help="The tables of a simulation, as written by branchline simulate --out FILE.parquet; also an address.")],
    other: Annotated[str | None, typer.Argument(help="Another simulation, to compare it with.", show_default=False)] = None,
    out: Annotated[Path, typer.Option(help="Where to write the page.")] = Path("report.html"),
    csv: Annotated[Path | None, typer.Option(help="Folder to write the figures to, as CSV.")] = None,
    parquet: Annotated[Path | None, typer.Option(help="Folder to write the figures to, as Parquet.")] = None,
    language: InLanguage = None,
) -> None:
    """Turn a simulation into a single web page that works offline: who wins, tickets, routes, bots. With two, show the differences."""
    from branchline.cluster.locations import located
    from branchline.report import make_report

    make_report(console, located(file), out, csv, parquet, str(language), None if other is None else located(other))


@app.command()
def arena(
    bots: Annotated[
        list[str] | None,
        typer.Argument(help="Bots by name, or your own as module:Class or ./program.", show_default=False, autocompletion=complete_bots),
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
    cluster: OnCluster = None,
    stop_after: Annotated[float | None, typer.Option(min=0, help="Stop after this many seconds and sum up the games played.")] = None,
    out: Annotated[Path | None, typer.Option(help="File to keep the games in. Run the same command again to continue it.")] = None,
    json: Annotated[Path | None, typer.Option(help="File to write the results to, as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="File to write the results to, as a web page.")] = None,
) -> None:
    """Compare bots: they play the same deals from every seat; results come with confidence intervals and ratings."""
    from branchline.arena.command import chosen_lineups, run_command
    from branchline.arena.crews import Crew
    from branchline.arena.plan import Arena
    from branchline.batch.threads import cores

    lineups = chosen_lineups(bots or [], lineup or [], players, against_many)
    asked = Arena(tuple(lineups), tuple(game_names(game)), players, seed, limit)
    crew = Crew(jobs if cluster else jobs or cores(), cluster)
    compile_once(asked.needs, cluster)
    if run_command(console, asked, games, crew, stop_after, out, json, html).interrupted:
        raise KeyboardInterrupt


def as_begun(default: object) -> str:
    """How the help tells what is taken from a ladder that is there."""
    return f"as it was begun, or {default}"


@app.command()
def ladder(
    folder: Annotated[Path, typer.Argument(help="Where to keep it: games, samples and its page, index.html.")],
    bots: Annotated[
        list[str] | None,
        typer.Argument(help="Bots by name, or your own as module:Class or ./program.", show_default="those there", autocompletion=complete_bots),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(help="Games, comma-separated, or all; played in turn.", show_default=as_begun(FIRST_GAME), autocompletion=complete_games),
    ] = None,
    players: Annotated[int | None, typer.Option(help="Number of seats.", show_default=as_begun(2))] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the deals and of who meets whom.", show_default=as_begun(1))] = None,
    limit: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds per decision for bots that are not compiled.", show_default=as_begun(10.0))
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Number of processes.", show_default="1")] = None,
    cluster: OnCluster = None,
    pace: Annotated[float, typer.Option(min=0, help="Seconds from one game to the next, at least, in each process.")] = 1.0,
    rounds: Annotated[int | None, typer.Option(min=0, help="Stop after this many rounds.", show_default="never")] = None,
    stop_after: Annotated[float | None, typer.Option(min=0, help="Stop after this many seconds.", show_default="never")] = None,
) -> None:
    """Keep bots playing each other for days, with a page of ratings, head-to-head results and sample games."""
    from branchline.arena.crews import Crew
    from branchline.arena.ladder import Ladder, Limits, keep_playing, ladder_in

    games = tuple(game_names(game)) if game is not None else None
    chosen = ladder_in(folder, Ladder((FIRST_GAME,), 2), games=games, players=players, seed=seed, limit=limit)
    crew, limits = Crew(jobs, cluster), Limits(rounds, stop_after, pace)
    compile_once(chosen.needs(tuple(bots or ())), cluster)
    keep_playing(folder, chosen, tuple(bots or ()), crew, limits, lambda text: console.print(text, highlight=False, soft_wrap=True))


@app.command("check-bot")
def check_bot(
    bot: Annotated[str, typer.Argument(help="A bot by name, or your own as module:Class or ./program.", autocompletion=complete_bots)],
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


def seat_numbers(text: str | None) -> list[int] | None:
    """The numbers in a list such as `2,4`."""
    if text is None:
        return None
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        raise GameOptionError(f"--players must be a comma-separated list of numbers, such as 2,4, not {text!r}") from None
