"""A drawing of a board that nobody has drawn yet: straight tracks between the cities, good enough to play on at once.

It has the form of `layout.json`, without a map. Cities stand about where they lie, and move as far as their routes need room; `branchline board draw`
makes a real map with curves and shores.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from branchline.boards.model import Board
from branchline.boards.sizes import (
    CITY_RADIUS,
    EDGE_TRIM,
    FONT_SIZE,
    GAP,
    LEAST_TRIM,
    LINE_HEIGHT,
    LONGEST,
    PITCH,
    SPACE_LENGTH,
    SPACE_RADIUS,
    SPACE_WIDTH,
    TRACK_OFFSET,
)
from branchline.boards.straight_names import labelled, point, tenth

Array = np.ndarray[Any, Any]
MARGIN = 46.0  # between the outermost cities and the frame: room for names
STEPS = 400  # of moving cities apart
ANGLES = 8  # steps until the angles between tracks are looked at again
WIDE = np.radians(110)  # tracks that leave a city at a wider angle are never in each other's way
NARROW = np.radians(20)  # no track makes way for another that is closer
LEAST_PITCH = 0.75 * PITCH  # of spaces that have no room; if that is not enough, they overlap
BESIDE = 2.0  # room on both sides of a space: a train stands out a little
APART = 62.0  # of two cities
CLEAR = 46.0  # of a city and a route that only passes: this keeps routes from leaving a city side by side
PULL = 0.02  # towards a city's true place


@dataclass(frozen=True)
class Track:
    """A route, or two side by side, from city to city: mostly the tracks of a double one."""

    routes: tuple[Any, ...]
    a: int
    b: int

    @property
    def spaces(self) -> float:
        return PITCH * float(max(route.length for route in self.routes))

    @property
    def half(self) -> float:
        """Half of its width, with some room."""
        return SPACE_WIDTH / 2 + BESIDE + (TRACK_OFFSET if len(self.routes) > 1 else 0.0)


def straight_layout(board: Board, places: dict[str, tuple[float, float]], names: dict[str, dict[str, str]]) -> dict[str, Any]:
    """`places`: latitude and longitude by city; cities without one stand on a circle. `names`: city to language to name."""
    tracks = tracks_of(board)
    spots = spread(true_places(board, places), tracks)
    spots += MARGIN - spots.min(0)
    width, height = (float(side) for side in np.ceil(spots.max(0) + MARGIN))
    rooms = rooms_of(tracks, spots, width)
    drawn = {route: shape for track in tracks for route, shape in drawn_routes(track, spots, width, rooms[track]).items()}
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


def invented_places(board: Board) -> dict[str, tuple[float, float]]:
    """Where straight tracks put the cities of a board without places, as latitude and longitude: a town of a degree that lies nowhere."""
    spots = spread(true_places(board, {}), tracks_of(board))
    spots = (spots - spots.mean(0)) / max(float(np.ptp(spots, axis=0).max()), 1e-9)
    return {city.id: (-float(y), float(x)) for city, (x, y) in zip(board.cities, spots, strict=True)}


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
    a, b, spaces, half = (np.array([getattr(track, what) for track in inner]) for what in ("a", "b", "spaces", "half"))
    chords = np.linalg.norm(true[a] - true[b], axis=1) if inner else np.ones(1)
    scale = np.median((spaces + 2 * LEAST_TRIM) / np.maximum(chords, 1e-6)) if inner else 1.0
    start: Array = (true - true.mean(0)) * min(float(scale), 3000 / max(float(np.ptp(true, axis=0).max()), 1e-9))
    spots = start + np.random.default_rng(0).normal(0, 0.5, start.shape)
    pairs = np.array(list(combinations(range(len(spots)), 2)))
    beside = neighbours(np.concatenate([a, b]))
    for step in range(STEPS):
        rate = 0.5 * (1 - 0.7 * step / STEPS)
        if step % ANGLES == 0:
            needs = spaces + both_trims(spots[b] - spots[a], half, beside)
        spots = spots + PULL * rate * (start - spots)
        for one, two, least, most in ((a, b, needs, 1.12 * needs), (pairs[:, 0], pairs[:, 1], np.full(len(pairs), APART), np.inf)):
            push(spots, one, two, least, most, rate)
        make_way(spots, a, b, rate)
    return spots


def neighbours(cities: Array) -> Array:
    """Pairs of ends of tracks that are at the same city."""
    return np.array([pair for pair in combinations(range(len(cities)), 2) if cities[pair[0]] == cities[pair[1]]], int).reshape(-1, 2)


def trims(headings: Array, half: Array, pairs: Array) -> Array:
    """How far from the city the spaces of each end of a track begin: the narrower the angle to the next track, the farther.

    Two tracks are apart as soon as one of them begins where it has left the strip of the other. So only one of them has to make way: the wider one,
    which leaves the strip sooner.
    """
    found = np.full(len(headings), LEAST_TRIM)
    if not len(pairs):
        return found
    one, two = pairs.T
    swap = half[two] > half[one]
    one, two = np.where(swap, two, one), np.where(swap, one, two)
    cosine = (headings[one] * headings[two]).sum(1)
    angle = np.clip(np.arccos(np.clip(cosine, -1, 1)), NARROW, WIDE)
    np.maximum.at(found, one, (half[two] + half[one] * np.cos(angle)) / np.sin(angle))
    return found


def both_trims(chords: Array, half: Array, pairs: Array) -> Array:
    """At both ends of each track together."""
    headings = chords / np.maximum(np.linalg.norm(chords, axis=1, keepdims=True), 1e-6)
    begins = trims(np.concatenate([headings, -headings]), np.concatenate([half, half]), pairs)
    both: Array = begins.reshape(2, -1).sum(0)
    return both


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
    city: int = -1  # at a
    side: str = ""  # W or E: it ends at the frame
    beyond: int = -1  # the city that it leads to over the edge

    @property
    def sign(self) -> int:
        """The halves of a route over the edge run in opposite directions, so the tracks of one change places."""
        return -1 if self.side == "W" else 1

    @property
    def length(self) -> float:
        return max(float(np.linalg.norm(self.b - self.a)), 1e-6)

    @property
    def heading(self) -> Array:
        heading: Array = (self.b - self.a) / self.length
        return heading


def pieces_of(track: Track, route: Any, spots: Array, width: float) -> list[Piece]:
    """Of a route over the edge the western half comes first, each from its city to the frame."""
    length = int(route.length)
    if not route.over_the_edge:
        return [Piece(spots[track.a], spots[track.b], length, track.a)]
    west, east = sorted((track.a, track.b), key=lambda city: float(spots[city][0]))
    height = (spots[west][1] + spots[east][1]) / 2
    share = spots[west][0] / max(spots[west][0] + width - spots[east][0], 1e-6)
    first = min(max(round(length * float(share)), 1), max(length - 1, 1))
    return [
        Piece(spots[west], np.array([0.0, height]), first, west, "W", east),
        Piece(spots[east], np.array([width, height]), length - first, east, "E", west),
    ]


def rooms_of(tracks: list[Track], spots: Array, width: float) -> dict[Track, list[tuple[float, float]]]:
    """For each piece of each track, how far from its ends its spaces may begin and have to end."""
    pieces = [(track, piece) for track in tracks for piece in pieces_of(track, track.routes[0], spots, width)]
    ends = [(piece.city, piece.heading, track.half) for track, piece in pieces]
    ends += [(track.b, -piece.heading, track.half) for track, piece in pieces if not piece.side]
    if not ends:
        return {}
    cities, headings, half = (np.array(column) for column in zip(*ends, strict=True))
    begins = iter(trims(headings, half, neighbours(cities)))
    first = [next(begins) for _ in pieces]
    rooms: dict[Track, list[tuple[float, float]]] = {}
    for (track, piece), begin in zip(pieces, first, strict=True):
        rooms.setdefault(track, []).append((float(begin), LEAST_TRIM + EDGE_TRIM if piece.side else float(next(begins))))
    return rooms


def drawn_routes(track: Track, spots: Array, width: float, rooms: list[tuple[float, float]]) -> dict[str, Any]:
    offsets = [0.0] if len(track.routes) == 1 else [-TRACK_OFFSET, TRACK_OFFSET]
    drawn: dict[str, Any] = {}
    for route, offset in zip(track.routes, offsets, strict=True):
        pieces = pieces_of(track, route, spots, width)
        curves = [[point(one.a + (one.b - one.a) * share) for share in (0, 1 / 3, 2 / 3, 1)] for one in pieces]
        spaces = [space for one, room in zip(pieces, rooms, strict=True) for space in spaces_on(one, offset * one.sign, *room)]
        drawn[route.id] = {"curves": curves, "spaces": spaces}
    return drawn


def portals(board: Board, track: Track, pieces: list[Piece]) -> list[dict[str, Any]]:
    ids = [route.id for route in track.routes]
    return [{"side": one.side, "routes": ids, "at": point(one.b), "to": board.cities[one.beyond].id} for one in pieces if one.side]


def spaces_on(piece: Piece, offset: float, begin: float, end: float) -> list[dict[str, float]]:
    """Spaces in the middle of a line, as long as they have room."""
    least = LEAST_TRIM, LEAST_TRIM + (EDGE_TRIM if piece.side else 0.0)
    number = max(piece.spaces, 1)
    room = max(piece.length - begin - end, min(number * LEAST_PITCH, piece.length - sum(least)))
    pitch = min(room / number, LONGEST + GAP)
    middle = (piece.length + begin - end) / 2
    begin = min(max(middle - pitch * number / 2, least[0]), piece.length - least[1] - pitch * number)
    across = np.array([-piece.heading[1], piece.heading[0]])
    angle = tenth(np.degrees(np.arctan2(piece.heading[1], piece.heading[0])))
    spots = [piece.a + piece.heading * (begin + pitch * (place + 0.5)) + across * offset for place in range(piece.spaces)]
    return [{"x": tenth(spot[0]), "y": tenth(spot[1]), "angle": angle, "length": tenth(max(pitch - GAP, 6.0))} for spot in spots]
