"""What a board is to Python users: its facts by name, and the record that the rules read.

The facts are plain dataclasses. Their types say what the fields may hold; pydantic checks them when a board is read (tables.py).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from annotated_types import Interval

from branchline.errors import BranchlineError, UsageError
from branchline.rules.sizes import ROUTE_WORDS

# Pieces of each kind, in the order of the decks: trains for the first, ships for the second.
PIECES = ("trains", "ships")


class BoardError(BranchlineError):
    """A board's files cannot be used; says which file, which line, and why."""

    def __init__(self, file: str, reason: str, line: int | None = None) -> None:
        place = f"{file}, line {line}" if line is not None else file
        super().__init__(f"{place}: {reason}")
        self.file, self.line, self.reason = file, line, reason
        self.code: str | None = None  # the reason as a key, where a page has words for it
        self.values: dict[str, str | int] = {}

    def coded(self, code: str, **values: str | int) -> BoardError:
        """The same error, with what a page needs to say it in its own language."""
        self.code, self.values = code, values
        return self


class UnknownBoard(BoardError, UsageError):
    """There is no board of that name, or none in that folder."""


GRAY, GREY = "gray", "grey"  # as data has it, and as it is spelt


@dataclass(frozen=True)
class OneOf:
    """A value must be among those that the reader knows under this name. `advice`: what else can be done about one that is not."""

    what: str
    advice: str = ""
    kept_as: tuple[tuple[str, str], ...] = ()  # a value, and the one that is kept for it

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.with_info_after_validator_function(self.check, handler(source))

    def check(self, value: Any, info: Any) -> Any:
        kept = dict(self.kept_as)
        if value not in info.context[self.what] and value not in kept.values():
            from pydantic_core import PydanticCustomError

            allowed = ", ".join(map(str, info.context[self.what]))
            raise PydanticCustomError("not_one_of", "not one of {allowed}", {"allowed": allowed, "advice": self.advice})
        return kept.get(value, value)


CityId = Annotated[str, OneOf("cities")]
OTHER_COLOUR = "choose one of these, or add cards of that colour to cards.csv"
Colour = Annotated[str, OneOf("colours", OTHER_COLOUR)]
Points = Annotated[int, Interval(ge=1, le=100)]


@dataclass(frozen=True)
class City:
    id: str
    name: str
    district: str | None = None
    port: bool = False  # takes a harbour
    attraction: bool = False  # pays everyone who comes there


@dataclass(frozen=True)
class Card:
    id: str
    deck: Annotated[str, OneOf("decks")]
    count: Points
    colour: str | None = None  # None: wild
    covers: Annotated[int, Interval(ge=1, le=2)] = 1  # spaces
    harbour: bool = False  # carries the harbour symbol


@dataclass(frozen=True)
class Route:
    id: str
    a: CityId
    b: CityId
    length: Annotated[int, OneOf("lengths", "give it points in board.toml (routes.points), or change it")]
    colour: Annotated[str, OneOf("colours and grey", OTHER_COLOUR, ((GREY, GRAY),))]
    double: bool = False
    ferry: Annotated[int, Interval(ge=0)] = 0
    tunnel: bool = False
    sea: bool = False
    pair: bool = False  # each space costs two cards of one colour
    over_the_edge: bool = False


@dataclass(frozen=True)
class Ticket:
    id: str
    a: CityId
    b: CityId
    points: Points  # of a tour: what it is worth in order
    long: bool = False
    cards: tuple[Colour, ...] = ()  # colours of the cards that complete it, where cards do
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
class Tour:
    """A line of `tours.csv`; the game deals it as a ticket."""

    id: str
    cities: tuple[CityId, ...]
    in_order: Points
    connected: Points
    failed: Points

    def ticket(self) -> Ticket:
        first, *via, last = self.cities
        return Ticket(self.id, first, last, self.in_order, via=tuple(via), connected=self.connected, failed=self.failed)


@dataclass(frozen=True)
class BigCity:
    id: str
    points: int


@dataclass(frozen=True)
class Bonus:
    """A line of `big_cities.csv`."""

    city: CityId
    points: Points


@dataclass(frozen=True)
class District:
    """A line of `districts.csv`."""

    city: str
    district: Annotated[str, OneOf("districts")]


@dataclass(frozen=True)
class Place:
    """A line of `geography.csv`."""

    city: CityId
    lat: Annotated[float, Interval(ge=-90, le=90)]
    lon: Annotated[float, Interval(ge=-180, le=180)]


@dataclass(frozen=True)
class Facts:
    """What a board's tables say."""

    decks: tuple[str, ...]
    cards: tuple[Card, ...]
    cities: tuple[City, ...]
    big_cities: tuple[BigCity, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]


def stated(fact: Any) -> dict[str, Any]:
    """What a row says apart from names and defaults, so that a column which boards do not use yet changes no fingerprint."""
    return {one.name: value for one in fields(fact) if one.name != "name" and (value := getattr(fact, one.name)) != one.default}


@dataclass(frozen=True)
class Board:
    """All facts of a board. `record` holds the same for the rules; `settings` is the board's `board.toml`."""

    game: str
    name: str
    rules_version: int
    options: tuple[str, ...]  # of a table, that not every board has: `TABLE_OPTIONS` of the rules
    players: tuple[int, int]
    decks: tuple[str, ...]
    cards: tuple[Card, ...]
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    districts: tuple[str, ...]
    big_cities: tuple[BigCity, ...]
    settings: dict[str, Any] = field(repr=False)
    is_own: bool  # from outside, not one that comes with Branchline
    records: np.ndarray[Any, Any] = field(repr=False, compare=False)  # an array of one, as the rules' entry points take it

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The colours of the cards, in the rules' order."""
        return tuple(dict.fromkeys(card.colour for card in self.cards if card.colour))

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hex digits that change with everything the rules read, and with nothing else: names and drawings are free."""
        tables = {name: value for name, value in self.settings.items() if name not in ("name", "totals", "versions")}
        facts = [[stated(one) for one in things] for things in (self.cards, self.cities, self.big_cities, self.routes, self.tickets)]
        told = json.dumps([tables, self.decks, facts], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    @property
    def mark(self) -> str | None:
        """What records and tables say about a board from outside, so that nobody replays them on another. Versions tell ours apart."""
        return self.fingerprint if self.is_own else None

    @property
    def mask_words(self) -> int:
        """The words of a mask that this board's decisions need."""
        return max(ROUTE_WORDS, -(-int(self.record.starts[-1]) // 64))

    @property
    def record(self) -> Any:
        return self.records[0]

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """The fields of the record that are numbers or rows of them, as Python has them: reading them from the record takes longer each time."""
        fields = {name: self.records[name][0] for name in self.records.dtype.names or ()}
        return {name: value.tolist() for name, value in fields.items() if value.ndim < 2}
