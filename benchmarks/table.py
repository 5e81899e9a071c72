"""Measure the game's screen in a real browser: `python benchmarks/table.py` (part of `make bench`), or with names of boards.

For every board and size of screen: how much of the screen is board that no panel covers, how high names are, how many are shown, and the
frame times while the board is panned and zoomed without a pause. The browser runs without a graphics card, so the CPU draws every frame.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.server.running import running_server
from tests.web.browsing import SHARE, Visitor, running_browser

BOARDS = ("europe", "london", "usa", "world", "card-game")
SIZES = ((1280, 720), (1440, 900), (1920, 1080), (2560, 1440), (820, 1180), (390, 844), (360, 740), (844, 390))
NET = 8  # pixels between the points that are looked at
SETTLED = 1_500  # milliseconds until pictures are unpacked and names stand

# the names that are shown; a table with yards has none
NAMES = """() => {
  const names = [...document.querySelectorAll('[data-name]')]
  const seen = names.filter((one) => one.style.display !== 'none')
  return { size: seen.length ? parseFloat(getComputedStyle(seen[0]).fontSize) : null, shown: seen.length, all: names.length }
}"""
FRAMES = """() => { window.frames = []; let last = performance.now()
  const next = (now) => { window.frames.push(now - last); last = now; window.watching && requestAnimationFrame(next) }
  window.watching = true; requestAnimationFrame(next) }"""


def opened(browser: Browser, url: str, board: str, size: tuple[int, int]) -> Visitor:
    width, height = size
    is_touch = min(size) < 500
    how: dict[str, Any] = {"device_scale_factor": 2, "has_touch": True, "is_mobile": True} if is_touch else {}
    visitor = Visitor(browser, url, viewport={"width": width, "height": height}, reduced_motion="no-preference", **how)
    visitor.without_guides()
    table = visitor.new_table(board, "person", "normal", "normal")
    visitor.open(f"/t/{table}").wait_for_selector(".page main *")
    visitor.page.wait_for_timeout(SETTLED)
    return visitor


def panned(page: Page) -> list[float]:
    return watched(page, pan)


def zoomed(page: Page) -> list[float]:
    return watched(page, zoom)


def watched(page: Page, act: Any) -> list[float]:
    """Frame times while something is done in the middle of the board."""
    box = page.locator(".board .window").last.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.4
    page.mouse.move(x, y)
    page.evaluate(FRAMES)
    act(page, x, y)
    page.evaluate("window.watching = false")
    return list(page.evaluate("window.frames"))[1:]


def zoom(page: Page, _x: float, _y: float) -> None:
    for step in range(40):
        page.mouse.wheel(0, -50 if step < 20 else 50)


def pan(page: Page, x: float, y: float) -> None:
    page.mouse.wheel(0, -400)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(x + 160 * ((step % 20) / 20 - 0.5), y + 80 * ((step % 10) / 10 - 0.5))
    page.mouse.up()


def summary(times: list[float]) -> str:
    ordered = sorted(times)
    return f"{statistics.median(ordered):4.1f} {ordered[int(0.95 * (len(ordered) - 1))]:5.1f}"


def looked_at(page: Page) -> tuple[str, ...]:
    """What the table of results says about a screen."""
    share, names = page.evaluate(SHARE, NET), page.evaluate(NAMES)
    if names["size"] is None:  # cards on a table: nothing to pan or zoom
        return (f"{share:.0%}", "–", "–", "–", "–")
    return (f"{share:.0%}", f"{names['size']:.1f} px", f"{names['shown']} of {names['all']}", summary(panned(page)), summary(zoomed(page)))


def main() -> None:
    results = Table("board", "screen", "free of panels", "names", "shown", "pan: median, 95 % ms", "zoom: median, 95 % ms")
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as server, running_browser() as browser:
        for board in sys.argv[1:] or BOARDS:
            for size in SIZES:
                visitor = opened(browser, server.url, board, size)
                row = (board, f"{size[0]} × {size[1]}", *looked_at(visitor.page))
                results.add_row(*row)
                print(*row, sep="  ", flush=True)  # a stopped run has told something
                visitor.close()
    Console(width=130).print(results)


if __name__ == "__main__":
    main()
