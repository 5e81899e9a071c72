"""The third speed: the same rules on an NVIDIA GPU, one game per thread. Needs the extra `gpu` and a CUDA device.

`scripts/check_gpu.py` shows on a GPU that it plays the games of the CPU, byte for byte.
"""

from branchline.cuda.batches import GpuBatch
from branchline.cuda.loading import NoGpuError, load_cuda
from branchline.cuda.player import GpuPlayer

__all__ = ["GpuBatch", "GpuPlayer", "NoGpuError", "load_cuda"]
