"""What makes a good drawing, as penalties to minimise. A hinge is the squared excess over what is allowed.

Clearances and weights were found by trial on our boards; docs/boards.md shows the results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from branchline.boards.sizes import CITY_RADIUS, GAP, LEAST_TRIM, OFF_OTHER_DOTS, PITCH, SPACE_WIDTH
from branchline.design.layout.placing.coast import FIELD_SCALE
from branchline.design.layout.placing.plan import Plan
from branchline.design.layout.placing.tracing import AXIS, RADII, STEPS, Drawing, Tracer, Unknowns, size, unit

Array = jax.Array
LEAST_RADIUS = 36.0  # of a bend: below it the penalty grows fast
LONG_TRIM = 15.0
EDGE_APART = 26.0


class Near(NamedTuple):
    """Pairs that may touch soon, so that not all have to be looked at in every step."""

    one: Array
    other: Array
    real: Array  # 1 for each real pair, 0 for filling


class Stage(NamedTuple):
    """What changes during the fit."""

    pairs: Near  # spaces that are near each other
    by_city: Near  # spaces, and cities that are near them
    by_name: Near  # spaces, and names that are near them
    field: Array  # the distance field of the deformed coast
    swell: Array  # how much of its width a space has: it grows in the first phase
    labels: Array  # 0 before names are placed
    overlap: Array  # weights
    bending: Array
    sharpness: Array
    shore: Array
    anchor: Array


def hinge(excess: Array) -> Array:
    return jnp.maximum(excess, 0) ** 2


def to_box(points: Array, middles: Array, half: Array) -> Array:
    """Distance of points from boxes, less than 0 inside."""
    away = jnp.abs(points - middles) - half
    return size(jnp.maximum(away, 0)) + jnp.minimum(away.max(-1), 0)


class Penalties:
    def __init__(self, plan: Plan, start: Unknowns, stiffness: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]) -> None:
        self.plan = plan
        self.tracer = Tracer(plan)
        self.frame = jnp.array(plan.frame)
        self.half = jnp.array(plan.half)
        self.others = np.triu_indices(plan.cities, 1)
        first = self.tracer.traced(start)
        self.fan = fan_table(plan, np.array(first.exits))
        self.forward = jnp.minimum(0.62, jax.jit(self.leaving)(first) - 0.25)
        self.sample_deformation(stiffness)

    def sample_deformation(self, stiffness: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]) -> None:
        mesh, (width, height) = self.plan.mesh, self.plan.frame
        spacing = mesh.size * 0.4
        x, y = np.arange(-mesh.size, width + mesh.size, spacing), np.arange(-mesh.size, height + mesh.size, spacing)
        # on a grid of samples, a spline over a mesh is one along x and one along y
        self.at_x, self.slope_x = (jnp.array(mesh.weights_along(0, x, sloping)) for sloping in (False, True))
        self.at_y, self.slope_y = (jnp.array(mesh.weights_along(1, y, sloping)) for sloping in (False, True))
        samples = np.stack(np.meshgrid(x, y, indexing="ij"), -1)
        self.stiffness = jnp.array(stiffness(samples.reshape(-1, 2)).reshape(samples.shape[:2])) * spacing**2

    def __call__(self, unknowns: Unknowns, stage: Stage) -> dict[str, Array]:
        drawing = self.tracer(unknowns)
        return {
            "spaces": stage.overlap * self.spaces_apart(drawing, stage),
            "cities": stage.overlap * 1.2 * self.off_cities(drawing, stage),
            "names": stage.labels * self.names(drawing, unknowns, stage),
            "frame": self.in_frame(drawing),
            "pitch": 1.2 * self.pitch(drawing),
            "trims": self.trims(drawing),
            "order": 120 * self.order(drawing),
            "bending": self.bending(drawing, unknowns, stage),
            "deformation": self.deformation(unknowns),
            "anchor": stage.anchor * ((drawing.cities - self.plan.true) ** 2).sum(),
            "crowd": hinge(34 - size(drawing.cities[self.others[0]] - drawing.cities[self.others[1]], 1e-6)).sum(),
            "edge": self.edge(drawing, unknowns),
            "shore": stage.shore * self.shore(drawing, stage),
        }

    def spaces_apart(self, drawing: Drawing, stage: Stage) -> Array:
        one, other = drawing.discs[stage.pairs.one], drawing.discs[stage.pairs.other]
        apart = size(one[:, :, None] - other[:, None], 1e-6)
        needed = (RADII[:, None] + RADII[None] + 2.6) * stage.swell
        return (hinge(needed - apart).sum((1, 2)) * stage.pairs.real).sum()

    def off_cities(self, drawing: Drawing, stage: Stage) -> Array:
        space, city, real = stage.by_city
        apart = size(drawing.discs[space] - drawing.cities[city][:, None], 1e-6)
        clearance = jnp.where(jnp.array(self.plan.ends)[space, city], CITY_RADIUS + 1.6, CITY_RADIUS + 4.0)
        needed = clearance[:, None] + RADII[None]
        return (hinge(needed * stage.swell - apart).sum(1) * real).sum()

    def names(self, drawing: Drawing, unknowns: Unknowns, stage: Stage) -> Array:
        """Keep names off spaces, other names, other dots and the edge of the frame, and near their own dot."""
        named, half, cities = jnp.array(self.plan.named), self.half, drawing.cities
        middles = cities + unknowns.labels
        space, name, real = stage.by_name
        to_names = to_box(drawing.discs[space], middles[name][:, None], half[name][:, None])
        off_spaces = (hinge(RADII + 3.0 - to_names).sum(1) * named[name] * real).sum()
        i, j = self.others
        away = jnp.abs(middles[i] - middles[j]) - half[i] - half[j]
        off_names = (jnp.minimum(hinge(3 - away[:, 0]), hinge(1.5 - away[:, 1])) * named[i] * named[j]).sum()
        to_dots = to_box(cities[:, None], middles[None], half)
        off_dots = (hinge(CITY_RADIUS + OFF_OTHER_DOTS - to_dots) * named * (1 - jnp.eye(self.plan.cities))).sum()
        own = jnp.diagonal(to_dots)
        near = (named * (10 * hinge(CITY_RADIUS + 2.0 - own) + hinge(own - CITY_RADIUS - 3.2))).sum()
        inside = ((hinge(half + 5 - middles) + hinge(middles + half + 5 - self.frame)).sum(-1) * named).sum()
        return off_spaces * stage.overlap + 1.5 * off_names + 1.5 * off_dots + near + 2 * inside

    def in_frame(self, drawing: Drawing) -> Array:
        margin = SPACE_WIDTH / 2 + 7
        spaces = (hinge(margin - drawing.discs) + hinge(drawing.discs + margin - self.frame)).sum()
        cities = (hinge(16 - drawing.cities) + hinge(drawing.cities + 16 - self.frame)).sum()
        return 0.6 * (spaces + 3 * cities)

    def pitch(self, drawing: Drawing) -> Array:
        short = 8 * hinge(PITCH - 0.4 - drawing.inner_pitch)
        long = hinge(drawing.pitch - PITCH - 1.5) + 6 * hinge(drawing.pitch - 1.16 * PITCH)
        return (self.plan.count * (short + long)).sum()

    def trims(self, drawing: Drawing) -> Array:
        return 0.1 * ((drawing.trims - LEAST_TRIM) ** 2).sum() + 0.5 * hinge(drawing.trims - LONG_TRIM).sum()

    def leaving(self, drawing: Drawing) -> Array:
        """Cosines between a line's chord and its first and last space: lines × 2."""
        chord = unit(drawing.points[self.plan.b] - drawing.points[self.plan.a])
        exits = unit(drawing.exits)
        return jnp.stack([(exits[:, 0] * chord).sum(-1), -(exits[:, 1] * chord).sum(-1)], 1)

    def order(self, drawing: Drawing) -> Array:
        """Keep lines in order around a city, with room for their widths, and never leaving it backwards."""
        fan = self.fan
        one, other = drawing.exits[fan.line, fan.end], drawing.exits[fan.next_line, fan.next_end]
        turn = jnp.arctan2(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0], (one * other).sum(-1) + 1e-6)
        # unwrapped around the starting gap: wrapped to ±180°, it would flip where two lines face each other, and tie knots
        turn = fan.gap + (turn - fan.gap + np.pi) % (2 * np.pi) - np.pi
        return hinge(0.92 * fan.room - turn).sum() + 4 * hinge(self.forward - self.leaving(drawing)).sum()

    def bending(self, drawing: Drawing, unknowns: Unknowns, stage: Stage) -> Array:
        turns = drawing.headings[:, 1:] - drawing.headings[:, :-1]
        step = (drawing.chords[:, 1:] + drawing.chords[:, :-1]) / 2
        step = jnp.maximum(step, 0.2 * drawing.length[:, None] / STEPS)  # chords vanish if a control point is at its end
        curvature = size(turns) / step
        gentle = 400 * (curvature**2 * step).sum() + 1.4 * (hinge(50 * curvature - 1) * step).sum()
        sharp = (hinge(LEAST_RADIUS * curvature - 1) * step).sum()
        uneven = ((unknowns.bends[:, 0] - unknowns.bends[:, 1]) ** 2).sum() / 100
        return stage.bending * (gentle + 0.3 * uneven) + stage.sharpness * sharp

    def deformation(self, unknowns: Unknowns) -> Array:
        """Conformal energy, a small penalty for changed areas, a barrier against folds, and smoothness of the mesh."""
        dx = jnp.einsum("ic,crd,jr->ijd", self.slope_x, unknowns.shifts, self.at_y) + jnp.array([1.0, 0.0])
        dy = jnp.einsum("ic,crd,jr->ijd", self.at_x, unknowns.shifts, self.slope_y) + jnp.array([0.0, 1.0])
        area = dx[..., 0] * dy[..., 1] - dx[..., 1] * dy[..., 0]
        safe = jnp.maximum(area, 0.06)
        energy = ((dx**2).sum(-1) + (dy**2).sum(-1)) / safe / 2 - 1 + 0.12 * jnp.log(safe) ** 2
        barrier = 60 * hinge(0.30 - area).sum() + 2000 * hinge(0.12 - area).sum()
        d = unknowns.shifts
        straight = ((d[2:] - 2 * d[1:-1] + d[:-2]) ** 2).sum() + ((d[:, 2:] - 2 * d[:, 1:-1] + d[:, :-2]) ** 2).sum()
        square = ((d[1:, 1:] - d[1:, :-1] - d[:-1, 1:] + d[:-1, :-1]) ** 2).sum()
        return 0.012 * (energy * self.stiffness).sum() + barrier + 0.014 * (straight + 2 * square)

    def edge(self, drawing: Drawing, unknowns: Unknowns) -> Array:
        """Points on the frame: at the same height in the west and the east, apart from each other, and reached horizontally."""
        if not len(self.plan.edges):
            return jnp.array(0.0)
        west, east = unknowns.edge[0::2], unknowns.edge[1::2]
        apart = sum(hinge(EDGE_APART - (side[1:] - side[:-1])).sum() for side in (west, east))
        inside = (hinge(16 - unknowns.edge) + hinge(unknowns.edge - self.frame[1] + 16)).sum()
        level = jnp.where(self.plan.to_edge, drawing.headings[:, -1, 1] ** 2, 0).sum()
        return 0.6 * ((west - east) ** 2).sum() + 4 * apart + 4 * inside + 10 * level

    def shore(self, drawing: Drawing, stage: Stage) -> Array:
        """Keep sea routes and ferries off the land and railways off the sea; capped, since some must cross."""
        spots = drawing.discs[:, :AXIS] * FIELD_SCALE
        inland = jax.scipy.ndimage.map_coordinates(stage.field, [spots[..., 1], spots[..., 0]], order=1, mode="nearest")
        wrong = jnp.where(self.plan.water[:, None], hinge(inland + 3), 0.5 * hinge(-inland - 3))
        return jnp.minimum(wrong, 600 + 0.05 * wrong).sum() / AXIS


class Fan(NamedTuple):
    """Neighbours around a city: a line's end, the next line's end, the angle they need, the angle they start with."""

    line: np.ndarray[Any, Any]
    end: np.ndarray[Any, Any]
    next_line: np.ndarray[Any, Any]
    next_end: np.ndarray[Any, Any]
    room: np.ndarray[Any, Any]
    gap: np.ndarray[Any, Any]


def fan_table(plan: Plan, exits: np.ndarray[Any, Any]) -> Fan:
    rows = [row for city in range(plan.cities) for row in fan_around(plan, city, exits)]
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    return Fan(*columns)


def fan_around(plan: Plan, city: int, exits: np.ndarray[Any, Any]) -> list[tuple[int, int, int, int, float, float]]:
    here = [(number, end) for number, line in enumerate(plan.lines) for end, point in enumerate((line.a, line.b)) if point == city]
    if len(here) < 2:
        return []
    angle = {key: np.arctan2(exits[key][1], exits[key][0]) for key in here}
    here.sort(key=angle.__getitem__)
    widths = [SPACE_WIDTH * tracks + GAP * (tracks - 1) for tracks in (len(plan.lines[number].routes) for number, _ in here)]
    radius = max(LEAST_TRIM + 3, (sum(widths) + GAP * len(widths)) / (2 * np.pi) * 1.08)
    rows = []
    for at, one in enumerate(here):
        after = (at + 1) % len(here)
        other = here[after]
        room = ((widths[at] + widths[after]) / 2 + GAP) / radius
        rows.append((*one, *other, room, (angle[other] - angle[one]) % (2 * np.pi)))
    return rows
