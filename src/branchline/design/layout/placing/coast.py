"""Land and water: the projected atlas, the distance of any point from the shore, and the part of the map to draw."""

from __future__ import annotations

from typing import Any

import numpy as np
from shapely import unary_union
from shapely.geometry import LineString, MultiLineString, Polygon, box
from shapely.geometry.base import BaseGeometry

from branchline.design.layout.atlas import Ring, geography
from branchline.design.layout.placing.plan import Plan

Array = np.ndarray[Any, Any]
STEP = 12.0  # longer edges are divided, so that projection and deformation bend them
FIELD_SCALE = 0.5  # pixels of the distance field per unit
FIELD_LIMIT = 40.0
MARGIN = 30.0  # of the map beyond the frame
SMALLEST = 4.0  # area of an island that is drawn


def unwrapped(rings: list[Ring]) -> list[Ring]:
    """Rings that run across 180°, made whole; a hole goes where its outer ring goes."""
    whole: list[Ring] = []
    for ring in rings:
        lon = np.unwrap(ring[:, 0], period=360)
        if whole:
            lon = lon + 360 * round((whole[0][:, 0].mean() - lon.mean()) / 360)
        whole.append(np.stack([lon, ring[:, 1]], -1))
    return whole


def dense(points: Array) -> Array:
    """The line with points between those that are far apart."""
    steps = np.diff(points, axis=0)
    pieces = np.maximum(1, np.hypot(steps[:, 0], steps[:, 1]) // STEP).astype(int)
    if (pieces == 1).all():
        return points
    edge = np.repeat(np.arange(len(steps)), pieces)
    number = np.arange(len(edge)) - np.repeat(np.cumsum(pieces) - pieces, pieces) + 1
    return np.concatenate([points[:1], points[edge] + steps[edge] * (number / pieces[edge])[:, None]])


class Map:
    """The undeformed map of a board, in units of the drawing."""

    def __init__(self, plan: Plan, margin: Array | float = MARGIN) -> None:
        self.plan = plan
        self.margin = margin
        self.settings = plan.board.settings.get("map")
        self.land: list[list[Array]] = []
        self.lakes: list[list[Array]] = []
        self.borders: list[Array] = []
        if self.settings:
            self.read()

    def read(self) -> None:
        self.land = self.projected(geography().land)
        if self.settings.get("lakes"):
            self.lakes = [rings for rings in self.projected(geography().lakes) if Polygon(rings[0]).area > self.settings["lakes"]]
            self.borders = [line for arc in geography().borders for line in self.within([arc])]

    def projected(self, polygons: list[list[Ring]]) -> list[list[Array]]:
        whole = [unwrapped(rings) for rings in polygons]
        found = [self.within([ring + np.array([turn, 0]) for ring in rings]) for rings in whole for turn in (-360, 0, 360)]
        return [rings for rings in found if rings]

    def within(self, rings: list[Ring]) -> list[Array]:
        """Projected rings, or nothing if the first is outside the board's window."""
        west, south, east, north = self.settings["window"]
        lon, lat = rings[0].T
        if lon.max() < west or lon.min() > east or lat.max() < south or lat.min() > north or lat.min() < self.settings.get("southernmost", -90):
            return []
        kept = [dense(self.plan.projection(np.clip(ring[:, 0], west, east), np.clip(ring[:, 1], south, north))) for ring in rings]
        around = 2 * np.asarray(self.margin)
        return kept if (kept[0].max(0) > -around).all() and (kept[0].min(0) < self.plan.frame + around).all() else []

    def field(self, shifts: Array) -> Array:
        """How far each pixel is inland (positive) or at sea (negative) on the deformed map."""
        from PIL import Image, ImageDraw  # only a fit needs them
        from scipy.ndimage import distance_transform_edt

        width, height = (int(side * FIELD_SCALE) for side in self.plan.frame)
        if not self.land:
            return np.zeros((height, width))
        image = Image.new("1", (width, height), 0)
        pen = ImageDraw.Draw(image)
        for polygons, inside in ((self.land, 1), (self.lakes, 0)):
            for rings in self.warped(polygons, shifts):
                for number, ring in enumerate(rings):
                    pen.polygon((ring * FIELD_SCALE).ravel().tolist(), fill=inside if number == 0 else 1 - inside)
        land = np.array(image)
        distance = (distance_transform_edt(land) - distance_transform_edt(~land)) / FIELD_SCALE
        return np.clip(distance, -FIELD_LIMIT, FIELD_LIMIT)

    def warped(self, polygons: list[list[Array]], shifts: Array) -> list[list[Array]]:
        rings = iter(self.plan.mesh.warp_each([ring for polygon in polygons for ring in polygon], shifts))
        return [[next(rings) for _ in polygon] for polygon in polygons]

    @property
    def drawn(self) -> BaseGeometry:
        """The part of the map that is drawn."""
        return box(*-(np.zeros(2) + self.margin), *(self.plan.frame + self.margin))

    def shape(self, polygons: list[list[Array]], shifts: Array) -> BaseGeometry:
        parts = [Polygon(rings[0], rings[1:]).buffer(0).intersection(self.drawn) for rings in self.warped(polygons, shifts)]
        return unary_union([part for part in parts if part.area > SMALLEST])

    def graticule(self, shifts: Array) -> BaseGeometry:
        """Meridians and parallels, deformed with the map."""
        west, south, east, north = self.settings["window"]
        meridians = [(np.full(90, lon), np.linspace(south, north, 90)) for lon in self.meridians()]
        parallels = [(np.linspace(west, east, 180), np.full(180, lat)) for lat in self.parallels()]
        return self.drawn_lines([self.plan.projection(lon, lat) for lon, lat in meridians + parallels], shifts)

    def meridians(self) -> Array:
        """The longitudes of the graticule."""
        west, _, east, _ = self.settings["window"]
        by, _ = self.settings["graticule"]
        return np.arange(np.ceil(west / by) * by, east, by)

    def parallels(self) -> Array:
        """Its latitudes."""
        _, south, _, north = self.settings["window"]
        _, by = self.settings["graticule"]
        return np.arange(np.ceil(south / by) * by, north, by)

    def drawn_lines(self, lines: list[Array], shifts: Array) -> BaseGeometry:
        return MultiLineString([LineString(line) for line in self.plan.mesh.warp_each(lines, shifts)]).intersection(self.drawn)
