"""The results file: a header with what was asked, then a line per game. An arena continues where its file ends."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from branchline.arena.plan import Arena, ArenaError, PlannedGame
from branchline.arena.playing import Played

Header = dict[str, Any]


class GamesFile:
    """A file of finished games that is only ever added to. Whenever its writer is killed, only an unfinished last line is lost."""

    def __init__(self, path: Path, header: Header, advice: str, kind: str = "an arena") -> None:
        self.path, self.header, self.kind, self.advice = path, header, kind, advice
        self._file: IO[bytes] = path.open("ab")  # if writing fails, say so before the first game

    def games(self) -> Iterator[Played]:
        """What is there, one after the other; an unfinished last line is dropped. Nothing is written to a file that is not ours."""
        whole = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    self._check_beginning(number, line)
                    break
                whole += len(line)
                if number == 1:
                    self._check_header(self._parsed(number, line))
                else:
                    yield self._played(number, self._parsed(number, line))
        self._file.truncate(whole)
        if not whole:
            self._write(self.header)
            self._file.flush()

    def add(self, games: Iterable[Played]) -> None:
        for played in games:
            self._write(played.to_dict())
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(in_a_line(line))

    def _check_beginning(self, number: int, line: bytes) -> None:
        if number == 1 and not in_a_line(self.header).startswith(line):
            raise self._not_ours()

    def _check_header(self, found: Any) -> None:
        if not isinstance(found, dict) or found.get("format") != self.header["format"]:
            raise self._not_ours()
        wanted = json.loads(in_a_line(self.header))
        for name, value in wanted.items():
            if found.get(name) != value:
                raise ArenaError(
                    f"{self.path} has results of another {self.kind.split()[-1]}: its {NAMES.get(name, name)} {in_words(found.get(name))}, "
                    f"yours {in_words(value)}. Ask for the same again, or {self.advice}"
                )

    def _not_ours(self) -> ArenaError:
        return ArenaError(f"{self.path} is not a results file of {self.kind}: {self.advice}")

    def _parsed(self, number: int, line: bytes) -> Any:
        try:
            return json.loads(line)
        except ValueError as error:
            raise ArenaError(f"{self.path}, line {number}: not what {self.kind} writes ({error}); fix it or {self.advice}") from None

    def _played(self, number: int, fields: Any) -> Played:
        try:
            return Played(**fields | {"lineup": tuple(fields["lineup"])})
        except (TypeError, KeyError) as error:
            raise ArenaError(f"{self.path}, line {number}: not a game of {self.kind} ({error}); fix it or {self.advice}") from None


class Ledger:
    """The finished games of an arena, in memory and in the file, if there is one."""

    def __init__(self, arena: Arena, path: Path | None = None) -> None:
        self.games: dict[PlannedGame, Played] = {}
        self._file = GamesFile(path, arena.header, "name another file with --out") if path is not None else None
        if self._file is not None:
            try:
                self.games = {played.planned: played for played in self._file.games()}
            except ArenaError:
                self.close()
                raise

    def add(self, games: Iterable[Played]) -> None:
        added = list(games)
        self.games |= {played.planned: played for played in added}
        if self._file:
            self._file.add(added)

    def close(self) -> None:
        if self._file:
            self._file.close()


NAMES = {
    "code": "rules and compiled bots have the fingerprint",
    "boards": "boards have the fingerprints",
    "bots": "bots are",
    "branchline": "version of Branchline is",
    "games": "games are",
    "limit": "limit for a decision is",
    "lineups": "line-ups are",
    "players": "number of players is",
    "seed": "seed is",
}


def in_words(value: Any) -> str:
    return ", ".join(",".join(one) if isinstance(one, list) else str(one) for one in value) if isinstance(value, list) else str(value)


def in_a_line(content: dict[str, Any]) -> bytes:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
