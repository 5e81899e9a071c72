"""The way to the GPU: numba-cuda, if it is installed and there is a CUDA device."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from branchline.compiling import MODE
from branchline.errors import BranchlineError, missing_package

OR_THE_CPU = "or use the CPU (--device cpu, device='cpu')"


class NoGpuError(BranchlineError):
    """There is no CUDA device, or nothing to drive it with."""


def supply_row_stack() -> None:
    """numba-cuda expects it of NumPy, which dropped it in 2.5."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack


@cache
def load_cuda() -> Any:
    if MODE != "compiled":
        raise NoGpuError("the GPU runs compiled rules: unset BRANCHLINE_MODE or set it to 'compiled'")
    if find_spec("numba_cuda") is None:  # Numba's own way to the GPU is an older one
        raise NoGpuError(f"{missing_package('a GPU', 'numba_cuda', 'gpu')}; {OR_THE_CPU}")
    supply_row_stack()
    try:
        from numba import config, cuda
    except ImportError as error:
        raise NoGpuError(f"numba-cuda cannot be loaded: {error}; reinstall it, {OR_THE_CPU}") from None
    if not cuda.is_available():
        raise NoGpuError(f"no CUDA device was found: check nvidia-smi, {OR_THE_CPU}")
    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a batch has as many games as somebody wants, few or many
    return cuda
