"""What to draw: the facts of a board, the names of its places, and the settings in layout.toml."""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BOARDS = Path(__file__).parents[2] / "src" / "branchline" / "boards"


def named_languages() -> list[str]:
    """The languages in which a board's places have names: the columns of names.csv."""
    headings = [path.read_text(encoding="utf-8").partition("\n")[0] for path in BOARDS.glob("*/names.csv")]
    return sorted({language for heading in headings for language in heading.split(",")[1:]})


LANGUAGES = ("en", *named_languages())


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

    @property
    def way(self) -> str:
        """The id without its track: both tracks of a double route follow the same line."""
        return self.id.split(".")[0]


@dataclass(frozen=True)
class Board:
    name: str
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    settings: dict[str, Any] = field(repr=False)

    @property
    def frame(self) -> tuple[float, float]:
        width, height = self.settings["frame"]
        return width, height

    def number(self, city: str) -> int:
        return [one.id for one in self.cities].index(city)


def rows(folder: Path, file: str) -> list[dict[str, str]]:
    with (folder / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def read_board(name: str) -> Board:
    folder = BOARDS / name
    settings = tomllib.loads((folder / "layout.toml").read_text(encoding="utf-8"))
    return Board(name, read_cities(folder, settings), read_routes(folder), settings)


def read_cities(folder: Path, settings: dict[str, Any]) -> tuple[City, ...]:
    places = {row["city"]: (float(row["lat"]), float(row["lon"])) for row in rows(folder, "geography.csv")}
    places |= {city: tuple(place) for city, place in settings.get("places", {}).items()}
    others = {row.pop("city"): row for row in rows(folder, "names.csv")}
    districts = {row["city"]: row["district"] for row in rows(folder, "districts.csv")} if (folder / "districts.csv").exists() else {}
    return tuple(
        City(
            id=row["id"],
            lat=places[row["id"]][0],
            lon=places[row["id"]][1],
            names=dict.fromkeys(LANGUAGES, row["name"]) | others[row["id"]],
            district=districts.get(row["id"], ""),
            waypoint=row["id"] in settings.get("waypoints", []),
        )
        for row in rows(folder, "cities.csv")
    )


def read_routes(folder: Path) -> tuple[Route, ...]:
    return tuple(
        Route(
            id=row["id"],
            a=row["a"],
            b=row["b"],
            length=int(row["length"]),
            on_water=bool(row.get("sea") or row.get("ferry")),
            over_the_edge=bool(row.get("over_the_edge")),
        )
        for row in rows(folder, "routes.csv")
    )
