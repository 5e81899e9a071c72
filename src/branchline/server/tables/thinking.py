"""Bots think outside the event loop, from their seat's view only: quick ones in a thread, long thinkers in processes of low priority.

Long thinkers take turns, fairly among hosts, and where people wait comes first. A bot whose turn does not come soon thinks like the next lower level.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np

from branchline.batch.ending import end_with
from branchline.boards.folders import add_board, board_folder, is_path
from branchline.bots import ExplainingBot, GuardedBot, PolicyBot, make_bot
from branchline.bots.levels import LEVELS
from branchline.play.events import Event
from branchline.play.facts import known_game
from branchline.play.games import Game, View
from branchline.rules.state import STATE
from branchline.server.tables.fair_queue import Addresses, Asker, FairQueue, Turn
from branchline.server.tables.further_bots import FurtherBots

LONG = {"master": "expert"}  # levels that think for a second or so, and which level stands in if there is no time
STAND_IN = "normal"  # the level that plays for a further bot if there is no time, or if the server no longer has it
ADVISER = "planner"  # the bot that gives hints: it can say what it plans
LONGEST_WAIT = 3.0  # seconds for a long thinker's turn
LIMIT = 10.0  # seconds after which a bot's move is lost: greedy's is played


def give_way(server: int) -> None:
    """A worker gives way to the server, leaves Ctrl-C to it, and ends with it, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    end_with(server)


def lent(view: View) -> tuple[tuple[str, int, tuple[tuple[str, Any], ...]], bytes]:
    """A view in a form that can be handed to another process, which finds a board from outside by its folder."""
    game = view.game
    name = str(board_folder(game.name)) if game.board.is_own else game.name
    return (name, game.players, tuple(sorted(game.keywords.items()))), view.records.tobytes()


def game_lent(name: str, players: int, options: tuple[tuple[str, Any], ...]) -> Game:
    """The game of a lent view; the files of a board from outside may have changed since this process has read them."""
    return known_game(add_board(name) if is_path(name) else name, players, options)


def decide(game: tuple[str, int, tuple[tuple[str, Any], ...]], seen: bytes, level: str, seed: int) -> int:
    """A bot's decision. The bot is created for each one: a level's decision depends on its view and seed alone."""
    view = View(game_lent(*game), np.frombuffer(bytearray(seen), STATE))
    guarded = GuardedBot(make_bot(level, seed), limit=LIMIT, name=level)
    guarded.new_game(view.game, int(view.record.seat))
    return int(guarded.decide(view))


def advise(game: tuple[str, int, tuple[tuple[str, Any], ...]], seen: bytes) -> dict[str, Any]:
    """What the adviser would decide, and its plan. Its random numbers are the same at every table: they contain nothing of the game's seed."""
    view = View(game_lent(*game), np.frombuffer(bytearray(seen), STATE))
    bot = make_bot(ADVISER, 0)
    assert isinstance(bot, ExplainingBot)
    return bot.explain(view)


@dataclass(frozen=True)
class Thought:
    decision: int
    level: str  # at which it was thought


class Thinkers:
    def __init__(self, workers: int, longest_wait: float = LONGEST_WAIT, further: FurtherBots | None = None) -> None:
        self._workers, self._longest_wait = workers, longest_wait
        self.further = further or FurtherBots({}, 1, LIMIT)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="bots")
        self._processes: ProcessPoolExecutor | None = None
        self._waiting = {True: FairQueue(), False: FairQueue()}  # by whether people wait for the bot
        self._thinking = 0  # long thinkers at work
        self.addresses = Addresses()

    async def advise(self, view: View) -> dict[str, Any]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(advise, *lent(view)))

    def is_long(self, level: str) -> bool:
        return level in LONG or level in self.further

    async def decide(self, view: View, level: str, seed: int, asker: Asker, past: Sequence[Event] = ()) -> Thought:
        """What has happened is for further bots alone: the levels decide by the view."""
        if self.is_long(level) and await self._have_turn(asker):
            try:
                return Thought(await self._decide_long(view, level, seed, past), level)
            finally:
                self._end_turn()
        level = level if level in LEVELS and level not in LONG else LONG.get(level, STAND_IN)
        ask = partial(decide, *lent(view), level, seed)
        return Thought(await asyncio.get_running_loop().run_in_executor(self._thread, ask), level)

    async def _have_turn(self, asker: Asker) -> bool:
        """Wait for a turn; False if it does not come soon."""
        turn: Turn = asyncio.get_running_loop().create_future()
        self._waiting[asker.has_people].add(asker, turn)
        self._give_turns()
        try:
            await asyncio.wait([turn], timeout=self._longest_wait)
        except asyncio.CancelledError:
            if not turn.cancel():  # it came, too late: the next one's turn
                self._end_turn()
            raise
        return not turn.cancel()

    def _end_turn(self) -> None:
        self._thinking -= 1
        self._give_turns()

    def _give_turns(self) -> None:
        while self._thinking < self._workers and (turn := self._waiting[True].next() or self._waiting[False].next()):
            self._thinking += 1
            turn.set_result(None)

    async def _decide_long(self, view: View, level: str, seed: int, past: Sequence[Event]) -> int:
        if level in self.further:
            return await self.further.decide(level, view, seed, past)
        loop, pool = asyncio.get_running_loop(), self._pool()
        try:
            return await loop.run_in_executor(pool, partial(decide, *lent(view), level, seed))
        except BrokenProcessPool:  # a worker was killed: others take its place, and this move is greedy's
            if self._processes is pool:
                self._processes = None
            return int(await loop.run_in_executor(self._thread, partial(PolicyBot("greedy").decide, view)))

    def _pool(self) -> ProcessPoolExecutor:
        if self._processes is None:
            self._processes = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"), initializer=give_way, initargs=(os.getpid(),))
        return self._processes

    def close(self) -> None:
        self.further.close()
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            for process in list((self._processes._processes or {}).values()):
                process.terminate()
            self._processes.shutdown(wait=False, cancel_futures=True)
