"""The report of the edited board: at most one run at a time, in a process of its own, for as long as somebody asks for it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from branchline.boards.folders import VARIABLE
from branchline.words import ENGLISH

SILENCE = 15.0  # seconds after which a run for which nobody asks any more is ended
LONGEST_LINE = 2**24  # bytes
State = Literal["none", "preparing", "playing", "finished", "stopped", "left", "killed", "failed"]
UNDER_WAY: tuple[State, ...] = ("preparing", "playing")
NOTHING_YET: dict[str, Any] = {"games": 0, "asked": 0, "seconds": 0.0, "findings": []}


@dataclass
class Run:
    revision: str  # of the board that is played
    players: list[int]
    process: asyncio.subprocess.Process
    state: State = "preparing"
    reason: str = ""  # why it failed
    known: dict[str, Any] = field(default_factory=NOTHING_YET.copy)
    asked_at: float = field(default_factory=time.monotonic)

    @property
    def is_under_way(self) -> bool:
        return self.state in UNDER_WAY

    def hear(self, line: bytes) -> None:
        heard = json.loads(line)
        if "failed" in heard:
            self.state, self.reason = "failed", heard["failed"]
        elif self.is_under_way:
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
        self._one_at_a_time = asyncio.Lock()

    async def begin(self, folder: Path, revision: str, players: list[int], games: int) -> None:
        """Play the board in the folder, with each of these numbers of players."""
        async with self._one_at_a_time:
            await self._end("stopped")
            self._run = Run(revision, players, await started(folder, players, games))
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
            return {"state": "none", "revision": None, "players": [], "reason": "", **NOTHING_YET}
        run = self._run
        run.asked_at = time.monotonic()
        findings = [in_language(one, language) for one in run.known["findings"]]
        return {"state": run.state, "revision": run.revision, "players": run.players, "reason": run.reason, **run.known, "findings": findings}


async def started(folder: Path, players: list[int], games: int) -> asyncio.subprocess.Process:
    """The process knows this board only: another copy of it, being played, has the same name."""
    command = [sys.executable, "-m", "branchline.design.editor.report_games", os.getpid(), folder, games, *players]
    alone = {name: value for name, value in os.environ.items() if name != VARIABLE}
    return await asyncio.create_subprocess_exec(*map(str, command), stdout=asyncio.subprocess.PIPE, env=alone, limit=LONGEST_LINE)


def in_language(finding: dict[str, Any], language: str) -> dict[str, Any]:
    """A finding with its sentences in one language, or else in English."""
    said: dict[str, dict[str, Any]] = finding["said"]
    return {name: value for name, value in finding.items() if name != "said"} | said.get(language, said[ENGLISH])
