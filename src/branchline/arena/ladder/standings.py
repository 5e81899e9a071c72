"""What is known about the bots of a ladder so far. Every game is added once, and only sums are kept, however many there are."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import permutations
from statistics import fmean
from typing import Any

from openskill.models import PlackettLuce

from branchline.arena.figures import ahead_in, seats_of
from branchline.arena.playing import Played
from branchline.arena.ratings import Rating, update
from branchline.pages.intervals import Estimate, student, wilson

NOTHING_KNOWN = 0.0, 1.0  # the interval of a share before anything is known about it


@dataclass
class Sums:
    """Shares of games, by round: the games of a round are played with the same cards and belong together."""

    rounds: int = 0
    games: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, share: float, games: int) -> None:
        self.rounds += 1
        self.games += games
        self.total += share
        self.squares += share * share

    def estimate(self) -> Estimate:
        """The mean over rounds, with Student's interval; Wilson's over games if the rounds do not differ."""
        if not self.rounds:
            return Estimate(0.5, *NOTHING_KNOWN)
        mean = self.total / self.rounds
        variance = max(0.0, self.squares - self.rounds * mean * mean) / max(1, self.rounds - 1)
        if self.rounds < 2 or variance < 1e-12:
            return Estimate(mean, *wilson(min(max(mean, 0.0), 1.0), self.games))
        spread = student(self.rounds - 1) * math.sqrt(variance / self.rounds)
        return Estimate(mean, max(mean - spread, 0.0), min(mean + spread, 1.0))


@dataclass
class Career:
    """A bot's games."""

    games: int = 0
    seconds: float = 0.0
    timed: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def pace(self) -> float | None:
        """Seconds per decision."""
        return self.seconds / self.timed if self.timed else None


class Standings:
    """Ratings after every game, in the order in which games finished; shares after every round that is complete."""

    def __init__(self) -> None:
        self._model = PlackettLuce()
        self._ratings: dict[str, Any] = {}
        self.careers: dict[str, Career] = {}
        self.won: dict[tuple[str, str], Sums] = defaultdict(Sums)  # game, bot
        self.ahead: dict[tuple[str, str], Sums] = defaultdict(Sums)  # bot, other bot
        self.games = self.rounds = 0

    def meet(self, bot: str) -> None:
        if bot not in self._ratings:
            self._ratings[bot] = self._model.rating(name=bot)
            self.careers[bot] = Career()

    def add(self, played: Played) -> None:
        for bot in played.seats:
            self.meet(bot)
        self.games += 1
        update(self._model, self._ratings, played)
        for bot in set(played.seats):
            self._add_to_career(self.careers[bot], bot, played)

    def _add_to_career(self, career: Career, bot: str, played: Played) -> None:
        seats = seats_of(played, bot)
        career.games += 1
        career.seconds += sum(played.seconds[seat] for seat in seats)
        career.timed += sum(played.timed[seat] for seat in seats)
        career.faults.update(fault["kind"] for fault in played.faults if fault["bot"] == bot)

    def add_round(self, games: list[Played]) -> None:
        """All games of a round, in which every bot has had every seat."""
        self.rounds += 1
        bots = dict.fromkeys(games[0].seats)
        for bot in bots:
            self.won[games[0].game, bot].add(fmean(one.won(seat) for one in games for seat in seats_of(one, bot)), len(games))
        for bot, other in permutations(bots, 2):
            self.ahead[bot, other].add(fmean(ahead_in(one, bot, other) for one in games), len(games))

    def rating(self, bot: str) -> Rating:
        found = self._ratings[bot]
        return Rating(bot, found.mu, found.sigma, found.ordinal())

    @property
    def ranking(self) -> list[Rating]:
        """Strongest first, by what is certain about them."""
        return sorted((self.rating(bot) for bot in self._ratings), key=lambda rating: -rating.ordinal)
