"""Where the boards are: a folder of data for each. Branchline brings some, beside this file; others are yours, or come with a package.

The boards beside this file have their texts in `words/`. Those in `further/` bring everything in their folders, as yours do, and are found like them.
A board of your own is named by its path (`Game("./my_board")`), or its folder, or one that holds several, stands in BRANCHLINE_BOARDS. A package
names the one that it brings as an entry point of the group `branchline.boards`. Whatever the way, a board is called what its `board.toml` says.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from branchline.boards.model import BoardError, UnknownBoard

VARIABLE = "BRANCHLINE_BOARDS"
GROUP = "branchline.boards"
FURTHER = "further"
FILE = "board.toml"
BEGIN = "`branchline board new FOLDER` makes one to begin with"

Function = TypeVar("Function", bound=Callable[..., Any])
_kept: list[Any] = []


def kept_per_board(function: Function) -> Function:
    """Like `functools.cache`, until the files of a board change."""
    return also_forgotten(cache(function))  # type: ignore[return-value]


def also_forgotten(kept: Function) -> Function:
    """Clear this cache, too, when the files of a board change."""
    _kept.append(kept)
    return kept


def forget_boards() -> None:
    """Read everything again: the files of a board have changed."""
    for kept in _kept:
        kept.cache_clear()


def boards_folder() -> Traversable:
    return files("branchline.boards")


@kept_per_board
def shipped_boards() -> tuple[str, ...]:
    """The games whose texts and networks come with Branchline, too."""
    folders = boards_folder().iterdir()
    return tuple(sorted(folder.name.replace("_", "-") for folder in folders if (folder / FILE).is_file()))


def is_shipped(game: str) -> bool:
    return game in shipped_boards()


@kept_per_board
def further_boards() -> dict[str, Path]:
    """The folders in `further/`, by game."""
    folder = Path(str(boards_folder())).resolve() / FURTHER
    return {one.name.replace("_", "-"): one for one in sorted(folder.iterdir()) if (one / FILE).is_file()}


def packed_boards() -> tuple[str, ...]:
    """The games that are part of the package, so that every installation has them."""
    return tuple(sorted((*shipped_boards(), *further_boards())))


def is_packed(game: str) -> bool:
    return game in packed_boards()


def available_boards() -> tuple[str, ...]:
    """The games that come with Branchline, and those from outside."""
    return tuple(sorted((*shipped_boards(), *own_boards())))


def is_available(game: str) -> bool:
    """A board from outside that cannot be read keeps nobody from the others."""
    return is_packed(game) or game in own_boards()


def board_folder(game: str) -> Traversable:
    if game in further_boards():  # what BRANCHLINE_BOARDS names may be broken, and our own boards are there all the same
        return further_boards()[game]
    if not is_shipped(game) and game in (own := own_boards()):
        return own[game]
    return boards_folder() / game.replace("-", "_")


def own_boards() -> dict[str, Traversable]:
    """The folders of the boards from outside, by game; those in `further/` are among them."""
    return {**_own_boards(os.environ.get(VARIABLE, "")), **_copies}


@kept_per_board
def _own_boards(named: str) -> dict[str, Traversable]:
    found: dict[str, Traversable] = {**further_boards()}
    for folder in (*packaged_folders(), *named_folders(named)):
        game = game_in(folder)
        taken = "a board that comes with Branchline" if is_packed(game) else f"the board in {found[game]}" if game in found else ""
        if taken and str(found.get(game)) != str(folder):
            raise BoardError(f"{folder}/{FILE}", f"the game is called {game!r}, as is {taken}: give it another name in `game`")
        found[game] = folder
    return found


def packaged_folders() -> Iterator[Traversable]:
    for point in entry_points(group=GROUP):
        yield from folders_in(package_of(point), f"the entry point {point.name} ({point.value}) of {GROUP}")


def package_of(point: EntryPoint) -> Traversable:
    try:
        return files(import_module(point.module))
    except Exception as error:  # whatever that package does
        raise BoardError(f"{GROUP}: {point.name} = {point.value}", f"cannot be imported ({error}): reinstall or remove that package") from None


def named_folders(named: str) -> Iterator[Path]:
    for path in filter(None, named.split(os.pathsep)):
        yield from folders_in(Path(path).expanduser().resolve(), f"{path}, which {VARIABLE} or --boards names,")


def folders_in(folder: Any, who: str) -> Iterator[Any]:
    """The folder itself, or those in it, if they hold a board."""
    if (folder / FILE).is_file():
        yield folder
        return
    inside = sorted((one for one in folder.iterdir() if (one / FILE).is_file()), key=lambda one: one.name) if folder.is_dir() else []
    if not inside:
        raise UnknownBoard(str(folder), f"{who} has no {FILE}, nor has a folder in it: {BEGIN}")
    yield from inside


def game_in(folder: Traversable) -> str:
    """What the board in a folder is called; the loader checks everything else."""
    try:
        game = tomllib.loads((folder / FILE).read_text(encoding="utf-8-sig")).get("game")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BoardError(f"{folder}/{FILE}", f"cannot be read ({error}): see `branchline board check {folder}`") from None
    if not isinstance(game, str) or not game:
        raise BoardError(f"{folder}/{FILE}", f"has no name: write one in its first line, such as game = {folder.name.lower().replace('_', '-')!r}")
    return game


def is_path(name: str) -> bool:
    """Does it name a folder rather than a game? A game that is known already is not taken for a folder that happens to be called like it."""
    if name in shipped_boards() or "/" in name or os.sep in name or name.startswith((".", "~")):
        return name not in shipped_boards()
    return (Path(name) / FILE).is_file() and own_boards().get(name, here := Path(name).resolve()) == here


def add_board(path: str | Path) -> str:
    """Make the board in a folder known to this process and those it starts; returns what it is called. Changed files are read again."""
    folder = folder_of_board(path)
    if folder.parent == Path(str(boards_folder())).resolve():
        return folder.name.replace("_", "-")
    read_changes(folder)
    if folder not in _own_boards(os.environ.get(VARIABLE, "")).values():
        use_folders([str(folder)])
    return next(game for game, one in _own_boards(os.environ.get(VARIABLE, "")).items() if one == folder)


def folder_of_board(path: str | Path) -> Path:
    folder = Path(path).expanduser().resolve()
    if not (folder / FILE).is_file():
        raise UnknownBoard(str(path), no_board_in(folder))
    return folder


def no_board_in(path: Path) -> str:
    """Why there is no board, and what to do."""
    if path.is_file():
        return f"is a file: name the folder that holds the board, here {path.parent}" if path.name == FILE else "is a file, and a board is a folder"
    return f"{f'has no {FILE}' if path.is_dir() else 'there is no such folder'}: {BEGIN}"


def use_folders(paths: list[str]) -> None:
    """Add folders to those named in the environment, where processes that this one starts find them too."""
    wanted = [str(Path(path).expanduser().resolve()) for path in paths]
    there = [path for path in os.environ.get(VARIABLE, "").split(os.pathsep) if path]
    before, os.environ[VARIABLE] = os.environ.get(VARIABLE), os.pathsep.join(dict.fromkeys([*there, *wanted]))
    try:
        own_boards()
    except BoardError:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
        raise


_copies: dict[str, Path] = {}  # boards that are called like another, by the names that this process gives them


def add_copies(paths: list[str]) -> list[str]:
    """Make boards known that may be called like others, as a copy is with one number changed: only to compare them, and in this process alone."""
    return [add_copy(folder) for path in paths for folder in folders_in(Path(path).expanduser().resolve(), path)]


def add_copy(folder: Path) -> str:
    """What the board is called here: with a number at the end if another has its name."""
    game = game_in(folder)
    known = board_folder(game) if game in available_boards() else folder
    if Path(str(known)).resolve() == folder:
        return add_board(folder)
    read_changes(folder)
    if folder not in _copies.values():
        free = next(name for number in count(2) if (name := f"{game}-{number}") not in available_boards())
        _copies[free] = folder
        forget_boards()
    return next(name for name, one in _copies.items() if one == folder)


def copies_of(game: str) -> list[str]:
    """The boards of that name that go by another here."""
    return [name for name, folder in _copies.items() if game_in(folder) == game]


def is_copy(game: str) -> bool:
    return game in _copies


_seen: dict[Path, dict[str, tuple[int, int]]] = {}


def read_changes(folder: Path) -> None:
    """If files have changed since the board was read, read everything again."""
    if _seen.get(folder) != (now := state_of(folder)):
        _seen[folder] = now
        forget_boards()


def state_of(folder: Path) -> dict[str, tuple[int, int]]:
    """When each file was changed, and its size."""
    return {str(file): (facts.st_mtime_ns, facts.st_size) for file in sorted(folder.rglob("*")) if file.is_file() and (facts := file.stat())}
