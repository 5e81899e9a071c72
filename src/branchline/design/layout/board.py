"""What to draw: the facts of a board, the names of its places, and its settings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any

from branchline.boards.drawings import places_in
from branchline.boards.loader import read_board as read_facts
from branchline.boards.names import languages_of, read_names
from branchline.design.layout.settings import read_layout_settings

ENGLISH = "en"


@dataclass(frozen=True)
class City:
    id: str
    lat: float
    lon: float
    names: dict[str, str]
    district: str = ""
    waypoint: bool = False  # a place where tracks meet, without a name


@dataclass(frozen=True)
class Route:
    id: str
    a: str
    b: str
    length: int
    on_water: bool  # a sea route or a ferry
    over_the_edge: bool
    double: bool  # both tracks side by side: they have the same length

    @property
    def way(self) -> str:
        """Both tracks of a double route follow the same line; a rail and a sea route between the same cities do not."""
        return self.id.split(".")[0] if self.double else self.id


@dataclass(frozen=True)
class Board:
    name: str
    languages: tuple[str, ...]
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    settings: dict[str, Any] = field(repr=False)

    @property
    def frame(self) -> tuple[float, float]:
        width, height = self.settings["frame"]
        return width, height

    def number(self, city: str) -> int:
        return [one.id for one in self.cities].index(city)


def read_board(folder: Traversable) -> Board:
    """A board from any folder, with everything that its drawing needs."""
    facts = read_facts(folder)
    places, others = places_in(folder, facts), read_names(folder, facts.cities)
    settings = read_layout_settings(folder, facts, places)
    languages = (ENGLISH, *(languages_of(folder) if others else ()))
    at = places | settings["places"]
    cities = tuple(
        City(
            id=city.id,
            lat=at[city.id][0],
            lon=at[city.id][1],
            names=dict.fromkeys(languages, city.name) | others.get(city.id, {}),
            district=city.district or "",
            waypoint=city.id in settings["waypoints"],
        )
        for city in facts.cities
    )
    lengths = Counter((route.a, route.b, route.length) for route in facts.routes if route.double)
    routes = tuple(
        Route(
            id=route.id,
            a=route.a,
            b=route.b,
            length=route.length,
            on_water=bool(route.sea or route.ferry),
            over_the_edge=route.over_the_edge,
            double=lengths[route.a, route.b, route.length] == 2 and route.double,
        )
        for route in facts.routes
    )
    return Board(folder.name, languages, cities, routes, settings)
