"""The board editor in a real browser: a board made by clicks, checked and played; by keys alone; by touch on a phone; and nothing saved is lost."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from branchline import Game
from branchline.boards import load_board
from branchline.editor.reading import read_document
from branchline.layout.beginning import begin
from branchline.layout.checking import problems_of
from tests.boards.outside import alone  # noqa: F401  # used by all tests
from tests.commands import branchline
from tests.server.running import ServerProcess
from tests.web.browsing import PHONE, WIDE, Player, Visitor
from tests.web.test_accessibility import LOOKS, look_id, violations

CODE = "a-code-for-tests"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A board to begin with, which some tests empty."""
    begin(tmp_path / "islands", "Islands")
    return tmp_path / "islands"


def emptied(folder: Path) -> None:
    """Only the headings are left, and nothing lies beneath."""
    for file in ("cities", "routes", "tickets", "geography", "names"):
        path = folder / f"{file}.csv"
        path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    (folder / "editor.toml").write_text('[background]\nkind = "none"\n', encoding="utf-8")


@pytest.fixture
def server(folder: Path, tmp_path: Path) -> Iterator[ServerProcess]:
    running = ServerProcess(f"sqlite:///{tmp_path / 'games.db'}", tmp_path, "--editor", str(folder), "--editor-code", CODE)
    yield running
    running.stop()


def opened(visitor: Visitor) -> Page:
    visitor.without_guides()
    page = visitor.open(f"/edit#{CODE}")
    page.wait_for_selector(".editor")
    page.wait_for_timeout(200)
    return page


def saved(page: Page) -> None:
    """Wait until everything shown is on disk."""
    page.wait_for_timeout(60)
    page.wait_for_selector(".editor[data-state=saved]")


def tool(page: Page, name: str) -> None:
    page.locator(f"[data-tool={name}]").click()


def on_map(page: Page, x: float, y: float) -> tuple[float, float]:
    """A place on the map, in shares of its sides."""
    box = page.locator(".map").bounding_box()
    assert box
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def middle(page: Page, city: str) -> tuple[float, float]:
    box = page.locator(f"[data-city='{city}'] .dot").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def add_city(page: Page, name: str, x: float, y: float) -> None:
    page.mouse.click(*on_map(page, x, y))
    page.locator("[data-field=name]").fill(name)


def join(page: Page, a: str, b: str, length: int) -> None:
    for city in (a, b):
        page.mouse.click(*middle(page, city))
    page.locator("[data-field=length]").select_option(str(length))


def field(page: Page, path: str) -> Locator:
    return page.locator(f"[data-path='{path}']")


PLACES = {"Alta": (0.2, 0.2), "Bergen": (0.5, 0.15), "Calais": (0.8, 0.25), "Dover": (0.25, 0.6), "Essen": (0.55, 0.5), "Fiume": (0.8, 0.75), "Genova": (0.4, 0.85)}
WAYS = [("alta", "bergen"), ("bergen", "calais"), ("alta", "dover"), ("bergen", "essen"), ("calais", "essen"), ("dover", "essen"), ("essen", "fiume")]
WAYS += [("calais", "fiume"), ("dover", "genova"), ("essen", "genova"), ("fiume", "genova")]


@pytest.mark.timeout(300)
def test_a_board_made_by_clicks_is_checked_and_played(browser: Browser, server: ServerProcess, folder: Path, visitors: list[Visitor]) -> None:
    emptied(folder)
    server.start()
    visitors.append(visitor := Visitor(browser, server.url))
    page = opened(visitor)
    expect(page.locator("[data-do=play]")).to_be_disabled()
    tool(page, "city")
    for name, place in PLACES.items():
        add_city(page, name, *place)
    tool(page, "route")
    for number, (a, b) in enumerate(WAYS):
        join(page, a, b, 1 + number % 3)
    page.mouse.click(*middle(page, "alta"))
    page.mouse.click(*middle(page, "essen"))
    page.get_by_role("radio", name="red").check(force=True)
    page.locator("[data-field=double]").check()
    page.locator("[data-field=ferry]").select_option("1")
    saved(page)
    expect(page.locator("[data-problems='0']")).to_have_count(0)  # no tickets yet, and the server says so
    make_tickets(page)
    page.locator("[data-tab=rules]").click()
    field(page, "pieces.trains").fill("10")
    page.locator("[data-mechanism=stations]").check()
    field(page, "players.1").fill("3")
    page.locator("[data-tab=board]").click()
    page.locator("[data-field=board-name]").fill("Seven Towns")
    saved(page)
    expect(page.locator("[data-problems='0']")).to_be_visible()
    check_files(folder)
    play(page, folder)


def make_tickets(page: Page) -> None:
    """By clicks on the map; the first has a wrong value, for which another is suggested."""
    tool(page, "ticket")
    ends = [("alta", "fiume"), ("alta", "genova"), ("bergen", "genova"), ("calais", "dover"), ("dover", "fiume"), ("bergen", "fiume")]
    ends += [("calais", "genova"), ("alta", "calais"), ("bergen", "dover")]
    for a, b in ends:
        for city in (a, b):
            page.mouse.click(*middle(page, city))
    saved(page)
    first = page.locator("tbody tr").first
    first.locator("input").fill("50")
    saved(page)
    page.locator("[data-do=take-all]").click()
    expect(first.locator("input")).not_to_have_value("50")
    saved(page)


def check_files(folder: Path) -> None:
    """What was clicked is what the files say, and the check has nothing to say."""
    assert problems_of(folder) == []
    board = load_board(folder)
    assert (board.name, board.players) == ("Seven Towns", (2, 3))
    assert [city.name for city in board.cities] == list(PLACES)
    assert len(board.routes) == len(WAYS) + 2
    twins = [route for route in board.routes if route.double]
    assert [(route.id, route.colour, route.ferry) for route in twins] == [("alta-essen.1", "red", 1), ("alta-essen.2", "red", 0)]
    assert board.record.stations == 3
    assert board.tickets[0].points < 50


def play(page: Page, folder: Path) -> None:
    """A person's first moves by clicks; bots to the end."""
    page.locator("[data-do=play]").click()
    page.wait_for_selector(".page")
    player = Player(page, seed=3)
    player.play(8)
    assert sum(player.acts.values()) == 8
    done = branchline("simulate", str(folder), "--players", "3", "--bots", "planner", "--games", "100", "--out", str(folder.parent / "games.parquet"))
    assert done.returncode == 0, done.stderr
    assert (folder.parent / "games.parquet").is_file()
