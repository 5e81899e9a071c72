"""How kernels are compiled: for a known board, with short code, and kept on disk; or by the public interface of numba-cuda alone."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

from branchline.compiling import rule
from branchline.compiling.fallback import private_parts
from branchline.compiling.sources import cache_folder
from branchline.cuda.loading import supply_row_stack

supply_row_stack()  # before anything of numba-cuda is imported


@cache
def private() -> Any:
    return private_parts("branchline.cuda.numba_cuda_private", cache_folder())


@rule
def given(something):  # type: ignore[no-untyped-def]  # compiled: types come from the call
    return something


def knowing(numbers: dict[str, int]) -> Any:
    """A function for kernels that turns a board's record into a board whose numbers the compiler knows, if it can."""
    return private().knowing(numbers) if private() else given


def short_code() -> AbstractContextManager[None]:
    """In force while a kernel of ours is compiled."""
    return private().short_code() if private() else nullcontext()


def keep(kernel: Any, made_for: str) -> None:
    """Keep a kernel on disk. What it was made for tells it apart from others."""
    if private():
        private().keep(kernel, made_for)


def launch(kernel: Any, threads: int, block: int, *arguments: Any) -> None:
    """Run a kernel with at least that many threads. Its first launch compiles it, or loads what was compiled before."""
    with short_code():
        kernel[(threads + block - 1) // block, block](*arguments)
