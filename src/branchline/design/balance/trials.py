"""A variant of a board, tried on more and more games: every variant plays the same deals."""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from branchline.boards import Board
from branchline.boards.loader import read_board
from branchline.design.balance.allowed import Knob
from branchline.design.balance.goals import Goal, Played
from branchline.design.balance.writing import write_board
from branchline.design.playing import Table
from branchline.design.strategies import StyleSums, play_styles
from branchline.design.sums import Sums

RUNGS = (512, 2_048, 8_192)  # games with each number of players, after which a variant is judged
DEALS = 32  # each line-up of styles plays one deal for every 32 games: there are up to thirty line-ups

Changes = dict[Knob, Any]


@dataclass(frozen=True)
class Setting:
    """What all trials have in common."""

    source: Path
    board: Board
    players: tuple[int, ...]
    goals: tuple[Goal, ...]
    seed: int
    threads: int | None = None
    rungs: Sequence[int] = RUNGS


@dataclass
class Trial:
    """A variant, and what its games have shown on each rung."""

    setting: Setting
    changes: Changes
    seed: int
    known: list[Played] = field(default_factory=list)
    games: int = 0

    def on(self, rung: int) -> Played:
        """The sums of the first games of this variant."""
        while len(self.known) <= rung:
            self.known.append(self._climb())
        return self.known[rung]

    def _climb(self) -> Played:
        """Play on from the rung before."""
        rungs, rung, board = self.setting.rungs, len(self.known), self._board()
        played = copy.deepcopy(self.known[-1]) if self.known else self._nothing(board)
        begun = rungs[rung - 1] if rung else 0
        for (kind, players), sums in played.items():
            if kind == "games":
                self._play(board, players, sums, begun, rungs[rung])
            else:
                self._play_styles(board, players, sums, begun // DEALS, rungs[rung] // DEALS)
        return played

    def _nothing(self, board: Board) -> Played:
        needs_styles = {goal.needs_styles for goal in self.setting.goals}
        kinds: Mapping[bool, tuple[str, Any]] = {False: ("games", Sums), True: ("styles", StyleSums)}
        return {(kinds[one][0], players): kinds[one][1](board, players) for one in sorted(needs_styles) for players in self.setting.players}

    def _play(self, board: Board, players: int, sums: Any, begun: int, end: int) -> None:
        table = Table(board, ["planner"] * players, self.setting.threads)
        try:
            sums.add(*table.play(end - begun, self.seed, begun))
            self.games += end - begun
        finally:
            table.close()

    def _play_styles(self, board: Board, players: int, sums: Any, begun: int, end: int) -> None:
        for games, courses, table in play_styles(board, players, end - begun, self.seed, self.setting.threads, begun):
            sums.add(games, courses, table)
            self.games += end - begun

    def _board(self) -> Board:
        if not self.changes:
            return self.setting.board
        with tempfile.TemporaryDirectory() as folder:
            write_board(self.setting.source, Path(folder), self.setting.board, self.changes)
            return read_board(Path(folder))
