"""The page shows whichever games the server lists, in the server's order, including one that it has no words or picture for."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Browser, Page, Route, expect

from tests.server.running import ServerProcess
from tests.web.browsing import Visitor

FAR_ISLES = {"game": "far-isles", "name": "The Far Isles", "rules_version": 1, "players": [3, 5], "options": []}


def listed_too(page: Page, more: dict[str, Any], at: int) -> None:
    """The server lists one more game."""

    def answer(route: Route) -> None:
        about = route.fetch().json()
        about["games"].insert(at, more)
        route.fulfill(body=json.dumps(about), content_type="application/json")

    page.route("**/api/about", answer)


def test_a_new_game_is_offered_like_the_others(server: ServerProcess, browser: Browser, visitors: list[Visitor]) -> None:
    visitors.append(visitor := Visitor(browser, server.url))
    listed_too(visitor.page, FAR_ISLES, at=7)
    page = visitor.open()
    cards = page.locator(".cards label")
    expect(cards).to_have_count(8)
    expect(cards.last.locator("strong")).to_have_text("The Far Isles")
    expect(cards.last.locator("svg").first).to_be_visible()
    cards.last.click()
    expect(page.locator(".choices fieldset").first.locator("label")).to_have_text(["3", "4", "5"])
    assert page.locator("a[href='/rules/far-isles']").count() == 0  # it has no rulebook


def test_the_first_game_of_the_list_is_chosen_to_begin_with(server: ServerProcess, browser: Browser, visitors: list[Visitor]) -> None:
    visitors.append(visitor := Visitor(browser, server.url))
    listed_too(visitor.page, FAR_ISLES, at=0)
    page = visitor.open()
    expect(page.locator(".cards label.chosen strong")).to_have_text("The Far Isles")
    page.get_by_role("button", name="Open a table").click()
    expect(page.locator("dialog select option").first).to_have_text("The Far Isles")


def test_options_are_offered_for_games_that_have_them(server: ServerProcess, browser: Browser, visitors: list[Visitor]) -> None:
    visitors.append(visitor := Visitor(browser, server.url))
    page = visitor.open()
    page.get_by_role("button", name="Open a table").click()
    options = page.locator("dialog fieldset input[type=checkbox]")
    game = page.locator("dialog select").first
    expect(game).to_be_visible()
    before = options.count()
    game.select_option("card-game")
    expect(options).to_have_count(before + 3)
    game.select_option("europe")
    expect(options).to_have_count(before)
