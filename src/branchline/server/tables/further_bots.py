"""Bots that the operator has added to the levels. Each is a program of low priority, a Python bot too, so it can be ended whatever it does."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import structlog

from branchline.bots import BotError, GuardedBot
from branchline.bots.aside import Late
from branchline.bots.levels import LEVELS
from branchline.bots.processes.commands import Command, in_a_process
from branchline.bots.processes.program_bot import ProgramBot
from branchline.bots.processes.running import end_everything
from branchline.bots.processes.talking import waiting
from branchline.bots.registry import installed_bots
from branchline.play.events import Event
from branchline.play.games import View
from branchline.play.patches import Json
from branchline.server.protocol.messages import PERSON

log = structlog.get_logger()
NICENESS = 10
LONGEST_ID = 32


@dataclass(frozen=True)
class FurtherBot:
    id: str  # on seats, and in the log of a table
    name: str
    description: str
    command: Command


def introduced(specs: Iterable[str]) -> dict[str, FurtherBot]:
    """The bots that were asked for, and those of installed packages, by id. If one that was asked for does not start, the server does not either."""
    found: dict[str, FurtherBot] = {}
    asked_for = tuple(specs)
    for spec in (*asked_for, *(name for name in installed_bots() if name not in asked_for)):
        try:
            bot = introduced_one(spec, found)
        except BotError as error:
            if spec in asked_for:
                raise
            log.warning("a bot is not offered", bot=spec, reason=str(error)[:200])
        else:
            found[bot.id] = bot
    return found


def introduced_one(spec: str, others: Iterable[str]) -> FurtherBot:
    """A bot under the name that it gives itself."""
    try:
        talk = waiting.take(in_a_process(spec), NICENESS)
    except (BotError, Late) as error:
        raise BotError(f"the bot {spec!r} cannot be offered: {error}") from None
    waiting.give_back(talk, NICENESS)
    return FurtherBot(free_id(talk.hello.name, others), talk.hello.name, talk.hello.description, talk.command)


def free_id(name: str, taken: Iterable[str]) -> str:
    """A bot's name in small letters and digits, with a number if another has it."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST_ID] or "bot"
    used = {PERSON, *LEVELS, *taken}
    return next(one for one in (plain, *(f"{plain}-{number}" for number in range(2, len(used) + 3))) if one not in used)


def shown(bots: dict[str, FurtherBot]) -> list[Json]:
    return [{"id": bot.id, "name": bot.name, "description": bot.description} for bot in bots.values()]


class FurtherBots:
    """Asks them in threads, which only wait: whose turn it is, is decided elsewhere."""

    def __init__(self, bots: dict[str, FurtherBot], workers: int, limit: float) -> None:
        self._bots, self._limit = bots, limit
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="further bots")

    def __contains__(self, name: str) -> bool:
        return name in self._bots

    async def decide(self, name: str, view: View, seed: int, past: Sequence[Event]) -> int:
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(self._decide, self._bots[name], view, seed, past))

    def _decide(self, bot: FurtherBot, view: View, seed: int, past: Sequence[Event]) -> int:
        """Like a level, a bot is made for each decision. It hears all that has happened, so it can know what it knew."""
        program = GuardedBot(ProgramBot(bot.command, bot.id, seed, NICENESS), self._limit, name=bot.id)
        program.new_game(view.game, int(view.record.seat))
        program.happened(list(past))
        decision = program.decide(view)
        program.close()
        for fault in program.faults:
            log.warning("a bot failed", bot=bot.id, kind=fault.kind, detail=fault.detail[:200])
        return decision

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        waiting.end_all()
        end_everything()  # also those that still think: nobody waits for them any more
