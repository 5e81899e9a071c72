"""A whole game with the keyboard alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser
from playwright.sync_api import TimeoutError as NotThere

from tests.conftest import SOAK
from tests.server.running import ServerProcess
from tests.web.browsing import SOON, Player, Visitor, play_on_unseen
from tests.web.test_whole_games import check_the_end, sit_down

MOST_TABS = 120


class KeyboardPlayer(Player):
    """Moves around with Tab and the arrow keys, and chooses with Enter or Space."""

    def tab_to(self, selector: str) -> None:
        for _ in range(MOST_TABS):
            if self.page.evaluate("(selector) => document.activeElement?.matches(selector) ?? false", selector):
                return
            self.page.keyboard.press("Tab")
        raise NotThere(f"the keyboard does not reach {selector}")

    def press_on(self, selector: str, key: str = "Enter") -> None:
        self.tab_to(selector)
        self.page.keyboard.press(key)
        self.page.wait_for_timeout(20)

    def pick(self, selector: str) -> None:
        self.press_on(selector)

    def chosen(self) -> None:
        self.press_on(".question .do .primary")

    def tickets(self) -> None:
        confirm = self.page.locator(".question .choice .primary")
        while confirm.is_disabled(timeout=SOON):
            self.press_on(".question .choice input:enabled:not(:checked)", "Space")
        self.press_on(".question .choice .primary")
        self.page.wait_for_timeout(60)

    def drawTickets(self) -> None:  # noqa: N802  # named like what the page offers
        self.press_on(".supply .tickets.lit")

    def primary(self) -> None:
        self.press_on(".question .asked .primary")

    def more(self) -> None:
        self.press_on(".question .more .button")

    def claim(self, route: str) -> None:
        """Into the board, and from place to place with the arrows until a lit route is reached."""
        self.tab_to("g[data-key]")
        for step in range(60):
            if self.page.evaluate("document.activeElement.matches('g.legal[data-route]')"):
                self.page.keyboard.press("Enter")
                self.page.wait_for_timeout(20)
                return
            self.page.keyboard.press(self.rng.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) if step else "ArrowRight")
        raise NotThere(f"the arrows do not reach {route}")


@pytest.mark.timeout(400)
def test_a_whole_game_with_the_keyboard_alone(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor, table = sit_down(browser, server, visitors, "london", 2)
    visitor.page.mouse.move(0, 0)
    player = KeyboardPlayer(visitor.page, seed=3)
    while SOAK or player.acts.get("claim", 0) < 3:
        if not player.act():
            break
    assert player.acts.get("claim", 0) >= 3
    play_on_unseen(table, visitor)
    check_the_end(visitor, table)
