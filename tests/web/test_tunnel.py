"""A tunnel's cards turn up one after the other, and nothing tells what it costs before the third has turned."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute

from tests.server.running import ServerProcess
from tests.web.browsing import Visitor
from tests.web.test_compass_and_pace import at_a_table, draw
from tests.web.test_connection import LIVE

TUNNEL = "angora-constantinople"
LAID, TURNED = ["green", "green"], ["green", "red", "blue"]
OTHERS = ["red", "blue", "red"]
LOW = {"width": 1280, "height": 720}
LAY = {"event": "tunnel_lay", "seat": 0, "route": TUNNEL, "cards": LAID}
CLAIM = {"event": "claim", "seat": 0, "route": TUNNEL, "cards": LAID, "points": 2}
ABANDON = {"event": "tunnel_abandon", "seat": 0, "route": TUNNEL}
PAYING = {
    "phase": "tunnel",
    "choosing": [0],
    "tunnel": {"route": TUNNEL, "laid": {"green": 2}, "owed": 1},
    "legal": ["pay green", "abandon"],
    "payments": [{"decisions": ["pay green"], "cards": {"green": 1}}],
}
WORDS = {"en-GB": "Pay…|Give up", "uk-UA": "Доплатити…|Відмовитися"}
OUTCOMES = [
    pytest.param(0, OTHERS, [CLAIM], {}, "en-GB", id="nothing owed"),
    pytest.param(1, TURNED, [], PAYING, "en-GB", id="one card owed"),
    pytest.param(1, TURNED, [ABANDON], {}, "uk-UA", id="given up"),
]

# in every frame: how many cards face the viewer, what is said, and the answers that are there
WATCH = """() => {
  window.seen = []
  const isSeen = (card) => new DOMMatrix(getComputedStyle(card).transform).m11 < -0.3  // well past its edge
  const look = () => {
    const tunnel = document.querySelector('.question .tunnel')
    if (tunnel) {
      const answers = [...tunnel.querySelectorAll('.two .button')]
      const open = [...tunnel.querySelectorAll('.flip')].filter(isSeen).length
      const live = answers.filter((one) => !one.disabled).length
      const words = answers.map((one) => one.textContent.trim()).join('|')
      const fits = tunnel.scrollWidth <= tunnel.clientWidth
      seen.push({ open, said: tunnel.querySelector('.verdict').textContent, answers: answers.length, live, words, fits })
    }
    requestAnimationFrame(look)
  }
  look()
}"""


@pytest.mark.sample(1)
@pytest.mark.parametrize(("owed", "turned", "then", "position", "locale"), OUTCOMES)
def test_nothing_tells_a_tunnel_before_its_third_card(
    browser: Browser,
    server: ServerProcess,
    visitors: list[Visitor],
    owed: int,
    turned: list[str],
    then: list[dict[str, Any]],
    position: dict[str, Any],
    locale: str,
) -> None:
    """The next update brings a tunnel: chance would take long to bring all three."""
    visitor, table = at_a_table(browser, server, visitors, "europe", reduced_motion="no-preference", locale=locale, viewport=LOW)
    is_new = False

    def through(socket: WebSocketRoute) -> None:
        line = socket.connect_to_server()

        def from_server(message: str | bytes) -> None:
            nonlocal is_new
            told = json.loads(message)
            if is_new and told["type"] == "update" and "patch" in told:
                is_new = False
                told["events"] = [LAY, {"event": "tunnel_reveal", "cards": turned, "owed": owed}, *then]
                told["patch"].setdefault("position", {}).update(position)
            socket.send(json.dumps(told))

        line.on_message(from_server)

    visitor.page.route_web_socket(LIVE, through)
    page = visitor.open(f"/t/{table}")
    page.wait_for_selector(".tickets .points")
    page.evaluate(WATCH)
    is_new = True
    draw(visitor, table, "tunnel")
    page.wait_for_selector(".question .tunnel")
    page.wait_for_function("() => seen.some(({ open }) => open === 3) && (!document.querySelector('.question .tunnel') || seen.at(-1).live)")
    seen = page.evaluate("seen")
    before = [one for one in seen if one["open"] < 3]
    assert {(one["answers"], one["live"], one["words"]) for one in before} == {(2, 0, WORDS[locale])}
    assert all(one["fits"] for one in seen)
    first = {said: next(one["open"] for one in seen if one["said"] == said) for said in dict.fromkeys(one["said"] for one in seen)}
    assert list(first.values())[:4] == [0, 1, 2, 3]  # each sentence once its card is there
    if position:
        assert seen[-1]["words"].startswith("Pay 1 green|Give up")
        assert seen[-1]["live"] == 2
