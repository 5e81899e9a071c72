"""What checking a bot finds: verdicts, each with its first counter-example, and times."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

SOUND, LEGAL, TIMELY, HANDS_OFF, VIEW_ALONE, REPEATABLE, EXPLAINS = range(7)
TITLES = (
    "does not crash",
    "answers legally",
    "answers in time",
    "leaves its view as it is",
    "decides by its view alone",
    "plays the same game again",
    "explains itself in JSON",
)
NEEDS_DETERMINISM = (VIEW_ALONE, REPEATABLE)


@dataclass(frozen=True)
class CounterExample:
    """Where a bot failed; the decision number counts the game's decisions from 1."""

    game: str
    players: int
    seed: int
    decision_number: int
    text: str

    def __str__(self) -> str:
        return f"{self.game}, {self.players} seats, seed {self.seed}, decision {self.decision_number}: {self.text}"


@dataclass
class Check:
    """One requirement of the contract: how often it was checked, how often it failed, and where first."""

    title: str
    tried: int = 0
    failures: int = 0
    first: CounterExample | None = None

    @property
    def verdict(self) -> str:
        return "fail" if self.failures else "pass" if self.tried else "not tried"


@dataclass
class Report:
    """Everything found out about a bot."""

    bot: str
    limit: float
    checks: list[Check] = field(default_factory=lambda: [Check(title) for title in TITLES])
    phases: Counter[str] = field(default_factory=Counter)  # what the bot was asked for, and how often
    seconds: list[float] = field(default_factory=list)  # per decision
    games: int = 0
    stopped: bool = False  # before all games were played
    stuck: bool = False  # stopped because the bot did not return

    @property
    def passed(self) -> bool:
        return bool(self.games) and not self.stopped and not any(check.failures for check in self.checks)

    @property
    def may_be_by_design(self) -> bool:
        """Only determinism checks have failed, which a bot that thinks against the clock cannot pass."""
        failed = {number for number, check in enumerate(self.checks) if check.failures}
        return bool(failed) and failed <= set(NEEDS_DETERMINISM)

    def slowest(self, share: float) -> float:
        """The time within which a share of the decisions was made; 1.0 gives the longest."""
        ordered = sorted(self.seconds)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0


def in_seconds(seconds: float) -> str:
    return f"{seconds * 1e6:.0f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
