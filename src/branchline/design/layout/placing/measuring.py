"""Count a layout's flaws with exact shapes, from layout.json and the font alone, without trusting the fit."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from shapely import STRtree
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from branchline.boards.letters import text_width
from branchline.boards.sizes import FONT_SIZE
from branchline.design.layout.board import Board

STROKE = 0.4  # half of a space's outline lies outside it
DOT_STROKE = 0.3
FEW = 8  # how many of each fault are named
Layout = dict[str, Any]


def outline(space: dict[str, float], kind: dict[str, float], stroke: float = STROKE) -> Polygon:
    """A space as it is drawn: a rectangle with round corners, and its stroke."""
    radius = kind["radius"]
    turn = np.radians(space["angle"])
    axis = np.array([np.cos(turn), np.sin(turn)])
    across = np.array([-axis[1], axis[0]])
    along, wide = axis * (space["length"] / 2 - radius), across * (kind["width"] / 2 - radius)
    middle = np.array([space["x"], space["y"]])
    corners = [middle + along + wide, middle - along + wide, middle - along - wide, middle + along - wide]
    return Polygon(corners).buffer(radius + stroke)


def curve_points(curve: list[list[float]], steps: int = 96) -> np.ndarray[Any, Any]:
    t = np.linspace(0, 1, steps + 1)[:, None]
    a, b, c, d = (np.array(point) for point in curve)
    return (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d


def least_radius(points: np.ndarray[Any, Any]) -> float:
    """Radii of the circles through three neighbouring points on the curve."""
    a, b, c = points[:-2], points[1:-1], points[2:]
    sides = np.linalg.norm(a - b, axis=1) * np.linalg.norm(b - c, axis=1) * np.linalg.norm(a - c, axis=1)
    area = np.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2
    return float((sides / (4 * np.maximum(area, 1e-9))).min())


def area_of(path: str) -> BaseGeometry:
    """The area of an SVG path as writing.py writes it; a ring inside another is a hole."""
    rings = [[tuple(map(float, point.split())) for point in piece.rstrip("Z").split("L")] for piece in path.split("M")[1:]]
    area: BaseGeometry = MultiPolygon()
    for shape in (Polygon(ring).buffer(0) for ring in rings if len(ring) > 2):
        area = area.symmetric_difference(shape)
    return area


class Measured:
    def __init__(self, board: Board, layout: Layout) -> None:
        self.board, self.layout = board, layout
        self.routes = {route.id: route for route in board.routes}
        self.spaces = [(route, number, space) for route, one in layout["routes"].items() for number, space in enumerate(one["spaces"])]
        self.outlines = [outline(space, layout["space"]) for *_, space in self.spaces]
        self.dots = {city: Point(place["x"], place["y"]).buffer(layout["city_radius"] + DOT_STROKE) for city, place in layout["cities"].items()}
        self.tree = STRtree(self.outlines)

    def missing(self) -> list[str]:
        """Routes without exactly their spaces, cities without a place."""
        routes = [route.id for route in self.board.routes if len(self.layout["routes"].get(route.id, {"spaces": ()})["spaces"]) != route.length]
        return routes + [city.id for city in self.board.cities if city.id not in self.layout["cities"]]

    def overlaps(self) -> list[str]:
        """Spaces that touch, on any routes."""
        pairs = [(i, j) for i, shape in enumerate(self.outlines) for j in self.tree.query(shape, predicate="intersects") if i < j]
        return [f"{self.title(i)} / {self.title(j)}" for i, j in pairs]

    def on_dots(self) -> list[str]:
        return [f"{self.title(i)} / {city}" for city, dot in self.dots.items() for i in self.tree.query(dot, predicate="intersects")]

    def title(self, number: int) -> str:
        route, place, _ = self.spaces[number]
        return f"{route} {place + 1}"

    def box_of(self, label: dict[str, Any]) -> Polygon:
        """The name's box, measured again with the font."""
        width = max(text_width(line, FONT_SIZE) for line in label["lines"]) + 0.1
        height = self.layout["line_height"] * len(label["lines"])
        x, y = label["x"], label["y"]
        return box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    def name_faults(self, language: str) -> list[str]:
        """Names on spaces, dots, names, or outside the frame; or not this language's name."""
        labels = {city: place["labels"][language] for city, place in self.layout["cities"].items()}
        boxes = {city: self.box_of(label) for city, label in labels.items() if label["lines"]}
        frame = box(*self.layout["view_box"])
        faults = [f"{city} / {self.title(i)}" for city, one in boxes.items() for i in self.tree.query(one, predicate="intersects")]
        faults += [f"{city} / dot of {other}" for city, one in boxes.items() for other, dot in self.dots.items() if one.intersects(dot)]
        faults += [f"{one} / {two}" for one, two in combinations(boxes, 2) if boxes[one].intersects(boxes[two])]
        faults += [f"{city} / frame" for city, one in boxes.items() if not frame.contains(one)]
        names = {city.id: city.names[language] for city in self.board.cities if not city.waypoint}
        written = {city: joined(label["lines"]) for city, label in labels.items() if label["lines"]}
        return faults + [f"{city} / other name" for city, name in names.items() if written.get(city) != name]

    def far_names(self) -> float:
        """The greatest distance of a name from its dot's edge."""
        places = self.layout["cities"].items()
        boxes = [
            (city, self.box_of(place["labels"][language]))
            for city, place in places
            for language in self.board.languages
            if place["labels"][language]["lines"]
        ]
        return max(self.dots[city].distance(one) for city, one in boxes)

    def crossings(self) -> list[str]:
        """Curves that meet away from a city they share."""
        curves = [(route.way, LineString(curve_points(c))) for route in self.board.routes for c in self.layout["routes"][route.id]["curves"]]
        found = set()
        for (one, line), (two, other) in combinations(curves, 2):
            if one != two and line.intersects(other):
                shared = [self.dots[city].buffer(3) for city in cities_of(one, self.board) & cities_of(two, self.board)]
                meeting = line.intersection(other)
                for dot in shared:
                    meeting = meeting.difference(dot)
                if not meeting.is_empty:
                    found.add(f"{one} / {two}")
        return sorted(found)

    def bends(self) -> dict[str, float]:
        return {route: min(least_radius(curve_points(curve)) for curve in one["curves"]) for route, one in self.layout["routes"].items()}

    def wrong_side(self) -> tuple[list[str], list[str]]:
        """Spaces of sea routes and ferries whose middle is on land, and of railways whose middle is at sea."""
        land = area_of(self.layout["coast"])
        if self.layout.get("lakes"):
            land = land.difference(area_of(self.layout["lakes"]))
        on_land = [land.contains(Point(space["x"], space["y"])) for *_, space in self.spaces]
        water = [self.routes[route].on_water for route, *_ in self.spaces]
        dry = [self.title(i) for i, (dry, wet) in enumerate(zip(on_land, water, strict=True)) if dry and wet]
        wet = [self.title(i) for i, (dry, wet) in enumerate(zip(on_land, water, strict=True)) if not dry and not wet]
        return dry, wet

    def starts(self) -> dict[str, float]:
        """How far from the nearest end of its route a first or last space begins, beyond the dot's edge."""
        found = {}
        for route in self.board.routes:
            shapes = [shape for (name, *_), shape in zip(self.spaces, self.outlines, strict=True) if name == route.id]
            found[route.id] = max(min(self.dots[city].distance(shape) for shape in shapes) for city in (route.a, route.b))
        return found


def joined(lines: list[str]) -> str:
    """Join a name's lines; after a hyphen there is no space."""
    return "".join(line if line.endswith("-") else line + " " for line in lines).strip()


def cities_of(way: str, board: Board) -> set[str]:
    route = next(route for route in board.routes if route.way == way)
    return {route.a, route.b}


def flaws_of(board: Board, layout: Layout) -> dict[str, list[str]]:
    """What a drawing should not have, by kind; kinds without any are left out."""
    measured = Measured(board, layout)
    names = list(dict.fromkeys(fault for language in board.languages for fault in measured.name_faults(language)))
    found = {"missing": measured.missing(), "overlaps": measured.overlaps(), "on dots": measured.on_dots(), "crossings": measured.crossings()}
    return {kind: faults for kind, faults in (found | {"names": names}).items() if faults}


def measure(board: Board, layout: Layout) -> dict[str, Any]:
    """All counts, with the first few of each named."""
    measured = Measured(board, layout)
    lengths = [space["length"] for *_, space in measured.spaces]
    bends, starts = measured.bends(), measured.starts()
    faults = {"missing": measured.missing(), "overlaps": measured.overlaps(), "on dots": measured.on_dots(), "crossings": measured.crossings()}
    faults |= {f"names ({language})": measured.name_faults(language) for language in board.languages}
    report: dict[str, Any] = {"spaces": len(lengths)} | {fault: [len(found), *found[:FEW]] for fault, found in faults.items()}
    report["lengths"] = [min(lengths), round(float(np.mean(lengths)), 1), max(lengths)]
    report["tightest bends"] = {route: round(bends[route]) for route in sorted(bends, key=bends.__getitem__)[:FEW]}
    report["longest starts"] = {route: round(starts[route]) for route in sorted(starts, key=starts.__getitem__)[-FEW:]}
    report["farthest name"] = round(measured.far_names(), 1)
    if layout["coast"]:
        dry, wet = measured.wrong_side()
        report |= {"on water, drawn on land": [len(dry), *dry[: 3 * FEW]], "rails, drawn at sea": [len(wet), *wet[: 3 * FEW]]}
    return report
