"""Make the pictures of the maps beneath the boards, by day and by night: relief, shores, rivers; a town's streets and parks.

    pip install -e '.[dev]'
    npm --prefix web ci
    python scripts/ground europe

This reads the board's layout.json and ground.toml and public-domain maps (branchline/design/layout/atlas.py), draws with the canvas of a headless
Chromium (draw.js), and writes ground-light.webp and ground-dark.webp beside them. In layout.json it notes which part of the map they show, and
the names of seas, which the page writes itself.
"""

import argparse
import base64
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright
from recovering import recover
from scenery import Scenery, far_map, folder_of, widened

from branchline.design.layout.board import read_board
from branchline.design.layout.placing.plan import Plan

HERE = Path(__file__).parent
PACKAGES = HERE.parents[1] / "web" / "node_modules"
THEMES = ("light", "dark")


def make_ground(name: str, packages: Path, target: Path | None, scale: float, quality: float) -> None:
    folder, to = folder_of(name), target / name if target else folder_of(name)
    board = read_board(folder)
    plan = widened(Plan(board, np.zeros((len(board.cities), 2))))
    layout = json.loads((folder / "layout.json").read_text(encoding="utf-8"))
    world = far_map(plan)
    scenery = Scenery(plan, world, packages, layout, recover(plan, world, layout))
    for theme, picture in bake(scenery.drawing(), scale, quality).items():
        file = to / f"ground-{theme}.webp"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(picture)
        print(f"{file}: {len(picture) // 1000} kB")
    note(to / "layout.json", layout | {"ground": scenery.region, "seas": scenery.seas()})


def bake(drawing: dict[str, Any], scale: float, quality: float) -> dict[str, bytes]:
    """The pictures, drawn by a browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page()
        page.on("pageerror", lambda error: print(error, file=sys.stderr))
        page.set_content("<!doctype html>")
        page.add_script_tag(path=HERE / "draw.js")
        found = {}
        for theme in THEMES:
            url = page.evaluate("([drawing, theme, scale, quality]) => picture(drawing, theme, scale, quality)", [drawing, theme, scale, quality])
            found[theme] = base64.b64decode(url.partition(",")[2])
        browser.close()
    return found


def note(file: Path, layout: dict[str, Any]) -> None:
    """One line per part, as `branchline board draw` writes it."""
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}" for key, value in layout.items()]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Makes the pictures of the maps beneath the boards.")
    parser.add_argument("boards", nargs="+", help="folders in src/branchline/boards, or in further/ there, that have a ground.toml")
    parser.add_argument("--packages", type=Path, default=PACKAGES, help="the folder of npm packages")
    parser.add_argument("--to", type=Path, help="another folder of boards to write into, for a trial")
    parser.add_argument("--scale", type=float, default=1.6, help="pixels per unit of the board")
    parser.add_argument("--quality", type=float, default=0.62, help="of the compression, up to 1")
    options = parser.parse_args()
    for one in options.boards:
        make_ground(one, options.packages, options.to, options.scale, options.quality)
