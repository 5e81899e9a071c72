"""What somebody finds again who comes back: the last game, finished games, their seat, and how loud it was."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.server.running import ServerProcess
from tests.web.browsing import Visitor, play_out_unseen


@pytest.fixture
def visitor(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> Visitor:
    visitors.append(visitor := Visitor(browser, server.url))
    return visitor


def test_the_start_page_remembers_the_last_game_its_seats_and_the_level(visitor: Visitor) -> None:
    page = visitor.open()
    page.locator("[data-do=play]:enabled").wait_for()
    page.locator("input[name=game][value=london]").check()
    for choice in ("4", "easy"):
        page.locator(f".quick input[value='{choice}']").check()
    page.locator("[data-do=play]").click()
    page.wait_for_selector(".page")
    page = visitor.open()
    expect(page.locator("input[name=game][value=london]")).to_be_checked()
    assert page.locator(".quick .bar .chosen").locator("input").evaluate_all("(all) => all.map((one) => one.value)") == ["4", "easy"]
    tables = visitor.ask("/api/my/tables")["tables"]
    assert [(table["game"], len(table["seats"])) for table in tables] == [("london", 4)]


def test_a_finished_game_is_listed_with_its_result_and_date(visitor: Visitor) -> None:
    table = visitor.new_table("new-york", "person", "easy", first_seat=0)
    play_out_unseen(table, visitor)
    points = visitor.ask("/api/my/tables")["tables"][0]["outcome"]["points"]
    page = visitor.open()
    page.locator("#mine summary").click()
    row = page.locator("#mine details li")
    expected = "won" if points[0] > points[1] else "place 2 of 2" if points[0] < points[1] else "won|place 2 of 2"
    expect(row.locator(".status")).to_have_text(re.compile(expected))
    day = page.evaluate("new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format()")
    expect(row.locator(".when")).to_have_text(day)
    assert row.locator(".people strong").all_inner_texts() == [str(one) for one in points]


def test_whoever_left_says_in_the_question_that_they_are_back(visitor: Visitor) -> None:
    visitor.without_guides()
    table = visitor.new_table("new-york", "person", "easy", grace_seconds=3600)
    visitor.ask(f"/api/tables/{table}/leave", {})
    page = visitor.open(f"/t/{table}")
    back = page.locator(".question").get_by_text("I am back", exact=True)
    back.click()
    expect(page.locator(".question.mine input[type=checkbox]").first).to_be_enabled()
    expect(back).to_have_count(0)


def test_a_volume_and_silence_are_remembered(visitor: Visitor) -> None:
    page = visitor.open("/rules/europe")
    for volume in ("1", "0"):
        choice = page.get_by_role("group", name="Sounds").locator(f"input[value='{volume}']")
        page.locator("[data-do=settings]").click()
        choice.check()
        page.reload()
        page.locator("[data-do=settings]").click()
        expect(choice).to_be_checked()
        page.keyboard.press("Escape")
