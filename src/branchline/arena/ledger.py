"""The results file: a header with what was asked, then a line per game. An arena continues where its file ends."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from branchline.arena.plan import FORMAT, Arena, ArenaError, PlannedGame
from branchline.arena.playing import Played


class Ledger:
    """The finished games, in memory and in the file, if there is one."""

    def __init__(self, arena: Arena, path: Path | None = None) -> None:
        self.arena, self.path = arena, path
        self.games: dict[PlannedGame, Played] = {}
        self._file: IO[bytes] | None = None
        if path is not None:
            self._file = path.open("ab")  # if writing fails, say so before the first game
            try:
                self._take_up(path)
            except ArenaError:
                self.close()
                raise

    def add(self, games: Iterable[Played]) -> None:
        for played in games:
            self.games[played.planned] = played
            self._write(played.to_dict())
        if self._file:
            self._file.flush()

    def close(self) -> None:
        if self._file:
            self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        if self._file:
            self._file.write(in_a_line(line))

    def _take_up(self, path: Path) -> None:
        """Read what is there, and drop an unfinished last line. Nothing is written to a file that is not ours."""
        *lines, rest = path.read_bytes().split(b"\n")
        if lines:
            self._check_header(parsed(path, 1, lines[0]))
        elif not in_a_line(self.arena.header).startswith(rest):
            raise ArenaError(f"{path} is not a results file of an arena: name another with --out")
        for number, line in enumerate(lines[1:], 2):
            played = played_from(path, number, parsed(path, number, line))
            self.games[played.planned] = played
        if self._file and rest:
            self._file.truncate(sum(len(line) + 1 for line in lines))
        if not lines:
            self._write(self.arena.header)

    def _check_header(self, found: Any) -> None:
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise ArenaError(f"{self.path} is not a results file of an arena: name another with --out")
        wanted = json.loads(in_a_line(self.arena.header))
        for name, value in wanted.items():
            if found.get(name) != value:
                raise ArenaError(
                    f"{self.path} has results of another arena: its {NAMES.get(name, name)} {in_words(found.get(name))}, "
                    f"yours {in_words(value)}. Ask for the same again, or name another file with --out"
                )


NAMES = {"code": "rules and compiled bots have the fingerprint", "branchline": "version of Branchline is", "limit": "limit for a decision is"}


def in_words(value: Any) -> str:
    return ", ".join(",".join(one) if isinstance(one, list) else str(one) for one in value) if isinstance(value, list) else str(value)


def in_a_line(content: dict[str, Any]) -> bytes:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def parsed(path: Path, number: int, line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise ArenaError(f"{path}, line {number}: not what an arena writes ({error}); fix it or name another file with --out") from None


def played_from(path: Path, number: int, fields: Any) -> Played:
    try:
        return Played(**fields | {"lineup": tuple(fields["lineup"])})
    except (TypeError, KeyError) as error:
        raise ArenaError(f"{path}, line {number}: not a game of an arena ({error}); fix it or name another file with --out") from None
