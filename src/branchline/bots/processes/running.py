"""A running program and its three pipes. Nothing that it does can hold up or fill up whoever talks to it.

Threads read what it writes, up to a limit, and write what it is to read, so a full pipe blocks only them. `keeper.py` ends it in the end.
"""

from __future__ import annotations

import atexit
import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import WeakSet

from branchline.bots.aside import Late
from branchline.bots.base import BotError
from branchline.bots.processes.commands import Command

LONGEST_LINE = 256 * 1024  # bytes
MOST_UNREAD = 1024 * 1024  # bytes that a bot may write without being asked
LAST_WORDS = 2_000  # bytes of stderr that are kept
LEAVING = 1.0  # seconds to leave after `quit`
TO_SEE = 1.0  # seconds to see how it ended, once its output has
KEEPER = Path(__file__).with_name("keeper.py")
KEPT = ("BRANCHLINE_CACHE", "BRANCHLINE_MODE", "BRANCHLINE_NUMBA")
SECRET = ("BRANCHLINE_", "PG")  # how variables begin that may hold a server's secrets


class ProgramError(BotError):
    """A bot's program ended, or wrote what it should not."""


class Flood(ProgramError):
    """It wrote too much: nobody reads on."""


class Ended(ProgramError):
    """It is gone."""


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """What a bot may know: not the address and password of a server's database."""
    return {name: value for name, value in variables.items() if name in KEPT or not name.startswith(SECRET)}


class Running:
    def __init__(self, command: Command, niceness: int = 0) -> None:
        self._lifeline: int | None = None
        self._process = self._started(command, niceness)
        self._lines: deque[bytes] = deque()
        self._unread = 0
        self._trouble: ProgramError | None = None
        self._last_words = b""
        self._news = threading.Condition()
        self._to_write: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._listener, *_ = self._threads = [threading.Thread(target=work, daemon=True) for work in (self._listen, self._write, self._read)]
        for thread in self._threads:
            thread.start()
        everything_running.add(self)

    def _started(self, command: Command, niceness: int) -> subprocess.Popen[bytes]:
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | {"bufsize": 0, "env": environment(os.environ)}
        if os.name == "nt":
            return subprocess.Popen(command, **pipes)
        theirs, self._lifeline = os.pipe()
        try:
            kept = (sys.executable, "-I", "-S", str(KEEPER), str(theirs), str(niceness), *command)
            return subprocess.Popen(kept, start_new_session=True, pass_fds=(theirs,), **pipes)
        except BaseException:
            self._let_go()
            raise
        finally:
            os.close(theirs)

    @property
    def is_alive(self) -> bool:
        return self._trouble is None and self._process.poll() is None

    def send(self, line: bytes) -> None:
        self._to_write.put(line)

    def receive(self, deadline: float) -> bytes:
        """The next line, without its end. Raises Late at the deadline, ProgramError if there will be none."""
        with self._news:
            while not self._lines:
                if self._trouble is not None:
                    raise self._trouble
                if not self._news.wait(max(0.0, deadline - time.monotonic())) and time.monotonic() >= deadline:
                    raise Late("no answer in time")
            line = self._lines.popleft()
            self._unread -= len(line)
            return line

    def _read(self) -> None:
        """Read lines until the end, or until there are too many."""
        rest = b""
        output = self._process.stdout
        assert output is not None
        with suppress(OSError, ValueError):
            while chunk := output.read(65_536):
                *lines, rest = (rest + chunk).split(b"\n")
                if not self._take(lines, rest):
                    return
        self._give_up(Ended(self._how_it_ended()))

    def _take(self, lines: list[bytes], rest: bytes) -> bool:
        with self._news:
            self._lines.extend(lines)
            self._unread += sum(map(len, lines)) + len(lines)
            self._news.notify_all()
        if len(rest) > LONGEST_LINE or any(len(line) > LONGEST_LINE for line in lines):
            self._give_up(Flood(f"wrote a line of more than {LONGEST_LINE:,} bytes"))
        elif self._unread > MOST_UNREAD:
            self._give_up(Flood(f"wrote more than {MOST_UNREAD:,} bytes without being asked"))
        else:
            return True
        return False

    def _give_up(self, trouble: ProgramError) -> None:
        with self._news:
            if isinstance(trouble, Flood):
                self._lines.clear()
            self._trouble = trouble
            self._news.notify_all()

    def _how_it_ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(TO_SEE)
        self._listener.join(TO_SEE)  # it was started before the reader, which calls this
        said = self._last_words.decode(errors="replace").strip().splitlines()
        code = self._process.returncode
        how = "closed its output" if code is None else f"ended with code {code}"
        return f"its process {how}{f', saying: {said[-1][:300]}' if said else ''}"

    def _listen(self) -> None:
        """Keep the last of what it says to people, so that its pipe never fills up."""
        errors = self._process.stderr
        assert errors is not None
        with suppress(OSError, ValueError):
            while chunk := errors.read(65_536):
                self._last_words = (self._last_words + chunk)[-LAST_WORDS:]

    def _write(self) -> None:
        inbox = self._process.stdin
        assert inbox is not None
        with suppress(OSError, ValueError):
            while (line := self._to_write.get()) is not None:
                left = memoryview(line)
                while left:  # a pipe without a buffer may take only a part
                    left = left[inbox.write(left) or 0 :]
        with suppress(OSError, ValueError):
            inbox.close()

    def end(self, last: bytes | None = None) -> None:
        """End it with all it has started. With a last message it has a moment to leave by itself."""
        if last is not None and self._process.poll() is None:
            self.send(last)
            self.send(b"")
            self._to_write.put(None)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(LEAVING)
        self._to_write.put(None)
        self._kill()
        for thread in self._threads:
            thread.join(LEAVING)
        for pipe in (self._process.stdout, self._process.stderr, self._process.stdin):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        everything_running.discard(self)

    def _kill(self) -> None:
        self._let_go()
        if os.name == "nt" and self._process.poll() is None:
            subprocess.run(("taskkill", "/T", "/F", "/PID", str(self._process.pid)), check=False, capture_output=True)
        try:
            self._process.wait(5 * LEAVING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _let_go(self) -> None:
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None


everything_running: WeakSet[Running] = WeakSet()


@atexit.register
def end_everything() -> None:
    for running in list(everything_running):
        running.end()
