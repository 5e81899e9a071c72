"""Convert latitude and longitude to the units of the drawing."""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.design.layout.board import Board

Array = np.ndarray[Any, Any]
SOUTH_FROM, SOUTH_SHARE = -0.62, 0.42  # Patterson's y from which the far south is compressed, and to how much: Cape Horn must be near


def lambert(lon: Array, lat: Array, centre: list[float], parallels: list[float]) -> Array:
    """Lambert's conformal conic projection."""
    first, second = np.radians(parallels)

    def t(angle: Array) -> Array:
        return np.tan(np.pi / 4 + angle / 2)

    n = np.log(np.cos(first) / np.cos(second)) / np.log(t(second) / t(first))
    size = np.cos(first) * t(first) ** n / n
    radius = size / t(np.clip(np.radians(lat), -1.2, 1.55)) ** n
    turn = n * np.radians(lon - centre[1])
    return np.stack([radius * np.sin(turn), radius * np.cos(turn) - size / t(np.radians(centre[0])) ** n], -1)


def patterson(lon: Array, lat: Array, centre: list[float]) -> Array:
    """Patterson's cylindrical projection, compressed in the far south."""
    p = np.radians(lat)
    y = 1.0148 * p + 0.23185 * p**5 - 0.14499 * p**7 + 0.02406 * p**9
    y = np.where(y < SOUTH_FROM, SOUTH_FROM + (y - SOUTH_FROM) * SOUTH_SHARE, y)
    return np.stack([np.radians(lon - centre[1]), -y], -1)


def local(lon: Array, lat: Array, centre: list[float]) -> Array:
    """A flat projection for a town."""
    return np.stack([(lon - centre[1]) * np.cos(np.radians(centre[0])), centre[0] - lat], -1)


KINDS = {"lambert": lambert, "patterson": patterson, "local": local}


def projected(settings: dict[str, Any], places: Array) -> Array:
    """Places, each as latitude and longitude, on the map before it is scaled."""
    options = dict(settings)
    kind, cut = KINDS[options.pop("kind")], options.pop("cut", None)
    lat, lon = np.asarray(places, float).T
    if cut is not None:
        lon = np.where(lon < cut, lon + 360, lon)
    flat: Array = kind(lon, lat, **options)
    return flat


class Projection:
    """The board's projection, scaled and moved so that the cities are in the middle of the frame."""

    def __init__(self, board: Board) -> None:
        options: dict[str, Any] = dict(board.settings["projection"])
        self.kind = KINDS[options.pop("kind")]
        self.cut: float | None = options.pop("cut", None)  # a world's map is cut at this longitude
        self.options = options
        self.scale = board.settings["scale"]
        self.origin = np.zeros(2)
        places = self.places([(city.lat, city.lon) for city in board.cities])
        middle = (places.min(0) + places.max(0)) / 2
        if self.cut is not None:
            middle[0] = 0
        self.origin = np.array(board.frame) / 2 - middle + np.array(board.settings.get("shift", [0, 0]))

    def __call__(self, lon: Array, lat: Array) -> Array:
        return self.kind(np.asarray(lon, float), np.asarray(lat, float), **self.options) * self.scale + self.origin

    def places(self, points: list[tuple[float, float]]) -> Array:
        """Points given as latitude and longitude, each on its side of the cut."""
        lat, lon = np.array(points, float).T
        if self.cut is not None:
            lon = np.where(lon < self.cut, lon + 360, lon)
        return self(lon, lat)
