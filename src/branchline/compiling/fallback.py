"""Two ways to compile: with private parts of Numba, or by its public interface alone, which takes longer and gives the same games.

`BRANCHLINE_NUMBA=public` asks for the public interface. It is also used, with one warning, for a version that was not tested, and if the private
parts fail a short trial.
"""

from __future__ import annotations

import os
import warnings
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from branchline.compiling.sources import WAY_VARIABLE, WAYS


def private_parts(module: str, folder: Path) -> Any:
    """A module over a package's private parts, or None if only the public interface is to be used. What worked once is not tried again."""
    if way() == "public":
        return None
    try:
        found = import_module(module)
        check_version(found.PACKAGE, found.TESTED)
        if not mark(folder, module, "works").exists():
            found.try_out()
            mark(folder, module, "works").touch()
    except Exception as error:
        warn_once(error, mark(folder, module, "fails"))
        return None
    return found


def warn_once(error: Exception, told: Path) -> None:
    """Later starts, and the processes that this one starts, find the mark and keep quiet. They try again all the same: failures may pass."""
    if told.exists():
        return
    warnings.warn(
        f"{error}: compiling by the public interface alone, which takes longer (BRANCHLINE_NUMBA=public does so without this warning)",
        RuntimeWarning,
        stacklevel=3,
    )
    told.touch()


def mark(folder: Path, module: str, outcome: str) -> Path:
    """The file that says how a module fared with the versions that are installed."""
    return folder / "-".join((module.rpartition(".")[2], *map(installed, ("numba", "numba-cuda", "llvmlite")), outcome))


def installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def way() -> str:
    chosen = os.environ.get(WAY_VARIABLE, "private")
    if chosen not in WAYS:
        raise ImportError(f"{WAY_VARIABLE} is {chosen!r}; set it to 'public' or 'private', or leave it unset for 'private'")
    return chosen


def check_version(package: str, tested: tuple[str, str]) -> None:
    found = version(package)
    if not numbers(tested[0]) <= numbers(found) <= numbers(tested[1]):
        raise RuntimeError(f"{package} {found} was not tested, only {tested[0]} to {tested[1]}")


def numbers(text: str) -> tuple[int, ...]:
    """The first two numbers of a version: 0.68.1 is a 0.68."""
    return tuple(int(part) for part in text.split(".")[:2])
