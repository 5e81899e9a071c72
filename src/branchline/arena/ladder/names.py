"""What the bots of a ladder are called where people see them: your own by the name that they give themselves, never by where their files are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from branchline.arena.ladder.samples import write_whole
from branchline.bots import make_bot
from branchline.bots.aside import Late
from branchline.bots.base import BotError
from branchline.bots.processes.commands import command_of, is_program, program_name
from branchline.bots.processes.messages import LONGEST_NAME
from branchline.bots.processes.talking import Talk
from branchline.bots.registry import available_bots


class Names:
    """Kept in a file, so that bots that have left, and may be gone, keep theirs."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, str] = read_names(file)

    def meet(self, bots: Sequence[str]) -> None:
        """Ask each bot for its name. No two have the same, and no other bot has that of one that comes with Branchline."""
        for bot in bots:
            others = {name for other, name in self._known.items() if other != bot} | set(available_bots())
            self._known[bot] = bot if is_available(bot) else free(own_name(bot), others)
        write_whole(self._file, json.dumps(self._known, ensure_ascii=False, indent=1) + "\n")

    def of(self, bot: str) -> str:
        return self._known.get(bot) or fallback(bot)


def read_names(file: Path) -> dict[str, str]:
    """Nothing that matters is lost if the file is missing or broken."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {bot: name for bot, name in found.items() if isinstance(name, str)} if isinstance(found, dict) else {}


def is_available(bot: str) -> bool:
    """One that comes with Branchline or a package; what follows `@` belongs to its name."""
    return bot.partition("@")[0] in available_bots()


def own_name(bot: str) -> str:
    """A program says its name when it starts. If it does not start, its games will tell."""
    try:
        name = said_by(bot) if is_program(bot) else make_bot(bot).name
    except (BotError, Late):
        return fallback(bot)
    return name.strip()[:LONGEST_NAME] if name.isprintable() and name.strip() else fallback(bot)


def said_by(program: str) -> str:
    talk = Talk(command_of(program))
    talk.end(politely=True)
    return talk.hello.name


def fallback(bot: str) -> str:
    return program_name(bot) if is_program(bot) else bot


def free(name: str, others: set[str]) -> str:
    """The name, with a number if another has it."""
    return next(one for one in (name, *(f"{name} {number}" for number in range(2, len(others) + 3))) if one not in others)
