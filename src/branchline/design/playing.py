"""Games for a designer's figures: chunk after chunk, with the course of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from branchline.batch.games import Games, Player
from branchline.batch.threads import Threads
from branchline.boards import Board
from branchline.bots.compiled.policies import PLANNER
from branchline.design.compiled.blocking import BLOCKER, play_styles
from branchline.design.compiled.courses import COURSE, TRACE, look_back
from branchline.design.styles import BLOCKING, weights_of_style
from branchline.rules.sizes import NONE
from branchline.simulation.players import gpu_player

DEVICES = ("cpu", "cuda", "auto")


class StylePlayer(Player):
    """Plays games between styles."""

    def __init__(self, board: Board, styles: Sequence[str], threads: int | None = None) -> None:
        super().__init__(board, ["planner"] * len(styles), threads, weights=[weights_of_style(style, board.game, len(styles)) for style in styles])
        self._seating.policies[:] = [BLOCKER if style == BLOCKING else PLANNER for style in styles]
        self._play_games = play_styles


class Table:
    """Plays games on a board, and looks back at them. The seats have bots, or styles of play."""

    def __init__(self, board: Board, seats: Sequence[str], threads: int | None = None, device: str = "cpu", styles: bool = False) -> None:
        self.board, self._threads = board, Threads(threads)
        on_cpu = StylePlayer if styles else Player
        self._player = gpu_player(device, board, list(seats)) or on_cpu(board, list(seats), threads)
        self._traces = [np.zeros(1, TRACE) for _ in range(self._threads.number)]

    def play(self, games: int, seed: int, first: int) -> tuple[Games, Any]:
        """The games, and their courses (`compiled/courses.py`)."""
        played = self._player.play(games, seed, first)
        courses = np.zeros(games, COURSE)
        courses["cut_by"], courses["leader"] = NONE, NONE
        if self.board.routes:
            self._threads.run(lambda thread, part: self._look_back(played, courses, thread, part), games)
        return played, courses

    def _look_back(self, played: Games, courses: Any, thread: int, part: slice) -> None:
        look_back(self.board.records, played.states[part], played.results[part], played.tallies[part], self._traces[thread], courses[part])

    def close(self) -> None:
        self._player.close()
        self._threads.close()
