"""The way to the GPU: numba-cuda, if it is installed and there is a CUDA device."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from branchline.compiling import MODE
from branchline.errors import BranchlineError


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
    supply_row_stack()
    try:
        from numba import config, cuda
    except ImportError as error:
        raise NoGpuError(f"numba-cuda cannot be loaded ({error}): install branchline[gpu], or use the CPU (--device cpu, device='cpu')") from None
    if not cuda.is_available():
        raise NoGpuError("no CUDA device was found: use the CPU (--device cpu, device='cpu')")
    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a batch has as many games as somebody wants, few or many
    return cuda
