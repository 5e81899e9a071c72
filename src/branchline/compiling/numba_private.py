"""Everything in Branchline that touches private parts of Numba. They make compiling several times as fast; the code that runs is the same.

Numba optimises every function together with everything it calls and turns it into machine code, and does so again for each of its callers. The
rules are thousands of small functions in a few entry points: doing it once, for the entry points, is enough.

If this file cannot be used (`ways.py`), the rules are compiled by Numba's public interface alone. `tests/compiling/test_numba.py`
checks every private part by what it does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

PACKAGE, TESTED = "numba", ("0.65", "0.68")  # the first and the last version that the tests have passed with
OPTIONS = {"_nrt": False}  # a rule allocates nothing, so it needs no code for that


class Part(JITCodeLibrary):  # type: ignore[misc]  # Numba is untyped
    """The code of a rule, which is a part of what calls it: neither optimised nor turned into machine code by itself."""

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


def as_part(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """A function compiled into those that call it. Python cannot call it: an entry for that would take time to make."""
    compiled = numba.njit(no_cfunc_wrapper=True, no_cpython_wrapper=True, pipeline_class=RuleCompiler, **options)(function)
    compiled.__class__ = Rule
    return compiled


def try_out() -> None:
    """Compile a rule into an entry point, and see that it works."""

    def double(number):  # type: ignore[no-untyped-def]  # compiled: types come from the call
        return 2 * number

    options = {"error_model": "numpy", "nogil": True, **OPTIONS}
    rule = as_part(double, options)

    def entry(number):  # type: ignore[no-untyped-def]
        return rule(number) + rule(numba.int8(number))

    if numba.njit(**options)(entry)(3) != 12:
        raise RuntimeError("a rule compiled as a part of its caller gives another answer")
