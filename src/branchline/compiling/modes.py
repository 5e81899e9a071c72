"""The speeds at which the rules run: plain Python, or compiled for the CPU.

`BRANCHLINE_MODE=plain` leaves every rule an ordinary Python function, for reading, debugging and coverage;
`compiled` (the default) hands the same functions to Numba. A CUDA kernel compiles them a third time, see `cuda/`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from branchline.compiling.sources import cache_folder

MODE = os.environ.get("BRANCHLINE_MODE", "compiled")
if MODE not in ("plain", "compiled"):
    raise ImportError(f"BRANCHLINE_MODE is {MODE!r}; set it to 'plain' or 'compiled', or leave it unset for 'compiled'")


def record(fields: list[Any]) -> np.dtype[Any]:
    """The type of a record whose fields are read as attributes, in plain Python as in compiled code.

    In memory the largest fields come first and the end is filled up to whole words: without gaps, equal records are equal bytes.
    """
    ordered = sorted(fields, key=lambda one: -np.dtype(one[1]).alignment)
    size = np.dtype(ordered).itemsize
    # `align` adds no gap; it tells compilers that they can read whole words: for the GPU they would otherwise read byte by byte
    return np.dtype((np.record, np.dtype([*ordered, ("filler", np.uint8, -size % 8)] if size % 8 else ordered, align=True)))


def with_marks(compile_it: Callable[[Any], Any]) -> Any:
    """A decorator to be used alone, or with what a GPU wants done with the function: `@rule(on_gpu="called")`.

    "called": called by every function that needs it, not copied into each; a GPU is only fast while its code is short.
    "unrolled": its loops are short, over a few words, and are unrolled; those of other functions stay loops.
    """

    def decorate(function: Any = None, *, on_gpu: str | None = None) -> Any:
        if on_gpu not in (None, "called", "unrolled"):
            raise ValueError(f"on_gpu is {on_gpu!r}; it must be 'called' or 'unrolled'")
        if function is None:
            return partial(decorate, on_gpu=on_gpu)
        function.on_gpu = on_gpu
        return compile_it(function)

    return decorate


if MODE == "compiled":
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic

    from branchline.compiling.fallback import private_parts

    _FOLDER = cache_folder()
    try:
        _FOLDER.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImportError(
            f"compiled rules are kept in {_FOLDER}, which cannot be written ({error.strerror}): "
            "set BRANCHLINE_CACHE to a folder that can be, or BRANCHLINE_MODE to 'plain'"
        ) from None
    _PRIVATE = private_parts("branchline.compiling.numba_private", _FOLDER)

    WARP = 32  # threads of a GPU that go together
    AT_ONCE = 8  # words that a GPU's loop over a record goes on by

    # A rule never divides by zero, and an exception cannot leave a GPU thread: Python's checks would only cost time.
    _OPTIONS = {"error_model": "numpy", "nogil": True, **(_PRIVATE.OPTIONS if _PRIVATE else {})}
    _ENTRY = {**_OPTIONS, **(_PRIVATE.WHOLE if _PRIVATE else {})}
    _SHARED = {**_OPTIONS, **(_PRIVATE.SHARED if _PRIVATE else {})}

    @with_marks
    def rule(function: Callable[..., Any]) -> Any:
        """A function of the rulebook, compiled into the entry points that call it."""
        return _PRIVATE.as_part(function, _OPTIONS) if _PRIVATE else numba.njit(**_OPTIONS)(function)

    def inlined(function: Callable[..., Any]) -> Any:
        """A rule of a line or two, called with many types of number: inlined into its callers, so it is not compiled for each type."""
        return numba.njit(inline="always", **_OPTIONS)(function)

    def keep(function: Callable[..., Any], options: dict[str, Any]) -> Any:
        """Compile with these options, and keep the code on disk. The folder is ours, whatever else in the process uses Numba."""
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(_FOLDER)
        try:
            return numba.njit(cache=True, **options)(function)
        finally:
            numba.config.CACHE_DIR = before

    @with_marks
    def kept(function: Callable[..., Any]) -> Any:
        """A rule whose compiled code is kept on disk: what Python calls, and parts that several such functions share."""
        return keep(function, _ENTRY)

    @with_marks
    def shared(function: Callable[..., Any]) -> Any:
        """Like `kept`, for large parts that take their time, such as a bot's thinking: their callers take the code as it is.

        A call costs some nanoseconds more than to `kept`, but nobody optimises the same code again.
        """
        return keep(function, _SHARED)

    def made(function: Callable[..., Any], *examples: Any) -> Any:
        """An entry point made at run time around a user's function: Python calls it, and it is not kept on disk.

        It is compiled immediately for arguments like the examples, so the first call is no slower than the others.
        """
        compiled = numba.njit(**_ENTRY)(function)
        compiled.compile(tuple(map(numba.typeof, examples)))
        return compiled

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped
    def ones(_: Any, word: Any) -> Any:  # noqa: ARG001  # its name is the parameter's
        """How many bits of a 64-bit word are set: an instruction of the machine."""

        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return numba.types.int64(numba.types.uint64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def lowest(_: Any, word: Any) -> Any:  # noqa: ARG001
        """The lowest bit set in a 64-bit word; of an empty word the answer may be anything."""

        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return numba.types.int64(numba.types.uint64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def nth_one(_: Any, word: Any, which: Any) -> Any:  # noqa: ARG001
        """Index of the `which`-th bit set in a 64-bit word, counted from 0."""

        def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
            (word, which), kind = arguments, ir.IntType(64)
            if _PRIVATE and _PRIVATE.HAS_DEPOSIT and not is_gpu(context):
                deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(kind, [kind, kind]))
                return builder.cttz(builder.call(deposit, [builder.shl(kind(1), which), word]), ir.Constant(ir.IntType(1), 1))
            index = kind(0)
            for width in (32, 16, 8, 4, 2, 1):  # halve it, and continue with the half that holds the bit
                low = builder.ctpop(builder.and_(word, kind((1 << width) - 1)))
                is_above = builder.icmp_unsigned(">=", which, low)
                which = builder.select(is_above, builder.sub(which, low), which)
                word = builder.select(is_above, builder.lshr(word, kind(width)), word)
                index = builder.select(is_above, builder.add(index, kind(width)), index)
            return index

        return numba.types.int64(numba.types.uint64, numba.types.int64), generate

    def is_gpu(context: Any) -> bool:
        return type(context).__name__.startswith("CUDA")

    def in_words(context: Any, builder: Any, size: int, do: Callable[[Any], None]) -> bool:
        """For a GPU, whose compiler would go through a record byte by byte: do something for each of its words, some of them in a row."""
        if not is_gpu(context) or size % 8 or size < 8 * AT_ONCE:
            return False
        words, word, before = size // 8, ir.IntType(64), builder.block
        loop, after = builder.append_basic_block("words"), builder.append_basic_block("after_words")
        builder.branch(loop)
        builder.position_at_end(loop)
        first = builder.phi(word)
        for place in range(AT_ONCE):
            do(builder.add(first, ir.Constant(word, place)))
        following = builder.add(first, ir.Constant(word, AT_ONCE))
        first.add_incoming(ir.Constant(word, 0), before)
        first.add_incoming(following, loop)
        in_whole = words // AT_ONCE * AT_ONCE
        builder.cbranch(builder.icmp_unsigned("<", following, ir.Constant(word, in_whole)), loop, after)
        builder.position_at_end(after)
        for place in range(in_whole, words):
            do(ir.Constant(word, place))
        return True

    @intrinsic  # type: ignore[untyped-decorator]
    def wipe(_: Any, record: Any) -> Any:
        """Fill a record with zeros."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            byte, word, size = ir.IntType(8), ir.IntType(64), signature.args[0].size
            words = builder.bitcast(arguments[0], word.as_pointer())
            if not in_words(context, builder, size, lambda place: builder.store(ir.Constant(word, 0), builder.gep(words, [place]))):
                fill = builder.module.declare_intrinsic("llvm.memset", [byte.as_pointer(), word])
                start = builder.bitcast(arguments[0], byte.as_pointer())
                builder.call(fill, [start, ir.Constant(byte, 0), ir.Constant(word, size), ir.Constant(ir.IntType(1), 0)])

        return numba.types.void(record), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def copy_record(_: Any, target: Any, source: Any) -> Any:
        """Make a record equal to another of its kind."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            byte, word, size = ir.IntType(8), ir.IntType(64), signature.args[0].size
            there, here = (builder.bitcast(one, word.as_pointer()) for one in arguments)
            if not in_words(
                context, builder, size, lambda place: builder.store(builder.load(builder.gep(here, [place])), builder.gep(there, [place]))
            ):
                copy = builder.module.declare_intrinsic("llvm.memcpy", [byte.as_pointer(), byte.as_pointer(), word])
                bytes_of = [builder.bitcast(one, byte.as_pointer()) for one in arguments]
                builder.call(copy, [*bytes_of, ir.Constant(word, size), ir.Constant(ir.IntType(1), 0)])

        return numba.types.void(target, source), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def meet(_: Any) -> Any:
        """Where the threads of a GPU's warp wait for each other, and see what the others have written. On a CPU it is nothing."""

        def generate(context: Any, builder: Any, *_: Any) -> Any:
            if is_gpu(context):
                whole = ir.IntType(32)
                wait = builder.module.declare_intrinsic("llvm.nvvm.bar.warp.sync", (), ir.FunctionType(ir.VoidType(), [whole]))
                builder.call(wait, [ir.Constant(whole, 0xFFFFFFFF)])

        return numba.types.void(), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def copy_together(_: Any, target: Any, source: Any, lane: Any) -> Any:  # noqa: ARG001  # its name is the parameter's
        """Make a record equal to another of its kind: every lane of a warp copies each 32nd word, so that they read and write side by side."""

        def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word, words = ir.IntType(64), signature.args[0].size // 8
            there, here = (builder.bitcast(one, word.as_pointer()) for one in arguments[:2])
            for first in range(0, words, WARP):
                place = builder.add(arguments[2], ir.Constant(word, first))
                with builder.if_then(builder.icmp_unsigned("<", place, ir.Constant(word, words))):
                    builder.store(builder.load(builder.gep(here, [place])), builder.gep(there, [place]))

        return numba.types.void(target, source, numba.types.int64), generate

    wrapping = rule

else:

    def meet() -> None:
        pass

    def copy_together(target: Any, source: Any, lane: int) -> None:
        if lane == 0:
            copy_record(target, source)

    def wipe(record: Any) -> None:
        for name in record.dtype.names:
            record[name] = 0

    def copy_record(target: Any, source: Any) -> None:
        for name in target.dtype.names:
            target[name] = source[name]

    def ones(word: Any) -> int:
        return int(word).bit_count()

    def nth_one(word: Any, which: int) -> int:
        left = int(word)
        for _ in range(which):
            left &= left - 1
        return (left & -left).bit_length() - 1

    def lowest(word: Any) -> int:
        return (int(word) & -int(word)).bit_length() - 1

    @with_marks
    def rule(function: Callable[..., Any]) -> Any:
        return function

    def inlined(function: Callable[..., Any]) -> Any:
        return function

    kept = shared = rule

    def made(function: Callable[..., Any], *_: Any) -> Any:
        return function

    @with_marks
    def wrapping(function: Callable[..., Any]) -> Any:
        """A function whose 64-bit arithmetic wraps round, as it must; plain NumPy scalars would warn about it."""
        return np.errstate(over="ignore")(function)
