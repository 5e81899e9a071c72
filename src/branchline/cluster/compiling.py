"""Compiling on a machine with many workers: one of them does it, and the others wait for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from branchline.batch.warm import is_warm, warm
from branchline.compiling.sources import cache_folder

LOCK = "compiling.lock"


def compiled_once(needs: Iterable[str]) -> None:
    """See that this is compiled (`batch/warm.py`), by whoever comes first."""
    wanted = tuple(needs)
    if not is_warm(wanted):
        with one_at_a_time():
            warm(wanted)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Among all processes of this machine. The lock goes with its process, however that ends; Windows has none, and compiles several times."""
    try:
        import fcntl
    except ModuleNotFoundError:
        yield
        return
    cache_folder().mkdir(parents=True, exist_ok=True)
    with (cache_folder() / LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
