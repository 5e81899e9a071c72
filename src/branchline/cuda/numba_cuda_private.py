"""Everything in Branchline that touches private parts of numba-cuda. They make kernels fast; the games are the same without them.

A GPU's cores wait for instructions when the code of a kernel does not fit their caches, so it must be short. For random play on a large board,
the following cut it from 148,000 instructions to 10,000 (benchmarks/results.md):
- a board whose numbers the compiler knows (`KnownBoard`): what it does not have needs no code;
- while a kernel is compiled (`short_code`), a rule that several others call is called, not copied into each of them (`@rule(on_gpu="called")`);
- loops stay loops (`unrolling.py`), except those over a few words (`@rule(on_gpu="unrolled")`);
- no index counts from the end of an array, so none is tested for it;
- a thread's own memory is not filled with zeros first;
- arguments are widened to 64 bits, as on the CPU: a rule is compiled once, not for each mix of sizes.

And kernels are kept on disk. If this file cannot be used (`compiling/fallback.py`), kernels are compiled by the public interface alone.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from threading import RLock
from typing import Any

from llvmlite import ir
from numba import cuda, from_dtype, types
from numba.cuda import cgutils, codegen, dispatcher
from numba.cuda.cudadecl import registry as typing_registry
from numba.cuda.cudaimpl import registry as lowering_registry
from numba.cuda.extending import intrinsic, models, register_model
from numba.cuda.np import arrayobj
from numba.cuda.typing.templates import AttributeTemplate

from branchline.compiling import rule
from branchline.compiling.numba_private import wide
from branchline.compiling.sources import PACKAGE as OUR_FILES
from branchline.compiling.sources import cache_folder, hash_of
from branchline.cuda.unrolling import keep_loops
from branchline.rules.board import BOARD

PACKAGE, TESTED = "numba-cuda", ("0.30", "0.30")  # the first and the last version that scripts/check_gpu.py has passed with


class KnownBoard(types.Type):  # type: ignore[misc]  # Numba is untyped
    """To the rules a board like any other: the same names; numbers come as constants, and arrays from the board's record."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self.record, self.numbers = from_dtype(BOARD), numbers
        super().__init__(f"KnownBoard({','.join(f'{name}={number}' for name, number in numbers.items())})")


@register_model(KnownBoard)
class KnownBoardModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, board: KnownBoard) -> None:
        super().__init__(manager, board, [("record", board.record)])


@typing_registry.register_attr
class KnownBoardAttribute(AttributeTemplate):  # type: ignore[misc]
    key = KnownBoard

    def generic_resolve(self, board: KnownBoard, name: str) -> Any:
        return board.record.typeof(name) if name in board.record.fields else None


@lowering_registry.lower_getattr_generic(KnownBoard)  # type: ignore[untyped-decorator]
def attribute(context: Any, builder: Any, board: KnownBoard, value: Any, name: str) -> Any:
    if name in board.numbers:
        return context.get_constant(board.record.typeof(name), board.numbers[name])
    record = cgutils.create_struct_proxy(board)(context, builder, value=value).record
    return context.get_getattr(board.record, name)(context, builder, board.record, record, name)


def knowing(numbers: dict[str, int]) -> Any:
    """A function for kernels that turns a board's record into a board whose numbers the compiler knows."""
    known = KnownBoard(numbers)

    @intrinsic  # type: ignore[untyped-decorator]
    def know(_: Any, record: Any) -> Any:
        def generate(context: Any, builder: Any, __: Any, arguments: Any) -> Any:
            board = cgutils.create_struct_proxy(known)(context, builder)
            board.record = arguments[0]
            return board._getvalue()

        return known(record), generate

    return know


LOCK = RLock()  # what is changed is numba-cuda's own: one thread at a time
COMPILE, CALL, ALLOCATE = dispatcher.compile_cuda, dispatcher.CUDADispatcher.get_call_template, cgutils.alloca_once
UNROLLED: set[str] = set()  # functions whose loops are unrolled, as the compiler spells them


def compile_as_marked(function: Any, *arguments: Any, **options: Any) -> Any:
    compiled, on_gpu = COMPILE(function, *arguments, **options), getattr(function, "on_gpu", None)
    name = compiled.fndesc.llvm_func_name
    if on_gpu == "unrolled":
        UNROLLED.add(name)
    if on_gpu == "called":
        for one in compiled.library._module.functions:
            if one.name == name:
                one.attributes.add("noinline")
    return compiled


def call_widened(called: Any, arguments: Any, keywords: Any) -> Any:
    return CALL(called, tuple(map(wide, arguments)), keywords)


def index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, _: Any) -> Any:
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def allocate_unfilled(builder: Any, kind: Any, size: Any = None, name: str = "", zfill: bool = False) -> Any:
    """Memory of a thread's own, as it is. numba-cuda fills it with zeros first, byte by byte, at the beginning of a kernel: for scratch space of
    some kilobytes that takes longer than a step."""
    if zfill or not isinstance(kind, ir.ArrayType):
        return ALLOCATE(builder, kind, size, name, zfill)
    with builder.goto_entry_block():
        return builder.alloca(kind, size=size, name=name)


def code_with_loops(library: Any) -> list[str]:
    if library._llvm_strs is None:
        library._llvm_strs = [keep_loops(str(module), UNROLLED) for module in library.modules]
    return library._llvm_strs  # type: ignore[no-any-return]


OURS = (
    (dispatcher, "compile_cuda", compile_as_marked),
    (dispatcher.CUDADispatcher, "get_call_template", call_widened),
    (arrayobj, "fix_integer_index", index_as_it_is),
    (cgutils, "alloca_once", allocate_unfilled),
    (codegen.CUDACodeLibrary, "llvm_strs", property(code_with_loops)),
)


@contextmanager
def short_code() -> Iterator[None]:
    with LOCK:
        theirs = [getattr(owner, name) for owner, name, _ in OURS]
        for owner, name, ours in OURS:
            setattr(owner, name, ours)
        try:
            yield
        finally:
            for (owner, name, _), before in zip(OURS, theirs, strict=True):
                setattr(owner, name, before)


# As this process was started: an edit while a kernel is built belongs to the next one.
FOLDER, MADE_BY = cache_folder(), hash_of(sorted(OUR_FILES.glob("cuda/*.py")))


class KeptKernels:
    """Where a dispatcher of numba-cuda looks for its kernels before it compiles one, and where it keeps it afterwards.

    Building one takes up to two minutes, loading it a moment. Numba's own cache would not notice a change in a function that a kernel calls; this
    one is in the folder named by all compiled sources, and its files by how kernels are made, and for what.
    """

    def __init__(self, made_for: str) -> None:
        self._made_for = f"{made_for} {MADE_BY} {version('numba')} {version('numba-cuda')}"

    def _file(self, signature: Any) -> Path:
        name = f"{self._made_for} {signature} {cuda.get_current_device().compute_capability}"
        return FOLDER / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.kernel"

    def load_overload(self, signature: Any, _: Any) -> Any:
        try:
            return pickle.loads(self._file(signature).read_bytes())
        except Exception:  # missing, incomplete or from another Numba: build it again
            return None

    def save_overload(self, signature: Any, kernel: Any) -> None:
        file = self._file(signature)
        part = file.with_suffix(f".{os.getpid()}")
        part.write_bytes(pickle.dumps(kernel))
        part.replace(file)


def keep(kernel: Any, made_for: str) -> None:
    kernel._cache = KeptKernels(made_for)


def small_kernel(capability: tuple[int, int]) -> str:
    """The code of a small kernel in which a change of any private part shows; `tests/cuda/test_cuda.py` examines it."""
    know = knowing({"routes": 123})

    @rule(on_gpu="called")
    def sum_of(numbers, last):  # type: ignore[no-untyped-def]  # compiled: types come from the call
        total = 0
        for place in range(last):
            total += numbers[place]
        return total

    def small(boards, numbers):  # type: ignore[no-untyped-def]
        board = know(boards[0])
        numbers[board.length[1]] = board.routes + sum_of(numbers, types.int8(3)) + sum_of(numbers, board.length[0])

    arrays = (types.Array(from_dtype(BOARD), 1, "C"), types.Array(types.int64, 1, "C"))
    code, _ = cuda.compile_ptx(small, types.void(*arrays), cc=capability)
    return str(code)


def try_out() -> None:
    """See that the private parts are there, and that a kernel can be compiled with them."""
    with short_code():
        small_kernel(cuda.get_current_device().compute_capability)
