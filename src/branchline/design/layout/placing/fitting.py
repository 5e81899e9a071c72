"""The fit: gradient descent (Adam) on the penalties, over all unknowns at once, in phases."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from branchline.design.layout.placing.coast import FIELD_SCALE, Map
from branchline.design.layout.placing.labels import place_names
from branchline.design.layout.placing.penalties import Near, Penalties, Stage
from branchline.design.layout.placing.plan import Plan
from branchline.design.layout.placing.tracing import Drawing, Unknowns, first_guess

Array = jax.Array
Flat = np.ndarray[Any, Any]
BATCH = 100  # steps between checks of which spaces are near each other
FIELD_EVERY = 8  # batches between checks of where the coast now runs
REACH = 40.0  # spaces farther apart cannot touch before the next check
REACH_OF_BOX = 34.0  # the same of a space and a dot or a name
RATES = Unknowns(shifts=0.8, bends=0.6, trims=0.08, labels=0.6, edge=0.8)
SEA_STIFFNESS = 0.5  # nobody notices a stretched ocean


class Phase(NamedTuple):
    name: str  # what people read meanwhile
    steps: int
    rate: float  # falls to 15 % during the phase
    bends: float  # how fast curves may change: not at all while cities find their places
    overlap: float  # and the weights
    bending: float
    sharpness: float
    shore: float
    anchor: float


PHASES = (
    # name, steps, rate, bends, overlap, bending, sharpness, shore, anchor
    Phase("Finding places for the cities", 700, 1.0, 0.0, 1.0, 0.35, 0.0, 0.03, 0.004),
    Phase("Bending routes", 400, 0.7, 0.5, 1.0, 0.6, 2.0, 0.12, 0.002),
    Phase("Rounding curves", 300, 0.7, 1.0, 1.0, 0.6, 10.0, 0.2, 0.002),
    Phase("Rounding curves", 300, 0.6, 1.0, 1.0, 0.6, 30.0, 0.3, 0.002),
    Phase("Rounding curves", 300, 0.6, 1.0, 1.0, 0.6, 60.0, 0.3, 0.002),
    Phase("Clearing overlaps", 700, 0.5, 1.0, 2.5, 0.6, 60.0, 0.3, 0.002),
)


def near_pairs(plan: Plan, centres: Flat) -> Flat:
    """Pairs of spaces that could touch, nearest first; neighbours on a line are kept apart by its pitch."""
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
    steps = np.abs(plan.place[:, None] - plan.place[None])
    mates = (plan.line[:, None] == plan.line[None]) & (steps <= np.where(plan.offset[:, None] == plan.offset[None], 1, 2))
    return nearest_first(np.where(np.triu(np.ones_like(mates), 1) & ~mates, apart, np.inf), REACH)


def near_boxes(centres: Flat, middles: Flat, half: Flat) -> Flat:
    """Pairs of a space and a name or a dot that could touch, nearest first."""
    away = np.maximum(np.abs(centres[:, None] - middles[None]) - half[None], 0)
    return nearest_first(np.linalg.norm(away, axis=-1), REACH_OF_BOX)


def nearest_first(apart: Flat, reach: float) -> Flat:
    i, j = np.nonzero(apart < reach)
    order = np.argsort(apart[i, j])
    return np.stack([i[order], j[order]], -1)


def filled(pairs: Flat, room: int) -> Near:
    """As many pairs as there is room for, because compiled code has fixed sizes."""
    table = np.zeros((room, 2), int)
    table[: len(pairs)] = pairs[:room]
    return Near(jnp.array(table[:, 0]), jnp.array(table[:, 1]), jnp.array(np.arange(room) < len(pairs), float))


class Fit:
    def __init__(self, plan: Plan, world: Map, seed: int) -> None:
        self.plan, self.map = plan, world
        self.rng = np.random.default_rng(seed)
        self.unknowns = first_guess(plan, self.rng)
        field = world.field(np.array(self.unknowns.shifts))
        self.field = jnp.array(field)
        self.penalties = Penalties(plan, self.unknowns, partial(stiffness, field))
        self.traced = jax.jit(self.penalties.tracer.traced)
        self.mean = jax.tree.map(jnp.zeros_like, self.unknowns)
        self.square = jax.tree.map(jnp.zeros_like, self.unknowns)
        self.taken, self.overlap = 0, PHASES[-1].overlap
        drawing = self.drawing()
        centres, cities = np.array(drawing.centres), np.array(drawing.cities)
        self.room = int(1.35 * len(near_pairs(plan, centres))) + 64
        self.room_of_boxes = int(1.6 * len(near_boxes(centres, cities, plan.half + 12))) + 64
        self.descend: Callable[..., Any] | None = None

    def drawing(self) -> Drawing:
        return self.traced(self.unknowns)

    def run(self, tell: Callable[[float, Fit], None] = lambda _done, _fit: None) -> Unknowns:
        """Fit; `tell` hears after each batch of steps which share of them is done."""
        whole = sum(phase.steps for phase in PHASES)
        for number, phase in enumerate(PHASES):
            if number:
                self.place_names(afresh=number == 1)
            self.go_through(number, phase, lambda: tell(self.taken / whole, self))
        return self.unknowns

    def go_on(self) -> Unknowns:
        """Once more the last phase, with more weight on whatever overlaps, because something still does."""
        self.overlap *= 1.6
        self.place_names(afresh=False)
        self.go_through(len(PHASES) - 1, PHASES[-1]._replace(overlap=self.overlap))
        return self.unknowns

    @property
    def phase(self) -> int:
        """How many phases are done."""
        return sum(self.taken >= end for end in accumulate(phase.steps for phase in PHASES))

    def go_through(self, number: int, phase: Phase, tell: Callable[[], None] = lambda: None) -> None:
        for done in range(0, phase.steps, BATCH):
            stage = self.stage(phase, number, done / phase.steps)
            speed = phase.rate * (1 - 0.85 * done / phase.steps)
            pace = Unknowns(*(speed * rate for rate in RATES))._replace(bends=speed * RATES.bends * phase.bends)
            given = self.unknowns, self.mean, self.square, float(self.taken), stage, pace
            self.descend = self.descend or compiled(self.steps, *given)
            self.unknowns, self.mean, self.square = self.descend(*given)
            self.taken += BATCH
            tell()

    def place_names(self, afresh: bool) -> None:
        current = None if afresh else np.array(self.unknowns.labels)
        self.unknowns = self.unknowns._replace(labels=jnp.array(place_names(self.plan, self.drawing(), current, self.rng)))
        self.mean = self.mean._replace(labels=jnp.zeros_like(self.mean.labels))

    def stage(self, phase: Phase, number: int, done: float) -> Stage:
        if self.taken and (self.taken // BATCH) % FIELD_EVERY == 0:
            self.field = jnp.array(self.map.field(np.array(self.unknowns.shifts)))
        drawing = self.drawing()
        centres, cities, labels = (np.array(values) for values in (drawing.centres, drawing.cities, self.unknowns.labels))
        return Stage(
            pairs=filled(near_pairs(self.plan, centres), self.room),
            by_city=filled(near_boxes(centres, cities, np.zeros((1, 2))), self.room_of_boxes),
            by_name=filled(near_boxes(centres, cities + labels, self.plan.half), self.room_of_boxes),
            field=self.field,
            swell=jnp.array(min(1.0, 0.3 + done) if number == 0 else 1.0),
            labels=jnp.array(0.0 if number == 0 else 1.0),
            overlap=jnp.array(phase.overlap),
            bending=jnp.array(phase.bending),
            sharpness=jnp.array(phase.sharpness),
            shore=jnp.array(phase.shore),
            anchor=jnp.array(phase.anchor),
        )

    def steps(self, unknowns: Unknowns, mean: Unknowns, square: Unknowns, taken: float, stage: Stage, pace: Unknowns):
        slope = jax.grad(lambda at: sum(self.penalties(at, stage).values()))

        def step(number, state):
            unknowns, mean, square = state
            down = jax.tree.map(jnp.nan_to_num, slope(unknowns))
            age = taken + number + 1.0
            mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, down)
            square = jax.tree.map(lambda q, g: 0.99 * q + 0.01 * g**2, square, down)

            def move(value, m, q, rate):
                return value - rate * (m / (1 - 0.9**age)) / (jnp.sqrt(q / (1 - 0.99**age)) + 1e-8)

            return jax.tree.map(move, unknowns, mean, square, pace), mean, square

        return jax.lax.fori_loop(0, BATCH, step, (unknowns, mean, square))


def compiled(steps: Callable[..., Any], *given: Any) -> Callable[..., Any]:
    """In half the time that XLA usually takes. Another version may not know the option."""
    lowered = jax.jit(steps).lower(*given)
    try:
        return lowered.compile(compiler_options={"xla_cpu_use_fusion_emitters": False})
    except jax.errors.JaxRuntimeError:
        return lowered.compile()


def stiffness(field: np.ndarray[Any, Any], samples: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """How much the map resists deformation at each point: on land more than at sea."""
    height, width = field.shape
    x = np.clip((samples[:, 0] * FIELD_SCALE).astype(int), 0, width - 1)
    y = np.clip((samples[:, 1] * FIELD_SCALE).astype(int), 0, height - 1)
    return np.where(field[y, x] < -6, SEA_STIFFNESS, 1.0)
