"""Make a board's picture for the start page, picture.json: a part of its map with shores and parks, and a few routes, some of them claimed.

    python scripts/start_picture.py src/branchline/boards/further/new_york --part 0 120 430

The part is its left and upper edge and its width, in units of layout.json. The routes are claimed as in a game of planners.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from shapely import unary_union
from shapely.affinity import affine_transform
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient

from branchline import Game, State
from branchline.bots import make_bot

SIZE = (260, 160)
EDGE = 4  # shores go on beyond the picture
SIMPLE = 0.35
CLAIMS = 4
SEED = 3
Part = tuple[float, float, float]


def area(path: str) -> BaseGeometry:
    """The inside of an SVG path that has only M, L and Z; rings inside others are holes."""
    rings = [np.array([point.split() for point in ring.split("L")], float) for ring in path.replace("Z", "").split("M")[1:]]
    found: BaseGeometry = Polygon()
    for ring in sorted((Polygon(ring).buffer(0) for ring in rings if len(ring) > 2), key=lambda one: -one.area):
        found = found.symmetric_difference(ring)
    return found


def drawn(shape: BaseGeometry, part: Part) -> str:
    """The part of a shape as an SVG path. Holes run the other way, so that they stay empty."""
    left, top, width = part
    scale = SIZE[0] / width
    placed = affine_transform(shape, [scale, 0, 0, scale, -left * scale, -top * scale])
    shown = placed.intersection(box(-EDGE, -EDGE, SIZE[0] + EDGE, SIZE[1] + EDGE)).simplify(SIMPLE)
    polygons = [orient(one) for one in getattr(shown, "geoms", [shown]) if one.geom_type == "Polygon" and one.area > 1]
    return "".join(ring_path(ring.coords[:-1]) for one in polygons for ring in (one.exterior, *one.interiors))


def ring_path(points: Any) -> str:
    return "M" + " ".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def shores(layout: dict[str, Any], part: Part) -> dict[str, str]:
    land = area(layout["coast"]) if layout["coast"] else box(-1e4, -1e4, 1e4, 1e4)
    found = {"land": drawn(land.difference(area(layout.get("lakes", ""))), part), "parks": drawn(unary_union([area(layout.get("parks", ""))]), part)}
    return {name: path for name, path in found.items() if path}


def claimed(game: Game) -> State:
    state = game.start(SEED)
    bots = [make_bot("planner", seat) for seat in state.seats]
    while not state.is_over and sum(len(state.routes(seat)) for seat in state.seats) < CLAIMS * game.players:
        state.apply(bots[state.seat].decide(state.view(state.seat)))
    return state


def lines(state: State, layout: dict[str, Any], part: Part) -> list[list[Any]]:
    """The routes whose ends are inside; of two tracks, the one that somebody has claimed."""
    left, top, width = part
    scale = SIZE[0] / width
    owners = {route: seat for seat in state.seats for route in state.routes(seat)}
    found: dict[tuple[str, str], list[Any]] = {}
    for route in state.game.board.routes:
        ends = [
            [round((layout["cities"][city]["x"] - left) * scale, 1), round((layout["cities"][city]["y"] - top) * scale, 1)]
            for city in (route.a, route.b)
        ]
        if not all(EDGE <= x <= SIZE[0] - EDGE and EDGE <= y <= SIZE[1] - EDGE for x, y in ends):
            continue
        colour = f"s{owners[route.id]}" if route.id in owners else route.colour
        if (route.a, route.b) not in found or route.id in owners:
            found[route.a, route.b] = [
                *ends[0],
                *ends[1],
                colour,
                bend(layout["routes"][route.id]["curves"][0], scale),
                *([True] if route.sea else []),
            ]
    return list(found.values())


def bend(curve: list[list[float]], scale: float) -> float:
    """How far the middle of a route's curve is off the straight line."""
    a, b, c, d = np.array(curve)
    chord = d - a
    middle = (a + 3 * b + 3 * c + d) / 8 - (a + d) / 2
    return round(float(scale * (chord[0] * middle[1] - chord[1] * middle[0]) / np.linalg.norm(chord)), 1)


def make(folder: Path, part: Part, players: int) -> None:
    layout = json.loads((folder / "layout.json").read_text(encoding="utf-8"))
    picture = shores(layout, part) | {"lines": lines(claimed(Game(str(folder), players)), layout, part)}
    rows = ",\n  ".join(json.dumps(line) for line in picture.pop("lines"))
    paths = "".join(f" {json.dumps(name)}: {json.dumps(path)},\n" for name, path in picture.items())
    (folder / "picture.json").write_text(f'{{\n{paths} "lines": [\n  {rows}\n ]\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Makes a board's picture for the start page.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", type=float, nargs=3, required=True, metavar=("LEFT", "TOP", "WIDTH"))
    parser.add_argument("--players", type=int, default=3)
    options = parser.parse_args()
    make(options.folder, tuple(options.part), options.players)
