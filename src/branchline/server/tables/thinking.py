"""Bots think outside the event loop, from their seat's view only: quick ones in a thread, long thinkers in processes of low priority."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np

from branchline.bots import ExplainingBot, GuardedBot, PolicyBot, make_bot
from branchline.play.games import View
from branchline.rules.state import STATE
from branchline.server.tables.facts import known_game

LONG = ("expert",)  # levels that think for a second or so
ADVISER = "hard"  # the level that gives hints
LIMIT = 10.0  # seconds after which a bot's move is lost: greedy's is played


def give_way(server: int) -> None:
    """A worker gives way to the server, leaves Ctrl-C to it, and ends with it, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    threading.Thread(target=end_with, args=(server,), daemon=True).start()


def end_with(server: int) -> None:
    while os.getppid() == server:
        time.sleep(1)
    os._exit(0)


def lent(view: View) -> tuple[tuple[str, int, tuple[tuple[str, Any], ...]], bytes]:
    """A view in a form that can be handed to another process."""
    game = view.game
    return (game.name, game.players, tuple(sorted(game.keywords.items()))), view.records.tobytes()


def decide(game: tuple[str, int, tuple[tuple[str, Any], ...]], seen: bytes, level: str, seed: int) -> int:
    """A bot's decision. The bot is created for each one: a level's decision depends on its view and seed alone."""
    view = View(known_game(*game), np.frombuffer(bytearray(seen), STATE))
    guarded = GuardedBot(make_bot(level, seed), limit=LIMIT, name=level)
    guarded.new_game(view.game, int(view.record.seat))
    return int(guarded.decide(view))


def advise(game: tuple[str, int, tuple[tuple[str, Any], ...]], seen: bytes) -> dict[str, Any]:
    """What the adviser would decide, and its plan. Its random numbers are the same at every table: they contain nothing of the game's seed."""
    view = View(known_game(*game), np.frombuffer(bytearray(seen), STATE))
    bot = make_bot(ADVISER, 0)
    assert isinstance(bot, ExplainingBot)
    return bot.explain(view)


class Thinkers:
    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="bots")
        self._processes: ProcessPoolExecutor | None = None

    async def advise(self, view: View) -> dict[str, Any]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(advise, *lent(view)))

    async def decide(self, view: View, level: str, seed: int) -> int:
        ask = partial(decide, *lent(view), level, seed)
        loop = asyncio.get_running_loop()
        if level not in LONG:
            return await loop.run_in_executor(self._thread, ask)
        pool = self._pool()
        try:
            return await loop.run_in_executor(pool, ask)
        except BrokenProcessPool:  # a worker was killed: others take its place, and this move is greedy's
            if self._processes is pool:
                self._processes = None
            return await loop.run_in_executor(self._thread, partial(PolicyBot("greedy").decide, view))

    def _pool(self) -> ProcessPoolExecutor:
        if self._processes is None:
            self._processes = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"), initializer=give_way, initargs=(os.getpid(),))
        return self._processes

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            for process in list((self._processes._processes or {}).values()):
                process.terminate()
            self._processes.shutdown(wait=False, cancel_futures=True)
