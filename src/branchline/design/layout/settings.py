"""How a board is to be drawn: its `layout.toml`, and what follows from the board itself where the file says nothing."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from branchline.boards.drawings import GEOGRAPHY
from branchline.boards.lines import line_of
from branchline.boards.model import Board, BoardError
from branchline.boards.sizes import LEAST_TRIM, PITCH, TWO_LINES
from branchline.boards.straight import invented_places
from branchline.boards.tables import go_on_after, read_model, read_text

FILE = "layout.toml"
NO_SHORES = "none"
MARGIN = 52.0  # of the frame around the outermost cities
TOWN, CONTINENT = 1.5, 110.0  # degrees that a board spans: a town has no coasts of its own, the world cannot be a cone
AROUND = 0.6  # of its span that a map shows beyond the cities
FAR_OFF = 20.0  # times larger or smaller than the usual scale: a slip
AWAY = 60.0  # degrees from the centre of a flat map to its nearest city: a slip, too
OF_TRUE_PLACES = ("projection", "map", "river", "parks", "land", "via", "edge")  # settings that mean nothing where places are invented
Latitude = Annotated[float, Field(ge=-90, le=90)]
Place = tuple[Latitude, Annotated[float, Field(ge=-360, le=360)]]
Side = Annotated[float, Field(ge=100, le=4000)]


def in_form(form: str) -> Any:
    """Like `in_brackets`, whatever is wrong inside: errors say how the whole is written."""

    def check(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
        try:
            return read(value)
        except ValidationError:
            raise wrong_form(form) from None

    return WrapValidator(check)


def in_brackets(form: str) -> BeforeValidator:
    """A list; errors say what it looks like."""

    def check(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise wrong_form(form)
        return value

    return BeforeValidator(check)


def wrong_form(form: str) -> PydanticCustomError:
    return PydanticCustomError("wrong_form", "it should be {form}", {"form": form})


def outline(places: tuple[Place, ...]) -> tuple[Place, ...]:
    if len(set(places)) < 3:
        raise wrong_form(AREA)
    return places


AREA = "at least three different places around it, such as [[56.9, 24.0], [57.0, 24.1], [56.9, 24.2]]"
Spot = Annotated[Place, in_form("a latitude from -90 to 90 and a longitude, such as [56.6, 18.9]")]
Area = Annotated[tuple[Place, ...], AfterValidator(outline), in_form(AREA)]
Way = Annotated[Place | tuple[Place, Place], in_form("a place on its way, or two, such as [56.6, 18.9] or [[56.6, 18.9], [57.4, 19.8]]")]
Window = Annotated[tuple[float, float, float, float], in_form("west, south, east and north, such as [-10, 50, 30, 70]")]
Degrees = Annotated[float, Field(gt=0)]
Graticule = Annotated[tuple[Degrees, Degrees], in_form("degrees between meridians and between parallels, such as [5, 5]")]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ProjectionSettings(Part):
    kind: Literal["lambert", "patterson", "local"]
    centre: Spot
    parallels: tuple[Latitude, Latitude] | None = None
    cut: float | None = None

    @model_validator(mode="after")
    def check(self) -> ProjectionSettings:
        if (self.kind == "lambert") != (self.parallels is not None):
            raise ValueError("projection.parallels belong to the kind lambert, and to no other: two latitudes")
        if self.cut is not None and self.kind != "patterson":
            raise ValueError("projection.cut belongs to the kind patterson: the longitude at which the world is cut open")
        return self


class MapSettings(Part):
    window: Window
    graticule: Graticule
    lakes: float | None = None  # the smallest that is drawn, by area
    southernmost: float = -90


class EdgeSettings(Part):
    way: str
    spaces: tuple[int, int]
    lat: Latitude


def table_or_none(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    """A union would name its members in errors, which nobody has written."""
    if value == NO_SHORES:
        return value
    if value == {"map": NO_SHORES}:
        raise ValueError(f'map = "{NO_SHORES}" stands before all [tables]: move it to the top of the file, and remove [map]')
    if not isinstance(value, dict | MapSettings):
        raise ValueError(f'map is {value!r}; write map = "{NO_SHORES}" for no shores, or a table [map] with window and graticule')
    return read(value)


class LayoutSettings(Part):
    seed: int = 1
    frame: Annotated[tuple[Side, Side] | None, in_brackets("its width and height, such as [900, 600]")] = None
    scale: Annotated[float, Field(gt=0)] | None = None
    shift: Annotated[tuple[float, float], in_brackets("how far right and down, such as [20, -10]")] = (0, 0)
    mesh: Annotated[float, Field(ge=20, le=120)] = 46
    two_lines: Annotated[int, Field(ge=4)] = TWO_LINES
    waypoints: tuple[str, ...] = ()
    projection: ProjectionSettings | None = None
    map: Annotated[MapSettings, WrapValidator(table_or_none)] | None = None  # or "none"
    river: Annotated[tuple[Place, ...], in_form("places from source to mouth, such as [[56.9, 24.0], [57.0, 24.1]]")] = ()
    parks: dict[str, Area] = {}
    land: dict[str, Area] = {}
    via: dict[str, Way] = {}
    places: dict[str, Spot] = {}
    edge: tuple[EdgeSettings, ...] = ()


def read_layout_settings(folder: Traversable, board: Board, places: dict[str, tuple[float, float]]) -> dict[str, Any]:
    """The settings of a drawing, complete."""
    given = read_given(folder, board)
    if not given.places and not (folder / GEOGRAPHY).is_file():
        check_nowhere(folder, given)
        given = given.model_copy(update={"places": invented_places(board), "map": NO_SHORES, "projection": None})
    spots = {city.id: given.places.get(city.id, places.get(city.id)) for city in board.cities}
    missing = [city for city, place in spots.items() if place is None]
    if missing:
        raise without_place(folder, missing[0])
    return completed(folder, given, board, np.array([spots[city.id] for city in board.cities], float))


def check_nowhere(folder: Traversable, given: LayoutSettings) -> None:
    """Without the true places of its cities, a board lies nowhere on a map."""
    for name in OF_TRUE_PLACES:
        if getattr(given, name) and getattr(given, name) != NO_SHORES:
            go_on_after(wrong(folder, f"{name} needs the places of all cities: add {GEOGRAPHY} with columns city, lat, lon, or remove {name}", name))


def without_place(folder: Traversable, city: str) -> BoardError:
    if (folder / GEOGRAPHY).is_file():
        return BoardError(f"{folder.name}/{GEOGRAPHY}", f"has no place for {city}: a map needs the latitude and longitude of every city", 1)
    return wrong(folder, f"places has none for {city}: add it, or {GEOGRAPHY} with those of all cities", "places")


def wrong(folder: Traversable, reason: str, *place: str) -> BoardError:
    """Something in the file, with its line."""
    return BoardError(f"{folder.name}/{FILE}", reason, line_of(read_text(folder, FILE), place) or 1)


def read_given(folder: Traversable, board: Board) -> LayoutSettings:
    """What the file says, if there is one."""
    if not (folder / FILE).is_file():
        return LayoutSettings()
    given = read_model(LayoutSettings, folder, FILE)
    check_names(folder, given, board)
    return given


def check_names(folder: Traversable, given: LayoutSettings, board: Board) -> None:
    ways = {route.id.split(".")[0] for route in board.routes} | {route.id for route in board.routes}
    cities = {city.id for city in board.cities}
    for what, named, known in (
        ("via", given.via, ways),
        ("edge", [one.way for one in given.edge], ways),
        ("places", given.places, cities),
        ("waypoints", given.waypoints, cities),
    ):
        for name in named:
            if name not in known:
                go_on_after(wrong(folder, f"{what} names {name!r}, which the board does not have: correct or remove it", what, name))


def completed(folder: Traversable, given: LayoutSettings, board: Board, places: np.ndarray[Any, Any]) -> dict[str, Any]:
    from branchline.design.layout.placing.projection import projected

    settings = given.model_dump(warnings=False)  # map may be a word
    (south, west), (north, east) = places.min(0), places.max(0)
    span = max(north - south, (east - west) * np.cos(np.radians((south + north) / 2)))
    projection = settings["projection"] or usual_projection(south, west, north, east, span)
    settings["projection"] = {name: value for name, value in projection.items() if value is not None}
    flat = projected(settings["projection"], places)
    check_slips(folder, given, places, usual := usual_scale(board, flat))
    settings["scale"] = settings["scale"] or usual
    if settings["frame"] is None:
        settings["frame"] = [float(side) for side in np.ceil(np.ptp(flat, axis=0) * settings["scale"] + 2 * MARGIN)]
    if settings["map"] == NO_SHORES or (settings["map"] is None and span < TOWN):
        settings["map"] = None
    elif settings["map"] is None:
        settings["map"] = usual_map(south, west, north, east)
    settings["edge"] = settings["edge"] or usual_edges(board, places)
    settings["via"] = {way: list(np.reshape(via, (-1, 2)).tolist()) for way, via in settings["via"].items()}
    return settings


def check_slips(folder: Traversable, given: LayoutSettings, places: np.ndarray[Any, Any], usual: float) -> None:
    """Numbers with which a drawing would never end, or show nothing."""
    if given.scale is not None and not usual / FAR_OFF <= given.scale <= usual * FAR_OFF:
        go_on_after(
            wrong(
                folder,
                f"scale is {given.scale:g}; about {usual:.{0 if usual > 10 else 2}f} is usual on this board: correct it, or remove it to take that",
                "scale",
            )
        )
    if given.projection and given.projection.kind == "local" and (away := degrees_between(given.projection.centre, places)) > AWAY:
        reason = f"projection.centre is {away:.0f} degrees from the nearest city: put it among the cities, or remove [projection]"
        go_on_after(wrong(folder, reason, "projection", "centre"))


def degrees_between(centre: Place, places: np.ndarray[Any, Any]) -> float:
    """From there to the nearest of the places, on the globe."""
    (lat, lon), (lats, lons) = np.radians(centre), np.radians(places.T)
    cosine = np.sin(lat) * np.sin(lats) + np.cos(lat) * np.cos(lats) * np.cos(lons - lon)
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1)).min()))


def usual_projection(south: float, west: float, north: float, east: float, span: float) -> dict[str, Any]:
    centre = [(south + north) / 2, (west + east) / 2]
    if span < TOWN:
        return {"kind": "local", "centre": centre}
    if east - west > CONTINENT or abs(centre[0]) < 12 or south < -60:
        return {"kind": "patterson", "centre": centre}
    inset = (north - south) / 6
    return {"kind": "lambert", "centre": centre, "parallels": [south + inset, north - inset]}


def usual_scale(board: Board, flat: np.ndarray[Any, Any]) -> float:
    """So that the median route has the room that it needs."""
    number = {city.id: place for place, city in enumerate(board.cities)}
    inner = [route for route in board.routes if not route.over_the_edge]
    needs = np.array([2 * LEAST_TRIM + PITCH * route.length for route in inner])
    chords = np.array([np.linalg.norm(flat[number[route.a]] - flat[number[route.b]]) for route in inner])
    return float(np.median(needs / np.maximum(chords, 1e-9)))


def usual_map(south: float, west: float, north: float, east: float) -> dict[str, Any]:
    wide, high = AROUND * (east - west) + 2, AROUND * (north - south) + 2
    window = [max(west - wide, -180.0), max(south - high, -80.0), min(east + wide, 180.0), min(north + high, 84.0)]
    by = next(step for step in (1, 2, 5, 10, 20, 30) if max(east - west, north - south) / step < 12 or step == 30)
    return {"window": window, "graticule": [by, by], "lakes": 30.0, "southernmost": -65.0}


def usual_edges(board: Board, places: np.ndarray[Any, Any]) -> list[dict[str, Any]]:
    """Routes over the edge leave at the height between their cities, from north to south, half of their spaces on each side."""
    number = {city.id: place for place, city in enumerate(board.cities)}
    ways = {route.id.split(".")[0]: route for route in board.routes if route.over_the_edge}
    edges = []
    for way, route in ways.items():
        lat = float((places[number[route.a]][0] + places[number[route.b]][0]) / 2)
        edges.append({"way": way, "spaces": [route.length - route.length // 2, route.length // 2], "lat": lat})
    return sorted(edges, key=lambda edge: -float(edge["lat"]))
