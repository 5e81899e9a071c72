"""The fit's input as arrays: lines between cities, the spaces on them, the boxes of names.

A line is one cubic from city to city; a route over the edge is two lines, each from a city to a point on the frame. The tracks of a double
route share a line. Points are numbered with the cities first, in file order, followed by the points on the frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.boards.sizes import TRACK_OFFSET
from branchline.design.layout.board import Board, Route
from branchline.design.layout.placing.deformation import Mesh
from branchline.design.layout.placing.projection import Projection

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Line:
    way: str
    routes: tuple[Route, ...]
    spaces: int
    a: int
    b: int
    side: str = ""  # W or E where it ends at the frame

    def offsets(self) -> list[float]:
        """Offsets of its tracks from the line. The halves of an edge route run in opposite directions, so one is flipped."""
        if len(self.routes) == 1:
            return [0.0]
        sign = -1 if self.side == "W" else 1
        return [-TRACK_OFFSET * sign, TRACK_OFFSET * sign]


class Plan:
    def __init__(self, board: Board, boxes: Array) -> None:
        self.board = board
        self.frame = np.array(board.frame)
        self.projection = Projection(board)
        self.true = self.projection.places([(city.lat, city.lon) for city in board.cities])
        self.cities = len(board.cities)
        self.mesh = Mesh(board.frame, board.settings["mesh"])
        self.half = boxes / 2
        self.named = np.array([0.0 if city.waypoint else 1.0 for city in board.cities])
        self.lines = self.make_lines()
        self.arrange_edge()
        self.arrange_lines()
        self.arrange_spaces()

    def make_lines(self) -> list[Line]:
        ways: dict[str, list[Route]] = {}
        for route in self.board.routes:
            ways.setdefault(route.way, []).append(route)
        self.edges = self.board.settings.get("edge", [])
        lines = []
        for way, routes in ways.items():
            a, b = (self.board.number(city) for city in (routes[0].a, routes[0].b))
            if routes[0].over_the_edge:
                lines += self.halves(way, tuple(routes), a, b)
            else:
                lines.append(Line(way, tuple(routes), routes[0].length, a, b))
        return lines

    def halves(self, way: str, routes: tuple[Route, ...], a: int, b: int) -> list[Line]:
        place = [edge["way"] for edge in self.edges].index(way)
        west, east = (a, b) if self.true[a][0] < self.true[b][0] else (b, a)
        counts = self.edges[place]["spaces"]
        return [
            Line(way, routes, counts[0], west, self.cities + 2 * place, "W"),
            Line(way, routes, counts[1], east, self.cities + 2 * place + 1, "E"),
        ]

    def arrange_edge(self) -> None:
        """Points on the frame: two per edge route, west then east, from north to south."""
        self.edge_x = np.array([side for _ in self.edges for side in (0.0, self.frame[0])])
        self.edge_y = np.array([self.projection(0, edge["lat"])[1] for edge in self.edges for _ in "WE"])

    def arrange_lines(self) -> None:
        self.a = np.array([line.a for line in self.lines])
        self.b = np.array([line.b for line in self.lines])
        self.count = np.array([line.spaces for line in self.lines], float)
        self.to_edge = self.b >= self.cities

    def arrange_spaces(self) -> None:
        spaces = [
            (number, place, offset, route)
            for number, line in enumerate(self.lines)
            for route, offset in zip(line.routes, line.offsets(), strict=True)
            for place in range(line.spaces)
        ]
        self.line, self.place = (np.array([space[i] for space in spaces]) for i in (0, 1))
        self.offset = np.array([space[2] for space in spaces])
        self.routes = [space[3].id for space in spaces]
        self.water = np.array([space[3].on_water for space in spaces])
        last = np.r_[np.diff(self.place) != 1, True]
        self.before = np.nonzero(~last)[0]  # spaces that another one of their track follows
        self.ends = np.zeros((len(spaces), self.cities), bool)  # the cities at the ends of a space's line
        for point in (self.a, self.b):
            at = point[self.line]
            real = at < self.cities
            self.ends[np.nonzero(real)[0], at[real]] = True

    def start_points(self) -> Array:
        return np.concatenate([self.true, np.stack([self.edge_x, self.edge_y], -1)])

    def start_bends(self, rng: np.random.Generator) -> Array:
        """Offsets of the two inner control points from the chord; a way with `via` points starts through them."""
        points, bends = self.start_points(), rng.normal(0, 0.3, (len(self.lines), 2, 2))
        for number, line in enumerate(self.lines):
            via = self.board.settings.get("via", {}).get(line.way)
            if via:
                a, b = points[line.a], points[line.b]
                bends[number] = through(a, b, self.projection.places(np.reshape(via, (-1, 2)).tolist()))
        return bends


def through(a: Array, b: Array, via: Array) -> Array:
    """Bends of a cubic that passes through one point half-way, or two points at one and two thirds."""
    if len(via) == 1:
        return np.tile((via[0] - (a + b) / 2) * 4 / 3, (2, 1))
    off = np.stack([via[0] - (2 * a + b) / 3, via[1] - (a + 2 * b) / 3])
    return np.linalg.solve(np.array([[12, 6], [6, 12]]) / 27, off)
