"""Everybody's browser gives a number to the shuffle by itself, shows what was promised, and checks at the end that it was kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator

from branchline.play.chance import commitment_of
from tests.commands import branchline
from tests.server.running import ServerProcess
from tests.web.browsing import Visitor, play_on_unseen
from tests.web.test_whole_games import skip_to_the_result

# as at a home network, where the page comes over plain http
WITHOUT_SUBTLE = "Object.defineProperty(crypto, 'subtle', { value: undefined })"


def guest(browser: Browser, url: str, name: str, visitors: list[Visitor], **how: str) -> Visitor:
    visitor = Visitor(browser, url, **how)
    visitors.append(visitor)
    visitor.prefer(guides=False, name=name, pace=0)
    visitor.page.add_init_script(WITHOUT_SUBTLE)
    return visitor


def open_by_hand(visitor: Visitor) -> str:
    """A table opened in the page, for two people and a bot."""
    page = visitor.open("/")
    page.get_by_role("button", name="Open a table").click()
    page.locator("dialog form .primary").click()
    page.wait_for_url("**/t/*")
    return page.url.rpartition("/")[2]


def numbers(visitor: Visitor) -> dict[str, str]:
    """What the browser keeps: numbers by commitment."""
    kept = json.loads(visitor.page.evaluate("localStorage.getItem('branchline.numbers') ?? '[]'"))
    return {one["commitment"]: one["number"] for one in kept}


def proof(visitor: Visitor) -> Locator:
    """The answer to whether the cards were fair, unfolded."""
    skip_to_the_result(visitor.page)
    visitor.page.locator(".after summary").first.click()
    fair = visitor.page.locator("details", has=visitor.page.get_by_text("Was the shuffle fair?", exact=True)).last
    fair.locator("summary").click()
    return fair


@pytest.mark.soak("two browsers play a whole game; numbers of a person who went away are followed below")
def test_both_browsers_numbers_are_promised_used_and_checked_and_changes_are_found_out(
    browser: Browser, server: ServerProcess, visitors: list[Visitor], tmp_path: Path
) -> None:
    ann, bob = (guest(browser, server.url, name, visitors) for name in ("Ann", "Bob"))
    table = open_by_hand(ann)
    promised = ann.ask(f"/api/tables/{table}")["state"]
    mine = promised["chance"]["commitments"]["0"]
    assert commitment_of(numbers(ann)[mine]) == mine
    ann.page.reload()
    bob.open(f"/t/{table}")
    bob.page.get_by_text("How are the cards shuffled?").click()
    for fingerprint in (mine, promised["commitment"]):
        bob.page.get_by_text(fingerprint).wait_for()
    bob.page.locator("[data-do=join]").first.click()
    for person in (ann, bob):
        person.page.wait_for_selector(".page")
    assert bob.ask(f"/api/tables/{table}")["state"]["chance"]["revealed"] == [0, 1]
    play_on_unseen(table, ann, bob)
    for person in (ann, bob):
        fair = proof(person)
        fair.get_by_text("✓ Your number was used.").wait_for()
        fair.get_by_text("✓ Your browser has checked that secret and numbers match").wait_for()
        fair.get_by_text("✓ Fingerprints and names are those that your browser saw").wait_for()
        assert fair.locator(".bad").count() == 0
    (tmp_path / "game.json").write_text(json.dumps(bob.ask(f"/api/tables/{table}/record")))
    own = numbers(bob)[bob.ask(f"/api/tables/{table}")["state"]["chance"]["commitments"]["1"]]
    verified = branchline("verify", tmp_path / "game.json", "--commitment", promised["commitment"], "--number", own)
    assert "your number was used, as that of Bob" in verified.stdout
    finds_out_what_was_changed(bob)


def finds_out_what_was_changed(bob: Visitor) -> None:
    """A browser that remembers another number and another name than the server shows, as it would if the server had changed them."""
    bob.page.evaluate(
        """() => {
          const [kept] = JSON.parse(localStorage.getItem('branchline.numbers'))
          kept.seen.seats[0] = kept.seen.seats[0].replace('Ann', 'Eve')
          localStorage.setItem('branchline.numbers', JSON.stringify([{ ...kept, number: '0'.repeat(32) }]))
        }"""
    )
    bob.page.reload()
    fair = proof(bob)
    fair.get_by_text("✗ Your number was not used, although your browser sent it in time.").wait_for()
    fair.get_by_text("✗ Fingerprints or names are not those that your browser saw").wait_for()


@pytest.mark.soak("the server's tests hold who is left out")
def test_who_went_away_before_the_game_is_left_out_and_the_others_see_it(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    ann, bob = (guest(browser, server.url, name, visitors) for name in ("Ann", "Bob"))
    table = open_by_hand(ann)
    ann.open("/rules/london")
    bob.open(f"/t/{table}")
    bob.page.locator("[data-do=join]").first.click()
    bob.page.get_by_text("The cards are being shuffled… Still waiting for a number from Ann.").wait_for()
    bob.page.wait_for_selector(".page")
    bob.page.get_by_text("Ann’s number arrived too late").first.wait_for(state="attached")
    assert bob.ask(f"/api/tables/{table}")["state"]["chance"]["revealed"] == [1]
