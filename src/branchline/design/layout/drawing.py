"""Draw a board: fit everything at once, write `layout.json` and a picture that improves meanwhile, and count the flaws of the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from branchline.boards.drawings import places_in
from branchline.boards.loader import read_board as read_facts
from branchline.boards.model import Board
from branchline.boards.names import read_names
from branchline.boards.straight import straight_layout
from branchline.design.layout.board import read_board
from branchline.design.layout.picture import picture_of, write_whole
from branchline.errors import from_extra

LAYOUT, PICTURE = "layout.json", "board.svg"
SHORES = ("coast", "graticule", "lakes", "borders", "river", "parks", "districts")
NO_SHORES = {"coast": "", "graticule": ""}
MORE = 2  # rounds for whatever still overlaps
LOADING, COMPILING, CHECKING = "Loading JAX", "Compiling", "Looking for overlaps"
Tell = Callable[[float, str], None]


@dataclass
class Drawn:
    """What came of it: the flaws by kind, each named, and where the files are."""

    layout: Path
    picture: Path
    flaws: dict[str, list[str]]
    measures: dict[str, Any] = field(repr=False)


def draw(folder: Path, seed: int | None = None, tell: Tell = lambda _done, _doing: None, figures: bool = False) -> Drawn:
    """Draw the board in a folder; `tell` hears how far it is, and what comes next, and the picture is then up to date.

    With `figures`, everything about it is measured.
    """
    facts, board = read_facts(folder), read_board(folder)  # whatever is wrong with its files is said before anything takes long
    write_whole(folder / PICTURE, straight_picture(folder, facts))  # JAX takes seconds to load and to compile
    tell(0.0, LOADING)
    with from_extra("layout", "drawing a board"):
        from branchline.design.layout.names import boxes, names_of
        from branchline.design.layout.placing.coast import Map
        from branchline.design.layout.placing.fitting import PHASES, Fit
        from branchline.design.layout.placing.measuring import flaws_of, measure
        from branchline.design.layout.placing.plan import Plan
        from branchline.design.layout.placing.writing import layout, write

    tell(0.0, COMPILING)
    names = names_of(board)
    plan = Plan(board, boxes(names))
    world = Map(plan)
    fit = Fit(plan, world, board.settings["seed"] if seed is None else seed)

    ground: dict[str, Any] = {}

    def show(done: float, so_far: Fit) -> None:
        """There are shores after the first phase, which moves them most; then they stay as they are."""
        found = layout(plan, names, world, so_far.unknowns, so_far.drawing(), ground if so_far.phase else NO_SHORES)
        if so_far.phase:
            ground.update({part: value for part, value in found.items() if part in SHORES})
        write_whole(folder / PICTURE, picture_of(facts, found))
        tell(done, PHASES[so_far.phase].name if so_far.phase < len(PHASES) else CHECKING)

    def tried(unknowns: Any) -> tuple[dict[str, list[str]], Any, Any]:
        """Flaws do not depend on shores, which take longest."""
        drawing = fit.drawing()
        return flaws_of(board, layout(plan, names, world, unknowns, drawing, ground)), unknowns, drawing

    best = tried(fit.run(show))
    for _ in range(MORE):
        if best[0]:
            best = min(best, tried(fit.go_on()), key=lambda one: sum(map(len, one[0].values())))
    flaws, unknowns, drawing = best
    found = layout(plan, names, world, unknowns, drawing)
    write_whole(folder / PICTURE, picture_of(facts, found))
    shifts, cities = np.array(unknowns.shifts), np.array(drawing.cities)
    measures = measure(board, found) | deformed(plan, shifts, cities) if figures else {}
    write(folder / LAYOUT, found)
    return Drawn(folder / LAYOUT, folder / PICTURE, flaws, measures)


def straight_picture(folder: Path, facts: Board) -> str:
    """The board as it is played before anybody draws it."""
    return picture_of(facts, straight_layout(facts, places_in(folder, facts), read_names(folder, facts.cities)))


def deformed(plan: Any, shifts: np.ndarray[Any, Any], cities: np.ndarray[Any, Any]) -> dict[str, object]:
    """How far the map was bent: the smallest and largest change of area, and how far cities moved apart from rotating and scaling the whole map."""
    x, y = np.meshgrid(np.arange(0, plan.frame[0], 4.0), np.arange(0, plan.frame[1], 4.0))
    areas = plan.mesh.jacobians(np.stack([x.ravel(), y.ravel()], -1), shifts)
    true, drawn = (points[:, 0] + 1j * points[:, 1] for points in (plan.true - plan.true.mean(0), cities - cities.mean(0)))
    best = (np.conj(true) * drawn).sum() / (np.abs(true) ** 2).sum()
    return {
        "change of area": [round(float(areas.min()), 2), round(float(areas.max()), 2)],
        "mean displacement": round(float(np.abs(drawn - best * true).mean()), 1),
    }
