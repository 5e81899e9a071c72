"""What a person has begun continues after a break: a choice of several decisions, another tab of the same seat, a connection that dies."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute

from tests.conftest import SOAK
from tests.server.running import ServerProcess
from tests.web.browsing import Player, Visitor

LIVE = re.compile("/live$")


def europe(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> tuple[Visitor, str]:
    visitor = Visitor(browser, server.url)
    visitors.append(visitor)
    visitor.without_guides()
    return visitor, visitor.new_table("europe", "person", "easy")


def own(visitor: Visitor, table: str) -> dict[str, Any]:
    return dict(visitor.ask(f"/api/tables/{table}")["state"]["position"]["seats"]["0"])


def keep(visitor: Visitor, *places: int) -> list[str]:
    """Tick these tickets and confirm; returns what the page calls them."""
    boxes = visitor.page.locator(".question .choice label")
    boxes.first.wait_for()
    for place in places:
        boxes.nth(place).locator("input").check()
    names = [boxes.nth(place).locator(".places").inner_text() for place in places]
    visitor.page.locator(".question .choice .primary").click()
    return names


def held_names(visitor: Visitor) -> list[str]:
    visitor.page.wait_for_selector(".tickets li")
    return visitor.page.locator(".tickets .places").all_inner_texts()


@pytest.mark.soak("another cut is tested beside it")
def test_a_choice_of_several_decisions_goes_on_after_a_cut(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor, table = europe(browser, server, visitors)
    cuts: list[str] = []

    def through(socket: WebSocketRoute) -> None:
        """Passes everything on, and cuts the line after the first decision."""
        line = socket.connect_to_server()

        def from_page(message: str | bytes) -> None:
            line.send(message)
            if b'"decide"' in (message.encode() if isinstance(message, str) else message) and not cuts:
                cuts.append("cut")
                socket.close(code=1012)

        socket.on_message(from_page)

    visitor.page.route_web_socket(LIVE, through)
    visitor.open(f"/t/{table}")
    kept = keep(visitor, 0, 3)
    visitor.page.wait_for_selector(".question .ask, .question .waiting")
    visitor.page.wait_for_function("() => document.querySelectorAll('.tickets li').length === 2")
    assert cuts == ["cut"]
    assert sorted(held_names(visitor)) == sorted(kept)
    assert len(own(visitor, table)["held"]) == 2


def test_what_is_answered_is_not_offered_again(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    """The server has accepted a decision, but its outcome is late: the page waits for it."""
    visitor, table = europe(browser, server, visitors)
    page, answers, late = visitor.page, list[str](), list[tuple[WebSocketRoute, str]]()
    is_slow = False

    def through(socket: WebSocketRoute) -> None:
        """Passes everything on, except updates while the line is slow."""
        line = socket.connect_to_server()

        def from_server(message: str | bytes) -> None:
            kind = json.loads(message)["type"]
            if is_slow and kind == "update":
                late.append((socket, str(message)))
            else:
                answers.append(kind)
                socket.send(message)

        line.on_message(from_server)

    page.route_web_socket(LIVE, through)
    visitor.open(f"/t/{table}")
    keep(visitor, 0, 3)
    page.wait_for_selector(".page[aria-busy=false] .supply .take.lit")
    is_slow, answers[:] = True, []
    page.locator(".supply .take.lit").last.click()
    while "done" not in answers or not late:
        page.wait_for_timeout(20)
    page.wait_for_timeout(100)
    assert page.locator(".page[aria-busy=true]").count() == 1
    is_slow = False
    for socket, message in late:
        socket.send(message)
    page.wait_for_selector(".page[aria-busy=false]")


@pytest.mark.soak("tests/server/test_races.py answers through two connections")
def test_two_tabs_of_one_seat_show_the_same_and_take_turns(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor, table = europe(browser, server, visitors)
    visitor.open(f"/t/{table}")
    other = visitor.context.new_page()
    other.goto(f"{server.url}/t/{table}")
    other.wait_for_selector(".question .choice")
    keep(visitor, 1, 2)
    other.wait_for_function("() => document.querySelectorAll('.tickets li').length === 2")
    players = [Player(visitor.page, seed=1), Player(other, seed=2)]
    for turn in range(8 if SOAK else 4):
        players[turn % 2].act()
    visitor.page.wait_for_timeout(1_000)  # the bot has acted: nothing is on its way
    panels = [page.locator("[data-spot=seat-0]").text_content() or "" for page in (visitor.page, other)]
    assert panels[0] == panels[1]
    assert f"{own(visitor, table)['cards']} card" in panels[0]


@pytest.mark.soak("hints are asked for in tests/server and looked at in test_layout.py")
def test_hints_at_every_turn_of_a_game(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    """A hint may be any decision, with any plan; the page shows each, and does what it says when asked to."""
    visitor = Visitor(browser, server.url)
    visitors.append(visitor)
    visitor.without_guides()
    table = visitor.new_table("london", "person", "easy")
    visitor.open(f"/t/{table}").wait_for_selector(".page")
    page, taken = visitor.page, 0
    player = Player(page, seed=8)
    while not player.is_over() and (SOAK or taken < 5):
        button = page.locator(".page[aria-busy=false] [data-do=hint]:enabled")
        if not button.count():  # the bot's turn; or the game is over, by now
            page.wait_for_timeout(20)
            continue
        button.click()
        page.wait_for_selector(".hint, .question .waiting, .page.over")
        if page.locator(".hint .button").count() > 1:
            page.locator(".hint .button").first.click()
            taken += 1
            page.wait_for_timeout(40)
    assert taken > 10 or (taken == 5 and not SOAK)
