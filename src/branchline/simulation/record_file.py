"""Records, one per line: games with every decision and event, played one after the other on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO

from branchline.batch.games import Games
from branchline.batch.matches import Match
from branchline.errors import RecordError
from branchline.play.records import Record
from branchline.play.seeds import seed_number
from branchline.simulation.output import Output
from branchline.simulation.plan import Plan, SimulationError

BEGINNING = b'{"format":"branchline/'  # a file that is not ours is never cut


class RecordFile(Output):
    """A file that is added to line by line."""

    def __init__(self, plan: Plan, out: Path, resume: bool, force: bool, say: Callable[[str], None]) -> None:
        super().__init__()
        self._out, self._plan, self.files = out, plan, (out,)
        if out.exists() and out.stat().st_size and not resume and not force:
            raise SimulationError(f"{out} already exists: continue it with --resume, overwrite it with --force, or name another file with --out")
        length = self._take_up(say) if resume and out.exists() else 0
        self.file: IO[bytes] = out.open("ab")  # if writing fails, say so before the first game
        self.file.truncate(length)

    def _take_up(self, say: Callable[[str], None]) -> int:
        """Count the lines, and look at the first and the last. Returns their length: whatever follows was not finished, and is cut off."""
        first, last, length = b"", b"", 0
        with self._out.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    first, last, length, self.done = first or line, line, length + len(line), self.done + 1
                elif not BEGINNING.startswith(line[: len(BEGINNING)]):
                    raise SimulationError(f"{self._out} holds no records: name another file with --out, or overwrite it with --force")
                else:
                    say(f"The last line of {self._out} was not finished; its game is played again.")
        if first:
            self._check(0, first)
            self._check(self.done - 1, last)
        return length

    def _check(self, number: int, line: bytes) -> None:
        """Is it the record of that game of the plan?"""
        try:
            record = Record.from_json(line.decode())
        except (RecordError, UnicodeDecodeError) as error:
            raise SimulationError(f"{self._out}, line {number + 1}: {error}. Name another file with --out, or overwrite it with --force") from None
        seed = seed_number(record.seed or 0)
        bots = [seat["player"].removeprefix("bot:") for seat in record.seats]
        facts = {"game": record.game, "players": len(bots), "bots": ",".join(bots), "rules_version": record.rules_version, "seed": seed >> 64}
        facts |= {"fingerprint": record.board}
        self._plan.check({name: str(value) for name, value in facts.items()}, self._out)
        if record.options != self._plan.game.options or seed & (1 << 64) - 1 != number:
            raise SimulationError(
                f"{self._out}, line {number + 1}: not game {number} of this simulation. Name another file, or overwrite it with --force"
            )

    def close(self) -> None:
        self.file.close()


class RecordPlayer:
    """Plays games so that they can be recorded, and writes their records."""

    def __init__(self, plan: Plan, file: IO[bytes]) -> None:
        self._match, self._file = Match(plan.game, list(plan.bots)), file
        self._seats = [{"name": f"{name} {seat}", "player": f"bot:{name}"} for seat, name in enumerate(plan.bots)]

    def play(self, games: int, seed: int, first: int = 0) -> Games:
        """Like a batch's player, but without tallies: the events tell the same."""
        played = Games.blank(games, first)
        for place in range(games):
            state = self._match.play((seed << 64) + first + place)
            played.states[place], played.results[place], played.decisions[place] = state.record, state.counted(), len(state.history)
            self._file.write(Record.of(state, self._seats).to_json().encode() + b"\n")
        self._file.flush()
        return played

    def close(self) -> None:
        """It keeps no threads."""
