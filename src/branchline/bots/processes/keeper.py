"""Keeps a bot's process, and everything that it starts, on a lead: `python keeper.py LIFELINE NICENESS COMMAND …`.

Branchline holds the other end of the lifeline, a pipe. When that closes, because Branchline wants it so or is gone, however it went, the keeper
kills the bot with all its descendants. It does the same with descendants that outlive the bot. On Linux none escapes: orphans become the keeper's
children.

It runs as a script of its own, without the rest of the package, so that it starts quickly.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

NOT_STARTED = 126  # the exit code for a command that cannot be run
SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
ROUNDS = 200  # of killing, 10 ms apart, for processes that keep starting others


def adopt_orphans() -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def parents() -> dict[int, int]:
    """The parent of every process that is not a zombie; empty where there is no /proc."""
    found = {}
    for entry in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if entry.isdecimal():
            with suppress(OSError, ValueError, IndexError), open(f"/proc/{entry}/stat", "rb") as file:
                state, parent = file.read().rpartition(b")")[2].split()[:2]
                if state not in (b"Z", b"X"):
                    found[int(entry)] = int(parent)
    return found


def descendants() -> list[int]:
    parent_of, own = parents(), {os.getpid()}
    found: list[int] = []
    while more := [pid for pid, parent in parent_of.items() if parent in own and pid not in own]:
        own.update(more)
        found += more
    return found


def end_all(bot: int) -> None:
    """Kill the bot's group, and whatever else descends from here, until nothing is left."""
    for _ in range(ROUNDS):
        with suppress(OSError):
            os.killpg(bot, signal.SIGKILL)
        left = descendants()
        for pid in left:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not left:
            return
        time.sleep(0.01)


def hold(lifeline: int, bot: int) -> None:
    with suppress(OSError):
        while os.read(lifeline, 1):
            pass
    end_all(bot)
    os._exit(0)


def waited_for(bot: int) -> int:
    """The bot's exit code. Whatever else ends meanwhile is reaped as well."""
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == bot:
            return os.waitstatus_to_exitcode(status)


def main() -> None:
    lifeline, niceness, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    adopt_orphans()
    os.nice(niceness)
    try:
        bot = subprocess.Popen(command, start_new_session=True, restore_signals=True)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        sys.exit(NOT_STARTED)
    for own in (0, 1, 2):  # the bot has them now; its end must be seen at once
        os.close(own)
    threading.Thread(target=hold, args=(lifeline, bot.pid), daemon=True).start()
    code = waited_for(bot.pid)
    end_all(bot.pid)
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
