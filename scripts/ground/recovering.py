"""Find the deformation of a board's map again, from its layout: layout.json has the deformed map, not the displacements that deformed it.

Cities and the crossings of the graticule are known in both maps. They give a first solution; each drawn point of the coast is then the
deformed point of the atlas that is nearest to it. What is left is below a tenth of a unit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from shapely.geometry import LineString

from branchline.design.layout.placing import coast, town
from branchline.design.layout.placing.coast import Map
from branchline.design.layout.placing.deformation import Mesh
from branchline.design.layout.placing.plan import Plan

Array = np.ndarray
SMOOTH = {"cities": 0.15, "net": 0.05, "coast": 0.02}  # weight of second differences
NEAREST_NODE = 45.0  # units within which a crossing is a node of the graticule
NEAREST = (12.0, 4.0, 1.5, 1.0)  # units within which a point of the coast is one of the atlas, round after round


class Solver:
    """Least squares for the displacements of a mesh."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh = mesh
        self.bends = second_differences(mesh.columns, mesh.rows)

    def __call__(self, true: Array, drawn: Array, smooth: float) -> Array:
        inside = np.clip(true, self.mesh.corner + 1e-6, self.mesh.far - 1e-6)
        free = self.bends.shape[1]
        rows = np.concatenate([self.mesh.weights(inside), smooth * self.bends, 1e-3 * np.eye(free)])
        wanted = np.concatenate([drawn - inside, np.zeros((len(self.bends) + free, 2))])
        return np.linalg.solve(rows.T @ rows, rows.T @ wanted)


def second_differences(columns: int, rows: int) -> Array:
    number = np.arange(columns * rows).reshape(columns, rows)
    triples = [*zip(number[:-2].ravel(), number[1:-1].ravel(), number[2:].ravel(), strict=True)]
    triples += zip(number[:, :-2].ravel(), number[:, 1:-1].ravel(), number[:, 2:].ravel(), strict=True)
    table = np.zeros((len(triples), columns * rows))
    for row, (before, middle, after) in enumerate(triples):
        table[row, [before, middle, after]] = [1, -2, 1]
    return table


def recover(plan: Plan, world: Map, layout: dict[str, Any]) -> Array:
    """The displacements of the mesh's control points."""
    solve = Solver(plan.mesh)
    true = plan.true
    drawn = np.array([[layout["cities"][city.id][axis] for axis in "xy"] for city in plan.board.cities])
    if not layout["coast"]:
        return solve(true, drawn, SMOOTH["net"])
    shifts = solve(true, drawn, SMOOTH["cities"])
    if world.settings:
        nodes, crossings = matched_nodes(plan, world, layout["graticule"], shifts)
        true, drawn = np.concatenate([true, nodes]), np.concatenate([drawn, crossings])
    shifts = solve(true, drawn, SMOOTH["net"])
    atlas, drawn_coast = (
        near_frame(plan, np.concatenate(shores(plan, world))),
        inner_coast(plan, layout["coast"], coast.MARGIN if world.settings else town.MARGIN),
    )
    for reach in NEAREST:
        found, away = nearest(plan.mesh.warp(atlas, shifts), drawn_coast)
        sure = away < reach
        shifts = solve(np.concatenate([true, atlas[found[sure]]]), np.concatenate([drawn, drawn_coast[sure]]), SMOOTH["coast"])
    print(f"deformation found to {np.median(away[sure]):.2f} units")
    return shifts


def shores(plan: Plan, world: Map) -> list[Array]:
    """Those of the undeformed map; a town has its own."""
    if world.settings:
        return [ring for rings in world.land for ring in rings]
    return [town.smooth(plan.projection.places(ring), closed=True, rounds=6) for ring in plan.board.settings["land"].values()]


def matched_nodes(plan: Plan, world: Map, path: str, shifts: Array) -> tuple[Array, Array]:
    """Nodes of the graticule on the undeformed map, and where the drawn lines cross."""
    nodes = np.array([plan.projection(lon, lat) for lon in world.meridians() for lat in world.parallels()])
    lines = [LineString(points) for points in points_of(path) if len(points) > 1]
    met = [one.intersection(other) for number, one in enumerate(lines) for other in lines[number + 1 :]]
    crossings = np.array(
        [(spot.x, spot.y) for shape in met for spot in getattr(shape, "geoms", [shape]) if spot.geom_type == "Point" and not spot.is_empty]
    )
    found, away = nearest(plan.mesh.warp(nodes, shifts), crossings)
    sure = away < NEAREST_NODE
    return nodes[found[sure]], crossings[sure]


def nearest(places: Array, points: Array) -> tuple[Array, Array]:
    """For each point, the number of the nearest place and its distance."""
    found = np.array([np.square(places - point).sum(1).argmin() for point in points])
    return found, np.linalg.norm(places[found] - points, axis=1)


def near_frame(plan: Plan, points: Array) -> Array:
    return points[((points > -100) & (points < plan.frame + 100)).all(1)]


def inner_coast(plan: Plan, path: str, margin: float) -> Array:
    """The drawn points of the coast, without the cuts at the edge of the drawing."""
    points, cut = np.concatenate(points_of(path)), margin - 0.2
    return points[((points > -cut) & (points < plan.frame + cut)).all(1)]


def points_of(path: str) -> list[Array]:
    """The lines or rings of an SVG path that has only M, L and Z."""
    return [np.array([point.split() for point in part.split("L")], float) for part in path.replace("Z", "").split("M")[1:]]
