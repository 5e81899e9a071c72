"""Calling compiled code without looking at its arguments first.

In every call, Numba's dispatcher finds out the types of all arguments, which takes longer than most rules. Where they never change, Python can
call the compiled code itself.
"""

from __future__ import annotations

from typing import Any

from branchline.compiling.modes import MODE


def direct(function: Any, *examples: Any) -> Any:
    """The compiled code of a `@kept` function for arguments like the examples. It must never be called with others: nothing checks them."""
    if MODE == "plain":
        return function
    import numba

    types = tuple(numba.typeof(example) for example in examples)
    function.compile(types)
    return function.get_overload(types)
