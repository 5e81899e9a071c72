"""The guard: a bot that fails loses a move, never the game.

Whatever a bot does wrong, `greedy` decides instead and the fault is reported.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from branchline.bots.aside import Aside, Late
from branchline.bots.base import Bot, PolicyBot, PunctualBot, WatchingBot, begin_game, dismiss, in_short
from branchline.play.bitsets import is_member
from branchline.play.events import Event
from branchline.play.games import Game, View

CRASH, ILLEGAL, LATE = "crash", "illegal", "late"


@dataclass(frozen=True)
class Fault:
    """What a bot did wrong. The number counts its own decisions in the game from 1; 0 means before the first."""

    kind: str
    game: str
    decision_number: int
    seat: int
    detail: str


class GuardedBot:
    """A guarded bot. `limit` is in seconds per decision; `report` is called with each fault."""

    def __init__(self, bot: Bot, limit: float | None = None, report: Callable[[Fault], None] | None = None, name: str | None = None) -> None:
        self.bot, self.limit, self.report = bot, limit, report
        self.name = name or bot.name
        self.faults: list[Fault] = []
        self._fallback = PolicyBot("greedy")
        self._aside = Aside()
        self._decisions = 0
        self._game, self._seat = "", 0
        if limit is not None and isinstance(bot, PunctualBot):
            bot.limit = limit

    def new_game(self, game: Game, seat: int) -> None:
        self._decisions = 0
        self._game, self._seat = game.name, seat
        try:
            self._think(lambda: begin_game(self.bot, game, seat))
        except (Exception, SystemExit) as error:
            self._blame(error)

    @property
    def watches(self) -> bool:
        return isinstance(self.bot, WatchingBot)

    def happened(self, events: list[Event]) -> None:
        bot = self.bot
        if isinstance(bot, WatchingBot):
            try:
                self._think(lambda: bot.happened([event.copy() for event in events]))
            except (Exception, SystemExit) as error:
                self._blame(error)

    def close(self) -> None:
        try:
            self._think(lambda: dismiss(self.bot))
        except (Exception, SystemExit) as error:
            self._blame(error)

    def decide(self, view: View) -> int:
        self._decisions += 1
        lent = view.copy()  # a copy, in case the bot changes it
        try:
            return checked(view, self._think(lambda: self.bot.decide(lent)))
        except (Exception, SystemExit) as error:
            self._game, self._seat = view.game.name, int(view.record.seat)
            self._blame(error)
            return self._fallback.decide(view)

    def _think(self, think: Callable[[], Any]) -> Any:
        """A compiled policy always returns, and a punctual bot returns in time: they need no thread."""
        if self.limit is None or isinstance(self.bot, PolicyBot | PunctualBot):
            return think()
        return self._aside.ask(think, self.limit)

    def _blame(self, error: BaseException) -> None:
        kind = LATE if isinstance(error, Late) else ILLEGAL if isinstance(error, IllegalAnswer) else CRASH
        detail = in_short(error) if kind == CRASH else str(error)
        fault = Fault(kind, self._game, self._decisions, self._seat, detail)
        self.faults.append(fault)
        if self.report is not None:
            self.report(fault)


class IllegalAnswer(Exception):
    """The bot's answer is not a legal decision."""


def checked(view: View, answer: Any) -> int:
    """The answer as a number, if it is a legal decision."""
    try:
        number = -1 if isinstance(answer, bool) else operator.index(answer)
    except TypeError:
        number = -1
    if number < 0:
        raise IllegalAnswer(f"answered {short(answer)}, which is not the number of a decision")
    if number >= len(view.game.decisions) or not is_member(view.mask, number):
        what = f"'{view.game.text(number)}'" if number < len(view.game.decisions) else "the game has no such decision"
        raise IllegalAnswer(f"answered {number} ({what}), which is not legal now ({view.phase})")
    return number


def short(answer: Any) -> str:
    """The answer as text: its `repr` may be long, or fail as well."""
    try:
        text = repr(answer)
    except Exception:
        return f"a {type(answer).__name__}"
    return text if len(text) <= 80 else text[:79] + "…"
