"""The board in a browser: its map, its pieces, its names; pinched, wheeled and tapped twice."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import SOAK
from tests.server.running import ServerProcess
from tests.web.browsing import PHONE, Player, Visitor
from tests.web.test_compass_and_pace import opening_kept

LAPTOP = {"width": 1280, "height": 720}
NOTCH = 160  # of the wheel
WAIT = 450  # milliseconds until the board rests after a movement

# the names on the screen, with the height that letters take of each line
NAMES = """() => [...document.querySelectorAll('[data-name]')].filter((one) => one.style.display !== 'none').map((one) => {
  const box = one.getBoundingClientRect()
  const size = parseFloat(getComputedStyle(one).fontSize)
  const loose = (box.height - one.querySelectorAll('tspan').length * size * 0.9) / 2
  return { city: one.dataset.name, size, left: box.left + 1, right: box.right - 1, top: box.top + loose, bottom: box.bottom - loose }
})"""
SCALE = "() => document.querySelector('g[data-city] .rim').getBoundingClientRect().width"
PIECES = """() => Object.fromEntries(
  [...document.querySelectorAll('[data-pieces]')].map((one) => [one.dataset.pieces, one.querySelectorAll('.piece').length]))"""


def visit(browser: Browser, server: ServerProcess, visitors: list[Visitor], board: str, **how: Any) -> Page:
    visitor = Visitor(browser, server.url, **({"viewport": LAPTOP} | how))
    visitors.append(visitor)
    visitor.without_guides()
    table = visitor.new_table(board, "person", "normal")
    page = visitor.open(f"/t/{table}")
    page.wait_for_selector("g[data-city]")
    return page


def middle(page: Page) -> tuple[float, float]:
    box = page.locator(".board .window").last.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.45


def met(names: list[dict[str, Any]]) -> list[tuple[str, str]]:
    def apart(one: dict[str, Any], other: dict[str, Any]) -> bool:
        return bool(one["right"] <= other["left"] or other["right"] <= one["left"] or one["bottom"] <= other["top"] or other["bottom"] <= one["top"])

    return [(one["city"], other["city"]) for at, one in enumerate(names) for other in names[at + 1 :] if not apart(one, other)]


@pytest.mark.parametrize(
    ("board", "language"), [(board, language) for board in ("europe", "world") for language in ("en-GB", "uk-UA")] if SOAK else [("world", "uk-UA")]
)
@pytest.mark.soak("names at every zoom are worked out in test_board_view.py")
def test_names_do_not_meet_while_the_wheel_turns(browser: Browser, server: ServerProcess, visitors: list[Visitor], board: str, language: str) -> None:
    page = visit(browser, server, visitors, board, locale=language)
    page.mouse.move(*middle(page))
    for _ in range(5):
        page.wait_for_timeout(WAIT)
        names = page.evaluate(NAMES)
        assert names
        assert min(name["size"] for name in names) >= 11
        assert met(names) == []
        page.mouse.wheel(0, -NOTCH)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_only_the_map_that_is_shown_is_loaded(browser: Browser, server: ServerProcess, visitors: list[Visitor], theme: Any) -> None:
    asked: list[str] = []
    visitor = Visitor(browser, server.url, viewport=LAPTOP, color_scheme=theme)
    visitors.append(visitor)
    visitor.without_guides()
    visitor.page.on("request", lambda request: asked.append(request.url) if "/ground/" in request.url else None)
    table = visitor.new_table("london", "person", "normal")
    visitor.open(f"/t/{table}").wait_for_selector("img.shown")
    assert [url.removeprefix(server.url) for url in asked] == [f"/api/games/london/ground/{theme}"]


@pytest.mark.soak("test_whole_games.py claims routes, test_board_view.py has the pictures' places")
def test_a_claimed_route_carries_a_piece_on_every_space(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    page = visit(browser, server, visitors, "london")
    player = Player(page, seed=3)
    for _ in range(60):
        player.act()
        if len(page.evaluate(PIECES)) > 1:
            break
    spaces = httpx.get(f"{server.url}/api/games/london/layout").json()["routes"]
    pieces = page.evaluate(PIECES)
    assert len(pieces) > 1
    assert pieces == {route: len(spaces[route]["spaces"]) for route in pieces}


def test_two_taps_come_closer_and_two_more_go_back(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    page = visit(browser, server, visitors, "london", viewport=PHONE, has_touch=True, is_mobile=True)
    page.wait_for_timeout(WAIT)
    first = page.evaluate(SCALE)
    box = page.locator(".board .window").last.bounding_box()
    assert box is not None
    corner = box["x"] + 6, box["y"] + 6  # nothing to choose there
    for wanted in (1.9, 1.0):
        tap_twice(page, *corner)
        page.wait_for_timeout(2 * WAIT)
        assert page.evaluate(SCALE) == pytest.approx(first * wanted, rel=0.12)


def tap_twice(page: Page, x: float, y: float) -> None:
    """A tenth of a second apart by their own clock, however long they take to arrive."""
    talk, now = page.context.new_cdp_session(page), time.time()
    for after in (0.0, 0.1):
        for kind, points, held in (("touchStart", [{"x": x, "y": y}], 0.0), ("touchEnd", [], 0.02)):
            talk.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, "timestamp": now + after + held})
    talk.detach()


AT_SEA = [("uk-UA", "Індійський океан"), ("en-GB", "Indian Ocean"), ("pl-PL", "Ocean Indyjski")]


@pytest.mark.parametrize(("locale", "name"), AT_SEA if SOAK else AT_SEA[:1])
def test_a_junction_at_sea_has_a_name(browser: Browser, server: ServerProcess, visitors: list[Visitor], locale: str, name: str) -> None:
    """Routes are named after it, so people have to find it; the sea of that name is not written a second time."""
    visitors.append(visitor := Visitor(browser, server.url, locale=locale))
    visitor.without_guides()
    visitor.open(f"/t/{visitor.new_table('world', 'person', 'easy')}")
    label = visitor.page.locator("[data-name=indian-ocean-waypoint]")
    expect(label).to_have_text(name)
    expect(label).to_be_visible()
    written = visitor.page.locator("main.board svg text").all_text_contents()
    assert [" ".join(text.split()).lower() for text in written].count(name.lower()) == 1


def pinch(page: Page, factor: float) -> None:
    """Two fingers apart or together around the middle, as a phone tells it, in many small movements."""
    talk = page.context.new_cdp_session(page)
    x, y = middle(page)
    near, far = 40.0, 40.0 * factor

    def fingers(reach: float) -> list[dict[str, float]]:
        return [{"x": x - reach, "y": y - reach / 3, "id": 0}, {"x": x + reach, "y": y + reach / 3, "id": 1}]

    talk.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": fingers(near)})
    for step in range(1, 13):
        talk.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": fingers(near + (far - near) * step / 12)})
    talk.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    talk.detach()
    page.wait_for_timeout(WAIT)


@pytest.mark.parametrize(("board", "locale"), [("world", "uk-UA"), ("europe", "pl-PL")] if SOAK else [("world", "uk-UA")])
def test_two_fingers_zoom_and_names_stay_readable(browser: Browser, server: ServerProcess, visitors: list[Visitor], board: str, locale: str) -> None:
    """At every zoom: letters of 11 pixels or more, names that do not meet, and more of them the closer one looks."""
    page = visit(browser, server, visitors, board, viewport=PHONE, has_touch=True, is_mobile=True, locale=locale)
    opening_kept(visitors[-1], page.url.rpartition("/")[2])  # no sheet lies over the board
    page.wait_for_selector(".page[aria-busy=false] .question.slip")
    page.wait_for_timeout(WAIT)
    first, shares = page.evaluate(SCALE), []
    for factor in (1.5, 1.5, 1 / 1.5, 1 / 1.5, 1 / 2, 1 / 2, 1.5) if SOAK else (1.5, 1 / 4, 1.5):  # at last from the whole board
        before = page.evaluate(SCALE)
        pinch(page, factor)
        after = page.evaluate(SCALE)
        if factor > 1:
            assert after == pytest.approx(before * factor, rel=0.1)
        else:
            assert after <= before  # as far as the whole board
        names = page.evaluate(NAMES)
        assert names
        assert min(name["size"] for name in names) >= 11
        assert met(names) == []
        shares.append((after, len(names)))
    assert min(scale for scale, _ in shares) <= first
    closest, farthest = max(shares), min(shares)
    assert closest[1] >= farthest[1]
