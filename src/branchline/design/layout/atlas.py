"""Coasts, lakes and borders (Natural Earth, public domain): the shipped geography, and the TopoJSON files that it is made from."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

Ring = np.ndarray[Any, Any]  # points, each longitude and latitude
GEOGRAPHY = Path(__file__).parent / "geography.json.gz"  # made by scripts/geography.py


class Geography:
    """The shipped map of the world."""

    def __init__(self, path: Path = GEOGRAPHY) -> None:
        layers = json.loads(gzip.decompress(path.read_bytes()))
        self.land: list[list[Ring]] = [[points(ring) for ring in rings] for rings in layers["land"]]
        self.lakes: list[list[Ring]] = [[points(ring) for ring in rings] for rings in layers["lakes"]]
        self.borders: list[Ring] = [points(arc) for arc in layers["borders"]]


def points(steps: list[int]) -> Ring:
    return np.cumsum(np.array(steps, float).reshape(-1, 2), axis=0) / 1000


@cache
def geography() -> Geography:
    return Geography()


class Atlas:
    """One TopoJSON file: shapes share their arcs, and arcs are stored as integer steps."""

    def __init__(self, path: Path) -> None:
        self.topology: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        transform = self.topology["transform"]
        self.arcs = [np.cumsum(np.array(arc), axis=0) * transform["scale"] + transform["translate"] for arc in self.topology["arcs"]]

    def polygons(self, layer: str) -> list[list[Ring]]:
        """Every polygon as its outer ring and then its holes."""
        found = []
        for shape in self.topology["objects"][layer]["geometries"]:
            parts = {"Polygon": [shape.get("arcs")], "MultiPolygon": shape.get("arcs")}.get(shape["type"], [])
            found += [[self.join(ring) for ring in part] for part in parts or []]
        return found

    def lines(self, layer: str) -> list[Ring]:
        found = []
        for shape in self.topology["objects"][layer]["geometries"]:
            parts = {"LineString": [shape.get("arcs")], "MultiLineString": shape.get("arcs")}.get(shape["type"], [])
            found += [self.join(part) for part in parts or []]
        return found

    def shared_arcs(self, layer: str) -> list[Ring]:
        """The arcs that two shapes of a layer have in common: borders without coasts."""
        uses: dict[int, int] = {}
        for shape in self.topology["objects"][layer]["geometries"]:
            for number in flatten(shape.get("arcs", [])):
                arc = number if number >= 0 else ~number
                uses[arc] = uses.get(arc, 0) + 1
        return [self.arcs[arc] for arc, count in uses.items() if count > 1]

    def join(self, numbers: list[int]) -> Ring:
        arcs = [self.arcs[number] if number >= 0 else self.arcs[~number][::-1] for number in numbers]
        return np.concatenate([arcs[0], *(arc[1:] for arc in arcs[1:])])


def flatten(numbers: list[Any]) -> list[int]:
    return [inner for one in numbers for inner in (flatten(one) if isinstance(one, list) else [one])]


@cache
def open_atlas(path: Path) -> Atlas:
    return Atlas(path)
