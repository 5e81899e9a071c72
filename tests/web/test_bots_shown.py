"""Bots that are not levels: those that the operator offers, and those that came by themselves, are shown as bots by their own names."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.server.running import ServerProcess
from tests.web.browsing import Visitor


def test_a_further_bot_is_offered_by_name_and_description(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    ann = Visitor(browser, server.url)
    visitors.append(ann)
    page = ann.open("/")
    page.get_by_role("button", name="Open a table").click()
    page.get_by_label("Seat 2", exact=True).select_option(label="Bot (surveyor)")
    expect(page.get_by_text("surveyor: Looks for the cheapest way for each ticket.")).to_be_visible()


def test_a_bot_that_came_by_itself_is_shown_as_a_bot(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    ann, bot = Visitor(browser, server.url), Visitor(browser, server.url)
    visitors += [ann, bot]
    ann.without_guides()
    table = ann.new_table("london", "person", "person", "surveyor")
    bot.ask(f"/api/tables/{table}/join", {"name": "wanderer", "bot": True})
    page = ann.open(f"/t/{table}")
    for name in ("wanderer (bot)", "Bot (surveyor)"):
        expect(page.get_by_text(name).first).to_be_visible()


def test_a_quick_game_can_be_against_a_further_bot(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    ann = Visitor(browser, server.url)
    visitors.append(ann)
    ann.without_guides()
    page = ann.open("/")
    form = page.get_by_role("form", name="Quick game")
    form.locator("label", has_text="surveyor").click()  # once it rests: the facts of the games may still be arriving
    expect(form.get_by_text("Looks for the cheapest way for each ticket.")).to_be_visible()
    form.locator("[data-do=play]").click()
    page.wait_for_url("**/t/*")
    expect(page.get_by_text("Bot (surveyor)").first).to_be_visible()
