"""Two people in two browsers: the table is made, shared and played; one reloads, the connection is cut, the server is killed, and nothing is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.conftest import SOAK
from tests.server.running import running_server
from tests.web.browsing import Player, Visitor, play_on_unseen
from tests.web.test_whole_games import skip_to_the_result

FEW = 12 if SOAK else 3  # acts between two mishaps


def seated(browser: Browser, url: str, name: str, visitors: list[Visitor]) -> Visitor:
    visitor = Visitor(browser, url, reduced_motion="reduce")
    visitors.append(visitor)
    visitor.prefer(guides=False, name=name)
    return visitor


@pytest.mark.soak("test_connection.py reloads and cuts, test_offline.py kills the server, test_fairness.py has two browsers")
@pytest.mark.timeout(400)
def test_two_browsers_with_a_reload_a_cut_connection_and_a_killed_server(browser: Browser, tmp_path: Path) -> None:
    people: list[Visitor] = []
    with running_server(tmp_path) as server:
        ann, bob = (seated(browser, server.url, name, people) for name in ("Ann", "Bob"))
        table = ann.new_table("london", "person", "person", first_seat=0)
        ann.open(f"/t/{table}")
        link = ann.page.wait_for_selector("input[readonly]").input_value()
        assert link.endswith(f"/t/{table}")
        bob.open(f"/t/{table}")
        bob.page.locator("[data-do=join]").first.click()
        for person in (ann, bob):
            person.page.wait_for_selector(".page")
        players = [Player(ann.page, seed=1), Player(bob.page, seed=2)]
        play_both(players, 2 * FEW)
        bob.page.reload()
        bob.page.wait_for_selector(".page")
        play_both(players, FEW)
        ann.context.set_offline(True)
        ann.page.wait_for_timeout(500)
        ann.context.set_offline(False)
        play_both(players, FEW)
        server.kill()
        ann.page.wait_for_selector(".lost")
        server.start()
        for person in (ann, bob):
            person.page.wait_for_selector(".lost", state="detached")
        play_both(players, 10_000 if SOAK else FEW)
        play_on_unseen(table, ann, bob)
        assert totals(ann) == totals(bob)
    cut = re.compile(r"WebSocket|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|Failed to load resource")
    beyond = [error for person in people for error in person.errors if not cut.search(error)]
    assert beyond == [], "beyond what the browser itself says about cut connections"
    for person in people:
        person.close()


def play_both(players: list[Player], acts: int) -> None:
    """Whoever is asked acts."""
    for _ in range(acts):
        acted = [player.act_if_asked() for player in players]
        if not any(acted):
            if all(player.is_over() for player in players):
                return
            players[0].page.wait_for_timeout(20)


def totals(visitor: Visitor) -> list[str]:
    skip_to_the_result(visitor.page)
    return visitor.page.locator("[data-total]").all_inner_texts()
