"""`branchline admin`: commands for people who run a server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from branchline.cli.shared import FAILED, GAMES, app, compile_once, complete_games, console, game_names
from branchline.errors import UsageError, from_extra
from branchline.server.settings import Settings, declared

admin = typer.Typer(no_args_is_help=True)
app.add_typer(admin, name="admin")
BY_NAME = {one.name: one for one in declared()}
DatabaseUrl = Annotated[str, typer.Option(envvar=BY_NAME["database_url"].variable, help="The server's database.")]
KeyFile = Annotated[str, typer.Option(envvar=BY_NAME["key_file"].variable, help="The server's key.", show_default="where serve has it")]
TableName = Annotated[str, typer.Argument(metavar="TABLE", help="The table's name, or its link.")]
Network = Annotated[str, typer.Argument(metavar="ADDRESS", help="An address, or a network such as 203.0.113.0/24.")]
DATABASE_URL = Settings.database_url


@admin.callback()
def admin_group() -> None:
    """Look after a server: its tables, blocked addresses, backups. The server may be running."""


@admin.command("tables")
def tables(
    status: Annotated[str | None, typer.Option(help="Only waiting, playing, finished or abandoned tables.")] = None,
    game: Annotated[str | None, typer.Option(help=f"Only one game: {GAMES}.", autocompletion=complete_games)] = None,
    player: Annotated[str | None, typer.Option(help="Only tables where somebody has this in their name.")] = None,
    most: Annotated[int, typer.Option(min=1, help="Most tables to list, newest first.")] = 50,
    database_url: DatabaseUrl = DATABASE_URL,
    key_file: KeyFile = "",
) -> None:
    """List or find tables."""
    from branchline.terminal.operating import print_tables

    work = operating()

    if status is not None and status not in work.STATUSES:
        raise UsageError(f"--status is {', '.join(work.STATUSES)}, not {status!r}")
    found = asyncio.run(work.list_tables(work.Where(database_url, key_file), status, game_names(game)[0] if game else None, player, most))
    print_tables(console, [(one.found.id, one.found.game, one.found.status, one.changed_at, one.entries, one.names) for one in found])


# names of tables may begin with a hyphen
@admin.command("close", context_settings={"ignore_unknown_options": True})
def close(table: TableName, database_url: DatabaseUrl = DATABASE_URL, key_file: KeyFile = "") -> None:
    """End a table for everybody at it. Its log stays."""
    work = operating()

    compile_for_tables()
    asyncio.run(work.close_table(work.Where(database_url, key_file), table))
    console.print("The table is closed.")


@admin.command("export", context_settings={"ignore_unknown_options": True})
def export(
    table: TableName,
    out: Annotated[Path | None, typer.Option(help="File to write.", show_default="standard output")] = None,
    database_url: DatabaseUrl = DATABASE_URL,
    key_file: KeyFile = "",
) -> None:
    """Write the record of a table's game: in full once it is over, before that as a spectator may know it."""
    work = operating()

    compile_for_tables()
    record = asyncio.run(work.export_table(work.Where(database_url, key_file), table))
    if out is None:
        print(record)
    else:
        out.write_text(record, encoding="utf-8")


@admin.command("archive")
def archive(
    after: Annotated[float, typer.Option(min=0.05, help="Only games that ended at least this many days ago; by then every process knows.")] = 1.0,
    keep: Annotated[float, typer.Option(min=0, help="Drop finished games that are older than this many days; 0: none.")] = 0.0,
    keep_abandoned: Annotated[float, typer.Option(min=0, help="The same for abandoned games.")] = 0.0,
    database_url: DatabaseUrl = DATABASE_URL,
    key_file: KeyFile = "",
) -> None:
    """Store games that are over compactly, and drop old ones if you say so. A running server does this by itself, by its own settings."""
    work = operating()

    archived, dropped = asyncio.run(work.archive(work.Where(database_url, key_file), after, keep, keep_abandoned))
    console.print(f"{archived} games stored compactly, {dropped} dropped.", highlight=False)


@admin.command("block")
def block(
    address: Network,
    reason: Annotated[str, typer.Option(help="A note for yourself.")] = "",
    database_url: DatabaseUrl = DATABASE_URL,
    key_file: KeyFile = "",
) -> None:
    """Let nobody in from an address or network. All server processes follow within seconds, and close what is open."""
    work = operating()

    console.print(f"{asyncio.run(work.block(work.Where(database_url, key_file), address, reason))} is blocked.", highlight=False)


@admin.command("unblock")
def unblock(address: Network, database_url: DatabaseUrl = DATABASE_URL, key_file: KeyFile = "") -> None:
    """Let an address or network in again."""
    work = operating()

    console.print(f"{asyncio.run(work.unblock(work.Where(database_url, key_file), address))} is no longer blocked.", highlight=False)


@admin.command("blocked")
def blocked(database_url: DatabaseUrl = DATABASE_URL, key_file: KeyFile = "") -> None:
    """List what is blocked."""
    from branchline.terminal.operating import print_blocked

    work = operating()

    print_blocked(console, [(one.network, one.since, one.reason) for one in asyncio.run(work.blocked(work.Where(database_url, key_file)))])


@admin.command("check-backup")
def check_backup(
    database: Annotated[str, typer.Argument(metavar="DATABASE", help="An SQLite file, or the URL of a PostgreSQL database.")], key_file: KeyFile = ""
) -> None:
    """Check that a database is sound, and that every table in it plays again by its rules. A file is not changed."""
    work = operating()

    compile_for_tables()
    url = database if "://" in database else f"sqlite:///{database}"
    checked = asyncio.run(work.check_backup(work.Where(url, key_file)))
    for problem in checked.problems:
        console.print(problem, highlight=False, soft_wrap=True)
    console.print(f"{checked.tables} tables with {checked.entries} entries, {len(checked.problems)} problems.", highlight=False)
    if checked.problems:
        raise typer.Exit(FAILED)


def operating() -> Any:
    """What the commands do."""
    with from_extra("server", "a server"):
        from branchline.server import admin as work
    return work


def compile_for_tables() -> None:
    from branchline.batch.warm import REPLAY

    compile_once(REPLAY)
