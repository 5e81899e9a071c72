"""Write layout.json: everything the page needs to draw a board without computing any geometry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from branchline.boards.sizes import CITY_RADIUS, FONT_SIZE, GAP, LINE_HEIGHT, SPACE_LENGTH, SPACE_RADIUS, SPACE_WIDTH
from branchline.design.layout.names import Name
from branchline.design.layout.picture import write_whole
from branchline.design.layout.placing.coast import Map
from branchline.design.layout.placing.labels import beside_dot
from branchline.design.layout.placing.paths import path, point, tenth
from branchline.design.layout.placing.plan import Line, Plan
from branchline.design.layout.placing.town import Town
from branchline.design.layout.placing.tracing import Drawing, Unknowns


def layout(
    plan: Plan, names: list[dict[str, Name]], world: Map, unknowns: Unknowns, drawing: Drawing, ground: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Everything; with a `ground` that was made before, shores are not bent again, which takes longest."""
    found = {
        "view_box": [0, 0, *plan.board.frame],
        "space": {"length": SPACE_LENGTH, "width": SPACE_WIDTH, "gap": GAP, "radius": SPACE_RADIUS},
        "city_radius": CITY_RADIUS,
        "font_size": FONT_SIZE,
        "line_height": LINE_HEIGHT,
        "cities": cities(plan, names, unknowns, drawing),
        "routes": routes(plan, drawing),
        "edge": [edge(plan, line, drawing) for line in plan.lines if line.side],
    }
    return found | (ground or scenery(plan, world, np.array(unknowns.shifts), np.array(drawing.cities, float)))


def cities(plan: Plan, names: list[dict[str, Name]], unknowns: Unknowns, drawing: Drawing) -> dict[str, Any]:
    found = {}
    dots = np.array(drawing.cities, float)  # at once: taking numbers one by one from JAX's arrays is slow
    middles = dots + np.array(unknowns.labels, float)
    for number, city in enumerate(plan.board.cities):
        dot, room = dots[number], 2 * plan.half[number]
        labels = {language: label(dot, middles[number], room, names[number][language]) for language in plan.board.languages}
        found[city.id] = {"x": tenth(dot[0]), "y": tenth(dot[1]), "labels": labels}
    return found


def label(dot: np.ndarray[Any, Any], middle: np.ndarray[Any, Any], room: np.ndarray[Any, Any], name: Name) -> dict[str, Any]:
    place, anchor = beside_dot(dot, middle, room, np.array([name.width, name.height]))
    return {"x": tenth(place[0]), "y": tenth(place[1]), "lines": list(name.lines), "box": point([name.width, name.height]), "anchor": anchor}


def routes(plan: Plan, drawing: Drawing) -> dict[str, Any]:
    """Curves and spaces of every route; for a route over the edge, the west half first, each half from its city to the frame."""
    found: dict[str, Any] = {route.id: {"curves": [], "spaces": []} for route in plan.board.routes}
    controls = np.array(drawing.controls, float)
    for line, curve in zip(plan.lines, controls, strict=True):
        for route in line.routes:
            found[route.id]["curves"].append([point(one) for one in curve])
    centres, axes, lengths = (np.array(values, float) for values in (drawing.centres, drawing.axes, drawing.lengths))
    angles = np.degrees(np.arctan2(axes[:, 1], axes[:, 0]))
    for route, centre, angle, length in zip(plan.routes, centres, angles, lengths, strict=True):
        found[route]["spaces"].append({"x": tenth(centre[0]), "y": tenth(centre[1]), "angle": tenth(angle), "length": tenth(length)})
    return found


def edge(plan: Plan, line: Line, drawing: Drawing) -> dict[str, Any]:
    here = plan.board.cities[line.a].id
    route = line.routes[0]
    beyond = route.b if route.a == here else route.a
    return {"side": line.side, "routes": [one.id for one in line.routes], "at": point(drawing.points[line.b]), "to": beyond}


def scenery(plan: Plan, world: Map, shifts: np.ndarray[Any, Any], places: np.ndarray[Any, Any]) -> dict[str, Any]:
    if not world.settings:
        town = Town(plan, shifts, places)
        districts = {district: path(shape) for district, shape in town.districts().items()}
        return {"coast": path(town.land()), "graticule": "", "river": path(town.river()), "parks": path(town.parks()), "districts": districts}
    lakes = world.shape(world.lakes, shifts)
    found = {"coast": path(world.shape(world.land, shifts)), "graticule": path(world.graticule(shifts))}
    if world.lakes:
        found["lakes"] = path(lakes)
        found["borders"] = path(world.drawn_lines(world.borders, shifts).difference(lakes))
    return found


def write(target: Path, found: dict[str, Any]) -> None:
    """One line per part."""
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}" for key, value in found.items()]
    write_whole(target, "{\n" + ",\n".join(lines) + "\n}\n")
