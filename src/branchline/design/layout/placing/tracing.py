"""Compute where cities, curves and spaces are for given values of the unknowns. Differentiable (JAX)."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from branchline.boards.sizes import EDGE_TRIM, GAP, LEAST_TRIM, LONGEST, SHORTEST, SPACE_LENGTH
from branchline.design.layout.placing.plan import Plan

Array = jax.Array
STEPS = 48  # chords by which a curve is measured
_T = np.linspace(0, 1, STEPS + 1)
BERNSTEIN = np.stack([(1 - _T) ** 3, 3 * _T * (1 - _T) ** 2, 3 * _T**2 * (1 - _T), _T**3], -1)

# A space as discs: three along its axis, four in its corners. Along (as a share of its length), across, radius.
DISCS = np.array([(-0.33, 0, 4.5), (0, 0, 4.5), (0.33, 0, 4.5), (-0.5, 2.5, 2.0), (-0.5, -2.5, 2.0), (0.5, 2.5, 2.0), (0.5, -2.5, 2.0)])
RADII = DISCS[:, 2]
AXIS = 3  # the first three discs lie on the axis
_INSET = -np.sign(DISCS[:, 0]) * np.where(RADII < 3, 2.0, 0.0)  # corner discs lie inside the outline


class Unknowns(NamedTuple):
    shifts: Array  # of the mesh's control points: columns × rows × 2
    bends: Array  # of the lines' inner control points off the chord: lines × 2 × 2
    trims: Array  # how far from its ends a line's spaces begin, before softplus: lines × 2
    labels: Array  # from the city to the middle of its name: cities × 2
    edge: Array  # heights of the points of the frame


class Drawing(NamedTuple):
    cities: Array
    points: Array  # cities and points of the frame
    controls: Array  # lines × 4 × 2
    curves: Array  # lines × (STEPS + 1) × 2
    chords: Array  # lines × STEPS: how long the pieces of a curve are
    headings: Array  # lines × STEPS × 2, of length 1: their directions
    length: Array  # of the lines
    trims: Array
    pitch: Array  # arc length per space
    inner_pitch: Array  # the smallest distance between two spaces of a track: less than the pitch where a double route bends
    exits: Array  # lines × 2 × 2: from an end to the middle of its first space
    centres: Array  # spaces × 2
    axes: Array  # spaces × 2, of length 1
    lengths: Array  # spaces
    discs: Array  # spaces × 7 × 2


def size(vectors: Array, least: float = 1e-9) -> Array:
    return jnp.sqrt((vectors**2).sum(-1) + least)


def unit(vectors: Array) -> Array:
    return vectors / size(vectors)[..., None]


def first_guess(plan: Plan, rng: np.random.Generator) -> Unknowns:
    return Unknowns(
        shifts=jnp.zeros((plan.mesh.columns, plan.mesh.rows, 2)),
        bends=jnp.array(plan.start_bends(rng)),
        trims=jnp.zeros((len(plan.lines), 2)),
        labels=jnp.zeros((plan.cities, 2)),
        edge=jnp.array(plan.edge_y),
    )


def along(curve: Array, travelled: Array, distance: Array) -> Array:
    """The point of a curve after a distance. The piece is found by counting: searching for it takes a compiler much longer."""
    piece = jnp.clip((travelled <= distance).sum() - 1, 0, STEPS - 1)
    share = (distance - travelled[piece]) / (travelled[piece + 1] - travelled[piece] + 1e-9)
    return curve[piece] + jnp.clip(share, 0, 1) * (curve[piece + 1] - curve[piece])


def disc_centres(centres: Array, axes: Array, lengths: Array) -> Array:
    across = jnp.stack([-axes[:, 1], axes[:, 0]], -1)
    forward = DISCS[None, :, 0] * lengths[:, None] + _INSET
    return centres[:, None] + axes[:, None] * forward[..., None] + across[:, None] * DISCS[None, :, 1, None]


class Tracer:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.weights = jnp.array(plan.mesh.weights(plan.true))
        self.traced = jax.jit(self.__call__)

    def points(self, unknowns: Unknowns) -> tuple[Array, Array]:
        cities = self.plan.true + self.weights @ unknowns.shifts.reshape(-1, 2)
        return cities, jnp.concatenate([cities, jnp.stack([self.plan.edge_x, unknowns.edge], -1)])

    def __call__(self, unknowns: Unknowns) -> Drawing:
        plan = self.plan
        cities, points = self.points(unknowns)
        a, b = points[plan.a], points[plan.b]
        controls = jnp.stack([a, a + (b - a) / 3 + unknowns.bends[:, 0], a + (b - a) * 2 / 3 + unknowns.bends[:, 1], b], 1)
        curves = jnp.einsum("tk,lkd->ltd", BERNSTEIN, controls)
        chords = curves[:, 1:] - curves[:, :-1]
        steps = size(chords)
        travelled = jnp.concatenate([jnp.zeros((len(plan.lines), 1)), jnp.cumsum(steps, 1)], 1)
        length = travelled[:, -1]
        trims = LEAST_TRIM + jax.nn.softplus(unknowns.trims - 2.0) * 3.0
        start = trims[:, 0]
        end = trims[:, 1] + jnp.where(plan.to_edge, EDGE_TRIM, 0.0)
        pitch = (length - start - end) / plan.count
        centres, axes = self.spaces(curves, travelled, start, pitch)
        apart = size(centres[plan.before + 1] - centres[plan.before], 1e-6)
        inner = jnp.minimum(pitch, jax.ops.segment_min(apart, plan.line[plan.before], len(plan.lines)))
        lengths = jnp.clip(inner[plan.line] - GAP, SHORTEST, LONGEST)
        ends = jax.vmap(along)
        exits = jnp.stack([ends(curves, travelled, start + 7) - a, ends(curves, travelled, length - end - 7) - b], 1)
        return Drawing(
            cities=cities,
            points=points,
            controls=controls,
            curves=curves,
            chords=steps,
            headings=chords / steps[..., None],
            length=length,
            trims=trims,
            pitch=pitch,
            inner_pitch=inner,
            exits=exits,
            centres=centres,
            axes=axes,
            lengths=lengths,
            discs=disc_centres(centres, axes, lengths),
        )

    def spaces(self, curves: Array, travelled: Array, start: Array, pitch: Array) -> tuple[Array, Array]:
        """Middles and directions: a space follows a chord of its curve, halfway between the chord and the arc."""
        plan = self.plan
        middle = start[plan.line] + (plan.place + 0.5) * pitch[plan.line]
        reach = SPACE_LENGTH * 0.35
        at = jax.vmap(along)
        own_curves, own_travelled = curves[plan.line], travelled[plan.line]
        back, on, ahead = (at(own_curves, own_travelled, middle + shift) for shift in (-reach, 0.0, reach))
        axes = unit(ahead - back)
        across = jnp.stack([-axes[:, 1], axes[:, 0]], -1)
        return on * 0.5 + (back + ahead) * 0.25 + across * plan.offset[:, None], axes
