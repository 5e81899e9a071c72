"""Where the names of cities stand on straight tracks: each beside its city, where it covers least."""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.boards.letters import in_lines, text_width
from branchline.boards.model import Board
from branchline.boards.sizes import CITY_RADIUS, FONT_SIZE, LABEL_MARGIN, LINE_HEIGHT, SPACE_WIDTH, TWO_LINES

Array = np.ndarray[Any, Any]
OFF_CITY = 2.0  # from a dot or a building to its city's name
DOT = np.array([[-CITY_RADIUS, -CITY_RADIUS], [CITY_RADIUS, CITY_RADIUS]])
BUILDING = np.array([[-12.5, -15.0], [12.5, CITY_RADIUS]])  # what a station or harbour, as the page draws it, covers around its city
SLANTS = ((1, 0.3), (1, 0.6), (1, 1), (0.7, 1), (0.35, 1))
SIDES = np.array([(1, 0), (-1, 0), (0, -1), (0, 1), *((x * right, y * down) for x, y in SLANTS for right in (1, -1) for down in (-1, 1))], float)
FARTHER = (0.0, 4.0)  # a little off, if there is no room so near


def labelled(board: Board, spots: Array, frame: tuple[float, float], drawn: dict[str, Any], names: dict[str, dict[str, str]]) -> dict[str, Any]:
    """Cities with their names."""
    spaces = [space for route in drawn.values() for space in route["spaces"]]
    shapes = np.array([[space[what] for what in ("x", "y", "length", "angle")] for space in spaces]).reshape(-1, 4)
    around = BUILDING if board.record.stations or board.record.harbours else DOT
    lines = [lines_of({"en": city.name} | names.get(city.id, {})) for city in board.cities]
    boxes = [{language: box_of(text) for language, text in each.items()} for each in lines]
    halves = np.array([np.max(list(each.values()), axis=0) / 2 for each in boxes])
    sides = best_sides(spots, halves, shapes, around, np.array(frame))
    return {
        city.id: {"x": tenth(spot[0]), "y": tenth(spot[1]), "labels": {one: label(spot, side, around, box[one], text[one]) for one in text}}
        for city, spot, side, box, text in zip(board.cities, spots, sides, boxes, lines, strict=True)
    }


def lines_of(names: dict[str, str]) -> dict[str, tuple[str, ...]]:
    return {language: in_lines(name, FONT_SIZE, TWO_LINES) for language, name in names.items()}


def box_of(lines: tuple[str, ...]) -> Array:
    return np.array([max(text_width(line, FONT_SIZE) for line in lines) + 2 * LABEL_MARGIN, LINE_HEIGHT * len(lines)])


def best_sides(spots: Array, halves: Array, shapes: Array, around: Array, frame: Array) -> list[tuple[Array, float]]:
    """For each name a side and how much farther than usual; decided twice, so that each knows where all others stand."""
    choices = [(side, farther) for farther in FARTHER for side in SIDES]
    middles = np.array([[middle_of(spot, choice, around, half) for choice in choices] for spot, half in zip(spots, halves, strict=True)])
    fixed = np.array([costs(places, half, spots, shapes, around, frame) for places, half in zip(middles, halves, strict=True)])
    best = fixed.argmin(1)
    numbers = np.arange(len(spots))
    for _ in range(2):
        for city in numbers:
            taken = middles[numbers, best]
            near = (np.abs(middles[city][:, None] - taken) < halves[city] + halves).all(-1) & (numbers != city)
            best[city] = (fixed[city] + 40 * near.sum(1)).argmin()
    return [choices[one] for one in best]


def middle_of(spot: Array, choice: tuple[Array, float], around: Array, half: Array) -> Array:
    side, farther = choice
    reach = np.where(side > 0, around[1], -around[0]) + OFF_CITY + farther
    middle: Array = spot + side * (reach + half)
    return middle


def costs(middles: Array, half: Array, spots: Array, shapes: Array, around: Array, frame: Array) -> Array:
    """What a name would cover in each of these places: spaces, cities, the frame; earlier places are better."""
    on_cities = (np.abs(spots + around.mean(0) - middles[:, None]) < half + np.ptp(around, axis=0) / 2).all(-1).sum(1)
    outside = ((middles - half < 2) | (middles + half > frame - 2)).any(-1)
    found: Array = 10 * covered(middles, half, shapes) + 30 * on_cities + 100 * outside + np.arange(len(middles)) / 10
    return found


def covered(middles: Array, half: Array, shapes: Array) -> Array:
    """How many spaces a box touches: two rectangles are apart if they are on the axis of a side of one of them."""
    turn = np.radians(shapes[:, 3])
    along = np.stack([np.cos(turn), np.sin(turn)], -1)
    across = np.stack([-along[:, 1], along[:, 0]], -1)
    away = shapes[:, :2] - middles[:, None]
    touch = np.ones(away.shape[:2], bool)
    for axis in (np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]), along, across):
        reach = np.abs(axis) @ half
        reach = reach + np.abs((along * axis).sum(1)) * shapes[:, 2] / 2 + np.abs((across * axis).sum(1)) * (SPACE_WIDTH / 2 + 1)
        touch &= np.abs((away * axis).sum(-1)) < reach
    count: Array = touch.sum(1)
    return count


def label(spot: Array, choice: tuple[Array, float], around: Array, box: Array, lines: tuple[str, ...]) -> dict[str, Any]:
    side, _ = choice
    middle = middle_of(spot, choice, around, box / 2)
    anchor = "start" if side[0] == 1 else "end" if side[0] == -1 else "middle"
    return {"x": tenth(middle[0]), "y": tenth(middle[1]), "lines": list(lines), "box": point(box), "anchor": anchor}


def point(at: Array) -> list[float]:
    return [tenth(at[0]), tenth(at[1])]


def tenth(value: float) -> float:
    return round(float(value), 1)
