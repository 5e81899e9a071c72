"""Where files are: a path on this machine, or any address that fsspec knows, which `upath` makes look like a path."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from branchline.errors import UsageError, from_extra


class AddressError(UsageError):
    """There is no such kind of address, or a package for it is missing."""


def located(text: str | Path) -> Path:
    """`games.parquet`, or `s3://bucket/games.parquet`."""
    if "://" not in str(text):
        return Path(text)
    with from_extra("report", f"an address such as {text}"):
        from upath import UPath
    try:
        place: Any = UPath(text)
        looked_up(place).exists()
    except ImportError as error:
        raise AddressError(f"{text} needs a package for its kind of address: {error}") from None
    except ValueError as error:
        raise AddressError(f"{text} is not an address: {error}") from None
    return cast(Path, place)


def looked_up(place: Path) -> Path:
    """The same place, to be looked at again: fsspec remembers what it has seen there, and others may have written since."""
    if not is_here(place):
        cast(Any, place).fs.invalidate_cache()
    return place


def is_here(path: Path) -> bool:
    """Is it on this machine?"""
    return isinstance(path, Path)
