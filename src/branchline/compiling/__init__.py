"""One rulebook, three speeds: what marks a function as compiled, and how it is compiled."""

from branchline.compiling.direct import direct
from branchline.compiling.modes import (
    MODE,
    copy_record,
    copy_together,
    inlined,
    kept,
    lowest,
    made,
    meet,
    nth_one,
    ones,
    record,
    rule,
    shared,
    wipe,
    wrapping,
)

__all__ = [
    "MODE",
    "copy_record",
    "copy_together",
    "direct",
    "inlined",
    "kept",
    "lowest",
    "made",
    "meet",
    "nth_one",
    "ones",
    "record",
    "rule",
    "shared",
    "wipe",
    "wrapping",
]
