"""In a browser: how far tickets are, the pace of the bots, what happened, and sounds only after a gesture."""

from __future__ import annotations

import itertools
import json
import time
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.server.running import ServerProcess
from tests.web.browsing import PATIENCE, PHONE, Visitor
from tests.web.test_connection import LIVE

COUNT_CONTEXTS = "window.contexts = 0; window.AudioContext = class extends AudioContext { constructor() { super(); window.contexts += 1 } }"


def opening_kept(visitor: Visitor, table: str) -> None:
    """Keeps all tickets offered at the opening, without the page."""
    end = time.monotonic() + PATIENCE
    for number in itertools.count():
        assert time.monotonic() < end, "the opening does not end"
        position = visitor.ask(f"/api/tables/{table}")["state"]["position"]
        if position["phase"] == "action":
            return
        if "question" not in position:
            time.sleep(0.02)  # for the bots
        else:
            keep = next((text for text in position["legal"] if text.startswith("keep")), position["legal"][0])
            visitor.ask(f"/api/tables/{table}/decide", {"id": f"n{number}", "question": position["question"], "decision": keep})


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


@pytest.mark.soak("test_layout.py measures the sheets")
def test_on_a_phone_the_sheet_makes_room_for_the_way(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor, table = at_a_table(browser, server, visitors, viewport=PHONE, has_touch=True)
    page = visitor.open(f"/t/{table}")
    page.locator(".opens-tickets").tap()
    page.locator(".tickets .points").first.tap()
    expect(page.locator(".tickets .points")).to_have_count(0)
    expect(page.locator("svg g.count").first).to_be_visible()


CUT = {"state": "cut", "spaces": 0, "turns": 0, "own": None, "free": None, "why": "rivals", "closed": ["duluth-omaha.1"], "closed_by": [1]}
LATE = {"state": "open", "turns": 5, "turns_left": 2}
BY_STATION = {"stations": ["paris"], "needs_station": True, "lent": ["dieppe-paris"], "lent_by": [2]}
TOLD = [
    pytest.param(
        "usa",
        CUT,
        "{ticket} is cut off: Lena 1 (bot, easy) closed Duluth–Omaha. Nothing can save it.",
        "cut off by Lena 1 (bot, easy)",
        marks=pytest.mark.soak("like the one with a station"),
    ),
    pytest.param(
        "usa",
        {"state": "cut", "why": "turns", "turns_left": 1},
        "{ticket} takes more turns than you have left. Nothing can save it.",
        "too few turns left",
        marks=pytest.mark.soak("like the one before"),
    ),
    ("europe", BY_STATION, "{ticket}: only a station can save it, in Paris, to use Dieppe–Paris of Lena 2 (bot, easy).", "and a station"),
    pytest.param("usa", LATE, None, "about 5 turns, 2 left", marks=pytest.mark.soak("like the first")),
]


@pytest.mark.parametrize(("board", "bearing", "said", "line"), TOLD)
def test_bad_news_of_a_ticket_are_said_at_once_with_what_could_save_it(
    browser: Browser, server: ServerProcess, visitors: list[Visitor], board: str, bearing: dict[str, Any], said: str | None, line: str
) -> None:
    """The compass has tests of its own: here the next update brings a ticket's bad news."""
    visitor, table = at_a_table(browser, server, visitors, board)
    ticket = next(iter(visitor.ask(f"/api/tables/{table}")["state"]["position"]["seats"]["0"]["compass"]))

    def through(socket: WebSocketRoute) -> None:
        line = socket.connect_to_server()
        line.on_message(lambda message: socket.send(with_bearing(str(message), ticket, bearing)))

    visitor.page.route_web_socket(LIVE, through)
    page = visitor.open(f"/t/{table}")
    page.wait_for_selector(".tickets .points")
    draw(visitor, table, "news")
    row = page.locator(".tickets .points", has_text=line)
    expect(row).to_have_count(1)
    if said is None:
        expect(page.locator("p.way")).to_have_count(0)
        return
    expect(page.locator("p.way[role=status]")).to_have_text(said.format(ticket=ticket_name(visitor, board, ticket)))
    expect(page.locator("p.way")).to_have_count(0, timeout=12_000)  # it goes by itself


def with_bearing(message: str, ticket: str, bearing: dict[str, Any]) -> str:
    told = json.loads(message)
    if told["type"] == "update" and "patch" in told:
        own = told["patch"].setdefault("position", {}).setdefault("seats", {}).setdefault("0", {})
        own.setdefault("compass", {})[ticket] = bearing
    return json.dumps(told)


def ticket_name(visitor: Visitor, game: str, ticket: str) -> str:
    facts = visitor.ask(f"/api/games/{game}")
    places = {city["id"]: city["name"] for city in facts["cities"]}
    return next(f"{places[one['a']]}–{places[one['b']]}" for one in facts["tickets"] if one["id"] == ticket)


RUNS = """() => {
  const legs = [...document.querySelectorAll('path.comet')]
  const points = [legs[0].getPointAtLength(0), legs.at(-1).getPointAtLength(1e6)].flatMap(({ x, y }) => [x, y])
  const times = legs.flatMap((leg) => leg.getAnimations()).map((one) => one.effect.getTiming())
  return { points, legs: legs.length, starts: times.map(({ delay }) => delay), lasts: times.map(({ duration }) => duration) }
}"""


@pytest.mark.parametrize(
    "motion", ["no-preference", pytest.param("reduce", marks=pytest.mark.soak("every other page of the tests asks for less motion"))]
)
@pytest.mark.soak("it is decoration")
def test_a_light_runs_along_a_ticket_that_is_completed(browser: Browser, server: ServerProcess, visitors: list[Visitor], motion: str) -> None:
    """From its first place to its last, over all routes of its way; without motion there is none, and the way is shown all the same."""
    visitor, table = at_a_table(browser, server, visitors, "world", reduced_motion=motion)
    found = visitor.ask(f"/api/tables/{table}")["state"]["position"]["seats"]["0"]["compass"]
    facts, layout = visitor.ask("/api/games/world"), visitor.ask("/api/games/world/layout")
    ticket = next(one for one in facts["tickets"] if one["id"] in found and "via" not in one and len(found[one["id"]]["free"]) > 1)
    routes = found[ticket["id"]]["free"]
    is_new = False

    def through(socket: WebSocketRoute) -> None:
        line = socket.connect_to_server()

        def from_server(message: str | bytes) -> None:
            told = json.loads(with_bearing(str(message), ticket["id"], {"state": "done", "spaces": 0, "turns": 0, "own": routes, "free": None}))
            if is_new and "patch" in told:
                told["patch"]["position"]["seats"]["0"]["done"] = [ticket["id"]]
            socket.send(json.dumps(told))

        line.on_message(from_server)

    visitor.page.route_web_socket(LIVE, through)
    page = visitor.open(f"/t/{table}")
    page.wait_for_selector(".tickets .points")
    is_new = True
    draw(visitor, table, "news")
    page.wait_for_selector("p.done")
    light = page.evaluate(RUNS)
    assert light["points"] == pytest.approx([layout["cities"][ticket[end]][axis] for end in "ab" for axis in "xy"], abs=1)
    assert light["legs"] >= len(routes)
    if motion == "no-preference":  # one after the other
        assert light["starts"] == sorted(set(light["starts"]))
        assert len(light["starts"]) == light["legs"]
    else:
        assert max(light["lasts"], default=0) < 1
    expect(page.locator("path.own")).to_have_count(len(routes))
    expect(page.locator("path.comet")).to_have_count(0, timeout=6_000)


def test_a_ticket_shows_which_of_its_cards_are_missing(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor, table = at_a_table(browser, server, visitors, "card-game")
    page = visitor.open(f"/t/{table}")
    own = visitor.ask(f"/api/tables/{table}")["state"]["position"]["seats"]["0"]
    assert set(own["gathering"]) == set(own["held"])
    page.wait_for_selector(".tickets .points")
    rings = page.locator(".tickets .card.coming").count()
    assert rings == sum(len(one.get("hand", [])) for one in own["gathering"].values()) > 0
    missing = sum("missing" in one for one in own["gathering"].values())
    assert page.locator(".tickets .more", has_text="not in hand or yard").count() == missing
    assert page.locator(".tickets .more", has_text="all cards in hand and yard").count() == len(own["held"]) - missing


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


@pytest.mark.soak("what is told of a move is in other tests")
def test_what_happened_is_told_again(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor, table = at_a_table(browser, server, visitors)
    page = visitor.open(f"/t/{table}")
    for number in range(4):
        draw(visitor, table, f"d{number}")
    page.locator("[data-do=happened]").click()
    expect(page.locator("[data-do=happened]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-do=happened]")).to_have_attribute("aria-pressed", "false", timeout=15_000)


def test_what_is_told_of_a_move_stands_apart_from_what_followed(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    """A rival's tunnel: the next update brings it with its cards."""
    visitor, table = at_a_table(browser, server, visitors, "europe")
    move = {"event": "tunnel_lay", "seat": 1, "route": "angora-constantinople", "cards": ["green", "green"]}
    cards = {"event": "tunnel_reveal", "cards": ["red", "blue", "red"], "owed": 0}
    lines = Told(visitor)
    page = visitor.open(f"/t/{table}")
    page.wait_for_selector(".tickets .points")
    draw(visitor, table, "first")
    lines.next_events = [{"event": "turn", "seat": 1}, move, cards]
    draw(visitor, table, "second")
    page.locator("[data-do=happened]").click()
    line = page.locator("p.banner", has=page.locator("small"))
    expect(line).to_have_count(1, timeout=15_000)
    text, detail = line.locator("> span").last.text_content() or "", line.locator("small").text_content() or ""
    assert text.endswith(f" {detail}")


class Told:
    """What the server tells a visitor's page, with other events in an update, or other facts of the visitor's seat."""

    def __init__(self, visitor: Visitor) -> None:
        self.next_events: list[dict[str, Any]] | None = None
        self.done: list[str] | None = None
        visitor.page.route_web_socket(LIVE, self._through)

    def _through(self, socket: WebSocketRoute) -> None:
        line = socket.connect_to_server()
        line.on_message(lambda message: socket.send(self._changed(json.loads(message))))

    def _changed(self, told: dict[str, Any]) -> str:
        if told["type"] == "update" and "patch" in told:
            if self.next_events is not None:
                told["events"], self.next_events = self.next_events, None
            if self.done is not None:
                own = told["patch"].setdefault("position", {}).setdefault("seats", {}).setdefault("0", {})
                own["done"], self.done = self.done, None
        return json.dumps(told)


@pytest.mark.soak("one ticket is celebrated in another test")
def test_two_tickets_done_at_once_are_celebrated_one_after_the_other(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor, table = at_a_table(browser, server, visitors)
    tickets = list(visitor.ask(f"/api/tables/{table}")["state"]["position"]["seats"]["0"]["compass"])[:2]
    lines = Told(visitor)
    page = visitor.open(f"/t/{table}")
    page.wait_for_selector(".tickets .points")
    lines.done = tickets
    draw(visitor, table, "news")
    for ticket in tickets:
        expect(page.locator("p.done")).to_contain_text(ticket_name(visitor, "usa", ticket))
    expect(page.locator("p.done")).to_have_count(0, timeout=6_000)


def test_a_gain_is_never_cut_from_a_last_move(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitor, table = at_a_table(browser, server, visitors, "europe", locale="uk-UA")
    lines = Told(visitor)
    page = visitor.open(f"/t/{table}")
    page.wait_for_selector(".tickets .points")
    lines.next_events = [
        {"event": "turn", "seat": 1},
        {"event": "claim", "seat": 1, "route": "constantinople-sevastopol", "cards": ["wild"] * 4, "points": 7},
    ]
    draw(visitor, table, "news")
    gain = page.locator(".seat .last b")
    expect(gain).to_have_text("+7")
    assert page.evaluate("() => { const last = document.querySelector('.last:has(b)'); return last.scrollWidth <= last.clientWidth }")
    assert page.evaluate("() => { const words = document.querySelector('.last:has(b) span'); return words.scrollWidth > words.clientWidth }")


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
