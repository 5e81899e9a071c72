"""A server started with `--boards`: the page shows a board from outside with the texts and names of its own folder, in each of its languages."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.boards.outside import ENGLISH, write_board
from tests.conftest import SOAK
from tests.server.running import ServerProcess, running_server
from tests.web.browsing import PATIENCE, Visitor


class Told(NamedTuple):
    """What the folder says in a language."""

    name: str
    line: str
    summary: str
    section: str
    rule: str
    city: str

    def as_toml(self) -> str:
        section = f'[[sections]]\nid = "setup"\ntitle = "{self.section}"\n[[sections.rules]]\nid = "FI-1"\ntext = "{self.rule}"\n'
        return f'name = "{self.name}"\nline = "{self.line}"\nsummary = ["{self.summary}"]\n{section}'


TOLD = {
    "en": Told("The Isles", "Six islands, and storms between them", "A small game.", "Before the game", "Everyone has 12 trains.", "Arch"),
    "pl": Told("Wysepki", "Sześć wysp, a między nimi sztormy", "Mała gra.", "Zanim zaczniesz", "Każdy ma 12 wagonów.", "Łukowo"),
    "uk": Told("Острівці", "Шість островів, а між ними бурі", "Маленька гра.", "Перед початком", "Кожен має 12 вагонів.", "Аркове"),
}
NAMES = f"city,pl,uk\narch,{TOLD['pl'].city},{TOLD['uk'].city}\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    place = tmp_path_factory.mktemp("outside")
    words = {"words/en.toml": ENGLISH, "words/pl.toml": TOLD["pl"].as_toml(), "words/uk.toml": TOLD["uk"].as_toml()}
    write_board(place / "isles", {"names.csv": NAMES, **words})
    with running_server(place, None, "--boards", str(place / "isles")) as running:
        yield running


@pytest.mark.parametrize("language", TOLD if SOAK else ["pl"])
@pytest.mark.soak("what the page is told of such a board is in tests/server/test_own_boards.py")
def test_a_board_from_outside_is_shown_with_its_own_words(browser: Browser, server: ServerProcess, visitors: list[Visitor], language: str) -> None:
    told = TOLD[language]
    visitors.append(visitor := Visitor(browser, server.url, locale=language))
    visitor.without_guides()
    played = visitor.new_table("far-isles", "normal", "normal")
    card = visitor.open().locator(".cards label", has_text=told.name)
    expect(card).to_contain_text(told.line)
    check_rules(visitor.open("/rules/far-isles"), told)
    waiting = visitor.new_table("far-isles", "person", "person")
    expect(visitor.open(f"/t/{waiting}").locator("#lobby-title")).to_contain_text(told.name)
    check_replay(visitor, played, told)


def check_rules(page: Page, told: Told) -> None:
    expect(page.get_by_role("heading", level=1)).to_contain_text(told.name)
    for text in (told.summary, told.section, told.rule):
        expect(page.get_by_text(text).first).to_be_visible()


def check_replay(visitor: Visitor, played: str, told: Told) -> None:
    """Of a game between two bots: its map and its log."""
    end = time.monotonic() + PATIENCE
    while visitor.ask(f"/api/tables/{played}")["state"]["status"] == "playing":
        assert time.monotonic() < end
        time.sleep(0.1)
    page = visitor.open(f"/replay/{played}")
    expect(page.locator("[data-city=arch]").first).to_have_attribute("aria-label", told.city)
    expect(page.locator(".board text", has_text=told.city).first).to_be_visible()
    expect(page.locator("[data-key]", has_text=told.city).first).to_be_attached()
