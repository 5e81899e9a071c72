"""The page as it is served: small, from one host, cached as it should be; its types are the server's."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from branchline.server.http import pages
from tests.server.running import ServerProcess
from tests.web.browsing import PHONE, WIDE, Player, Visitor

PROJECT = Path(__file__).parents[2]
NOT_THERE = [
    "/assets/none.js",
    "/assets/..%2f..%2fcli.py",
    "/assets/%2e%2e/index.html",
    "/assets/..%5c..%5ccli.py",
    f"/assets/{'a' * 300}",
    "/nothing",
]
# bytes of the whole page, compressed: its code, styles and icons, and the words of all languages; without maps, fonts, and pictures for home screens
LARGEST = 345_000
EDITOR, LARGEST_EDITOR = "EditorPage", 28_000  # the board editor, which only designers load; its words are among the page's, 4,500 bytes a language
ALONE = "alone"  # what a replay as one file is made from: no visitor loads it


def test_the_client_is_small() -> None:
    files = [path for path in pages.CLIENT.rglob("*") if path.is_file() and ALONE not in path.parts]
    sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in files}
    editor = sum(size for name, size in sizes.items() if name.startswith(EDITOR))
    assert 0 < editor < LARGEST_EDITOR
    code = {name: size for name, size in sizes.items() if not name.endswith((".woff2", ".png")) and not name.startswith(EDITOR)}
    assert sum(code.values()) < LARGEST, sorted(code.items(), key=lambda one: -one[1])[:8]


def test_files_are_cached_by_their_names_and_the_page_is_not(server: ServerProcess) -> None:
    start = httpx.get(f"{server.url}/")
    assert start.headers["cache-control"] == "no-cache"
    assert start.headers["content-encoding"] == "gzip"
    assert "unsafe" not in start.headers["content-security-policy"]
    asset = start.text.split('src="')[1].split('"')[0]
    assert "immutable" in httpx.get(f"{server.url}{asset}").headers["cache-control"]
    assert httpx.get(f"{server.url}/t/anything").text == start.text
    plain = httpx.get(f"{server.url}{asset}", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == httpx.get(f"{server.url}{asset}").text
    for address in ("/", asset):
        known = httpx.get(f"{server.url}{address}")
        again = httpx.get(f"{server.url}{address}", headers={"if-none-match": known.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["cache-control"] == known.headers["cache-control"]
        assert again.headers["content-security-policy"] == known.headers["content-security-policy"]
    assert httpx.head(f"{server.url}/").content == b""


@pytest.mark.parametrize("path", NOT_THERE)
def test_nothing_else_is_served(server: ServerProcess, path: str) -> None:
    answer = httpx.get(f"{server.url}{path}")
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


def test_types_are_made_from_the_servers_schema() -> None:
    """`npm run types` was run after the last change of the API."""
    document = subprocess.run([sys.executable, "scripts/openapi.py"], capture_output=True, check=True, cwd=PROJECT).stdout
    (PROJECT / "web/openapi.json").write_bytes(document)
    checked = subprocess.run([sys.executable, "hatch_build.py", "types", "--", "--check"], capture_output=True, text=True, check=False, cwd=PROJECT)
    assert checked.returncode == 0, f"{checked.stdout}{checked.stderr}\nrun scripts/openapi.py and npm run types"


def test_one_click_from_the_first_page_into_a_game(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor = Visitor(browser, server.url)
    visitors.append(visitor)
    page = visitor.open()
    page.locator("[data-do=play]").click()
    page.wait_for_selector(".page")
    assert "/t/" in page.url
    assert page.locator(".question input[type=checkbox]").count() >= 3


def hold_back(page: Page, path: str) -> list[Route]:
    """What the server says there does not arrive until the route continues."""
    held_back: list[Route] = []

    def hold(route: Route) -> None:
        held_back.append(route)

    page.route(f"**{path}", hold)
    return held_back


def answer_without_further_bots(route: Route) -> None:
    """An operator's own bots may take another line on a phone, and how many there are is not known before."""
    answer = route.fetch()
    route.fulfill(response=answer, json=answer.json() | {"bots": []})


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.sample(1)
def test_the_start_page_waits_for_nobody_and_nothing_jumps(
    browser: Browser, server: ServerProcess, visitors: list[Visitor], viewport: dict[str, int]
) -> None:
    """The server's facts are held back; the page is there, a click already counts, and everything stays where it is when they arrive.

    So does what stands above this visitor's tables when they arrive, though it tells that one of them waits.
    """
    visitors.append(visitor := Visitor(browser, server.url, viewport=viewport))
    visitor.new_table("europe", "person", "easy")
    facts, tables = (hold_back(visitor.page, path) for path in ("/api/about", "/api/my/tables"))
    page = visitor.open()
    above = page.locator("h1, .quick, .quick legend, [data-do=play]")
    places = above.or_(page.locator("#rules-title"))
    expect(page.locator("[data-do=play]")).to_be_visible()
    assert page.locator(".cards label").count() == 0
    page.wait_for_load_state("load")
    page.evaluate("document.fonts.ready")
    with nothing_moving(places):
        answer_without_further_bots(facts.pop())
        expect(page.locator(".cards label.chosen")).to_be_visible()
    with nothing_moving(above):
        tables.pop().continue_()
        expect(page.locator("a.turn")).to_be_visible()


@contextmanager
def nothing_moving(places: Locator) -> Iterator[None]:
    before = [one.bounding_box() for one in places.all()]
    yield
    for place, box in zip(places.all(), before, strict=True):
        assert place.bounding_box() == pytest.approx(box, abs=0.5)  # no pixel


DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# how many levels stand on each line
ON_LINES = """() => {
  const tops = [...document.querySelectorAll('.bar.wraps label')].map((level) => Math.round(level.getBoundingClientRect().top))
  return [...new Set(tops)].map((top) => tops.filter((one) => one === top).length)
}"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("locale", ["en-GB", "pl-PL", "uk-UA"])
def test_no_level_stands_alone_on_a_line(browser: Browser, server: ServerProcess, visitors: list[Visitor], locale: str) -> None:
    visitors.append(visitor := Visitor(browser, server.url, locale=locale))
    visitor.page.route("**/api/about", answer_without_further_bots)
    page = visitor.open()
    expect(page.locator(".bar.wraps label.chosen")).to_be_visible()
    page.evaluate("document.fonts.ready")
    lines = {}
    for width in (1440, 1280, 1110, 820, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate(DRAWN)
        lines[width] = page.evaluate(ON_LINES)
    assert lines == {1440: [6], 1280: [6], 1110: [3, 3], 820: [3, 3], 390: [3, 3]}


def test_a_click_before_the_games_are_known_opens_the_first(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitors.append(visitor := Visitor(browser, server.url))
    held_back = hold_back(visitor.page, "/api/about")
    page = visitor.open()
    page.locator("[data-do=play]").click()
    held_back.pop().continue_()
    page.wait_for_selector(".page")
    assert visitor.ask("/api/my/tables")["tables"][0]["game"] == visitor.ask("/api/about")["games"][0]["game"]


def test_a_partly_translated_language_is_spoken_only_if_it_is_chosen(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitors.append(visitor := Visitor(browser, server.url, locale="de-DE"))
    page = visitor.open()
    expect(page.locator("[data-do=play]")).to_have_text("Play now")
    page.locator("header select").select_option("de")
    expect(page.locator("[data-do=play]")).to_have_text("Jetzt spielen")


def test_an_unknown_table_is_said_in_words(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor = Visitor(browser, server.url)
    visitors.append(visitor)
    page = visitor.open("/t/AAAAAAAAAAAAAAAA")
    page.get_by_text("There is no such table").wait_for()


def test_nothing_moves_away_from_the_mouse(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    """A card that did would leave the mouse at its edge, come back, and flicker."""
    visitor = Visitor(browser, server.url)
    visitors.append(visitor)
    visitor.without_guides()
    table = visitor.new_table("card-game", "person", "easy")
    page = visitor.open("/")
    expect(page.locator(".bar.wraps label.chosen")).to_be_visible()  # the games are known
    page.evaluate("document.fonts.ready")
    assert stays(page, "main label:has(.picture)")
    visitor.open(f"/t/{table}")
    player = Player(page)
    player.tickets_first()
    assert stays(page, ".supply .take.lit")
    while not page.locator(".page[aria-busy=false] .hand .usable").count():
        assert player.act()
    assert stays(page, ".hand .usable")


def stays(page: Page, selector: str) -> bool:
    found = page.locator(selector).first
    found.wait_for()
    page.mouse.move(0, 0)
    before = found.bounding_box()
    found.hover()
    page.wait_for_timeout(300)  # longer than any animation
    return found.bounding_box() == before
