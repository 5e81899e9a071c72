"""A GPU of Python: what `GpuBatch` asks of numba-cuda, so that its code and its kernels run without a device. The games must be those of `Batch`.

BRANCHLINE_MODE=plain python -m tests.cuda.device
"""

import operator
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np

from branchline.batch import Batch
from branchline.cuda import batches, compiling, slot_kernels
from branchline.cuda.compiled import steps
from branchline.play.observations.compiled import observing_tickets
from branchline.rules.state import STATE
from tests.conftest import SOAK

GAMES, STEPS = 3, 40 if SOAK else 8
ALONE = 300 if SOAK else 64  # steps in which all seats are ours: some games end
LANES_OF_A_BLOCK = 32  # of a kernel with a thread per slot: most have nothing to do
PATIENCE = 30  # seconds until threads stop waiting for one that never comes


class DeviceArray(np.ndarray):
    __cuda_array_interface__ = property(lambda array: array.__array_interface__)

    def copy_to_host(self):
        return np.array(self)

    def copy_to_device(self, array):
        self[...] = array

    def is_c_contiguous(self):
        return self.flags.c_contiguous


def to_device(array):
    return np.array(array).view(DeviceArray)


class Block:
    """What the threads of a block share; those of a line are a warp."""

    def __init__(self, threads):
        self.threads, self._arrays, self._lock = threads, {}, threading.Lock()
        self.barrier, self._said = threading.Barrier(threads[0] * threads[1]), []
        self.warps = [threading.Barrier(threads[0]) for _ in range(threads[1])]

    def array(self, number, shape, kind):
        with self._lock:
            return self._arrays.setdefault(number, np.zeros(shape, kind))

    def any_says(self, mine):
        self._said.append(bool(mine))
        self.barrier.wait(PATIENCE)
        said = any(self._said)
        self.barrier.wait(PATIENCE)
        self._said.clear()
        self.barrier.wait(PATIENCE)
        return said

    def abort(self):
        for barrier in (self.barrier, *self.warps):
            barrier.abort()


class Device:
    """The threads of a block run beside each other, one block after the other."""

    def __init__(self):
        self._here, self._lock = threading.local(), threading.Lock()
        self.local = SimpleNamespace(array=lambda shape, kind: np.zeros(shape, plain(kind)))
        self.shared = SimpleNamespace(array=self._shared)
        self.atomic = SimpleNamespace(min=lambda *given: self._change(min, *given), add=lambda *given: self._change(operator.add, *given))
        self.libdevice = SimpleNamespace(float_as_int=lambda number: int(np.float32(number).view(np.int32)))
        self.to_device, self.as_cuda_array = to_device, lambda array: array
        self.synchronize, self.default_stream = lambda: None, lambda: 0

    threadIdx, blockIdx, blockDim, gridDim = (  # noqa: N815  # CUDA's names
        property(lambda device, name=name: getattr(device._here, name)) for name in ("thread", "place", "width", "blocks")
    )

    def _shared(self, shape, kind):
        self._here.arrays += 1
        return self._here.block.array(self._here.arrays, shape, plain(kind))

    def _change(self, how, array, place, number):
        with self._lock:
            before = array[place]
            array[place] = how(before, number)
            return before

    def device_array(self, shape, kind, order="C"):
        array = np.zeros(shape, kind, order)
        array.view(np.uint8)[...] = 77  # whatever was there before
        return array.view(DeviceArray)

    def grid(self, _):
        return self._here.place.x * self._here.width.x + self._here.thread.x

    def syncthreads(self):
        self._here.block.barrier.wait(PATIENCE)

    def syncthreads_or(self, mine):
        return self._here.block.any_says(mine)

    def meet(self):
        if hasattr(self._here, "block"):  # the batch on the CPU meets nobody
            self._here.block.warps[self._here.thread.y].wait(PATIENCE)

    def jit(self, function=None, **_):
        return Kernel(self, function) if function else self.jit

    def run(self, function, arguments, blocks, place, thread, block):
        self._here.blocks, self._here.place, self._here.thread, self._here.block = SimpleNamespace(x=blocks), place, thread, block
        self._here.width, self._here.arrays = SimpleNamespace(x=block.threads[0]), 0
        try:
            function(*arguments)
        except BaseException:
            block.abort()
            raise


class Kernel:
    def __init__(self, device, function):
        self._device, self._function = device, function

    def __getitem__(self, configuration):
        blocks, threads, _ = configuration
        threads = threads if isinstance(threads, tuple) else (min(threads, LANES_OF_A_BLOCK), 1)
        return lambda *arguments: self._launch(blocks, threads, arguments)

    def _launch(self, blocks, threads, arguments):
        for number in range(blocks):
            block, place = Block(threads), SimpleNamespace(x=number)
            lanes = [SimpleNamespace(x=x, y=y) for y in range(threads[1]) for x in range(threads[0])]
            with ThreadPoolExecutor(len(lanes)) as pool:
                for one in [pool.submit(self._device.run, self._function, arguments, blocks, place, lane, block) for lane in lanes]:
                    one.result()


def plain(kind):
    return kind if isinstance(kind, np.dtype) else str(kind)


def install():
    device = Device()
    slot_kernels.load_cuda = batches.load_cuda = lambda: device
    slot_kernels.knowing, slot_kernels.keep = (lambda _: lambda board: board), lambda *_: None
    slot_kernels.from_dtype = lambda kind: kind
    slot_kernels.meet = observing_tickets.meet = device.meet
    steps.cuda = device
    compiling.short_code = nullcontext


def same(on_gpu, on_cpu):
    there = on_gpu.save()
    for name, array in on_cpu.save().items():
        assert there[name].tobytes() == array.tobytes(), name


def main():
    install()
    alone = [cls("london", GAMES, 2, device="cuda" if cls is not Batch else "cpu", seed=3) for cls in (batches.GpuBatch, Batch)]
    for step in range(ALONE):
        for batch in alone:
            batch.step(batch.sample(), check=step % 2 == 0)
            batch.reset([2]) if step == 3 else None
        same(*alone)
    assert alone[0].observe().tobytes() == alone[1].observe().tobytes()
    options = {"seed": 1, "packed": True, "opponents": [None, "greedy"]}
    on_gpu, on_cpu = batches.GpuBatch("london", GAMES, 2, device="cuda", **options), Batch("london", GAMES, 2, **options)
    for step in range(STEPS):
        on_gpu.step(on_gpu.sample(), check=step % 2 == 0)
        on_cpu.step(on_cpu.sample())
        if step == 5:
            for batch in (on_gpu, on_cpu):
                batch.reset([1], [7])
                batch.reset([2])
        same(on_gpu, on_cpu)
    assert on_gpu.ask("greedy").tolist() == on_cpu.ask("greedy").tolist()
    for name, seat in (("observe", ()), ("observe_final", ()), ("observe_seat", (1,))):
        rows, others = getattr(on_gpu, name)(*seat), getattr(on_cpu, name)(*seat)
        assert rows.tobytes() == others.tobytes(), name
    halves = batches.GpuBatch("london", GAMES, 2, device="cuda", seed=1, packed=True, dtype="bfloat16", pad=16)
    size = halves.observation_size
    halves.normalise(np.full(size, 0.25), np.full(size, 0.5))
    rows = (halves.observe().view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    expected = (Batch("london", GAMES, 2, seed=1, packed=True).observe() - 0.25) / 0.5
    assert np.allclose(rows[:, :size], expected, rtol=2**-8)
    assert not rows[:, size:].any()
    same(on_gpu.copy(), on_cpu)
    assert on_gpu.state(1) == on_cpu.state(1)
    print(STATE.itemsize, on_cpu.states["turn"].sum())


if __name__ == "__main__":
    main()
