"""Choosing which tickets a track pile completes: the best choice is ticked, and can be changed to whatever the server says is possible."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.server.running import ServerProcess
from tests.web.browsing import Visitor
from tests.web.test_layout import Decider


def test_the_best_choice_is_changed_ticket_by_ticket(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitors.append(visitor := Visitor(browser, server.url))
    visitor.without_guides()
    decider = Decider(visitor, "card-game").play_to("completing tickets", "keep", "place", "draw")
    best = decider.position["best_choice"]["tickets"]
    page = decider.shown()
    page.locator("[data-do=change]").click()
    for ticket in best:  # begins with the best choice, and takes it back
        page.locator(f"[data-ticket='{ticket}'].chosen").click()
    expect(page.locator("button.ticket.chosen")).to_have_count(0)
    possible = visitor.ask(f"/api/tables/{decider.table}/completable")["tickets"]
    expect(page.locator("button.ticket:not(:disabled)")).to_have_count(len(possible))
    expect(page.locator("button.ticket small")).to_have_count(page.locator("button.ticket").count() - len(possible))
    page.locator(f"[data-ticket='{possible[0]}']").click()
    also = visitor.ask(f"/api/tables/{decider.table}/completable?ticket={possible[0]}")["tickets"]
    expect(page.locator("button.ticket:not(:disabled)")).to_have_count(1 + len(also))
    page.locator("[data-do=complete]").click()
    page.wait_for_selector("[data-do=complete]", state="detached")
    seat = visitor.ask(f"/api/tables/{decider.table}")["state"]["position"]["seats"]["0"]
    assert seat["completed"] == [possible[0]]
