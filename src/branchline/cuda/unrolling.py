"""Loops that stay loops: unrolled, a kernel's code would be twice as long."""

from __future__ import annotations

import re
from collections.abc import Container

OWN_NOTES = 1_000_000  # Numba's have smaller numbers


def keep_loops(code: str, unrolled: Container[str]) -> str:
    """LLVM's text of a module, with a note at the end of every loop not to unroll it, except in the functions named.

    A branch back to a block that stands before it ends a loop.
    """
    lines: list[str] = []
    notes: list[str] = []
    met: set[str] = set()
    leave = False
    for line in code.split("\n"):
        if line.startswith("define"):
            met, leave = set(), function_name(line) in unrolled
        elif label := re.match(r'"?([\w.$]+)"?:', line):
            met.add(label[1])
        elif re.match(r"\s+br ", line) and not leave and met.intersection(re.findall(r'label %"?([\w.$]+)', line)):
            number = OWN_NOTES + 2 * len(notes)
            line += f", !llvm.loop !{number}"  # noqa: PLW2901
            notes.append(f'!{number} = distinct !{{!{number}, !{number + 1}}}\n!{number + 1} = !{{!"llvm.loop.unroll.disable"}}')
        lines.append(line)
    return "\n".join(lines + notes)


def function_name(line: str) -> str:
    """The name in the first line of a function's code."""
    found = re.search(r'@"?([^"(]+)', line)
    return found[1] if found else ""
