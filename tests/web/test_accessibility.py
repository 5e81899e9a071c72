"""axe finds nothing to complain about, on any page, in any phase of a game, light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from branchline import available_boards
from branchline.play.chance import commitment_of
from tests.conftest import SOAK
from tests.server.running import ServerProcess
from tests.web.browsing import PHONE, WIDE, Player, Visitor, play_out_unseen
from tests.web.test_fairness import proof

AXE = (Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js").read_text()
LOOKS = [("light", WIDE), ("dark", PHONE)]
SAMPLE = [("card-game", LOOKS[0]), ("london", LOOKS[1])]
SEEN = [(board, look) for board in available_boards() for look in LOOKS] if SOAK else SAMPLE


def violations(page: Page) -> list[str]:
    """What axe finds, one line each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations)")
    return [f"{one['id']}: {node['target']} {node['failureSummary']}" for one in found for node in one["nodes"][:3]]


def look_id(look: tuple[str, dict[str, int]]) -> str:
    return f"{look[0]}-{look[1]['width']}"


@pytest.fixture(params=LOOKS, ids=look_id)
def visitor(request: pytest.FixtureRequest, browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> Visitor:
    scheme, size = request.param
    visitors.append(Visitor(browser, server.url, color_scheme=scheme, viewport=size))
    return visitors[-1]


PAGES = ["/", "/rules/card-game#CG-15", "/rules/nothing", "/replay", "/t/AAAAAAAAAAAAAAAA"]  # the rules of every game: test_rules_pages.py


DARK = pytest.param(LOOKS[1], id="dark", marks=pytest.mark.soak("games are looked at in the dark"))


@pytest.mark.parametrize("visitor", [pytest.param(LOOKS[0], id="light"), DARK], indirect=True)
def test_pages(visitor: Visitor) -> None:
    found = {}
    for path in PAGES:
        page = visitor.open(path)
        page.wait_for_selector("main h1")
        page.wait_for_timeout(200)
        found[path] = violations(page)
    assert found == {path: [] for path in PAGES}


@pytest.mark.sample(1)
def test_lobby_and_settings(visitor: Visitor) -> None:
    table = visitor.new_table("europe", "person", "person", "normal", commitment="a" * 64)
    page = visitor.open(f"/t/{table}")
    page.get_by_text("How are the cards shuffled?").click()
    page.wait_for_timeout(300)
    assert violations(page) == []
    page.locator("[data-do=settings]").first.click()
    page.wait_for_selector("dialog[open]")
    assert violations(page) == []


@pytest.mark.sample(1)
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("board", "visitor"), [pytest.param(board, look, id=f"{board}-{look_id(look)}") for board, look in SEEN], indirect=["visitor"]
)
def test_in_the_game_and_at_its_end(visitor: Visitor, board: str) -> None:
    """Looked at before the first choices, after them, and some turns later with the guide open; in the soak more often."""
    table = visitor.new_table(board, "person", "easy")
    page = visitor.open(f"/t/{table}")
    page.wait_for_selector(".page")
    page.wait_for_timeout(300)
    assert violations(page) == []
    player = Player(page, seed=5)
    for acts in (4,) * 3 if SOAK else (12,):
        player.play(acts)
        assert violations(page) == []


@pytest.mark.soak("reasons stand in the same panel as the question, which is looked at above")
@pytest.mark.parametrize("visitor", LOOKS if SOAK else LOOKS[:1], ids=look_id, indirect=True)
def test_why_not(visitor: Visitor) -> None:
    """Point at a route that nobody could pay for after the first tickets: the page says why it cannot be claimed."""
    visitor.without_guides()
    page = visitor.open(f"/t/{visitor.new_table('world', 'person', 'easy')}")
    player = Player(page)
    player.play(2)
    page.wait_for_selector(".question .ask")
    assert (page.locator(".asks > :first-child").bounding_box() or {})["width"] > 200  # not squeezed beside the exchange of pieces
    player.claim(player.in_sight("g[data-route]:not(.legal)"))
    page.wait_for_selector(".question .why")
    name, close = (page.locator(f".choice header {part}").bounding_box() or {} for part in ("strong", "button"))
    assert close["y"] < name["y"] + name["height"] / 2 < close["y"] + close["height"]  # however long the reason, the way out stays beside the name
    assert close["x"] > name["x"] + name["width"]
    assert page.locator(".board p[aria-hidden] > strong").count() == 0  # what is chosen needs no caption
    assert violations(page) == []


@pytest.mark.timeout(300)
@pytest.mark.parametrize("visitor", LOOKS if SOAK else LOOKS[1:], ids=look_id, indirect=True)
@pytest.mark.soak("a game and its end are looked at in another test")
def test_the_end_and_the_replay(visitor: Visitor) -> None:
    visitor.without_guides()
    table = visitor.new_table("london", "person", "easy", chance=True, commitment=commitment_of("0" * 32))
    visitor.ask(f"/api/tables/{table}/reveal", {"number": "0" * 32})
    play_out_unseen(table, visitor)
    page = visitor.open(f"/t/{table}")
    page.wait_for_selector(".page.over")
    page.wait_for_timeout(300)
    assert violations(page) == []
    proof(visitor)
    assert violations(page) == []
    page = visitor.open(f"/replay/{table}")
    page.wait_for_selector("input[type=range]")
    assert violations(page) == []
