"""What travels to the workers: your own bots and statistics with the files next to them that they import, boards from outside, a network."""

from __future__ import annotations

import ast
import hashlib
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

from branchline.boards.folders import board_folder, is_packed
from branchline.bots.networks import VARIABLE as NETWORK
from branchline.bots.processes.commands import is_program
from branchline.cluster.failures import ClusterOptionError
from branchline.compiling.sources import PACKAGE

CODE, BOARDS, STATISTICS, NETWORK_FILE = "code", "boards", "statistics", "learned.net"
MOST = 64 << 20  # bytes; what is larger is better installed


@dataclass(frozen=True)
class Parcel:
    """Files by their place: modules in `code/`, a board in `boards/NAME/`, each file of statistics in a folder of its own."""

    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Nothing to carry has the digest ''."""
        digest = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
        return digest.hexdigest()[:16] if self.files else ""


def packed(bots: Iterable[str], games: Iterable[str], statistics: Iterable[Path] = ()) -> Parcel:
    """All that these bots, boards and statistics need and a worker does not have."""
    files: dict[str, bytes] = {}
    for bot in dict.fromkeys(bots):
        files |= {f"{CODE}/{place}": content for place, content in code_of(bot).items()}
    for number, file in enumerate(statistics):
        files |= {f"{STATISTICS}{number}/{place}": content for place, content in beside(file.resolve().parent, file.stem).items()}
    for game in dict.fromkeys(games):
        files |= board_files(game)
    if named := os.environ.get(NETWORK):
        files[NETWORK_FILE] = Path(named).read_bytes()
    check_size(files)
    return Parcel(files)


def statistics_places(statistics: Iterable[Path]) -> tuple[str, ...]:
    """Where `packed` puts them."""
    return tuple(f"{STATISTICS}{number}/{file.name}" for number, file in enumerate(statistics))


def check_size(files: dict[str, bytes]) -> None:
    if (size := sum(map(len, files.values()))) > MOST:
        raise ClusterOptionError(f"{size >> 20} MB of your own files are too much to send: install them as a package on every worker")


def code_of(bot: str) -> dict[str, bytes]:
    """The files behind `module:Class`; none for a bot that comes with Branchline or with an installed package."""
    if is_program(bot):
        if not Path(bot.split(maxsplit=1)[0]).is_absolute():
            raise ClusterOptionError(
                f"the bot {bot!r} is a program, which does not travel: put it in the same place on every worker and give its whole path, "
                "or play without --cluster"
            )
        return {}
    module, colon, _ = bot.partition(":")
    return beside(folder, module.partition(".")[0]) if colon and (folder := folder_of(module)) else {}


def folder_of(module: str) -> Path | None:
    """The folder in which a module is found, unless it is installed."""
    name = module.partition(".")[0]
    found = find_spec(name)
    if found is None or found.origin is None:
        check_not_namespace(name, found)
        return None
    file = Path(found.origin).resolve()
    folder = file.parent.parent if found.submodule_search_locations else file.parent
    return None if is_installed(folder) else folder


def check_not_namespace(name: str, found: ModuleSpec | None) -> None:
    """A package without `__init__.py` may be spread over several folders, so nobody knows what would have to travel."""
    folders = [Path(folder).resolve() for folder in (found and found.submodule_search_locations) or ()]
    if folders and not all(is_installed(folder.parent) for folder in folders):
        raise ClusterOptionError(
            f"{name} is a package without __init__.py, which does not travel: add an empty {folders[0] / '__init__.py'}, "
            "or install it on every machine"
        )


def is_installed(folder: Path) -> bool:
    places = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    return folder == PACKAGE.parent or any(folder.is_relative_to(Path(place).resolve()) for place in places)


def beside(folder: Path, name: str) -> dict[str, bytes]:
    """A module or package of a folder, and those next to it that it imports, by their place in the folder."""
    found: dict[str, bytes] = {}
    wanted = [name]
    while wanted:
        for file in files_of(folder, wanted.pop()):
            place = file.relative_to(folder).as_posix()
            if place not in found:
                found[place] = file.read_bytes()
                wanted += (one for one in imported_by(file) if one not in sys.stdlib_module_names)
    return found


def files_of(folder: Path, name: str) -> list[Path]:
    alone, package = folder / f"{name}.py", folder / name
    return sorted(package.rglob("*.py")) if (package / "__init__.py").is_file() else [alone] if alone.is_file() else []


def imported_by(file: Path) -> Iterator[str]:
    """The first parts of the names of what a file imports. A package travels whole, so that imports within it need no search."""
    for node in ast.walk(ast.parse(file.read_bytes(), str(file))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def board_files(game: str) -> dict[str, bytes]:
    if is_packed(game):
        return {}
    folder = Path(str(board_folder(game)))
    return {f"{BOARDS}/{game}/{file.relative_to(folder).as_posix()}": file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}
