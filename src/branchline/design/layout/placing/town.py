"""What a town's map has instead of an atlas: its own shores, a river, parks, and districts that end at the river's banks."""

from __future__ import annotations

from typing import Any

import numpy as np
from shapely import unary_union
from shapely.geometry import LineString, MultiPoint, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import split, voronoi_diagram

from branchline.design.layout.placing.plan import Plan

Array = np.ndarray[Any, Any]
MARGIN = 40.0
BANK = 15.0  # from the middle of the river to the districts
STREET = 1.5  # half of the strip between two districts
CORNER = 16.0  # radius of a district's corners


def smooth(points: Array, closed: bool, rounds: int = 4) -> Array:
    """Cut corners repeatedly (Chaikin)."""
    for _ in range(rounds):
        ahead = np.roll(points, -1, 0)
        cut = np.stack([0.75 * points + 0.25 * ahead, 0.25 * points + 0.75 * ahead], 1).reshape(-1, 2)
        points = cut if closed else np.concatenate([points[:1], cut[:-2], points[-1:]])
    return points


class Town:
    def __init__(self, plan: Plan, shifts: Array, cities: Array, margin: Array | float = MARGIN) -> None:
        self.plan, self.shifts, self.cities = plan, shifts, cities
        self.frame = box(*-(np.zeros(2) + margin), *(plan.frame + margin))

    def warped(self, points: list[list[float]]) -> Array:
        return self.plan.mesh.warp(self.plan.projection.places(points), self.shifts)

    def river(self) -> LineString:
        course = self.plan.board.settings["river"]
        return LineString(smooth(self.warped(course), closed=False)) if course else LineString()

    def parks(self) -> BaseGeometry:
        return self.areas("parks")

    def land(self) -> BaseGeometry:
        return self.areas("land").intersection(self.frame)

    def areas(self, kind: str) -> BaseGeometry:
        shapes = self.plan.board.settings[kind].values()
        return unary_union([Polygon(smooth(self.warped(points), closed=True)).buffer(0) for points in shapes])

    def districts(self) -> dict[str, BaseGeometry]:
        """On each bank, the area nearest to the cities of a district, with rounded corners and a strip between districts."""
        if not any(city.district for city in self.plan.board.cities):
            return {}
        river = self.river()
        banks = [self.frame] if river.is_empty else split(self.frame, river).geoms
        found: dict[str, list[BaseGeometry]] = {}
        for bank in banks:
            dry = bank.difference(river.buffer(BANK))
            here = [number for number, city in enumerate(self.cities) if bank.contains(Point(city))]
            for number, cell in self.cells(here) if here else []:
                if self.plan.board.cities[number].district:
                    found.setdefault(self.plan.board.cities[number].district, []).append(cell.intersection(dry))
        return {district: rounded(unary_union(cells)) for district, cells in sorted(found.items())}

    def cells(self, here: list[int]) -> list[tuple[int, BaseGeometry]]:
        if len(here) == 1:
            return [(here[0], self.frame)]
        cells = voronoi_diagram(MultiPoint(self.cities[here]), envelope=self.frame).geoms
        return [(number, next(cell for cell in cells if cell.contains(Point(self.cities[number])))) for number in here]


def rounded(shape: BaseGeometry) -> BaseGeometry:
    return shape.buffer(-STREET - CORNER).buffer(CORNER).buffer(-CORNER / 2).buffer(CORNER / 2)
