"""Which program a bot's name stands for: `./my_bot`, `bots/my_bot.js --fast`, or a Python bot that is to run in a process of its own."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

from branchline.bots.base import BotError, BotOptionError

Command = tuple[str, ...]
INTERPRETERS = {".py": sys.executable, ".js": "node", ".mjs": "node", ".cjs": "node"}  # for files that are not executable


def words_of(spec: str) -> list[str]:
    try:
        return shlex.split(spec, posix=os.name != "nt")
    except ValueError as error:
        raise BotOptionError(f"the bot {spec!r} cannot be read as a command: {error}") from None


def is_program(spec: str) -> bool:
    """Does it name a file? Bots by name, and `module:Class`, have no slash."""
    try:
        first = words_of(spec)[:1]
    except BotOptionError:
        return False
    return any(mark in word for word in first for mark in ("/", os.sep))


def program_name(spec: str) -> str:
    """What to call it until it has said its name."""
    return Path(words_of(spec)[0]).stem


def command_of(spec: str) -> Command:
    first, *rest = words_of(spec)
    path = Path(first).expanduser()
    if not path.is_file():
        raise BotOptionError(f"the bot {spec!r} cannot be started: there is no file {first}")
    if os.access(path, os.X_OK) and os.name != "nt":
        return (str(path.resolve()), *rest)
    if path.suffix not in INTERPRETERS:
        raise BotOptionError(f"the bot {spec!r} cannot be started: {first} is not executable; make it so with chmod +x {first}")
    return (interpreter(spec, INTERPRETERS[path.suffix]), str(path.resolve()), *rest)


def interpreter(spec: str, name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise BotError(f"the bot {spec!r} cannot be started: {name} is not installed")
    return found


def in_a_process(spec: str) -> Command:
    """The program for any bot: itself, if it is one; otherwise the Python bot, spoken for by `speaking.py`."""
    return command_of(spec) if is_program(spec) else (sys.executable, "-m", "branchline.bots.processes.speaking", spec)
