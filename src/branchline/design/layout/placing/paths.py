"""Shapes as SVG paths, rounded to a tenth of a unit."""

from __future__ import annotations

from typing import Any

from shapely.geometry.base import BaseGeometry

TOLERANCE = 0.4  # by which paths are simplified


def tenth(value: float) -> float:
    return round(float(value), 1) + 0.0  # no -0.0


def point(values: Any) -> list[float]:
    return [tenth(value) for value in values]


def path(shape: BaseGeometry) -> str:
    """An SVG path of polygons or lines, simplified."""
    if shape.is_empty:
        return ""
    shape = shape.simplify(TOLERANCE)
    pieces = []
    for part in getattr(shape, "geoms", [shape]):
        if part.geom_type == "Polygon":
            pieces += [strokes(ring.coords[:-1]) + "Z" for ring in (part.exterior, *part.interiors)]
        elif part.geom_type == "LineString":
            pieces.append(strokes(part.coords))
    return "".join(pieces)


def strokes(points: Any) -> str:
    rounded = [tuple(f"{tenth(value):g}" for value in one) for one in points]
    kept = [one for at, one in enumerate(rounded) if at == 0 or one != rounded[at - 1]]
    return "M" + "L".join(f"{x} {y}" for x, y in kept)
