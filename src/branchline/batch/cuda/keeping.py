"""Compiled kernels are kept on disk beside the compiled rules: building one takes up to two minutes, loading it a moment."""

from __future__ import annotations

import hashlib
import os
import pickle
from importlib.metadata import version
from typing import Any

from branchline.compiling.sources import PACKAGE, cache_folder, hash_of

# As this process was started: an edit while a kernel is built belongs to the next one.
FOLDER, MADE_BY = cache_folder(), hash_of(sorted(PACKAGE.glob("batch/cuda/*.py")))


class KeptKernels:
    """Where a dispatcher of numba-cuda looks for its kernels before it compiles one, and leaves it after that.

    Numba's own cache would not notice a change in a function that a kernel calls; this one is in the folder named by all compiled
    sources, and its files by how kernels are made, and for what.
    """

    def __init__(self, made_for: str) -> None:
        self._made_for = f"{made_for} {MADE_BY} {version('numba')} {version('numba-cuda')}"

    def _file(self, signature: Any) -> Any:
        from numba import cuda

        name = f"{self._made_for} {signature} {cuda.get_current_device().compute_capability}"
        return FOLDER / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.kernel"

    def load_overload(self, signature: Any, _: Any) -> Any:
        try:
            return pickle.loads(self._file(signature).read_bytes())
        except Exception:  # not there, or half of it, or of another Numba: it is made anew
            return None

    def save_overload(self, signature: Any, kernel: Any) -> None:
        file = self._file(signature)
        part = file.with_suffix(f".{os.getpid()}")
        part.write_bytes(pickle.dumps(kernel))
        part.replace(file)
