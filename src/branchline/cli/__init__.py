"""The `branchline` command: a module for each group of commands; `main` runs them."""

from __future__ import annotations

import os
import sys
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from branchline import __version__
from branchline.cli import admin, boards, connecting, designing, playing, serving, simulating, training, warming  # noqa: F401  # each registers its commands
from branchline.cli.shared import FAILED, INTERRUPTED, NOBODY_READS, WRONG_USAGE, app, console
from branchline.errors import BranchlineError, UsageError

__all__ = ["app", "console", "main"]


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"branchline {__version__}")
        raise typer.Exit


@app.callback()
def branchline(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.", callback=show_version, is_eager=True)] = False,
) -> None:
    """Railway-network board games: play and host them, let bots play them, and make boards and bots of your own."""


def main() -> None:
    """Run a command. Whatever goes wrong is said in one line; a traceback means a bug in Branchline."""
    try:
        code = app(prog_name="branchline", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(code)
    except typer.TyperException as error:
        fail(f"{error.format_message().removesuffix('.') or 'a command is missing'}{where_to_read(error)}", error.exit_code)
    except typer.Abort:
        fail("the input has ended")
    except BranchlineError as error:
        fail(error, WRONG_USAGE if isinstance(error, UsageError) else FAILED)
    except BrokenPipeError:
        end_unread()
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else error)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # which Typer and Rich turn into a failure
            end_unread()
        raise


def end_unread() -> NoReturn:
    """Nobody reads the output any more, as when `head` has its lines: end without a word."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python writes what is left when it ends
    sys.exit(NOBODY_READS)


def where_to_read(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f" (see {context.command_path} --help)" if context else ""


def fail(reason: object, code: int = FAILED) -> NoReturn:
    Console(stderr=True).print(f"branchline: {reason}", style="red", highlight=False, markup=False, soft_wrap=True)
    sys.exit(code)
