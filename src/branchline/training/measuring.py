"""Measuring a run beside it: what it has learned is exported and plays fixed opponents in threads of its own, while the training goes on."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from branchline.training.checkpoints import load
from branchline.training.evaluating import win_rate
from branchline.training.exporting import export


@dataclass(frozen=True)
class Exam:
    """Whom a network plays, with how many seats, and how many games."""

    against: tuple[str, ...] = ("planner", "greedy")
    players: tuple[int, ...] = (2,)
    games: int = 400
    threads: int | None = None


class Measuring:
    """One network at a time is measured; what comes while it is busy is left out."""

    def __init__(self, exam: Exam, game: str) -> None:
        self.exam, self.game = exam, game
        self._threads, self._asked = ThreadPoolExecutor(1), list[Future[list[dict[str, Any]]]]()

    @property
    def is_busy(self) -> bool:
        return any(not future.done() for future in self._asked)

    def measure(self, checkpoint: Path, clock: float) -> None:
        network = checkpoint.with_suffix(".net")
        export(load(checkpoint), network)
        self._asked.append(self._threads.submit(self._play, network, clock))

    def _play(self, network: Path, clock: float) -> list[dict[str, Any]]:
        exam, found = self.exam, list[dict[str, Any]]()
        for players in exam.players:
            for against in exam.against:
                wins = win_rate(network, self.game, players, against, exam.games, exam.threads)
                share = {"share": wins.mean, "low": wins.low, "high": wins.high, "games": exam.games, "measured_at": round(clock, 2)}
                found.append({"players": players, "against": against, **share})
        return found

    def results(self, wait: bool = False) -> Iterator[dict[str, Any]]:
        """What has been found out since the last time."""
        while self._asked and (wait or self._asked[0].done()):
            yield from self._asked.pop(0).result()

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
