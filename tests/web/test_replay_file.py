"""A replay in a file of its own, opened from the disk without any network."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from branchline import Game, Record, read_records
from branchline.play.replays.page import replay_page
from tests.web.browsing import PHONE, WIDE, Visitor
from tests.web.test_accessibility import violations

GOLDEN = Path(__file__).parents[1] / "play" / "golden"
LARGEST = 1_000_000  # bytes


def written(folder: Path, record: Record, **how: object) -> str:
    file = folder / "replay.html"
    file.write_text(replay_page(record, **how), encoding="utf-8")  # type: ignore[arg-type]
    assert file.stat().st_size < LARGEST
    return file.as_uri()


def visitor_of(browser: Browser, visitors: list[Visitor], **how: object) -> Page:
    """Somebody without a network: whatever is asked of another host is an error."""
    # a browser of its own, as one with workers is: shared ones are cleared at a server
    visitors.append(Visitor(browser, "file://", **{"offline": True, "service_workers": "allow"} | how))
    return visitors[-1].page


@pytest.mark.sample(1)
@pytest.mark.parametrize(("board", "size", "theme"), [("europe", WIDE, "light"), ("card-game", PHONE, "dark")])
def test_it_opens_offline_and_is_looked_through_with_the_keyboard(
    browser: Browser, visitors: list[Visitor], tmp_path: Path, board: str, size: dict[str, int], theme: str
) -> None:
    record = next(read_records(GOLDEN / f"{board}.json"))
    page = visitor_of(browser, visitors, viewport=size, color_scheme=theme)
    page.goto(written(tmp_path, record, language="en"))
    expect(page.get_by_text("The game can begin")).to_be_visible()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_url("**#3")
    slider = page.get_by_role("slider").first
    slider.fill(str(len(record.decisions or ())))
    page.wait_for_url(f"**#{len(record.decisions or ())}")
    page.wait_for_timeout(200)
    assert violations(page) == []


def test_it_speaks_three_languages_and_saves_its_record(browser: Browser, visitors: list[Visitor], tmp_path: Path) -> None:
    record = next(read_records(GOLDEN / "london.json"))
    page = visitor_of(browser, visitors, locale="en-GB")
    page.goto(f"{written(tmp_path, record, language='uk')}#5/1")
    page.wait_for_selector("main.board")
    assert page.evaluate("document.documentElement.lang") == "uk"
    page.locator("header button").click()
    page.locator("[data-do=settings]").click()
    for language, title in (("pl", "Londyn"), ("en", "London")):
        page.locator("#settings-language").select_option(language)
        expect(page.locator("h1")).to_contain_text(title)
    page.keyboard.press("Escape")
    page.locator("header button").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
    waiting.value.save_as(tmp_path / "saved.json")
    assert next(read_records(tmp_path / "saved.json")) == record


def test_an_unfinished_game_says_so_and_of_one_seat_shows_no_other(browser: Browser, visitors: list[Visitor], tmp_path: Path) -> None:
    state = Game("london", 2).start(5)
    for _ in range(12):
        state.apply(state.legal[0])
    page = visitor_of(browser, visitors)
    page.goto(written(tmp_path, Record.of(state), seat=1, language="en"))
    expect(page.get_by_text("This game was not played to its end.")).to_be_visible()
    assert page.locator("select option").all_text_contents() == ["seat 1"]


def test_a_frame_of_a_notebook_shows_it_too(browser: Browser, visitors: list[Visitor], tmp_path: Path) -> None:
    record = next(read_records(GOLDEN / "london.json"))
    (tmp_path / "notebook.html").write_text(f"<!doctype html><title>A notebook</title>{record.widget(language='en')._repr_html_()}", encoding="utf-8")
    page = visitor_of(browser, visitors)
    page.goto((tmp_path / "notebook.html").as_uri())
    frame = page.frame_locator("iframe")
    expect(frame.get_by_text("The game can begin")).to_be_visible()
    frame.get_by_role("button", name="Next decision").click()
    expect(frame.get_by_text("decision 1 of")).to_be_visible()
