"""`branchline warm`: compile ahead."""

from __future__ import annotations

from typing import Annotated

import typer

from branchline.cli.shared import app, console
from branchline.errors import UsageError, did_you_mean


@app.command()
def warm(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="WHAT", help="For what: replay, play, arena or batches.", show_default="batches, which is everything"),
    ] = None,
) -> None:
    """Compile the rules and bots now, so that nothing waits for it later. Once for each version; everything takes a minute or two."""
    from branchline.batch.warm import NEEDS, is_warm, warm_and_show

    names = what or ["batches"]
    for name in names:
        if name not in NEEDS:
            raise UsageError(f"there is nothing called {name!r} to compile: choose from {', '.join(NEEDS)}{did_you_mean(name, NEEDS)}")
    needs = [part for name in names for part in NEEDS[name]]
    if is_warm(needs):
        console.print("Everything is compiled already.")
        return
    warm_and_show(needs)
    console.print("Everything is compiled.")
