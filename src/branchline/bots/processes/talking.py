"""Talking to a bot's process: questions with a deadline, answers that are checked, and processes that wait for their next game."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from typing import TypeVar

from pydantic import ValidationError

from branchline import __version__
from branchline.bots.base import BotError
from branchline.bots.processes.commands import Command
from branchline.bots.processes.messages import Answer, BotHello, Error, Hello, Message, Quit, answers, in_a_line
from branchline.bots.processes.running import Ended, Flood, ProgramError, Running

TO_START = 20.0  # seconds until a program must have said hello
MOST_STRAYS = 1_000  # answers to earlier questions before the one that is wanted
MOST_IDLE = 4  # processes of a program that wait for their next game
MOST_STARTS = 3  # attempts in a row before a program is given up

A = TypeVar("A", bound=Message)


class DoesNotStart(BotError):
    """It was tried often enough."""


class Talk:
    """One process, from hello to quit."""

    def __init__(self, command: Command, niceness: int = 0) -> None:
        self.command = command
        self._running = Running(command, niceness)
        self._asked = 0
        try:
            self.hello = self._introduced()
        except BaseException:
            self.end()
            raise

    def _introduced(self) -> BotHello:
        self.tell(Hello(branchline=__version__))
        hello = self._answer(time.monotonic() + TO_START, BotHello, None)
        if any(not letter.isprintable() for letter in hello.name + hello.description) or not hello.name.strip():
            raise ProgramError("its name and description must be printable")
        return hello

    def next_id(self) -> int:
        self._asked += 1
        return self._asked

    def tell(self, message: Message) -> None:
        self._running.send(in_a_line(message))

    def ask(self, message: Message, seconds: float, kind: type[A]) -> A:
        """The answer to a question that has the latest id. Raises Late, or ProgramError."""
        deadline = time.monotonic() + seconds
        self.tell(message)
        return self._answer(deadline, kind, self._asked)

    def _answer(self, deadline: float, kind: type[A], number: int | None) -> A:
        for _ in range(MOST_STRAYS):
            answer = understood(self._running.receive(deadline))
            if getattr(answer, "id", None) != number:
                continue  # to a question that nobody waits for any more
            if isinstance(answer, kind):
                return answer
            if isinstance(answer, Error):
                raise ProgramError(answer.message)
            raise ProgramError(f"answered with {answer.type!r} where {kind.model_fields['type'].default!r} was wanted")
        raise Flood(f"wrote {MOST_STRAYS:,} answers that nobody had asked for")

    @property
    def is_alive(self) -> bool:
        return self._running.is_alive

    def end(self, politely: bool = False) -> None:
        self._running.end(in_a_line(Quit()) if politely else None)


def understood(line: bytes) -> Answer:
    try:
        return answers.validate_json(line)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in wrong["loc"])
        text = line[:80].decode(errors="replace")
        raise ProgramError(
            f"wrote {text!r}, which is not a message: {place + ': ' if place else ''}{wrong['msg']} (stdout is for messages, stderr for all else)"
        ) from None


class Waiting:
    """Processes between two games, and programs that do not start."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # collecting garbage may give back a process at any time
        self._idle: defaultdict[tuple[Command, int], list[Talk]] = defaultdict(list)
        self._failed: defaultdict[Command, int] = defaultdict(int)

    def take(self, command: Command, niceness: int) -> Talk:
        """A process that speaks the protocol: one that waits, or a new one."""
        with self._lock:
            while idle := self._idle[command, niceness]:
                if (talk := idle.pop()).is_alive:
                    return talk
                talk.end()
            if self._failed[command] >= MOST_STARTS:
                raise DoesNotStart(f"it did not start {MOST_STARTS} times in a row, so it is not started again")
        try:
            talk = Talk(command, niceness)
        except Exception:
            with self._lock:
                self._failed[command] += 1
            raise
        with self._lock:
            self._failed[command] = 0
        return talk

    def give_back(self, talk: Talk, niceness: int) -> None:
        with self._lock:
            idle = self._idle[talk.command, niceness]
            if len(idle) < MOST_IDLE:
                idle.append(talk)
                return
        talk.end(politely=True)

    def end_all(self) -> None:
        """End those that wait, and try all programs again that did not start."""
        with self._lock:
            talks = [talk for idle in self._idle.values() for talk in idle]
            self._idle.clear()
            self._failed.clear()
        for talk in talks:
            talk.end(politely=True)


waiting = Waiting()
BREAKING = (Ended, Flood)  # after which a process is of no more use
