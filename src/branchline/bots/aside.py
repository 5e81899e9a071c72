"""Every question to a bot gets a thread of its own, so that nobody has to wait for ever.

Python cannot stop a thread, so one that overruns is left alone: its answer is dropped, and its bot is not asked again until it returns. Programs
that carry on call `all_back` and, if it says no, continue in a new process (the arena) or stop (`check-bot`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any


class Late(Exception):
    """There was no answer in time."""


class Thought(threading.Thread):
    """Thinks about one question, and holds on to the answer or the error."""

    def __init__(self, think: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._think = think
        self.outcome: tuple[Any, BaseException | None] | None = None

    def run(self) -> None:
        try:
            self.outcome = self._think(), None
        except BaseException as error:  # whatever it is, the caller gets it
            self.outcome = None, error


class Aside:
    """Asks one question at a time."""

    def __init__(self) -> None:
        self._thought: Thought | None = None

    def ask(self, think: Callable[[], Any], limit: float) -> Any:
        """What `think` returns or raises, if it does so in `limit` seconds."""
        if self._thought is not None and self._thought.is_alive():
            raise Late("still thinking about an earlier question")
        self._thought = thought = Thought(think)
        thought.start()
        thought.join(limit)
        if thought.outcome is None:
            raise Late(f"no answer in {limit:g} s")
        answer, error = thought.outcome
        if error is not None:
            raise error
        return answer


def all_back(patience: float = 0.0) -> bool:
    """Have all bots of this process returned, perhaps after some seconds of waiting?"""
    end = time.monotonic() + patience
    for thought in thoughts():
        thought.join(max(0.0, end - time.monotonic()))
    return not thoughts()


def thoughts() -> list[Thought]:
    return [thread for thread in threading.enumerate() if isinstance(thread, Thought)]
