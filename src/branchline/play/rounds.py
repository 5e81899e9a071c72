"""Simultaneous choices, kept so that the history lists them seat by seat and each seat can undo its own."""

from __future__ import annotations

from bisect import bisect_right


class Round:
    """The decisions so far, sorted by seat and then in the order they were made."""

    def __init__(self, start: bytes) -> None:
        self.start = start  # the state before the first of them
        self.seats: list[int] = []
        self.decisions: list[int] = []

    def add(self, seat: int, decision: int) -> None:
        place = bisect_right(self.seats, seat)
        self.seats.insert(place, seat)
        self.decisions.insert(place, decision)

    def take_back(self, seat: int) -> None:
        place = bisect_right(self.seats, seat) - 1
        del self.seats[place], self.decisions[place]

    def in_order(self, asked: int) -> list[int]:
        """The decisions up to the first seat that has not finished: those the rules would know if they asked seat by seat."""
        return self.decisions[: bisect_right(self.seats, asked)]

    def copy(self) -> Round:
        copy = Round(self.start)
        copy.seats, copy.decisions = self.seats.copy(), self.decisions.copy()
        return copy
