"""In a browser: how far tickets are, the pace of the bots, what happened, and sounds only after a gesture."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.server.running import ServerProcess
from tests.web.browsing import PHONE, Visitor

COUNT_CONTEXTS = "window.contexts = 0; window.AudioContext = class extends AudioContext { constructor() { super(); window.contexts += 1 } }"


def opening_kept(visitor: Visitor, table: str) -> None:
    """Keeps all tickets offered at the opening, without the page."""
    for number in range(40):
        position = visitor.ask(f"/api/tables/{table}")["state"]["position"]
        if position["phase"] == "action":
            return
        if "question" in position:
            keep = next((text for text in position["legal"] if text.startswith("keep")), position["legal"][0])
            visitor.ask(f"/api/tables/{table}/decide", {"id": f"n{number}", "question": position["question"], "decision": keep})
    raise AssertionError("the opening does not end")


def draw(visitor: Visitor, table: str, name: str) -> None:
    """Draws a card, without the page, if the visitor is asked."""
    position = visitor.ask(f"/api/tables/{table}")["state"]["position"]
    if "question" in position:
        decision = next(text for text in position["legal"] if text.startswith("draw"))
        visitor.ask(f"/api/tables/{table}/decide", {"id": name, "question": position["question"], "decision": decision})


def at_a_table(browser: Browser, server: ServerProcess, visitors: list[Visitor], game: str = "usa", **how: object) -> tuple[Visitor, str]:
    visitor = Visitor(browser, server.url, **how)
    visitors.append(visitor)
    visitor.without_guides()
    table = visitor.new_table(game, "person", "easy", "easy", first_seat=0)
    opening_kept(visitor, table)
    return visitor, table


def test_a_ticket_tells_what_it_takes_and_shows_its_way(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor, table = at_a_table(browser, server, visitors)
    page = visitor.open(f"/t/{table}")
    bearing = next(iter(visitor.ask(f"/api/tables/{table}")["state"]["position"]["seats"]["0"]["compass"].values()))
    ticket = page.locator(".tickets .points").first
    expect(ticket).to_contain_text(f"{bearing['spaces']} spaces")
    ticket.hover()
    expect(page.locator("svg g.count")).to_have_count(len(bearing["free"]))
    expect(page.locator("p.way")).to_contain_text(" via " if len(bearing["free"]) > 1 else "–")
    assert page.locator("p.way").inner_text().count(",") == max(0, len(bearing["free"]) - 2)
    page.mouse.move(700, 300)
    expect(page.locator("svg g.count")).to_have_count(0)


def test_on_a_phone_the_sheet_makes_room_for_the_way(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor, table = at_a_table(browser, server, visitors, viewport=PHONE, has_touch=True)
    page = visitor.open(f"/t/{table}")
    page.locator(".opens-tickets").tap()
    page.locator(".tickets .points").first.tap()
    expect(page.locator(".tickets .points")).to_have_count(0)
    expect(page.locator("svg g.count").first).to_be_visible()


def test_the_pace_is_set_during_the_game_and_kept_for_the_next(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor, table = at_a_table(browser, server, visitors)
    page = visitor.open(f"/t/{table}")
    page.locator("button.opens").click()
    page.locator("[data-do=pace]").select_option("3")
    page.wait_for_function("() => JSON.parse(localStorage.getItem('branchline.prefs')).pace === 3")
    page.wait_for_timeout(300)
    assert visitor.ask(f"/api/tables/{table}")["state"]["settings"]["pace"] == 3
    draw(visitor, table, "one")
    draw(visitor, table, "two")
    page.locator("[data-do=skip]").click()
    page.wait_for_selector(".question .waiting", state="detached", timeout=2_500)  # two bots would take six seconds


def test_what_happened_is_told_again(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor, table = at_a_table(browser, server, visitors)
    page = visitor.open(f"/t/{table}")
    for number in range(4):
        draw(visitor, table, f"d{number}")
    page.locator("[data-do=happened]").click()
    expect(page.locator("[data-do=happened]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-do=happened]")).to_have_attribute("aria-pressed", "false", timeout=15_000)


def test_nothing_sounds_before_the_first_gesture(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor, table = at_a_table(browser, server, visitors)
    visitor.page.add_init_script(COUNT_CONTEXTS)
    page = visitor.open(f"/t/{table}")
    page.wait_for_selector(".hand")
    draw(visitor, table, "d")
    page.wait_for_timeout(500)
    assert page.evaluate("contexts") == 0
    page.mouse.click(700, 300)
    assert page.evaluate("contexts") == 1
    assert visitor.errors == []
