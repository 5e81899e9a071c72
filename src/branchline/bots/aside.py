"""Thinking aside: a question is thought about in a thread of its own, so that whoever asks need not wait for ever."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any


class Late(Exception):
    """There was no answer in time."""


class Aside:
    """Asks one question at a time. Each has its own thread and its own place for the answer: a late answer reaches nobody."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None

    def ask(self, think: Callable[[], Any], limit: float) -> Any:
        """What `think` returns or raises, if it does so in `limit` seconds."""
        if self._thread is not None and self._thread.is_alive():
            raise Late("still thinks about an earlier question")
        outcome: list[tuple[Any, BaseException | None]] = []
        self._thread = threading.Thread(target=run, args=(think, outcome), daemon=True)
        self._thread.start()
        self._thread.join(limit)
        if not outcome:
            raise Late(f"no answer in {limit:g} s")
        answer, error = outcome[0]
        if error is not None:
            raise error
        return answer

    def close(self) -> None:
        """Ask a thread that is still at it to end. One in compiled code or asleep cannot hear; it dies with the process."""
        if self._thread is not None and self._thread.is_alive():
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread.ident or 0), ctypes.py_object(SystemExit))


def run(think: Callable[[], Any], outcome: list[tuple[Any, BaseException | None]]) -> None:
    try:
        outcome.append((think(), None))
    except BaseException as error:  # whatever it is, it belongs to whoever asked
        outcome.append((None, error))
