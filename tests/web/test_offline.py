"""The page can be installed, opens without a network, says within two seconds that the line is dead, and comes back by itself."""

from __future__ import annotations

import re
import shutil
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute
from starlette.staticfiles import StaticFiles

from branchline.server.http import pages
from tests.server.inside import running_inside
from tests.server.running import ServerProcess, running_server
from tests.web.browsing import PATIENCE, Visitor
from tests.web.test_connection import LIVE

WITHIN = 2.0  # seconds
LINGERS = 0.5  # seconds for which Chromium may let an open line live on after it has taken the network away
CUT = re.compile(r"WebSocket|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_FAILED|Failed to load resource")
READY = """navigator.serviceWorker.ready.then(() => new Promise((done) => {
  if (navigator.serviceWorker.controller) done()
  navigator.serviceWorker.oncontrollerchange = () => done()
}))"""
KEPT = "Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))"


@pytest.fixture
def offline_visitors() -> Iterator[list[Visitor]]:
    """Visitors whose browsers may say that connections fail, and nothing else."""
    there: list[Visitor] = []
    yield there
    beyond = [error for visitor in there for error in visitor.errors if not CUT.search(error)]
    for visitor in there:
        visitor.close()
    assert beyond == []


def installed(browser: Browser, url: str, visitors: list[Visitor]) -> Visitor:
    """Somebody whose browser has kept the page."""
    visitor = Visitor(browser, url, service_workers="allow")
    visitors.append(visitor)
    visitor.without_guides()
    visitor.open()
    visitor.page.evaluate(READY)
    return visitor


@pytest.mark.sample(1)
@pytest.mark.parametrize(("locale", "language", "said"), [("en-GB", "en", "railway"), ("pl-PL", "pl", "kolejowe"), ("uk-UA", "uk", "залізничні")])
def test_the_page_is_installed_under_its_name_in_the_language(
    browser: Browser, server: ServerProcess, visitors: list[Visitor], locale: str, language: str, said: str
) -> None:
    visitors.append(visitor := Visitor(browser, server.url, locale=locale))
    page = visitor.open()
    page.wait_for_selector("#app > *")
    link = page.locator("link[rel=manifest]").get_attribute("href")
    manifest = httpx.get(f"{server.url}{link}")
    assert manifest.headers["content-type"] == "application/manifest+json"
    told = manifest.json()
    assert told["lang"] == language
    assert said in told["name"]
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    assert {"maskable"} == {icon["purpose"] for icon in told["icons"] if "purpose" in icon}
    for icon in told["icons"]:
        picture = httpx.get(f"{server.url}{icon['src']}")
        assert picture.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", picture.content[16:24])
            assert f"{width}x{height}" == icon["sizes"]


def test_chromium_finds_nothing_that_keeps_the_page_from_being_installed(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor = installed(browser, server.url, visitors)
    talk = visitor.context.new_cdp_session(visitor.page)
    problems = talk.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [one["errorId"] for one in problems if one["errorId"] != "in-incognito"] == []


@pytest.mark.soak("a reload without network shows the worker at work")
def test_the_service_worker_is_asked_for_again_every_time(server: ServerProcess) -> None:
    answer = httpx.get(f"{server.url}/sw.js")
    assert answer.headers["cache-control"] == "no-cache"
    assert "javascript" in answer.headers["content-type"]
    assert "/t/" not in answer.text


def test_a_reload_without_network_says_so_and_the_game_comes_back_by_itself(
    browser: Browser, server: ServerProcess, offline_visitors: list[Visitor]
) -> None:
    visitor = installed(browser, server.url, offline_visitors)
    table, page = visitor.new_table("london", "person", "easy"), visitor.page
    visitor.open(f"/t/{table}").wait_for_selector(".page")
    visitor.context.set_offline(True)
    page.reload()
    page.get_by_text("You are offline.").wait_for()
    visitor.open("/")
    page.get_by_text("You are offline.").wait_for()
    assert page.locator("h1").count() == 1
    visitor.open(f"/t/{table}")
    page.get_by_text("You are offline.").wait_for()
    visitor.context.set_offline(False)
    page.wait_for_selector(".question .choice")
    page.wait_for_selector(".lost", state="detached")


@pytest.mark.soak("a game that comes back by itself is in another test")
def test_the_start_page_comes_back_by_itself(browser: Browser, server: ServerProcess, offline_visitors: list[Visitor]) -> None:
    visitor = installed(browser, server.url, offline_visitors)
    visitor.context.set_offline(True)
    visitor.page.reload()
    visitor.page.wait_for_selector(".lost")
    visitor.context.set_offline(False)
    visitor.page.wait_for_selector(".lost", state="detached")
    visitor.page.wait_for_selector(".cards label.chosen")


@pytest.mark.soak("a reload without network is tested above")
def test_only_the_pages_own_files_are_kept(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    """No answer of the server, and no address of a table: that is an invitation."""
    visitor = installed(browser, server.url, visitors)
    table = visitor.new_table("london", "person", "easy")
    visitor.open(f"/t/{table}").wait_for_selector(".page")
    visitor.open(f"/t/{table}").wait_for_selector(".page")
    kept = [path for cache in visitor.page.evaluate(f"(async () => {KEPT})()") for path in cache]
    assert "/" in kept
    assert any("TablePage" in path for path in kept)
    assert [path for path in kept if not (path in ("/", "/icon.svg") or path.startswith("/assets/"))] == []


@pytest.mark.soak("a reload without network shows the worker at work")
def test_a_new_version_comes_with_the_next_load_and_the_old_one_is_forgotten(
    browser: Browser, tmp_path: Path, visitors: list[Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = tmp_path / "client"
    shutil.copytree(pages.CLIENT, client)
    monkeypatch.setattr(pages, "CLIENT", client)
    monkeypatch.setattr(pages, "FILES", StaticFiles(directory=client))
    with running_inside(tmp_path) as inside:
        visitor = installed(browser, inside.url, visitors)
        page = visitor.page
        first = page.evaluate("caches.keys()")
        assert len(first) == 1
        release(client)
        page.reload()
        assert page.locator("meta[name=release]").get_attribute("content") == "second"
        until(page, "navigator.serviceWorker.getRegistration().then((known) => known.waiting !== null)")
        assert page.evaluate("caches.keys()") == [*first, "branchline-second"]  # a game in another tab goes on with the first
        return_until(visitor, "caches.keys().then((names) => names.length === 1)")
        assert page.evaluate("caches.keys()") == ["branchline-second"]
        visitor.close()
        visitors.remove(visitor)


def until(page: Page, promised: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not page.evaluate(promised):
        assert time.monotonic() < deadline, promised
        page.wait_for_timeout(100)


def return_until(visitor: Visitor, promised: str) -> None:
    """Leave the page and come back: a worker that a test's browser watches takes over only some time after its pages are left."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        visitor.page.goto("about:blank")
        visitor.page.wait_for_timeout(300)
        visitor.open()
        if visitor.page.evaluate(promised):
            return
    raise AssertionError(promised)


def release(client: Path) -> None:
    """A second version of the page."""
    index, worker = client / "index.html", client / "sw.js"
    index.write_text(index.read_text().replace("<title>", '<meta name="release" content="second"><title>'))
    worker.write_text(re.sub(r'"version":"\w+"', '"version":"second"', worker.read_text()))


# while a game is open


def seconds_until_told(visitor: Visitor, began: float) -> float:
    visitor.page.wait_for_selector(".lost")
    return time.monotonic() - began


def in_a_game(browser: Browser, url: str, visitors: list[Visitor]) -> Visitor:
    visitor = Visitor(browser, url)
    visitors.append(visitor)
    visitor.without_guides()
    visitor.open(f"/t/{visitor.new_table('london', 'person', 'easy')}").wait_for_selector(".page")
    visitor.page.wait_for_timeout(2_500)  # several beats of a line that is alive
    assert visitor.page.locator(".lost").count() == 0
    return visitor


def test_a_killed_server_is_told_within_two_seconds(browser: Browser, tmp_path: Path, offline_visitors: list[Visitor]) -> None:
    with running_server(tmp_path) as server:
        visitor = in_a_game(browser, server.url, offline_visitors)
        began = time.monotonic()
        server.kill()
        assert seconds_until_told(visitor, began) < WITHIN
        assert visitor.page.locator(".lost strong").inner_text() == "The server cannot be reached."
        server.start()
        visitor.page.wait_for_selector(".lost", state="detached")


@pytest.mark.soak("a killed server is told above, a browser without network below")
def test_a_line_that_died_silently_is_told_within_two_seconds(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor = Visitor(browser, server.url)
    visitors.append(visitor)
    visitor.without_guides()
    is_dead = False

    def through(socket: WebSocketRoute) -> None:
        """Passes everything on, until the line is dead: then nothing, in neither direction, and nobody is told."""
        line = socket.connect_to_server()
        socket.on_message(lambda message: None if is_dead else line.send(message))
        line.on_message(lambda message: None if is_dead else socket.send(message))

    visitor.page.route_web_socket(LIVE, through)
    visitor.open(f"/t/{visitor.new_table('london', 'person', 'easy')}").wait_for_selector(".page")
    visitor.page.wait_for_timeout(2_500)
    assert visitor.page.locator(".lost").count() == 0
    is_dead, began = True, time.monotonic()
    assert seconds_until_told(visitor, began) < WITHIN
    is_dead = False
    visitor.page.wait_for_selector(".lost", state="detached")


def test_a_browser_without_network_is_told_within_two_seconds(browser: Browser, server: ServerProcess, offline_visitors: list[Visitor]) -> None:
    visitor = in_a_game(browser, server.url, offline_visitors)
    visitor.page.route_web_socket(LIVE, lambda _: None)  # new lines stay silent, too
    began = time.monotonic()
    visitor.context.set_offline(True)
    assert seconds_until_told(visitor, began) < WITHIN + LINGERS
    visitor.context.set_offline(False)
