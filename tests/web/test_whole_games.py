"""Whole games in a real browser, played by clicking as a person would."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from branchline.play.records import Record
from tests.conftest import SOAK
from tests.server.running import ServerProcess
from tests.web.browsing import PHONE, Player, Visitor, play_out_unseen

GAMES = {"europe": 2, "london": 3, "world": 2, "card-game": 4, "usa": 3, "new-york": 2, "great-lakes": 3}
ASKED = GAMES if SOAK else ["europe", "world", "card-game"]  # between them, these ask every kind of question
TO_THE_END = list(GAMES) if SOAK else []  # of the others the beginning; on a phone, one game is played to its end
BEGINNING = 6
LANGUAGES = {"en-GB": "Your turn!", "pl-PL": "Twoja tura!", "uk-UA": "Ваш хід!"}


def sit_down(browser: Browser, server: ServerProcess, visitors: list[Visitor], game: str, seats: int, **how: Any) -> tuple[Visitor, str]:
    """A visitor at a table with bots that act immediately."""
    visitor = Visitor(browser, server.url, **how)
    visitors.append(visitor)
    visitor.without_guides()
    table = visitor.new_table(game, "person", *["normal"] * (seats - 1))
    visitor.open(f"/t/{table}").wait_for_selector(".page")
    return visitor, table


def skip_to_the_result(page: Page) -> None:
    page.wait_for_selector("[data-do=skip], [data-total]")
    if not page.locator("[data-total]").count():
        page.locator("[data-do=skip]").click()
    page.wait_for_selector("[data-total]")


def final_totals(visitor: Visitor) -> list[int]:
    """The totals that the page shows after the count."""
    skip_to_the_result(visitor.page)
    return [int(text.replace("−", "-")) for text in visitor.page.locator("[data-total]").all_inner_texts()]


def record_of(visitor: Visitor, table: str) -> Record:
    return Record.from_json(json.dumps(visitor.ask(f"/api/tables/{table}/record")))


def check_the_end(visitor: Visitor, table: str) -> Record:
    """The page's totals are the record's, and the record replays to the same result."""
    record = record_of(visitor, table)
    totals = [score["total"] for score in record.result["scores"]]
    assert sorted(final_totals(visitor)) == sorted(totals)
    assert record.replay().result == record.result
    return record


@pytest.mark.sample(1)
@pytest.mark.timeout(400)
@pytest.mark.parametrize("board", ASKED)
def test_a_whole_game_by_clicking(browser: Browser, server: ServerProcess, visitors: list[Visitor], board: str) -> None:
    visitor, table = sit_down(browser, server, visitors, board, GAMES[board])
    player = Player(visitor.page, seed=len(board))
    if board in TO_THE_END:
        player.play_out()
        check_the_end(visitor, table)
    else:
        player.play(BEGINNING)
        assert sum(player.acts.values()) == BEGINNING


@pytest.mark.sample(1)
@pytest.mark.timeout(300)
@pytest.mark.parametrize("locale", LANGUAGES)
def test_a_whole_game_on_a_phone_in_every_language(browser: Browser, server: ServerProcess, visitors: list[Visitor], locale: str) -> None:
    how = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2, "locale": locale}
    visitor, table = sit_down(browser, server, visitors, "london", 2, **how)
    player = Player(visitor.page, seed=7, taps=True)
    player.tickets_first()
    assert LANGUAGES[locale] in visitor.page.inner_text(".question")
    if SOAK or locale == "uk-UA":  # the longest words
        player.play_out()
        check_the_end(visitor, table)
    width = visitor.page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], "nothing is wider than the phone"


def test_the_record_can_be_downloaded_and_brought_to_the_replay(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitors.append(visitor := Visitor(browser, server.url))
    visitor.without_guides()
    table = visitor.new_table("london", "person", "normal")
    play_out_unseen(table, visitor)
    skip_to_the_result(visitor.open(f"/t/{table}"))
    visitor.page.locator(".end summary").first.click()
    with visitor.page.expect_download() as download:
        visitor.page.locator("[data-do=download]").click()
    path = download.value.path()
    assert Record.from_json(path.read_text()).result["winners"] is not None
    page = visitor.open("/replay")
    page.set_input_files("input[type=file]", path)
    page.wait_for_selector("input[type=range]")
    moments = int(page.get_attribute("input[type=range]", "max") or 0)
    assert moments == len(json.loads(path.read_text())["decisions"])
