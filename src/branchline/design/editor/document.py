"""A board's folder as one document: what the editor shows, changes and sends back.

Ids of routes, tickets and tours follow from their cities, so the document has none. Whatever else lies in the folder is left alone.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

WORD = r"^[a-z0-9]+(-[a-z0-9]+)*$"
Id = Annotated[str, Field(max_length=60, pattern=WORD)]
Text = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f\u2028\u2029]+$")]
Language = Annotated[str, Field(pattern="^[a-z]{2,3}$")]
Number = Annotated[int, Field(ge=0, le=1000)]
Latitude = Annotated[float, Field(ge=-90, le=90)]
Longitude = Annotated[float, Field(ge=-180, le=180)]
MOST = 400  # of anything: more than the rules have room for, so that `check` can say so


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EditedCity(Part):
    id: Id
    name: Text
    lat: Latitude | None = None
    lon: Longitude | None = None
    district: Annotated[str, Field(pattern=r"^\d{1,3}$")] | None = None
    port: bool = False
    attraction: bool = False
    names: dict[Language, Text] = Field({}, description="Names in other languages.", json_schema_extra={"additionalProperties": False})


class Joined(Part):
    a: Id
    b: Id

    @property
    def cities(self) -> tuple[str, str]:
        return (self.a, self.b) if self.a < self.b else (self.b, self.a)


class EditedRoute(Joined):
    length: Number
    colour: Id
    double: bool = False
    ferry: Number = 0
    tunnel: bool = False
    sea: bool = False
    pair: bool = False
    over_the_edge: bool = False


class EditedTicket(Joined):
    points: Number
    long: bool = False
    cards: list[Id] = []


class EditedTour(Part):
    cities: Annotated[list[Id], Field(min_length=2, max_length=20)]
    in_order: Number
    connected: Number
    failed: Number

    @property
    def id(self) -> str:
        return f"tour-{self.cities[0]}-{self.cities[-1]}"


class EditedCard(Part):
    id: Id
    deck: Id
    colour: Id | None = None
    count: Number
    covers: Annotated[int, Field(ge=1, le=9)] = 1
    harbour: bool = False


class EditedBonus(Part):
    city: Id
    points: Number


class Background(Part):
    """What lies beneath the cities while they are put in their places: the world, a picture in a box of degrees, or nothing."""

    kind: Literal["shores", "picture", "none"] = "shores"
    box: Annotated[list[Annotated[float, Field(ge=-180, le=180)]], Field(min_length=4, max_length=4)] | None = Field(
        None, description="Of the picture, in degrees: west, south, east, north."
    )


class EditorSettings(Part):
    """What `editor.toml` says."""

    background: Background = Background()  # type: ignore[call-arg]  # all have defaults


class Document(Part):
    settings: Annotated[dict[str, Any], Field(max_length=50, description="What `board.toml` says.")]
    cards: Annotated[list[EditedCard], Field(max_length=MOST)]
    cities: Annotated[list[EditedCity], Field(max_length=MOST)]
    routes: Annotated[list[EditedRoute], Field(max_length=MOST)]
    tickets: Annotated[list[EditedTicket], Field(max_length=MOST)]
    tours: Annotated[list[EditedTour], Field(max_length=MOST)] = []
    big_cities: Annotated[list[EditedBonus], Field(max_length=MOST)] = []
    background: Background = Background()  # type: ignore[call-arg]  # all have defaults


def route_ids(routes: list[EditedRoute]) -> list[str]:
    """The two cities in alphabetical order, numbered where several routes join them."""
    count, seen = Counter(route.cities for route in routes), Counter[tuple[str, str]]()
    ids = []
    for route in routes:
        seen[route.cities] += 1
        ids.append("-".join(route.cities) + (f".{seen[route.cities]}" if count[route.cities] > 1 else ""))
    return ids


def ticket_ids(tickets: list[EditedTicket]) -> list[str]:
    return ["-".join(ticket.cities) for ticket in tickets]
