"""What a board is to Python users: its facts by name, and the record that the rules read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from branchline.rules.sizes import ROUTE_WORDS


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
    port: bool = False  # takes a harbour


@dataclass(frozen=True)
class Card:
    id: str
    deck: str
    colour: str | None  # None: wild
    count: int
    covers: int = 1  # spaces
    harbour: bool = False  # carries the harbour symbol


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
    sea: bool = False
    pair: bool = False  # each space costs two cards of one colour
    over_the_edge: bool = False


@dataclass(frozen=True)
class Ticket:
    id: str
    a: str
    b: str
    points: int  # of a tour: what it is worth in order
    long: bool = False
    cards: tuple[str, ...] = ()  # colours of the cards that complete it, where cards do
    via: tuple[str, ...] = ()  # of a tour: the cities between the first and the last
    connected: int | None = None  # of a tour: what it is worth when its cities are joined, but not in order
    failed: int | None = None  # of a tour: what it costs if they are not

    @property
    def cities(self) -> tuple[str, ...]:
        return (self.a, *self.via, self.b)

    @property
    def is_tour(self) -> bool:
        return bool(self.via)


@dataclass(frozen=True)
class BigCity:
    id: str
    points: int


@dataclass(frozen=True)
class Facts:
    """What a board's tables say."""

    decks: tuple[str, ...]
    cards: tuple[Card, ...]
    cities: tuple[City, ...]
    big_cities: tuple[BigCity, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]


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
    big_cities: tuple[BigCity, ...]
    settings: dict[str, Any] = field(repr=False)
    records: np.ndarray[Any, Any] = field(repr=False, compare=False)  # an array of one, as the rules' entry points take it

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of the cards, in the rules' order."""
        return tuple(dict.fromkeys(card.colour for card in self.cards if card.colour))

    @property
    def mask_words(self) -> int:
        """The words of a mask that this board's decisions need."""
        return max(ROUTE_WORDS, -(-int(self.record.starts[-1]) // 64))

    @property
    def record(self) -> Any:
        return self.records[0]
