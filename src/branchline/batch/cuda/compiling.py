"""How rules are compiled for a GPU. Its cores wait for instructions when the code of a kernel does not fit their caches: so it must be short.

`short_code()` is in force while a kernel of ours is compiled, and does four things. Of 148,000 instructions for random play on a large board
these, and a board that the compiler knows, left 10,000 (benchmarks/results.md):
- a rule that several others call is called, not copied into each of them (`APART`);
- loops stay loops, but for those over a few words (`unrolling.py`);
- no index counts from the end of an array, so none is tested for it;
- arguments are widened to 64 bits, as on the CPU: a rule is compiled once, not for each mix of sizes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

from numba import types
from numba.cuda import codegen, dispatcher
from numba.cuda.np import arrayobj

from branchline.batch.cuda.unrolling import keep_loops
from branchline.bots.compiled import greedy, paths, planner, planner_cards, planner_tickets, plans
from branchline.compiling.modes import wide
from branchline.rules import cards, routes, row, scoring, setup, turns, views

APART = {
    function.py_func
    for function in (
        cards.draw_card,
        routes.complete_claim,
        row.replace_wild_row,
        scoring.final_count,
        setup.start,
        turns.finish_turn,
        views.view,
        greedy.choose_greedy,
        greedy.draw_for,
        paths.measure,
        planner.best_extra,
        planner.choose_planner,
        planner_cards.weigh_cards,
        planner_cards.weigh_route,
        planner_tickets.choose_tickets,
        plans.plan_tickets,
        plans.make_plan,
        plans.set_prices,
    )
}


LOCK = RLock()  # what is changed is Numba's own: one thread at a time
COMPILE, CALL = dispatcher.compile_cuda, dispatcher.CUDADispatcher.get_call_template


def compile_apart(function: Any, *arguments: Any, **options: Any) -> Any:
    compiled = COMPILE(function, *arguments, **options)
    if function in APART:
        for one in compiled.library._module.functions:
            if one.name == compiled.fndesc.llvm_func_name:
                one.attributes.add("noinline")
    return compiled


def call_widened(called: Any, arguments: Any, keywords: Any) -> Any:
    return CALL(called, tuple(map(wide, arguments)), keywords)


def index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, _: Any) -> Any:
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def code_with_loops(library: Any) -> list[str]:
    if library._llvm_strs is None:
        library._llvm_strs = [keep_loops(str(module)) for module in library.modules]
    return library._llvm_strs  # type: ignore[no-any-return]


OURS = (
    (dispatcher, "compile_cuda", compile_apart),
    (dispatcher.CUDADispatcher, "get_call_template", call_widened),
    (arrayobj, "fix_integer_index", index_as_it_is),
    (codegen.CUDACodeLibrary, "llvm_strs", property(code_with_loops)),
)


@contextmanager
def short_code() -> Iterator[None]:
    with LOCK:
        numbas = [getattr(owner, name) for owner, name, _ in OURS]
        for owner, name, ours in OURS:
            setattr(owner, name, ours)
        try:
            yield
        finally:
            for (owner, name, _), before in zip(OURS, numbas, strict=True):
                setattr(owner, name, before)


def launch(kernel: Any, threads: int, block: int, *arguments: Any) -> None:
    """Run a kernel with at least so many threads. Its first launch compiles it, or loads what was compiled before."""
    with short_code():
        kernel[(threads + block - 1) // block, block](*arguments)
