"""One language as pages write it: its messages, in the terms of the boards that a page is about, and its numbers."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from babel import Locale
from babel.numbers import format_decimal, get_decimal_symbol, get_group_symbol

from branchline.boards import Board
from branchline.boards.presentation import presentation_of
from branchline.pages.numbers import NONE, minus
from branchline.words import ENGLISH, spoken_in


def terms_of(boards: tuple[Board, ...]) -> tuple[str, ...]:
    """The sets of terms of a board; of several boards those that all of them name."""
    first, *others = (presentation_of(board.game).words.terms for board in boards) if boards else ((),)
    return tuple(name for name in first if all(name in terms for terms in others))


class Prose:
    """Call it with the key of a message, and its values."""

    def __init__(self, language: str = ENGLISH, *boards: Board) -> None:
        self.language = language
        self._words, self._locale = spoken_in(language, terms_of(boards)), Locale.parse(language)

    def __call__(self, key: str, /, **values: Any) -> str:
        return self._words.say(key, **values)

    def listed(self, names: list[str]) -> str:
        return self._words.listed(names)

    def number(self, value: float, digits: int = 0, sign: str = "") -> str:
        """Rounded as Python does, separated as the language does; `sign` is `+` where a plus is written, too."""
        rounded = Decimal(f"{value:.{digits}f}")
        plus = sign if rounded >= 0 and value >= 0 else ""
        return plus + minus(format_decimal(rounded, "#,##0" + ("." + "0" * digits if digits else ""), locale=self._locale))

    def whole(self, value: float) -> str:
        return self.number(round(value))

    def decimal(self, value: float | None, digits: int = 1) -> str:
        return NONE if value is None else self.number(value, digits)

    def signed(self, value: float | None, digits: int = 1) -> str:
        return NONE if value is None else self.number(value, digits, "+")

    def percent(self, share: float | None, digits: int = 1) -> str:
        return NONE if share is None else f"{self.number(100 * share, digits)}\u202f%"

    def points(self, share: float | None) -> str:
        """A difference of shares, in percentage points."""
        return NONE if share is None else self.signed(100 * share)

    def span(self, low: float | None, high: float | None) -> str:
        """An interval of shares, in per cent."""
        return NONE if low is None or high is None else f"{self.number(100 * low, 1)}–{self.number(100 * high, 1)}"

    def tidy(self, value: float | None) -> str:
        """A number of any size, in about three digits."""
        if value is None:
            return NONE
        if abs(value) >= 1000 or value == int(value):
            return self.whole(value)
        short = Decimal(f"{value:.3g}")
        return self.number(value, max(-int(short.as_tuple().exponent), 0))

    def interval(self, low: str, high: str) -> str:
        """`1.2 to 3.4`"""
        return self("report.interval", low=low, high=high)

    def players(self, number: int) -> str:
        return self("report.players", count=number)

    def games(self, number: int) -> str:
        return self("report.games", count=number)

    def of_charts(self) -> dict[str, Any]:
        """How charts write numbers, as D3 is told."""
        return {"decimal": get_decimal_symbol(self._locale), "thousands": get_group_symbol(self._locale), "grouping": [3], "currency": ["", ""]}
