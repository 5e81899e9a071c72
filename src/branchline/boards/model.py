"""What a board is to Python users: its facts by name, and the record that the rules read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


class BoardError(ValueError):
    """A board's files cannot be used; says which file, which line, and why."""

    def __init__(self, file: str, reason: str, line: int | None = None) -> None:
        place = f"{file}, line {line}" if line is not None else file
        super().__init__(f"{place}: {reason}")
        self.file, self.line, self.reason = file, line, reason


@dataclass(frozen=True)
class City:
    id: str
    name: str
    district: str | None = None


@dataclass(frozen=True)
class Card:
    id: str
    deck: str
    colour: str | None  # None: wild
    count: int


@dataclass(frozen=True)
class Route:
    id: str
    a: str
    b: str
    length: int
    colour: str
    double: bool = False
    ferry: int = 0
    tunnel: bool = False


@dataclass(frozen=True)
class Ticket:
    id: str
    a: str
    b: str
    points: int
    long: bool = False


@dataclass(frozen=True)
class Board:
    """All facts of a board. `record` holds the same for the rules; `settings` is the board's `board.toml`."""

    game: str
    name: str
    rules_version: int
    players: tuple[int, int]
    decks: tuple[str, ...]
    cards: tuple[Card, ...]
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    districts: tuple[str, ...]
    settings: dict[str, Any] = field(repr=False)
    records: np.ndarray[Any, Any] = field(repr=False, compare=False)  # an array of one, as the rules' entry points take it

    @property
    def record(self) -> Any:
        return self.records[0]
