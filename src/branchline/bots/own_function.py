"""Your own compiled bots: a function over records, marked `@rule`, becomes a bot."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from branchline import compiling
from branchline.bots.base import RecordBot
from branchline.bots.compiled.thoughts import THOUGHTS
from branchline.play.games import View
from branchline.rules.board import BOARD
from branchline.rules.sizes import MASK_WORDS
from branchline.rules.state import STATE


@cache
def entry_point(choose: Callable[..., Any]) -> Any:
    """A function that Python can call, which `choose` itself is not. Made once for all bots of that function."""

    def decide(boards, views, mask, thoughts, dice):  # type: ignore[no-untyped-def]  # compiled: types come from the call
        return choose(boards[0], views[0], mask, thoughts[0], dice)

    boards, views, thoughts = (np.zeros(1, kind) for kind in (BOARD, STATE, THOUGHTS))
    return compiling.made(decide, boards, views, np.zeros(MASK_WORDS, np.uint64), thoughts, np.zeros(3, np.uint64))


class CompiledBot(RecordBot):
    """A bot whose `choose` is compiled."""

    def __init__(self, name: str, choose: Callable[..., Any], seed: int = 0) -> None:
        super().__init__(name, seed)
        self._decide = entry_point(choose)

    def _choose(self, view: View) -> Any:
        return self._decide(view.game.board.records, view.records, view.mask, self._thoughts, self._dice)


def compiled_bot(name: str, choose: Callable[..., Any], seed: int = 0) -> CompiledBot:
    """Make a bot of a function `choose(board, seen, mask, thoughts, dice)` marked `@rule`.

    `board` and `seen` are the records of the board and the view (rules/board.py, rules/state.py), `mask` has the legal decisions as bits, `thoughts`
    is scratch space (bots/compiled/thoughts.py), `dice` is a key of two words from the seed and a counter. It returns the number of a legal decision.
    """
    return CompiledBot(name, choose, seed)
