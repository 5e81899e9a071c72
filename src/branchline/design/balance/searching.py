"""The search: try changes on the same deals, keep those that are better beyond chance.

First, tickets are set to the values that the figures suggest, all at once and half-way, and settings to their ends and middles. Then single changes
and pairs of them are tried at random. A variant is judged after 512 games with each number of players, then after 2,048 and 8,192: as soon as the
interval of the paired difference lies on the wrong side, it is dropped, and it is kept only if the whole interval lies on the right side in the end.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from branchline.boards.model import BoardError
from branchline.design.balance.allowed import COLOUR, SETTING, TICKET, Knob
from branchline.design.balance.goals import estimate, gain, verdict
from branchline.design.balance.trials import Changes, Setting, Trial
from branchline.design.blocks import Array
from branchline.design.figures import kinds_of, suggested
from branchline.design.sums import Sums

PAIRS = 0.3  # the share of tries that change two things


@dataclass(frozen=True)
class Progress:
    """How far the search is."""

    tried: int
    kept: int
    games: int
    seconds: float
    changes: Changes
    measures: dict[str, float]
    reached: bool


class Search:
    """A search for better numbers. `best` is the best variant so far, whenever one looks."""

    def __init__(self, setting: Setting, knobs: list[Knob]) -> None:
        self.setting, self.knobs = setting, knobs
        self.best = Trial(setting, {}, setting.seed)
        self.tried = self.kept = self.games = 0
        self._random, self._begun, self._seen = random.Random(setting.seed), time.monotonic(), {frozenset[Any]()}

    @property
    def last(self) -> int:
        return len(self.setting.rungs) - 1

    def run(self, seconds: float) -> Iterator[Progress]:
        """Search that long, or until all goals are reached."""
        self.best.on(self.last)
        self.games += self.best.games
        yield self.progress()
        for propose in self._proposals():
            if self.reached() or time.monotonic() - self._begun > seconds:
                return
            self._try(propose())
            yield self.progress()

    def progress(self) -> Progress:
        played = self.best.on(self.last)
        measures = {goal.name: float(estimate(goal, played).mean) for goal in self.setting.goals}
        return Progress(self.tried, self.kept, self.games, time.monotonic() - self._begun, self.best.changes, measures, self.reached())

    def reached(self) -> bool:
        """Are all measures below their limits, with their whole intervals?"""
        played = self.best.on(self.last)
        return all(verdict(goal, estimate(goal, played)) == "reached" for goal in self.setting.goals)

    def _proposals(self) -> Iterator[Callable[[], Changes]]:
        if any(knob.kind == TICKET for knob in self.knobs) and any(not goal.needs_styles for goal in self.setting.goals):
            for part in (1.0, 0.5, 1.0):
                yield lambda part=part: self._as_suggested(part)  # type: ignore[misc]  # each its own
        for knob in self.knobs:
            if knob.kind == SETTING:
                for value in dict.fromkeys((knob.choices[-1], knob.choices[0], knob.choices[len(knob.choices) // 2])):
                    yield lambda knob=knob, value=value: self._with(knob, value)  # type: ignore[misc]
        while True:
            yield self._at_random

    def _try(self, changes: Changes) -> None:
        """Judge a variant on one rung after the other."""
        if (mark := frozenset((knob.kind, knob.subject, value) for knob, value in changes.items())) in self._seen:
            return
        self._seen.add(mark)
        self.tried += 1
        trial = Trial(self.setting, changes, self.setting.seed)
        try:
            better = all(self._is_hopeful(trial, rung) for rung in range(self.last + 1))
        except BoardError:  # such as a ticket that nobody can complete any more
            return
        finally:
            self.games += trial.games
        if better:
            self.best, self.kept = trial, self.kept + 1

    def _is_hopeful(self, trial: Trial, rung: int) -> bool:
        found = gain(self.setting.goals, self.best.on(rung), trial.on(rung))
        return bool(found.low > 0) if rung == self.last else bool(found.high > 0)

    def _as_suggested(self, part: float) -> Changes:
        """Tickets at the values that their worth suggests, or that part of the way."""
        values = self._suggested()
        changes = dict(self.best.changes)
        for knob in self.knobs:
            if knob.kind == TICKET:
                now = changes.get(knob, knob.now)
                wanted = round(now + part * (values[knob.subject] - now))
                set_to(changes, knob, min(max(wanted, knob.choices[0]), knob.choices[-1]))
        return changes

    def _suggested(self) -> dict[str, float]:
        """The mean over numbers of players; a ticket that other points cannot mend moves by one point, towards what its worth says."""
        tables = [sums for sums in self.best.on(self.last).values() if isinstance(sums, Sums)]
        found: dict[str, float] = {}
        for place, ticket in enumerate(tables[0].board.tickets):
            told = [value for sums in tables if (value := one_of(suggested(sums).mean, place)) is not None]
            excess = sum(float(sums.tickets_drawn.excess(kinds_of(sums.board)).mean[place, 0]) for sums in tables) / len(tables)
            found[ticket.id] = sum(told) / len(told) if told else ticket.points - (1 if excess > 0 else -1)
        return found

    def _with(self, knob: Knob, value: Any) -> Changes:
        changes = dict(self.best.changes)
        set_to(changes, knob, value)
        return changes

    def _at_random(self) -> Changes:
        """Kinds have equal chances: one setting may do more than any of fifty tickets."""
        changes = dict(self.best.changes)
        for _ in range(2 if self._random.random() < PAIRS else 1):
            kind = self._random.choice(sorted({knob.kind for knob in self.knobs}))
            knob = self._random.choice([knob for knob in self.knobs if knob.kind == kind])
            set_to(changes, knob, self._step(knob, changes.get(knob, knob.now)))
        return changes

    def _step(self, knob: Knob, now: Any) -> Any:
        """A neighbouring value, or two further on; any other colour."""
        others = [choice for choice in knob.choices if choice != now]
        if knob.kind == COLOUR:
            return self._random.choice(others)
        place = knob.choices.index(now)
        near = [choice for number, choice in enumerate(knob.choices) if 0 < abs(number - place) <= 2]
        return self._random.choice(near)


def set_to(changes: Changes, knob: Knob, value: Any) -> None:
    """Leaves out what is back at its old value."""
    if value == knob.now:
        changes.pop(knob, None)
    else:
        changes[knob] = value


def one_of(values: Array, place: int) -> float | None:
    value = float(values[place])
    return value if value == value else None  # noqa: PLR0124  # not a number
