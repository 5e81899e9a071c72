"""`branchline connect`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from branchline.cli.shared import app, complete_bots, complete_games, console, game_names
from branchline.errors import from_extra


@app.command()
def connect(
    url: Annotated[str, typer.Argument(help="A server, such as http://127.0.0.1:8000, or the link of one of its tables.")],
    bot: Annotated[str, typer.Argument(help="A bot by name, your own as module:Class, or a program such as ./my_bot.", autocompletion=complete_bots)],
    name: Annotated[str | None, typer.Option(help="What the bot is called at the table.", show_default="its own name")] = None,
    game: Annotated[str, typer.Option(help="At open tables: which games, comma-separated, or all.", autocompletion=complete_games)] = "all",
    tables: Annotated[int, typer.Option(min=1, max=50, help="At open tables: how many at once.")] = 4,
    limit: Annotated[float, typer.Option(min=0.001, help="Seconds per decision.")] = 10.0,
    seed: Annotated[int | None, typer.Option(help="Seed for the bot's own chance.", show_default="another for each game")] = None,
    stay: Annotated[float, typer.Option(min=0, help="Seconds to wait for a rematch after a game.")] = 60.0,
    key_file: Annotated[Path | None, typer.Option(help="File for the key to the bot's seats, so that it can return after a restart.")] = None,
) -> None:
    """Take a bot to the tables of a server, where it plays with people and other bots."""
    from branchline.batch.warm import for_bots
    from branchline.bots.connect.addresses import read_address
    from branchline.cli.shared import compile_once

    with from_extra("connect", "branchline connect"):
        from branchline.bots.connect.command import Wishes
        from branchline.bots.connect.command import connect as run

    address = read_address(url)
    compile_once(for_bots([bot]))
    games = () if game == "all" else tuple(game_names(game))
    wishes = Wishes(bot, name, seed, limit, tables, games, stay)
    run(address, key_file, wishes, lambda text: console.print(text, highlight=False, markup=False, soft_wrap=True))
