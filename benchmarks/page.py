"""Measure how fast the page is in a real browser on this machine: `python benchmarks/page.py` (part of `make bench`).

First page: from navigation in a fresh browser profile until "Play now" can be clicked. First move: the same with that click, until the board is
there and a ticket can be chosen. Effect: from the arrival of the server's message until the second frame after it, when the change is on the
screen. Frames: frame times while the World's board is panned and zoomed without a pause.
The browser runs without a graphics card, so the CPU draws every frame.
"""

from __future__ import annotations

import gzip
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.server.running import running_server
from tests.web.browsing import PHONE, Player, Visitor, running_browser

from branchline.server.http.pages import CLIENT  # after the path to the tests' people

VISITS = 7
ACTS = 60
LISTEN = """
  window.effects = []
  const Native = WebSocket
  window.WebSocket = class extends Native {
    constructor(...given) {
      super(...given)
      this.addEventListener('message', () => {
        const arrived = performance.now()
        requestAnimationFrame(() => requestAnimationFrame(() => window.effects.push(performance.now() - arrived)))
      })
    }
  }
"""
FRAMES = """() => { window.frames = []; let last = performance.now()
  const next = (now) => { window.frames.push(now - last); last = now; window.watching && requestAnimationFrame(next) }
  window.watching = true; requestAnimationFrame(next) }"""


def first_page(browser: Browser, url: str) -> list[float]:
    times = []
    for _ in range(VISITS):
        visitor = Visitor(browser, url)
        page = visitor.open()
        page.wait_for_selector("[data-do=play]:enabled")
        times.append(float(page.evaluate("performance.now()")))
        visitor.close()
    return times


def first_move(browser: Browser, url: str) -> list[float]:
    times = []
    for _ in range(VISITS):
        visitor = Visitor(browser, url)
        page = visitor.open()
        page.locator("[data-do=play]:enabled").click()
        page.wait_for_selector(".page[aria-busy=false] .question .choice input:enabled")
        times.append(float(page.evaluate("performance.now()")))
        visitor.close()
    return times


def effects(browser: Browser, url: str) -> list[float]:
    visitor = Visitor(browser, url, reduced_motion="no-preference")
    visitor.without_guides()
    visitor.page.add_init_script(LISTEN)
    table = visitor.new_table("europe", "person", "normal", "normal")
    visitor.open(f"/t/{table}").wait_for_selector(".page")
    Player(visitor.page, seed=2).play(ACTS)
    seen: list[float] = visitor.page.evaluate("window.effects")
    visitor.close()
    return seen


def frames(browser: Browser, url: str, **how: object) -> list[float]:
    visitor = Visitor(browser, url, reduced_motion="no-preference", **how)
    visitor.without_guides()
    table = visitor.new_table("world", "person", "normal")
    visitor.open(f"/t/{table}").wait_for_selector(".page g[data-route]")
    page = visitor.page
    page.wait_for_timeout(1_000)
    page.evaluate(FRAMES)
    pan_and_zoom(page)
    page.evaluate("window.watching = false")
    seen: list[float] = page.evaluate("window.frames")
    visitor.close()
    return seen[1:]


def pan_and_zoom(page: Page) -> None:
    box = page.locator("main.board").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    for step in range(30):
        page.mouse.wheel(0, -60 if step < 15 else 60)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(x + 200 * ((step % 20) / 20 - 0.5), y + 100 * ((step % 10) / 10 - 0.5))
    page.mouse.up()


def summary(times: list[float]) -> str:
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"{statistics.median(ordered):6.1f} {p95:7.1f} {ordered[-1]:7.1f}  ({len(ordered)})"


def sizes() -> tuple[int, int]:
    """Code and words, and fonts, compressed as they are sent, in bytes."""
    files = [path for path in CLIENT.rglob("*") if path.is_file()]
    fonts = sum(path.stat().st_size for path in files if path.suffix == ".woff2")
    return sum(len(gzip.compress(path.read_bytes())) for path in files if path.suffix != ".woff2"), fonts


def main() -> None:
    results = Table("the page", "median, 95 %, most, in ms (number)")
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as server, running_browser() as browser:
        results.add_row("first page until it can be used", summary(first_page(browser, server.url)))
        results.add_row("first move: navigation, Play now, until a ticket can be chosen", summary(first_move(browser, server.url)))
        results.add_row("a decision's effect after the server's message", summary(effects(browser, server.url)))
        results.add_row("frames, World panned and zoomed, 1440 × 900", summary(frames(browser, server.url)))
        results.add_row("frames, World panned and zoomed, phone", summary(frames(browser, server.url, viewport=PHONE, device_scale_factor=2)))
    code, fonts = sizes()
    results.add_row("code and all words in three languages, compressed", f"{code / 1000:.0f} kB")
    results.add_row("fonts", f"{fonts / 1000:.0f} kB")
    Console().print(results)


if __name__ == "__main__":
    main()
