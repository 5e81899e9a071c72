"""People in a real browser: open the page, look at what it shows, click, tap or press keys, play whole games."""

from __future__ import annotations

import itertools
import json
import random
import secrets
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import httpx
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright
from playwright.sync_api import TimeoutError as NotThere

from tests.left_out import leave_out
from tests.web.contexts import Contexts

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first has no windows, and is faster
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
QUIET += ["--renderer-process-limit=1"]  # for each context
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
SMALL_PHONE = {"width": 360, "height": 740}
PATIENCE = 30.0  # seconds until something must have happened
SOON = 3_000  # milliseconds for a click on what was just seen


@contextmanager
def running_browser() -> Iterator[Browser]:
    """The system's Chromium, or else the one from `playwright install chromium`."""
    found = next((path for path in map(shutil.which, BROWSERS) if path), None)
    with sync_playwright() as playwright:
        if not found and not Path(playwright.chromium.executable_path).exists():
            leave_out("Chromium")
        browser = playwright.chromium.launch(executable_path=found, args=QUIET)
        yield browser
        browser.close()


class Visitor:
    """Somebody with a browser of their own. Whatever the page writes to its console as an error is kept, and so are requests to other hosts."""

    contexts: ClassVar[Contexts | None] = None  # to use again, in the tests

    def __init__(self, browser: Browser, url: str, **how: Any) -> None:
        # without a service worker: each visitor's would fetch the whole page first
        settings: dict[str, Any] = {"viewport": WIDE, "locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block"} | how
        self.url = url
        self.kept_key: str | None = None
        self.errors: list[str] = []
        self.http = httpx.Client(timeout=60, verify=False)  # over plain http: loading certificates would take longer than a game's start
        is_shared = self.contexts is not None and settings["service_workers"] == "block"
        self.page: Page = self.contexts.page_of(url, settings) if is_shared else browser.new_context(**settings).new_page()
        self.context: BrowserContext = self.page.context
        self.page.set_default_timeout(1000 * PATIENCE)
        self.page.on("console", self._listen_to)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self._look_at(request.url))

    def _listen_to(self, message: ConsoleMessage) -> None:
        is_ours = "registration blocked by Playwright" not in message.text and not message.location["url"].endswith("/favicon.ico")  # see go_away
        if message.type in ("error", "warning") and is_ours:
            self.errors.append(message.text)

    def _look_at(self, url: str) -> None:
        if not url.startswith((self.url, self.url.replace("http", "ws"), "data:", "blob:")):
            self.errors.append(f"a request to another host: {url}")

    def open(self, path: str = "/") -> Page:
        self.page.goto(self.url + path)
        return self.page

    def go_away(self) -> None:
        """To where nothing follows a game: a picture, for which browsers want an icon that is not there."""
        self.page.goto(f"{self.url}/icon.svg")

    def new_table(self, game: str, *seats: str, **more: Any) -> str:
        """A table of this visitor's, made without the page: bots act immediately."""
        body = {"game": game, "seats": list(seats), "name": "Ann", "pace": 0} | more
        return str(self.ask("/api/tables", body)["table"])

    def ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """What the server answers to this visitor's key."""
        headers = {"authorization": f"Bearer {self.key()}"}
        answer = self.http.request("GET" if body is None else "POST", self.url + path, headers=headers, json=body)
        answer.raise_for_status()
        return dict(answer.json())

    def key(self) -> str:
        """The key that the page keeps. Somebody who has not opened it yet has one from an earlier visit."""
        if self.page.url.startswith(self.url):
            return str(self.page.wait_for_function("() => localStorage.getItem('branchline.key')").json_value())
        return self.kept_key or self.keep(secrets.token_urlsafe(24))

    def keep(self, key: str) -> str:
        """Have this key from an earlier visit, before the page is opened."""
        self.kept_key = key
        self.page.add_init_script(f"localStorage.getItem('branchline.key') ?? localStorage.setItem('branchline.key', '{key}')")
        return key

    def prefer(self, **preferences: Any) -> None:
        """What this browser has kept from an earlier visit."""
        kept = json.dumps(json.dumps(preferences))
        self.page.add_init_script(f"localStorage.getItem('branchline.prefs') ?? localStorage.setItem('branchline.prefs', {kept})")

    def without_guides(self) -> None:
        self.prefer(guides=False, name="Ann")

    def close(self) -> None:
        self.http.close()
        if self.contexts is None:
            self.context.close()
        else:
            self.contexts.give_back(self.context)


def play_on_unseen(table: str, *people: Visitor) -> None:
    """The rest of a game, decided without the pages, which are closed until the last turns: that takes a second instead of many."""
    places = [person.page.url for person in people]
    for person in people:
        person.go_away()
    for state in decided_unseen(table, *people):
        if "last_turns" in state["position"] or state["status"] != "playing":
            come_back(people, places)


def play_out_unseen(table: str, *people: Visitor) -> None:
    """A whole game, decided before anybody opens the page."""
    for _ in decided_unseen(table, *people):
        pass


def decided_unseen(table: str, *people: Visitor) -> Iterator[dict[str, Any]]:
    """The states in which these people decide, claiming what they can, and the last one."""
    rng = random.Random(len(people))
    for person in itertools.cycle(people):
        state = person.ask(f"/api/tables/{table}")["state"]
        yield state
        if state["status"] != "playing":
            return
        if "question" in state["position"]:
            claims = [text for text in state["position"]["legal"] if text.startswith("claim")]
            answer = {"question": state["position"]["question"], "decision": rng.choice(claims or state["position"]["legal"])}
            person.ask(f"/api/tables/{table}/decide", answer | {"id": f"{rng.getrandbits(64):x}"})


def come_back(people: Sequence[Visitor], places: list[str]) -> None:
    """To where they were, once."""
    for person, place in zip(people, places, strict=False):
        person.page.goto(place)
        person.page.wait_for_selector(".page")
    places.clear()


# What the page offers to click now, found as a person finds it: by what is lit, ticked or named as a button.
OFFERED = """() => {
  const can = (one) => !one.disabled && one.ariaDisabled !== 'true' && one.getClientRects().length
  const seen = (selector) => [...document.querySelectorAll(selector)].filter(can)
  const over = document.querySelector('.page.over') !== null
  return {
    over,
    busy: document.querySelector('.page[aria-busy=true]') !== null,
    asked: document.querySelector('.question .waiting') === null,
    tickets: seen('.question .choice input[type=checkbox]').length,
    supply: seen('.question input[type=range]').length,
    ways: seen('.payment li .button').length,
    usable: seen('.hand .usable').length,
    lit: seen('.supply .take.lit:not(.tickets)').length,
    drawTickets: seen('.supply .tickets.lit').length,
    routes: [...document.querySelectorAll('g.legal[data-route]')].map((one) => one.dataset.route),
    cities: [...document.querySelectorAll('g.legal[data-city]')].map((one) => one.dataset.city),
    chosen: seen('.question .do .primary').length,
    primary: seen('.question .asked .primary').length,
    more: seen('.question .more .button').length,
    complete: seen('button.ticket:not(:disabled)').length,
  }
}"""

# how many tables of a page of results are wider than their place
CUT = "[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth + 1).length"

# the share of a net of points on the screen, that many pixels apart, at which the board, or the table that stands in for one, is on top
SHARE = """(step) => {
  const board = document.querySelector('.board .window') ?? document.querySelector('main')
  let [free, all] = [0, 0]
  for (let x = step / 2; x < innerWidth; x += step) for (let y = step / 2; y < innerHeight; y += step) {
    all++
    if (board.contains(document.elementFromPoint(x, y))) free++
  }
  return free / all
}"""

# the middle one of the spaces of a route, or of the parts of a city
MIDDLE = """const middle = (thing) => {
  const parts = [...thing.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().width)
  const box = parts[Math.floor(parts.length / 2)].getBoundingClientRect()
  return [box.x + box.width / 2, box.y + box.height / 2]
}"""


class Player:
    """Plays by what the page shows. With `claims` it claims whatever it can, which ends games soonest."""

    def __init__(self, page: Page, seed: int = 1, claims: float = 0.9, taps: bool = False) -> None:
        self.page, self.rng, self.claims, self.taps = page, random.Random(seed), claims, taps
        self.acts: dict[str, int] = {}
        self.missed = 0  # clicks on what was no longer there: bots act while a person looks

    def play_out(self, most: int = 1_500) -> None:
        for _ in range(most):
            if not self.act():
                return
        raise AssertionError(f"the game did not end in {most} acts: {self.acts}")

    def play(self, acts: int) -> None:
        for _ in range(acts):
            if not self.act():
                return

    def act(self) -> bool:
        """Wait until something is asked, and do it; false once the game is over."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            offered = self.page.evaluate(OFFERED)
            if offered["over"]:
                return False
            if offered["asked"] and not offered["busy"] and self.answer(offered):
                return True
            self.page.wait_for_timeout(40)
        raise AssertionError(f"nothing could be done for {PATIENCE} s: {self.page.evaluate(OFFERED)}\n{self.page.inner_text('body')[-600:]}")

    def act_if_asked(self) -> bool:
        """Do what is asked now, if something is."""
        offered = self.page.evaluate(OFFERED)
        return bool(not offered["over"] and offered["asked"] and not offered["busy"] and self.answer(offered))

    def is_over(self) -> bool:
        return bool(self.page.evaluate(OFFERED)["over"])

    def tickets_first(self) -> None:
        """Choose the first tickets, and wait for the first turn."""
        self.act()
        self.page.wait_for_selector(".question .ask")

    def answer(self, offered: dict[str, Any]) -> bool:
        for name in ("chosen", "tickets", "supply", "ways", "complete"):
            if offered[name]:
                return self.do(name)
        if offered["routes"] and self.rng.random() < self.claims:
            return self.do("claim", self.rng.choice(offered["routes"]))
        if offered["cities"] and self.rng.random() < 0.2:
            return self.do("build", self.rng.choice(offered["cities"]))
        if offered["usable"] and (not offered["lit"] or self.rng.random() < 0.6):
            return self.do("usable")
        if offered["drawTickets"] and self.rng.random() < 0.03:
            return self.do("drawTickets")
        return any(offered[name] and self.do(name) for name in ("lit", "usable", "primary", "more", "drawTickets"))

    def do(self, name: str, what: str = "") -> bool:
        try:
            getattr(self, name)(*([what] if what else []))
        except NotThere:
            self.missed += 1
            assert self.missed < 10, f"{name} {what} could not be clicked"
            return False
        self.acts[name] = self.acts.get(name, 0) + 1
        return True

    def pick(self, selector: str) -> None:
        """Click one of what can be seen."""
        found = self.page.locator(f"{selector}:visible")
        count = found.count()
        if count:  # the page may have moved on meanwhile
            found.nth(self.rng.randrange(count)).click(timeout=SOON)

    def chosen(self) -> None:
        self.page.locator(".question .do .primary").click(timeout=SOON)

    def tickets(self) -> None:
        """Tick boxes until enough are kept, perhaps one more; then confirm."""
        boxes, confirm = self.page.locator(".question .choice input:enabled:not(:checked)"), self.page.locator(".question .choice .primary")
        while boxes.count() and (confirm.is_disabled(timeout=SOON) or self.rng.random() < 0.3):
            boxes.first.check(timeout=SOON)
        confirm.click(timeout=SOON)
        self.page.wait_for_timeout(60)

    def supply(self) -> None:
        self.page.locator(".question .primary").click(timeout=SOON)

    def ways(self) -> None:
        self.pick(".payment li .button")

    def complete(self) -> None:
        self.pick("button.ticket:not(:disabled)")

    def usable(self) -> None:
        self.pick(".hand .usable")

    def lit(self) -> None:
        self.pick(".supply .take.lit:not(.tickets)")

    def drawTickets(self) -> None:  # noqa: N802  # named like what the page offers
        self.page.locator(".supply .tickets.lit").click(timeout=SOON)

    def primary(self) -> None:
        self.page.locator(".question .asked .primary").first.click(timeout=SOON)

    def more(self) -> None:
        self.page.locator(".question .more .button").first.click(timeout=SOON)

    def claim(self, route: str) -> None:
        self.point_at(f'g[data-route="{route}"]')

    def build(self, city: str) -> None:
        self.point_at(f'g[data-city="{city}"]')

    def in_sight(self, selector: str) -> str:
        """The first route of a selector that could be clicked: on a phone a part of the board is out of sight."""
        hits = "(route) => document.elementFromPoint(...middle(route))?.closest('g[data-route]') === route"
        found = self.page.evaluate(
            f"(selector) => {{ {MIDDLE}; return [...document.querySelectorAll(selector)].find({hits})?.dataset.route }}", selector
        )
        assert found, f"no {selector} is in sight"
        return str(found)

    def point_at(self, selector: str) -> None:
        """Where a person would click."""
        found = self.page.evaluate(f"(selector) => {{ {MIDDLE}; return middle(document.querySelector(selector)) }}", selector)
        (self.page.touchscreen.tap if self.taps else self.page.mouse.click)(*found)
        self.page.wait_for_timeout(20)
