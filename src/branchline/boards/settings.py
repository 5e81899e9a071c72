"""A board's settings, `board.toml`: what can be set, to which values, and the defaults."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from branchline.boards.model import PIECES
from branchline.boards.tables import unknown_setting, written_as
from branchline.rules.board import BY_BONUSES, BY_FEWER_STATIONS, BY_LONGEST_PATH, BY_TICKETS, TO_BOTTOM, TO_BOX, TO_DECK
from branchline.rules.sizes import DECKS, HARBOUR_STEPS, LENGTHS, NONE, ROW, SEATS
from branchline.rules.sizes import TIE_BREAKS as MOST_TIE_BREAKS
from branchline.rules.state import TABLE_OPTIONS

TIE_BREAKS = {"tickets": BY_TICKETS, "fewer stations": BY_FEWER_STATIONS, "longest path": BY_LONGEST_PATH, "bonuses": BY_BONUSES}
RETURN_TO = {"box": TO_BOX, "bottom": TO_BOTTOM, "deck": TO_DECK}
DECK_NAMES = ("train", "ship")  # as the messages know them
NEVER = SEATS + 1
MOST_PIECES = 60  # of all kinds in use at once: a set of a seat's routes is one word (rules/network.py)

Score = Annotated[int, Field(ge=0, le=1000)]
Length = Annotated[int, Field(strict=False, ge=1, le=LENGTHS - 1)]  # not strict: a key in TOML is a string
DistrictNumber = Annotated[int, Field(strict=False, ge=1, le=99)]
Version = Annotated[int, Field(strict=False, ge=1, le=10**6)]
Harbours = Annotated[int, Field(strict=False, ge=1, le=HARBOUR_STEPS - 1)]


class Table(BaseModel):
    """A table of the file: nothing but its settings, and 1.0 or true is not a whole number."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class CardSettings(Table):
    row: int = Field(ge=1, le=ROW)
    clear_row_at: int = Field(ROW + 1, ge=1, le=ROW + 1)
    opening_wilds: int = Field(0, ge=0, le=5)
    reformed: int = Field(1, ge=0, le=1)
    row_closes: int = Field(1, ge=0, le=1)


class DeckSettings(Table):
    name: Literal["train", "ship"]
    hand: int = Field(ge=0, le=20)  # cards dealt from it
    row: int = Field(0, ge=0, le=20)  # cards laid face up, where there are several decks


class PieceSettings(Table):
    trains: int = Field(ge=1, le=MOST_PIECES)
    ships: int | None = Field(None, ge=1, le=MOST_PIECES)
    supply: int = Field(0, ge=0, le=60)
    exchange: int = Field(0, ge=0, le=10)
    stations: int = Field(0, ge=0, le=3)
    harbours: int = Field(0, ge=0, le=3)

    @model_validator(mode="after")
    def check(self) -> PieceSettings:
        kinds = [self.trains] if self.ships is None else [self.trains, self.ships]
        if self.supply and (len(kinds) < len(PIECES) or not max(kinds) <= self.supply < sum(kinds)):
            raise ValueError("pieces.supply is chosen from trains and ships: it must be fewer than both together, and no fewer than either")
        if not self.supply and (sum(kinds) > MOST_PIECES or self.exchange):
            raise ValueError(
                f"pieces.trains and pieces.ships are at most {MOST_PIECES} together, and are exchanged only where a seat chooses some (pieces.supply)"
            )
        if self.stations and self.harbours:
            raise ValueError("pieces.stations and pieces.harbours do not go together: a board has stations or harbours, not both")
        return self


class RouteSettings(Table):
    points: dict[Length, Score] = Field(min_length=1)
    both_tracks_from: int = Field(ge=2, le=NEVER)


class TicketSettings(Table):
    opening_long: int = Field(0, ge=0, le=1)
    opening_offer: int = Field(ge=1, le=6)
    opening_keep: int = Field(ge=1, le=6)
    opening_to: Literal["box", "bottom", "deck"]
    offer: int = Field(ge=1, le=6)
    keep: int = Field(ge=0, le=6)


class YardSettings(Table):
    second_pass_from: int = Field(default=NEVER, ge=2, le=NEVER)
    second_pass_hand: int = Field(default=0, ge=0, le=20)
    deal_in_turn: int = Field(default=1, ge=0, le=1)
    choose_tickets: int = Field(default=1, ge=0, le=1)
    options: list[Literal[tuple(TABLE_OPTIONS)]] = []  # type: ignore[valid-type]


class DistrictSettings(Table):
    points: dict[DistrictNumber, Score] = Field(min_length=1)


class AttractionSettings(Table):
    points: int = Field(ge=1, le=100)  # to everyone with a route there


class HarbourSettings(Table):
    points: dict[Harbours, Score] = Field(min_length=1)


class EndSettings(Table):
    last_pieces: int = Field(NONE, ge=NONE, le=60)
    last_turns: int = Field(ge=1, le=5)
    unbuilt_station: int = Field(0, ge=0, le=100)
    unbuilt_harbour: int = Field(0, ge=0, le=100)
    longest_path: int = Field(0, ge=0, le=100)
    tie_breaks: list[Literal["tickets", "fewer stations", "longest path", "bonuses"]] = Field([], max_length=MOST_TIE_BREAKS)


class Settings(Table):
    """The whole file. A board has routes and pieces, or yards."""

    game: str = written_as(r"^[a-z][a-z0-9-]{0,39}$", "up to 40 small letters, digits and hyphens, and begin with a letter, such as 'my-board'")
    name: str = Field(min_length=1, max_length=60)
    rules_version: int = Field(1, ge=1, le=10**6)
    players: list[Annotated[int, Field(ge=2, le=SEATS)]] = Field(min_length=2, max_length=2, examples=["players = [2, 4]"])
    cards: CardSettings
    deck: list[DeckSettings] = Field(min_length=1, max_length=DECKS)
    pieces: PieceSettings | None = None
    routes: RouteSettings | None = None
    tickets: TicketSettings
    yards: YardSettings | None = None
    districts: DistrictSettings | None = None
    attractions: AttractionSettings | None = None
    harbours: HarbourSettings | None = None
    end: EndSettings
    versions: dict[Version, dict[str, dict[str, Any]]] = {}  # earlier versions of the rules: what their tables said instead
    totals: dict[str, int] | None = None  # checked if they are stated

    @model_validator(mode="before")
    @classmethod
    def check_tables(cls, tables: dict[str, Any]) -> dict[str, Any]:
        for table in ("routes", "pieces"):
            if ("yards" in tables) == (table in tables):
                if unknown := [name for name in tables if name not in cls.model_fields]:  # maybe the one that is missing
                    raise ValueError(f"{unknown[0]} is {unknown_setting(unknown[0], cls.model_fields)}")
                fault = "not allowed" if table in tables else "missing"
                raise ValueError(f"{table} is {fault}: a board has routes or yards, not both; routes need the tables routes and pieces")
        return tables

    @model_validator(mode="after")
    def check(self) -> Settings:
        if self.players[0] > self.players[1]:
            raise ValueError("players must be the least and the most, such as [2, 5]")
        if len(self.deck) > 1 and sum(deck.row for deck in self.deck) != self.cards.row:
            raise ValueError("cards.row must be the sum of the decks' rows where there are several decks")
        if self.pieces and (self.pieces.ships is None) != (len(self.deck) == 1):
            raise ValueError("pieces.ships are for the second [[deck]]: give both, or neither")
        if tuple(deck.name for deck in self.deck) != DECK_NAMES[: len(self.deck)]:
            raise ValueError("deck names are 'train' for the first and 'ship' for the second")
        return self
