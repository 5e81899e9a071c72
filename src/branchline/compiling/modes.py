"""The speeds at which the rules run: plain Python, or compiled for the CPU.

`BRANCHLINE_MODE=plain` leaves every rule an ordinary Python function, for reading, debugging and coverage;
`compiled` (the default) hands the same functions to Numba. A CUDA kernel compiles them a third time, see `batch/cuda/`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
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
    # `align` adds no gap; it tells compilers that a word can be read at once: for the GPU they would read it byte by byte
    return np.dtype((np.record, np.dtype([*ordered, ("filler", np.uint8, -size % 8)] if size % 8 else ordered, align=True)))


if MODE == "compiled":
    import numba
    from llvmlite import ir
    from numba.core import cgutils
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import LoweringPass, register_pass
    from numba.core.registry import CPUDispatcher
    from numba.core.typed_passes import NativeLowering
    from numba.extending import intrinsic

    # A rule never divides by zero, and an exception cannot leave a GPU thread: Python's checks would only cost. Nor does it allocate (`_nrt`).
    _OPTIONS = {"error_model": "numpy", "nogil": True, "_nrt": False}

    class Part(JITCodeLibrary):  # type: ignore[misc]  # Numba is untyped
        """The code of a rule, which is a part of what calls it: neither optimised nor turned into machine code by itself.

        Numba would do both for every function together with all that it calls, and again for each of its callers; once, for the
        functions that Python calls, is enough.
        """

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalized = True

        @property
        def codegen(self) -> Any:
            return self

        def set_env(self, *_: Any) -> None:
            """Without machine code there is no place for what Python's exceptions would need; rules raise none."""

    @register_pass(mutates_CFG=False, analysis_only=True)
    class LowerAsPart(LoweringPass):  # type: ignore[misc]
        _name = "branchline_lower_as_part"

        def __init__(self) -> None:
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            state.library = Part(state.targetctx.codegen(), state.func_id.func_qualname)
            return False

    class RuleCompiler(CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
            lowering = [one for one, _ in pipeline.passes].index(NativeLowering)
            pipeline.passes.insert(lowering, (LowerAsPart, "a rule is a part of its callers"))
            pipeline.finalize()
            return [pipeline]

    class Rule(CPUDispatcher):  # type: ignore[misc]  # Numba is untyped
        """A compiled function that only compiled functions call."""

        def get_call_template(self, arguments: Any, keywords: Any) -> Any:
            """Compile for 64-bit numbers only: a caller's small ones are widened, or the function would be compiled for each mix of sizes."""
            return super().get_call_template(tuple(map(wide, arguments)), keywords)

        def __call__(self, *_: Any) -> Any:
            raise TypeError(f"{self.py_func.__name__} is a part of the compiled rules; from Python call the functions of rules/engine.py")

    def wide(kind: Any) -> Any:
        kind = numba.types.unliteral(kind)
        small = isinstance(kind, numba.types.Integer) and (kind.signed or kind.bitwidth < 64)
        return numba.types.int64 if small else kind

    def rule(function: Callable[..., Any]) -> Any:
        """A function of the rulebook, compiled into the entry points that call it. It has no way in from Python, which would take time to make."""
        compiled = numba.njit(no_cfunc_wrapper=True, no_cpython_wrapper=True, pipeline_class=RuleCompiler, **_OPTIONS)(function)
        compiled.__class__ = Rule
        return compiled

    def inlined(function: Callable[..., Any]) -> Any:
        """A rule of a line or two, called with many types of number: put into its callers, it is not compiled for each of them."""
        return numba.njit(inline="always", **_OPTIONS)(function)

    def kept(function: Callable[..., Any]) -> Any:
        """A rule whose compiled code is kept on disk: what Python calls, and the large parts that several such functions share.

        The folder is ours, whatever else in the process uses Numba.
        """
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(_FOLDER)
        try:
            return numba.njit(cache=True, **_OPTIONS)(function)
        finally:
            numba.config.CACHE_DIR = before

    def made(function: Callable[..., Any], *examples: Any) -> Any:
        """An entry point made while the program runs, around a function that somebody brings along: Python calls it, and no disk keeps it.

        It is compiled at once, for arguments like the examples: no first call takes longer than others.
        """
        compiled = numba.njit(**_OPTIONS)(function)
        compiled.compile(tuple(map(numba.typeof, examples)))
        return compiled

    def word_instruction(name: str) -> Any:
        """A function of one 64-bit word that the machine has an instruction for, by its name in LLVM."""

        @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped
        def instruction(_: Any, word: Any) -> Any:  # noqa: ARG001  # its name is the parameter's
            def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
                word_type = ir.IntType(64)
                more = [ir.Constant(ir.IntType(1), 1)] if name == "cttz" else []  # of an empty word the answer may be anything
                function = ir.FunctionType(word_type, [word_type, *(one.type for one in more)])
                return builder.call(cgutils.get_or_insert_function(builder.module, function, f"llvm.{name}.i64"), [*arguments, *more])

            return numba.types.int64(numba.types.uint64), generate

        return instruction

    @intrinsic  # type: ignore[untyped-decorator]
    def wipe(_: Any, record: Any) -> Any:
        """Fill a record with zeros."""

        def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            start = builder.bitcast(arguments[0], ir.IntType(8).as_pointer())
            cgutils.memset(builder, start, ir.Constant(ir.IntType(64), signature.args[0].size), 0)

        return numba.types.void(record), generate

    ones = word_instruction("ctpop")
    lowest = word_instruction("cttz")
    wrapping = rule
    _FOLDER = cache_folder()
    try:
        _FOLDER.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImportError(
            f"compiled rules are kept in {_FOLDER}, which cannot be written ({error.strerror}): "
            "set BRANCHLINE_CACHE to a folder that can be, or BRANCHLINE_MODE to 'plain'"
        ) from None

else:

    def wipe(record: Any) -> None:
        for name in record.dtype.names:
            record[name] = 0

    def ones(word: Any) -> int:
        return int(word).bit_count()

    def lowest(word: Any) -> int:
        return (int(word) & -int(word)).bit_length() - 1

    def rule(function: Callable[..., Any]) -> Any:
        return function

    def inlined(function: Callable[..., Any]) -> Any:
        return function

    def kept(function: Callable[..., Any]) -> Any:
        return function

    def made(function: Callable[..., Any], *_: Any) -> Any:
        return function

    def wrapping(function: Callable[..., Any]) -> Any:
        """A function whose 64-bit arithmetic wraps round, as it must; plain NumPy scalars would warn of it."""
        return np.errstate(over="ignore")(function)
