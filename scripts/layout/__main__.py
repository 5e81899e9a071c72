"""Make a board's layout: where to draw its cities, spaces, names and coasts.

    pip install -e '.[layout]'
    npm --prefix web ci
    python scripts/layout europe

This reads the board's facts and its layout.toml, public-domain maps (atlas.py) and the page's font (font.py), fits everything at once
(fitting.py), counts the flaws of the result (measuring.py), and writes layout.json next to the facts.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from board import BOARDS, read_board
from coast import Map
from fitting import Fit
from font import font
from measuring import measure
from names import boxes, names_of
from plan import Plan
from writing import layout, write

PACKAGES = Path(__file__).parents[2] / "web" / "node_modules"


def make_layout(name: str, packages: Path, seed: int | None, target: Path) -> None:
    board = read_board(name)
    names = names_of(board, font(packages))
    plan = Plan(board, boxes(names))
    world = Map(plan, packages)
    fit = Fit(plan, world, board.settings["seed"] if seed is None else seed)
    unknowns = fit.run()
    found = layout(plan, names, world, unknowns, fit.drawing())
    report = measure(board, found, font(packages)) | deformed(plan, np.array(unknowns.shifts), np.array(fit.drawing().cities))
    print("\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in report.items()))
    write(target, found)
    print(f"{target}: {target.stat().st_size // 1000} kB")


def deformed(plan: Plan, shifts: np.ndarray, cities: np.ndarray) -> dict[str, object]:
    """How far the map was bent: the smallest and largest change of area, and how far cities moved apart from rotating and scaling the whole map."""
    x, y = np.meshgrid(np.arange(0, plan.frame[0], 4.0), np.arange(0, plan.frame[1], 4.0))
    areas = plan.mesh.jacobians(np.stack([x.ravel(), y.ravel()], -1), shifts)
    true, drawn = (points[:, 0] + 1j * points[:, 1] for points in (plan.true - plan.true.mean(0), cities - cities.mean(0)))
    best = (np.conj(true) * drawn).sum() / (np.abs(true) ** 2).sum()
    return {
        "change of area": [round(float(areas.min()), 2), round(float(areas.max()), 2)],
        "mean displacement": round(float(np.abs(drawn - best * true).mean()), 1),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Makes the layouts of boards.")
    parser.add_argument("boards", nargs="+", help="folders in src/branchline/boards that have a layout.toml")
    parser.add_argument("--packages", type=Path, default=PACKAGES, help="the folder of npm packages")
    parser.add_argument("--seed", type=int, help="a different start from the one in layout.toml")
    parser.add_argument("--to", type=Path, default=BOARDS, help="the folder of boards to write into; another one for a trial")
    options = parser.parse_args()
    for one in options.boards:
        make_layout(one, options.packages, options.seed, options.to / one / "layout.json")
