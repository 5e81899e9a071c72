"""Everything in Branchline that touches private parts of Numba. They make compiling several times as fast, and the code that runs faster.

- Numba optimises every function together with everything it calls and turns it into machine code, and does so again for each of its callers. The
  rules are thousands of small functions in a few entry points: doing it once, for the entry points, is enough (`Part`).
- A rule that has a single caller becomes a part of it, however long it is: LLVM does so where it knows that nobody else can call it (`Whole`).
  Otherwise a call passes every array in five to ten words.
- What several entry points share and call seldom, such as the bots, is optimised once, and each of them takes it as it is (`FINISHED`).
- No index of ours counts from the end of an array, so none is tested for it, as in the code for GPUs.
- Numba writes out the type of a record, with all its fields, thousands of times; we keep what it wrote.

If this file cannot be used (`fallback.py`), the rules are compiled by Numba's public interface alone. `tests/compiling/test_numba.py`
checks every private part by what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numba
from llvmlite.binding import Linkage, get_host_cpu_features, get_host_cpu_name
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering
from numba.np import arrayobj

PACKAGE, TESTED = "numba", ("0.65", "0.68")  # the first and the last version that the tests have passed with
OPTIONS = {"_nrt": False}  # a rule allocates nothing, so it needs no code for that


FINISHED = "finished: "  # how the names of finished code begin; a name is all that is kept on disk of what we know about code


class Joined(JITCodeLibrary):  # type: ignore[misc]  # Numba is untyped
    """Code that calls other code: it is optimised together with that, but not with what is finished."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.finished: dict[Any, None] = {}  # in the order in which it was first called

    def add_linking_library(self, library: Any) -> None:
        if library.name.startswith(FINISHED):
            self.finished[library] = None
            return
        if isinstance(library, Part):
            self.finished |= library.finished
        super().add_linking_library(library)


class Part(Joined):
    """The code of a rule, which is a part of what calls it: neither optimised nor turned into machine code by itself."""

    names: set[str] = set()  # of all rules compiled in this process  # noqa: RUF012  # shared on purpose

    def add_ir_module(self, module: Any) -> None:
        self.names.update(one.name for one in module.functions if not one.is_declaration)
        super().add_ir_module(module)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, *_: Any) -> None:
        """Without machine code there is no place for what Python's exceptions would need; rules raise none."""


class Whole(Joined):
    """The code of an entry point, with all rules that it calls: nobody else calls these copies of them."""

    def _optimize_final_module(self) -> None:
        for one in self._final_module.functions:
            if one.name in Part.names and not one.is_declaration:
                one.linkage = Linkage.internal
        super()._optimize_final_module()
        for library in self.finished:
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)


INDEX = arrayobj.fix_integer_index


def index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, _: Any) -> Any:
    return context.cast(builder, index, kind, numba.types.intp if kind.signed else numba.types.uintp)


@contextmanager
def indices_as_they_are() -> Iterator[None]:
    """In force while code of ours is made; Numba compiles one function at a time."""
    arrayobj.fix_integer_index = index_as_it_is
    try:
        yield
    finally:
        arrayobj.fix_integer_index = INDEX


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerPart(NativeLowering):  # type: ignore[misc]
    _name = "branchline_lower_part"
    kind: type[Joined] = Part
    prefix = ""

    def run_pass(self, state: Any) -> bool:
        state.library = self.kind(state.targetctx.codegen(), self.prefix + state.func_id.func_qualname)
        state.library.enable_object_caching()  # so that it can be kept on disk
        with indices_as_they_are():
            return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerWhole(LowerPart):
    _name = "branchline_lower_whole"
    kind = Whole


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerFinished(LowerWhole):
    _name = "branchline_lower_finished"
    prefix = FINISHED


class PartCompiler(CompilerBase):  # type: ignore[misc]
    lowering = LowerPart

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [(self.lowering if one is NativeLowering else one, why) for one, why in pipeline.passes]
        pipeline.finalize()
        return [pipeline]


class WholeCompiler(PartCompiler):
    lowering = LowerWhole


class FinishedCompiler(PartCompiler):
    lowering = LowerFinished


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
    compiled = numba.njit(no_cfunc_wrapper=True, no_cpython_wrapper=True, pipeline_class=PartCompiler, **options)(function)
    compiled.__class__ = Rule
    return compiled


WHOLE = {"pipeline_class": WholeCompiler}  # options of entry points
SHARED = {"pipeline_class": FinishedCompiler}  # and of those that others call as they are

numba.types.Record.__repr__ = cache(numba.types.Record.__repr__)  # a type never changes


def has_deposit() -> bool:
    """Has the processor that code is made for a fast instruction that spreads bits over those set in a word?"""
    ours = numba.config.CPU_NAME is None and numba.config.CPU_FEATURES is None
    return ours and bool(get_host_cpu_features().get("bmi2")) and get_host_cpu_name() not in ("znver1", "znver2")


HAS_DEPOSIT = has_deposit()


def try_out() -> None:
    """Compile a rule into an entry point, and see that it works."""

    def double(number):  # type: ignore[no-untyped-def]  # compiled: types come from the call
        return 2 * number

    options = {"error_model": "numpy", "nogil": True, **OPTIONS}
    rule = as_part(double, options)

    def entry(number):  # type: ignore[no-untyped-def]
        return rule(number) + rule(numba.int8(number))

    if numba.njit(**options, **WHOLE)(entry)(3) != 12:
        raise RuntimeError("a rule compiled as a part of its caller gives another answer")
