"""`branchline serve`, with an option for every setting of a server."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from branchline.cli.shared import app
from branchline.errors import UsageError, from_extra
from branchline.server.settings import Declared, Settings, declared


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
    gc.disable()  # importing makes many objects and no garbage: looking for it would take a sixth of the time until the first page
    with from_extra("server", "a server"):
        from branchline.server.serving import serve as run

    gc.freeze()  # all of them stay
    gc.enable()

    chosen: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in settings.items()}
    run(Settings(**chosen), host, port, checked_level(log_level), open_page)


def checked_level(log_level: str) -> str:
    from branchline.server.logs import LEVELS

    if log_level not in LEVELS:
        raise UsageError(f"--log-level is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}, not {log_level!r}")
    return log_level
