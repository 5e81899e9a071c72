"""`branchline connect`: sit down at a table, or at every open one, and play."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from branchline.bots import Bot, make_bot
from branchline.bots.connect.addresses import Address
from branchline.bots.connect.seated import Seated
from branchline.bots.connect.server import Json, Refusal, Server
from branchline.bots.processes.commands import command_of, is_program
from branchline.bots.processes.running import end_everything
from branchline.bots.processes.talking import waiting
from branchline.errors import BranchlineError, UsageError

LOOK_EVERY = 5.0  # seconds between looks at the list of open tables
LONGEST_NAME = 24


@dataclass(frozen=True)
class Wishes:
    """How the bot wants to play."""

    bot: str
    name: str | None = None
    seed: int | None = None
    limit: float = 10.0
    tables: int = 4  # at once
    games: tuple[str, ...] = ()  # none: all
    stay: float = 60.0  # seconds to wait for a rematch


def bot_name(wishes: Wishes) -> str:
    """As it calls itself. A program is asked."""
    if wishes.name is not None:
        return wishes.name[:LONGEST_NAME]
    if not is_program(wishes.bot):
        return make_bot(wishes.bot).name[:LONGEST_NAME]
    talk = waiting.take(command_of(wishes.bot), 0)
    waiting.give_back(talk, 0)
    return talk.hello.name


def own_key(file: Path | None) -> str:
    """The key to the bot's seats: from the file, or a new one."""
    if file is None:
        return secrets.token_urlsafe(32)
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(secrets.token_urlsafe(32), encoding="utf-8")
    key = file.read_text(encoding="utf-8").strip()
    if not re.fullmatch(r"[A-Za-z0-9_-]{22,86}", key):
        raise UsageError(f"{file} does not hold a key: name another file with --key-file")
    return key


class Connection:
    def __init__(self, address: Address, key: str, wishes: Wishes, say: Callable[[str], None]) -> None:
        self.server, self.wishes, self.say = Server(address, key, say), wishes, say
        self.name = bot_name(wishes)
        self._playing: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        try:
            if self.server.address.table is not None:
                await self._play(self.server.address.table)
            else:
                await self._look_around()
        finally:
            for task in self._playing.values():
                task.cancel()
            await asyncio.gather(*self._playing.values(), return_exceptions=True)

    async def _look_around(self) -> None:
        """Sit at open tables, up to the wished number, for ever."""
        self.say(f"{self.name} looks for open tables at {self.server.address.server}. Stop with Ctrl-C.")
        while True:
            for table in await self._wanted():
                if len(self._playing) < self.wishes.tables and table not in self._playing:
                    self._playing[table] = asyncio.create_task(self._play_and_tell(table))
            await asyncio.sleep(LOOK_EVERY)

    async def _wanted(self) -> list[str]:
        """Own games first, then tables with a free seat."""
        own, offered = [(await self.server.get(path)).get("tables", ()) for path in ("/api/my/tables", "/api/tables")]
        try:
            unfinished = [one["table"] for one in own if one["status"] in ("waiting", "playing") and "you" in one]
            return unfinished + [one["table"] for one in offered if self._suits(one)]
        except (KeyError, TypeError):
            raise BranchlineError("the server's list of tables is not what this version of Branchline knows") from None

    def _suits(self, listed: Json) -> bool:
        wished = not self.wishes.games or listed["game"] in self.wishes.games
        return wished and listed["status"] == "waiting" and "you" not in listed and any(map(is_free, listed["seats"]))

    async def _play_and_tell(self, table: str) -> None:
        try:
            await self._play(table)
        except Refusal as refusal:
            self.say(f"{table[:6]}: {refusal}")  # others were quicker, or it has been closed
        except BranchlineError as error:
            self.say(f"{table[:6]}: {error}")
        finally:
            self._playing.pop(table, None)

    async def _play(self, table: str) -> None:
        """A game, and its rematches."""
        following: str | None = table
        while following is not None:
            sat = await self.server.post(f"/api/tables/{following}/join", {"name": self.name, "bot": True})
            self.say(f"{following[:6]}: {self.name} sits on seat {sat.get('seat')}.")
            following = await Seated(self.server, following, self._new_bot, self.wishes.limit, self.wishes.stay).play()
        self.say(f"{table[:6]}: the game is over.")

    def _new_bot(self) -> Bot:
        return make_bot(self.wishes.bot, secrets.randbits(64) if self.wishes.seed is None else self.wishes.seed)


def is_free(seat: Json) -> bool:
    return seat["player"] == "human" and "name" not in seat and not seat.get("reserved")


def connect(address: Address, key_file: Path | None, wishes: Wishes, say: Callable[[str], None]) -> None:
    try:
        asyncio.run(Connection(address, own_key(key_file), wishes, say).run())
    finally:
        end_everything()  # a program that still thinks need not finish
