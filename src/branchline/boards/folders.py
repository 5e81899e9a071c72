"""Where the boards are: a folder of data for each, beside this file."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable


def boards_folder() -> Traversable:
    return files("branchline.boards")


def board_folder(game: str) -> Traversable:
    return boards_folder() / game.replace("-", "_")


@cache
def available_boards() -> tuple[str, ...]:
    """The games that come with Branchline."""
    folders = boards_folder().iterdir()
    return tuple(sorted(folder.name.replace("_", "-") for folder in folders if (folder / "board.toml").is_file()))
