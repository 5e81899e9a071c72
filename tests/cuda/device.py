"""A GPU of Python: what `GpuBatch` asks of numba-cuda, so that its code and its kernels run without a device. The games must be those of `Batch`.

BRANCHLINE_MODE=plain python -m tests.cuda.device
"""

import itertools
import threading
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np

from branchline.batch import Batch
from branchline.cuda import batches, compiling, slot_kernels
from branchline.rules.state import STATE

GAMES, STEPS = 3, 12


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


class Device:
    """Threads run one after the other, or, where a kernel shares memory, beside each other."""

    def __init__(self):
        self._here = threading.local()
        self.local = SimpleNamespace(array=lambda shape, kind: np.zeros(shape, kind if isinstance(kind, np.dtype) else str(kind)))
        self.shared = SimpleNamespace(array=lambda *_: self._here.block.shared)
        self.atomic = SimpleNamespace(min=lambda array, place, number: array.__setitem__(place, min(array[place], number)))
        self.libdevice = SimpleNamespace(float_as_int=lambda number: int(np.float32(number).view(np.int32)))
        self.to_device, self.as_cuda_array = to_device, lambda array: array
        self.synchronize, self.default_stream = lambda: None, lambda: 0

    threadIdx, blockIdx = (property(lambda device, name=name: getattr(device._here, name)) for name in ("thread", "place"))  # noqa: N815  # CUDA's names

    def device_array(self, shape, kind, order="C"):
        return np.full(shape, 77, kind, order).view(DeviceArray)  # whatever was there before

    def grid(self, _):
        return self._here.place.x * self._here.width + self._here.thread.x

    def syncthreads(self):
        self._here.block.barrier.wait(30)

    def jit(self, function=None, **_):
        return Kernel(self, function) if function else self.jit

    def run(self, function, arguments, place, thread, width, block):
        self._here.place, self._here.thread, self._here.width, self._here.block = place, thread, width, block
        function(*arguments)


class Kernel:
    def __init__(self, device, function):
        self._device, self._function = device, function

    def __getitem__(self, configuration):
        blocks, threads, _ = configuration
        return lambda *arguments: self._launch(as_pair(blocks), as_pair(threads), arguments)

    def _launch(self, blocks, threads, arguments):
        width = len(arguments[0]) if threads[1] == 1 else threads[0]  # threads without a slot do nothing
        for y, x in itertools.product(range(blocks[1]), range(blocks[0])):
            places = [SimpleNamespace(x=one, y=line) for line in range(threads[1]) for one in range(min(threads[0], max(width, GAMES)))]
            block = SimpleNamespace(shared=np.zeros((32, 33), np.int16), barrier=threading.Barrier(len(places)))
            calls = [(self._function, arguments, SimpleNamespace(x=x, y=y), place, threads[0], block) for place in places]
            if threads[1] == 1:
                for call in calls:
                    self._device.run(*call)
            else:
                beside(self._device.run, calls)


def as_pair(size):
    return size if isinstance(size, tuple) else (size, 1)


def beside(run, calls):
    failures = []

    def one(call):
        try:
            run(*call)
        except BaseException as error:
            failures.append(error)
            call[-1].barrier.abort()

    lanes = [threading.Thread(target=one, args=(call,)) for call in calls]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    if failures:
        raise failures[0]


def install():
    device = Device()
    slot_kernels.load_cuda = batches.load_cuda = lambda: device
    slot_kernels.knowing, slot_kernels.keep = (lambda _: lambda board: board), lambda *_: None
    slot_kernels.from_dtype = lambda kind: kind
    compiling.short_code = nullcontext


def same(on_gpu, on_cpu):
    there = on_gpu.save()
    for name, array in on_cpu.save().items():
        assert there[name].tobytes() == array.tobytes(), name


def main():
    install()
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
