"""The report of the edited board: at most one run at a time, in a process of its own, for as long as somebody asks for it."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from branchline.boards.folders import VARIABLE
from branchline.errors import BranchlineError
from branchline.words import ENGLISH

SILENCE = 15.0  # seconds after which a run for which nobody asks any more is ended
LONGEST_LINE = 2**24  # bytes
NAME = 16  # random bytes in the name of a page: nobody guesses it
State = Literal["none", "preparing", "playing", "finished", "stopped", "left", "killed", "failed"]
UNDER_WAY: tuple[State, ...] = ("preparing", "playing")
NOTHING_YET: dict[str, Any] = {"games": 0, "asked": 0, "seconds": 0.0, "head": {"columns": [], "rows": []}, "findings": []}


class NoPage(BranchlineError):
    """There is no such page, or another run has begun."""


@dataclass
class Run:
    folder: Path  # a copy of the board, which is played; there is one at a time
    revision: str
    players: list[int]
    process: asyncio.subprocess.Process
    state: State = "preparing"
    reason: str = ""  # why it failed
    known: dict[str, Any] = field(default_factory=NOTHING_YET.copy)
    figures: str = ""  # all of them, as JSON
    page: str = field(default_factory=lambda: secrets.token_urlsafe(NAME))  # its name: whoever has been told it may open the page
    asked_at: float = field(default_factory=time.monotonic)

    @property
    def is_under_way(self) -> bool:
        return self.state in UNDER_WAY

    def hear(self, line: bytes) -> None:
        heard = json.loads(line)
        if "failed" in heard:
            self.state, self.reason = "failed", heard["failed"]
        elif self.is_under_way:
            self.figures = heard.pop("figures")
            self.state, self.known = "playing", heard

    def end(self, code: int) -> None:
        """The process has ended by itself, or was ended by somebody else."""
        if self.is_under_way:
            is_whole = code == 0 and self.state == "playing"
            self.state = "finished" if is_whole else "killed" if code < 0 else "failed"
            if self.state == "failed":
                self.reason = f"the process ended with the exit code {code}, and the server’s log says why"

    def end_as(self, state: State) -> None:
        """Nothing is lost by killing it: it writes no files."""
        if self.is_under_way:
            self.state = state
            with suppress(ProcessLookupError):
                self.process.kill()


class Reports:
    """What the editor's panel asks for. There is one board, and so at most one process; another run takes the place of the one before."""

    def __init__(self) -> None:
        self.silence = SILENCE
        self._run: Run | None = None
        self._followed: asyncio.Task[None] | None = None
        self._one_at_a_time, self._one_page_at_a_time = asyncio.Lock(), asyncio.Lock()

    async def begin(self, copied: Callable[[], Awaitable[tuple[Path, str]]], players: list[int], games: int) -> None:
        """Play the board as it is now, with each of these numbers of players; `copied` makes the copy that is played, and knows its revision."""
        async with self._one_at_a_time:
            await self._end("stopped")
            async with self._one_page_at_a_time:  # whose figures belong to the copy before
                folder, revision = await copied()
                self._run = Run(folder, revision, players, await started(folder, players, games))
            self._followed = asyncio.create_task(self._follow(self._run))

    async def stop(self) -> None:
        async with self._one_at_a_time:
            await self._end("stopped")

    async def _end(self, state: State) -> None:
        if self._run is not None and self._followed is not None:
            self._run.end_as(state)
            await self._followed

    async def _follow(self, run: Run) -> None:
        watching = asyncio.create_task(self._end_in_silence(run))
        try:
            assert run.process.stdout is not None
            async for line in run.process.stdout:
                run.hear(line)
            run.end(await run.process.wait())
        finally:
            watching.cancel()

    async def _end_in_silence(self, run: Run) -> None:
        while (left := run.asked_at + self.silence - time.monotonic()) > 0:
            await asyncio.sleep(left)
        run.end_as("left")

    def shown(self, language: str) -> dict[str, Any]:
        """How far it is, and what is known by now; whoever asks keeps it going."""
        if self._run is None:
            return {"state": "none", "revision": None, "players": [], "reason": "", "page": "", **NOTHING_YET}
        run = self._run
        run.asked_at = time.monotonic()
        about = {"state": run.state, "revision": run.revision, "players": run.players, "reason": run.reason, "page": run.page if run.figures else ""}
        return {**about, **run.known, **in_one_language(run.known, language)}

    async def page(self, name: str, language: str) -> bytes:
        """The whole page of what has been played so far, for somebody who knows its name."""
        async with self._one_page_at_a_time:
            run = self._run
            if run is None or not run.figures or not secrets.compare_digest(name.encode(), run.page.encode()):
                raise NoPage("there is no such report any more")
            return await drawn(run.folder, run.figures, language)


async def started(folder: Path, players: list[int], games: int) -> asyncio.subprocess.Process:
    """The process knows this board only: another copy of it, being played, has the same name."""
    command = [sys.executable, "-m", "branchline.design.editor.report_games", os.getpid(), folder, games, *players]
    return await asyncio.create_subprocess_exec(*map(str, command), stdout=asyncio.subprocess.PIPE, env=alone(), limit=LONGEST_LINE)


async def drawn(folder: Path, figures: str, language: str) -> bytes:
    """The page, made in a process that knows this board only, too."""
    command = [sys.executable, "-m", "branchline.design.editor.report_page", folder, language]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*map(str, command), stdin=pipe, stdout=pipe, env=alone())
    page, _ = await process.communicate(figures.encode())
    if process.returncode:
        raise NoPage("the report’s page could not be made, and the server’s log says why")
    return page


def alone() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != VARIABLE}


def in_one_language(known: dict[str, Any], language: str) -> dict[str, Any]:
    """What is said in sentences and words, in one language, or else in English."""
    head: dict[str, Any] = known["head"]
    return {"head": head.get(language, head.get(ENGLISH, head)), "findings": [in_language(one, language) for one in known["findings"]]}


def in_language(finding: dict[str, Any], language: str) -> dict[str, Any]:
    """A finding with its sentences in one language, or else in English."""
    said: dict[str, dict[str, Any]] = finding["said"]
    return {name: value for name, value in finding.items() if name != "said"} | said.get(language, said[ENGLISH])
