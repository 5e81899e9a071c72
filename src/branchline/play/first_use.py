"""The first use of compiled code: if what a program needs is not compiled yet, everything that it may need later is compiled as well, once.

Whoever plays a game in Python may want bots and batches next, and should not wait again for each of them.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from branchline.compiling import MODE
from branchline.compiling.fallback import way


@cache
def compile_first(*parts: str) -> None:
    """See that these parts (`batch/warm.py`) are compiled before they are used, and show how far that is.

    The public interface of Numba takes so long that it only compiles what is used.
    """
    if MODE == "compiled" and way() == "private":
        import_module("branchline.batch.warm").compile_all_unless(parts)  # by name: it is in a higher layer
