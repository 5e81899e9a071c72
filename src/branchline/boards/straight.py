"""A drawing of a board that nobody has drawn yet: straight tracks between the cities, good enough to play on at once.

It has the form of `layout.json`, without a map. Cities stand about where they lie, and move as far as their routes need room; `branchline board draw`
makes a real map with curves and shores.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from branchline.boards.letters import in_lines, text_width
from branchline.boards.model import Board
from branchline.boards.sizes import (
    CITY_RADIUS,
    EDGE_TRIM,
    FONT_SIZE,
    GAP,
    LABEL_MARGIN,
    LEAST_TRIM,
    LINE_HEIGHT,
    LONGEST,
    PITCH,
    SPACE_LENGTH,
    SPACE_RADIUS,
    SPACE_WIDTH,
    TRACK_OFFSET,
    TWO_LINES,
)

Array = np.ndarray[Any, Any]
MARGIN = 46.0  # between the outermost cities and the frame: room for names
STEPS = 400  # of moving cities apart
APART = 62.0  # of two cities
CLEAR = 24.0  # of a city and a route that only passes
PULL = 0.02  # towards a city's true place


@dataclass(frozen=True)
class Track:
    """A route, or two side by side, from city to city: mostly the tracks of a double one."""

    routes: tuple[Any, ...]
    a: int
    b: int

    @property
    def needs(self) -> float:
        return 2 * LEAST_TRIM + PITCH * float(max(route.length for route in self.routes))


def straight_layout(board: Board, places: dict[str, tuple[float, float]], names: dict[str, dict[str, str]]) -> dict[str, Any]:
    """`places`: latitude and longitude by city; cities without one stand on a circle. `names`: city to language to name."""
    tracks = tracks_of(board)
    spots = spread(true_places(board, places), tracks)
    spots += MARGIN - spots.min(0)
    width, height = (float(side) for side in np.ceil(spots.max(0) + MARGIN))
    drawn = {route: shape for track in tracks for route, shape in drawn_routes(track, spots, width).items()}
    return {
        "view_box": [0, 0, width, height],
        "space": {"length": SPACE_LENGTH, "width": SPACE_WIDTH, "gap": GAP, "radius": SPACE_RADIUS},
        "city_radius": CITY_RADIUS,
        "font_size": FONT_SIZE,
        "line_height": LINE_HEIGHT,
        "cities": labelled(board, spots, (width, height), drawn, names),
        "routes": {route.id: drawn[route.id] for route in board.routes},
        "edge": [portal for track in tracks for portal in portals(board, track, pieces_of(track, track.routes[0], spots, width))],
        "coast": "",
        "graticule": "",
    }


def tracks_of(board: Board) -> list[Track]:
    city = {one.id: number for number, one in enumerate(board.cities)}
    ways: dict[tuple[str, str], list[Any]] = {}
    for route in board.routes:
        ways.setdefault((route.a, route.b), []).append(route)
    return [Track(tuple(routes), city[a], city[b]) for (a, b), routes in ways.items()]


def true_places(board: Board, places: dict[str, tuple[float, float]]) -> Array:
    """A flat map around the middle of the board, south down; as a circle where places are missing or all the same."""
    known = np.array([places.get(city.id, (np.nan, np.nan)) for city in board.cities], float)
    if np.isnan(known).any() or np.ptp(known, axis=0).max() < 1e-9:
        turn = np.linspace(0, 2 * np.pi, len(board.cities), endpoint=False)
        return np.stack([np.cos(turn), np.sin(turn)], -1)
    lat, lon = known.T
    middle = np.radians((lat.min() + lat.max()) / 2)
    flat: Array = np.stack([lon * max(float(np.cos(middle)), 0.2), -lat], -1)
    return flat


def spread(true: Array, tracks: list[Track]) -> Array:
    """Scale the map so that the middling route fits, then move cities until every route does, and nothing lies on anything else."""
    inner = [track for track in tracks if not track.routes[0].over_the_edge]
    a, b, needs = (np.array([getattr(track, what) for track in inner]) for what in ("a", "b", "needs"))
    chords = np.linalg.norm(true[a] - true[b], axis=1) if inner else np.ones(1)
    scale = np.median(needs / np.maximum(chords, 1e-6)) if inner else 1.0
    start: Array = (true - true.mean(0)) * min(float(scale), 3000 / max(float(np.ptp(true, axis=0).max()), 1e-9))
    spots = start + np.random.default_rng(0).normal(0, 0.5, start.shape)
    pairs = np.array(list(combinations(range(len(spots)), 2)))
    for step in range(STEPS):
        rate = 0.5 * (1 - 0.7 * step / STEPS)
        spots = spots + PULL * rate * (start - spots)
        for one, two, least, most in ((a, b, needs, 1.12 * needs), (pairs[:, 0], pairs[:, 1], np.full(len(pairs), APART), np.inf)):
            push(spots, one, two, least, most, rate)
        make_way(spots, a, b, rate)
    return spots


def push(spots: Array, one: Array, two: Array, least: Array, most: Any, rate: float) -> None:
    """Move pairs of cities apart that are too near, and together that are too far."""
    apart = spots[two] - spots[one]
    distance = np.maximum(np.linalg.norm(apart, axis=1), 1e-6)
    wrong = np.maximum(least - distance, 0) - np.maximum(distance - most, 0)
    shift = (0.5 * rate * wrong / distance)[:, None] * apart
    np.add.at(spots, two, shift)
    np.add.at(spots, one, -shift)


def make_way(spots: Array, a: Array, b: Array, rate: float) -> None:
    """Move cities off the routes that only pass them."""
    if not len(a):
        return
    chord = spots[b] - spots[a]
    length = np.maximum((chord**2).sum(1), 1e-6)
    along = np.clip(((spots[:, None] - spots[a]) * chord).sum(-1) / length, 0, 1)
    away = spots[:, None] - (spots[a] + along[..., None] * chord)
    distance = np.maximum(np.linalg.norm(away, axis=-1), 1e-6)
    number = np.arange(len(spots))[:, None]
    wrong = np.where((number == a) | (number == b), 0, np.maximum(CLEAR - distance, 0))
    spots += rate * ((wrong / distance)[..., None] * away).sum(1)


@dataclass(frozen=True)
class Piece:
    """A straight piece of a track, from a city to another, or to the frame where it goes over the edge."""

    a: Array
    b: Array
    spaces: int
    side: str = ""  # W or E: it ends at the frame
    beyond: int = -1  # the city that it leads to over the edge

    @property
    def sign(self) -> int:
        """The halves of a route over the edge run in opposite directions, so the tracks of one change places."""
        return -1 if self.side == "W" else 1


def pieces_of(track: Track, route: Any, spots: Array, width: float) -> list[Piece]:
    """Of a route over the edge the western half comes first, each from its city to the frame."""
    length = int(route.length)
    if not route.over_the_edge:
        return [Piece(spots[track.a], spots[track.b], length)]
    west, east = sorted((track.a, track.b), key=lambda city: float(spots[city][0]))
    height = (spots[west][1] + spots[east][1]) / 2
    share = spots[west][0] / max(spots[west][0] + width - spots[east][0], 1e-6)
    first = min(max(round(length * float(share)), 1), max(length - 1, 1))
    return [
        Piece(spots[west], np.array([0.0, height]), first, "W", east),
        Piece(spots[east], np.array([width, height]), length - first, "E", west),
    ]


def drawn_routes(track: Track, spots: Array, width: float) -> dict[str, Any]:
    offsets = [0.0] if len(track.routes) == 1 else [-TRACK_OFFSET, TRACK_OFFSET]
    drawn: dict[str, Any] = {}
    for route, offset in zip(track.routes, offsets, strict=True):
        pieces = pieces_of(track, route, spots, width)
        curves = [[point(one.a + (one.b - one.a) * share) for share in (0, 1 / 3, 2 / 3, 1)] for one in pieces]
        drawn[route.id] = {"curves": curves, "spaces": [space for one in pieces for space in spaces_on(one, offset * one.sign)]}
    return drawn


def portals(board: Board, track: Track, pieces: list[Piece]) -> list[dict[str, Any]]:
    ids = [route.id for route in track.routes]
    return [{"side": one.side, "routes": ids, "at": point(one.b), "to": board.cities[one.beyond].id} for one in pieces if one.side]


def spaces_on(piece: Piece, offset: float) -> list[dict[str, float]]:
    """Spaces in the middle of a line, as long as they have room."""
    length = float(np.linalg.norm(piece.b - piece.a))
    heading = (piece.b - piece.a) / max(length, 1e-6)
    room = length - 2 * LEAST_TRIM - (EDGE_TRIM if piece.side else 0.0)
    pitch = min(room / max(piece.spaces, 1), LONGEST + GAP)
    begin = LEAST_TRIM + max(0.0, (room - pitch * piece.spaces) / 2)
    across = np.array([-heading[1], heading[0]])
    angle = tenth(np.degrees(np.arctan2(heading[1], heading[0])))
    spots = [piece.a + heading * (begin + pitch * (place + 0.5)) + across * offset for place in range(piece.spaces)]
    return [{"x": tenth(spot[0]), "y": tenth(spot[1]), "angle": angle, "length": tenth(max(pitch - GAP, 6.0))} for spot in spots]


def labelled(board: Board, spots: Array, frame: tuple[float, float], drawn: dict[str, Any], names: dict[str, dict[str, str]]) -> dict[str, Any]:
    """Cities with their names, each where it covers least."""
    spaces = np.array([[space["x"], space["y"]] for route in drawn.values() for space in route["spaces"]] or [[-99.0, -99.0]])
    taken: list[tuple[Array, Array]] = []
    found: dict[str, Any] = {}
    for city, spot in zip(board.cities, spots, strict=True):
        in_each = {"en": city.name} | names.get(city.id, {})
        lines = {language: in_lines(name, FONT_SIZE, TWO_LINES) for language, name in in_each.items()}
        boxes = {
            one: np.array([max(text_width(line, FONT_SIZE) for line in text) + 2 * LABEL_MARGIN, LINE_HEIGHT * len(text)])
            for one, text in lines.items()
        }
        half = np.max(list(boxes.values()), axis=0) / 2
        direction = best_side(spot, half, spaces, taken, spots, np.array(frame))
        taken.append((spot + direction * (half + CITY_RADIUS + 3), half))
        labels = {one: label(spot, direction, boxes[one], lines[one]) for one in lines}
        found[city.id] = {"x": tenth(spot[0]), "y": tenth(spot[1]), "labels": labels}
    return found


SIDES = np.array([(1, 0), (-1, 0), (0, -1), (0, 1), (0.7, -1), (-0.7, -1), (0.7, 1), (-0.7, 1)], float)


def best_side(spot: Array, half: Array, spaces: Array, taken: list[tuple[Array, Array]], dots: Array, frame: Array) -> Array:
    costs = []
    for number, side in enumerate(SIDES):
        middle = spot + side * (half + CITY_RADIUS + 3)
        on_spaces = (np.abs(spaces - middle) < half + np.array([10, 7])).all(1).sum()
        on_dots = (np.abs(dots - middle) < half + CITY_RADIUS).all(1).sum()
        on_names = sum(bool((np.abs(other - middle) < half + size).all()) for other, size in taken)
        outside = bool((middle - half < 2).any() or (middle + half > frame - 2).any())
        costs.append(10 * on_spaces + 30 * on_dots + 40 * on_names + 100 * outside + number)
    best: Array = SIDES[int(np.argmin(costs))]
    return best


def label(spot: Array, side: Array, box: Array, lines: tuple[str, ...]) -> dict[str, Any]:
    middle = spot + side * (box / 2 + CITY_RADIUS + 3)
    anchor = "start" if side[0] == 1 else "end" if side[0] == -1 else "middle"
    return {"x": tenth(middle[0]), "y": tenth(middle[1]), "lines": list(lines), "box": point(box), "anchor": anchor}


def point(at: Array) -> list[float]:
    return [tenth(at[0]), tenth(at[1])]


def tenth(value: float) -> float:
    return round(float(value), 1)
