"""How rules are compiled for a GPU. Its cores wait for instructions when the code of a kernel does not fit their caches: so it must be short.

`short_code()` is in force while a kernel of ours is compiled, and does four things. Measured on an H200 with random play on Europe's board, of
148,000 instructions at first these, and a board that the compiler knows, left 10,000 (benchmarks/results.md):
- a rule that several others call is called, not copied into each of them (`APART`);
- loops stay loops, but for those over a few words (`UNROLLED`);
- no index counts from the end of an array, so none is tested for it;
- arguments are widened to 64 bits, as on the CPU: a rule is compiled once, not for each mix of sizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from numba import types
from numba.cuda import codegen, dispatcher
from numba.cuda.np import arrayobj

from branchline.bots import greedy, paths, planner, planner_cards, planner_tickets, plans
from branchline.modes import wide
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
UNROLLED = ("rules4bits", "rules6chance")  # modules, as the compiler spells them


@contextmanager
def short_code() -> Iterator[None]:
    compile_cuda, get_call_template = dispatcher.compile_cuda, dispatcher.CUDADispatcher.get_call_template

    def compile_apart(function: Any, *arguments: Any, **options: Any) -> Any:
        compiled = compile_cuda(function, *arguments, **options)
        if function in APART:
            for one in compiled.library._module.functions:
                if one.name == compiled.fndesc.llvm_func_name:
                    one.attributes.add("noinline")
        return compiled

    def call_widened(self: Any, arguments: Any, keywords: Any) -> Any:
        return get_call_template(self, tuple(map(wide, arguments)), keywords)

    with (
        patch.object(dispatcher, "compile_cuda", compile_apart),
        patch.object(dispatcher.CUDADispatcher, "get_call_template", call_widened),
        patch.object(arrayobj, "fix_integer_index", index_as_it_is),
        patch.object(codegen.CUDACodeLibrary, "llvm_strs", property(code_with_loops)),
    ):
        yield


def launch(kernel: Any, threads: int, block: int, *arguments: Any) -> None:
    """Run a kernel with at least so many threads. Its first launch compiles it, or loads what was compiled before."""
    configured = kernel[(threads + block - 1) // block, block]
    if kernel.overloads:
        configured(*arguments)
    else:
        with short_code():
            configured(*arguments)


def index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, _: Any) -> Any:
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def code_with_loops(library: Any) -> list[str]:
    if library._llvm_strs is None:
        library._llvm_strs = [keep_loops(str(module)) for module in library.modules]
    return library._llvm_strs  # type: ignore[no-any-return]


def keep_loops(code: str) -> str:
    """LLVM's text of a module, with the note at the end of every loop that it is not to be unrolled.

    A branch back to a block that stands before it ends a loop.
    """
    lines: list[str] = []
    notes: list[str] = []
    met: set[str] = set()
    unrolled = False
    for line in code.split("\n"):
        if line.startswith("define"):
            met, unrolled = set(), any(name in line for name in UNROLLED)
        elif label := re.match(r'"?([\w.$]+)"?:', line):
            met.add(label[1])
        elif re.match(r"\s+br ", line) and not unrolled and met.intersection(re.findall(r'label %"?([\w.$]+)', line)):
            number = 1_000_000 + 2 * len(notes)  # Numba's own notes have smaller numbers
            line += f", !llvm.loop !{number}"  # noqa: PLW2901
            notes.append(f'!{number} = distinct !{{!{number}, !{number + 1}}}\n!{number + 1} = !{{!"llvm.loop.unroll.disable"}}')
        lines.append(line)
    return "\n".join(lines + notes)
