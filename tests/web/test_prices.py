"""What an action costs is said where it is chosen, in points too, and tickets with the same name are told apart."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.server.running import ServerProcess
from tests.web.browsing import Visitor
from tests.web.test_compass_and_pace import at_a_table, opening_kept, ticket_name

PRICES = {"en-GB": "1 card and 4 points", "pl-PL": "1 karta i 4 punkty", "uk-UA": "1 карта і 4 очки"}


@pytest.mark.sample(1)
@pytest.mark.parametrize("locale", PRICES)
def test_a_station_costs_the_points_that_it_would_keep_unbuilt(browser: Browser, server: ServerProcess, visitors: list[Visitor], locale: str) -> None:
    visitor, table = at_a_table(browser, server, visitors, "europe", locale=locale)
    page = visitor.open(f"/t/{table}")
    expect(page.locator(".question .ask")).to_contain_text(f"({PRICES[locale]})")
    page.locator("g.legal[data-city]").first.press("Enter")
    expect(page.locator(".question .do .primary small")).to_have_text(PRICES[locale])


def test_a_hint_tells_tickets_with_the_same_name_apart(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitors.append(visitor := Visitor(browser, server.url))
    visitor.without_guides()
    facts = visitor.ask("/api/games/card-game")
    ends = [(one["a"], one["b"]) for one in facts["tickets"]]
    alike = next(one for one in facts["tickets"] if ends.count((one["a"], one["b"])) > 1)
    alone = next(one for one in facts["tickets"] if ends.count((one["a"], one["b"])) == 1)
    table = visitor.new_table("card-game", "person", "easy", first_seat=0)
    opening_kept(visitor, table)
    page = visitor.open(f"/t/{table}")
    for ticket, said in (
        (alike, f"{ticket_name(visitor, 'card-game', alike['id'])} ({alike['points']} points)."),
        (alone, f"{ticket_name(visitor, 'card-game', alone['id'])}."),
    ):
        hint = json.dumps({"decision": f"keep {ticket['id']}", "plan": {}})
        page.unroute("**/hint")
        page.route("**/hint", answering(hint))
        page.locator("[data-do=hint]").click()
        expect(page.locator(".hint p")).to_contain_text("Keep the ticket")
        expect(page.locator(".hint p")).to_contain_text(said)
        page.locator(".hint .quiet").click()


def answering(body: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=body, content_type="application/json")
