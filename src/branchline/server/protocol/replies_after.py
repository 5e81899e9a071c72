"""What the server sends about a game that is over, as models: the count, explained, and the replay."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from branchline.server.protocol.event_replies import Event, Reply
from branchline.server.protocol.game_replies import Counts
from branchline.server.protocol.replies import OpenPosition, Options


class CountedRoutes(Reply):
    points: int
    routes: list[str]


class CountedTicket(Reply):
    ticket: str
    points: int = Field(description="Negative if it was not completed.")
    done: bool
    how: Literal["in_order", "connected"] | None = Field(None, description="Of a completed tour.")
    path: list[str] | None = Field(None, description="The routes that complete it, borrowed ones included.")
    cards: Counts | None = Field(None, description="With track piles: the cards spent on it.")


class CountedPath(Reply):
    points: int
    length: int
    path: list[str]


class CountedStations(Reply):
    points: int
    unbuilt: int
    borrowed: dict[str, str | None] = Field(description="The city of each station built, and the route that it borrows.")


class CountedDistrict(Reply):
    district: str
    points: int
    done: bool
    cities: list[str]


class CountedAttractions(Reply):
    points: int
    cities: list[str] = Field(description="Those to which a route of the seat leads.")


class CountedHarbour(Reply):
    city: str
    points: int
    tickets: int = Field(description="Completed tickets that name the city.")


class CountedLoss(Reply):
    points: int
    count: int


class CountedBonus(Reply):
    city: str
    points: int
    tickets: int = Field(description="Completed tickets that name the city.")
    earned: bool


class SeatCount(Reply):
    """What a seat's total consists of: the parts that the game has. All their points make up the total."""

    total: int
    routes: CountedRoutes | None = None
    exchanges: CountedLoss | None = Field(None, description="Pieces exchanged, and what that cost.")
    tickets: list[CountedTicket]
    longest_path: CountedPath | None = None
    stations: CountedStations | None = None
    districts: list[CountedDistrict] | None = None
    harbours: list[CountedHarbour] | None = None
    unbuilt_harbours: CountedLoss | None = None
    bonuses: list[CountedBonus] | None = None
    attractions: CountedAttractions | None = None


class Count(Reply):
    seats: list[SeatCount]
    winners: list[int]


class Player(Reply):
    name: str
    player: str = Field(description="human, bot:NAME, or bot:guest/NAME of a bot that came to a server by itself")


class Step(Reply):
    """One decision, and what came of it."""

    seat: int
    decision: str | None = Field(None, description="Absent where the viewer did not see it.")
    events: list[Event]
    patch: dict[str, Any] = Field(description="The change in the position, as a JSON merge patch (RFC 7396).")
    scores: list[int] | None = Field(None, description="What every seat would have if the game were counted now; not with track piles.")


class Replay(Reply):
    game: str
    rules_version: int
    options: Options
    seats: list[Player]
    result: dict[str, Any] = Field(description="As in the game record.")
    count: Count | None = Field(None, description="Absent if the game was not played to its end.")
    viewer: int | None = Field(description="The seat whose view is shown; null: nothing is hidden.")
    start: OpenPosition
    opening: list[Event]
    steps: list[Step]
