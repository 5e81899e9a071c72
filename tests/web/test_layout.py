"""Nothing covers anything else and nothing is cut: at every size of screen, with large type, in every language, when most room is needed."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import SOAK
from tests.server.running import ServerProcess
from tests.web.browsing import SHARE, Player, Visitor, play_on_unseen, play_out_unseen
from tests.web.test_compass_and_pace import opening_kept
from tests.web.test_whole_games import skip_to_the_result

SIZES = [(360, 740), (844, 390), (820, 1180), (1280, 720), (1440, 900), (1920, 1080), (2560, 1440)]
TYPES = {"usual": None, "200 %": "34px", "24 px": "24px"}
# a sample; it ends where tickets are seen beside the board
SAMPLE = {"200 %": [(360, 740)], "usual": [(844, 390)], "24 px": [(1280, 720)]}
BOARDS = ["europe", "london", "usa", "world", "card-game", "new-york", "great-lakes"]
LANGUAGES = ["en-GB", "pl-PL", "uk-UA"]
PLAYERS = {"card-game": 4, "london": 4, "new-york": 4}  # five elsewhere
MANY_TICKETS = 13
UPRIGHT = [(360, 740), (820, 1180)]
MOST_DECIDED = 600
Trouble = dict[str, list[str]]  # by screen
Case = Callable[[Visitor], dict[str, Trouble]]

# What a person reads or clicks, as far as it can be seen: what its scrolling parents cut off is out of sight, not covered.
# The board itself is left out (its names have tests of their own), and so is what only repeats what is said elsewhere.
MEASURE = """() => {
  const page = document.querySelector('dialog[open]') ?? document.querySelector('.page')
  const styles = new Map()
  const style = (one) => {
    if (!styles.has(one)) {
      const { visibility, clipPath, overflowX, overflowY, position, display } = getComputedStyle(one)
      styles.set(one, { visibility, clipPath, overflowX, overflowY, position, display })
    }
    return styles.get(one)
  }
  const interactive = 'button, a[href], input, select, summary, textarea'
  const speaks = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
  // what is folded away (closed details) has boxes, too, though nobody sees it: only `checkVisibility` knows
  const unseen = (one) => !one.checkVisibility() || style(one).visibility === 'hidden' || style(one).clipPath.includes('inset(50%)')
  const hidden = (one) => one.closest('[aria-hidden=true], .spoken, .beside-icon, svg, option') !== null || unseen(one)
  const clips = (one) => /auto|scroll|hidden|clip/.test(style(one).overflowX + style(one).overflowY)
  const scrolls = (one) => /auto|scroll/.test(style(one).overflowX + style(one).overflowY)

  // words may go on in the next line: each line is a box of its own
  function linesOf(one) {
    if (one.matches(interactive)) return [one.getBoundingClientRect()]
    const range = document.createRange()
    const words = [...one.childNodes].filter((node) => node.nodeType === 3 && node.textContent.trim())
    return words.flatMap((node) => (range.selectNodeContents(node), [...range.getClientRects()]))
  }

  const isLarge = ({ box }) => box.width > 1 && box.height > 1

  function seen(one, box) {
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom]
    for (let parent = one.matches(interactive) ? one.parentElement : one; parent; parent = parent.parentElement) {
      if (!clips(parent)) continue
      const edge = parent.getBoundingClientRect()
      left = Math.max(left, edge.left); top = Math.max(top, edge.top)
      right = Math.min(right, edge.right); bottom = Math.min(bottom, edge.bottom)
      if (style(parent).position === 'fixed') break
    }
    return { left, top, right, bottom, width: right - left, height: bottom - top }
  }

  // a sheet or call-out is meant to lie on the board, or on a table that stands in for one
  const isOfBoard = (one) => one.closest('main') !== null && one.closest('.zoom') === null
  const liesOn = (one, other) => one.closest('.sheet-like, .call, .yards .docked, aside.sheet, .end') !== null && isOfBoard(other)
  const inScroller = (one) => one !== page && (scrolls(one.parentElement) || inScroller(one.parentElement))
  const name = (one) => {
    const text = (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().replace(/\\s+/g, ' ').slice(0, 40)
    return `${one.tagName.toLowerCase()}.${[...one.classList].filter((part) => !part.startsWith('svelte-')).join('.')} "${text}"`
  }

  const shown = [...page.querySelectorAll(':not(svg, svg *)')].filter((one) => one.getClientRects().length && !hidden(one))
  const all = shown.filter((one) => one.matches(interactive) || speaks(one))
  const boxes = all.flatMap((one) => linesOf(one).map((line) => ({ one, box: seen(one, line) }))).filter(isLarge)
  const found = []
  for (const [place, { one, box }] of boxes.entries()) {
    const whole = one.getBoundingClientRect()
    const outside = whole.left < -1 || whole.top < -1 || whole.right > innerWidth + 1 || whole.bottom > innerHeight + 1
    if (outside && !inScroller(one)) found.push(`outside the screen: ${name(one)}`)
    const shortened = one.scrollWidth > one.clientWidth + 1 && !scrolls(one) && clips(one) && style(one).display !== 'inline'
    if (shortened && !one.title && !one.matches('select, input')) found.push(`cut: ${name(one)}`)
    for (const { one: other, box: its } of boxes.slice(place + 1)) {
      const across = Math.min(box.right, its.right) - Math.max(box.left, its.left)
      const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top)
      if (across <= 2 || down <= 2 || one === other || one.contains(other) || other.contains(one)) continue
      if (liesOn(one, other) || liesOn(other, one)) continue
      found.push(`overlap by ${Math.round(across)} × ${Math.round(down)}: ${name(one)} and ${name(other)}`)
    }
  }
  // on phones the hand and the seats are slid with a finger, and so is the hand on tablets, where fingers need 40 pixels of each kind
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
  const hand = page.matches('.columns, .bands') && page.querySelector('.hand')?.getBoundingClientRect()
  const isCut = ({ left, right }) => left < hand.left - 1 || right > hand.right + 1
  if (hand && [...page.querySelectorAll('.hand .one')].some((card) => isCut(card.getBoundingClientRect()))) found.push('the hand is cut')
  const overflows = (list) => list.clientWidth > 1 && list.scrollWidth > list.clientWidth + 1
  if ([...page.querySelectorAll('.seat ul')].some(overflows)) found.push('a seat is cut')
  const strip = page.matches('.bands, .upright.roomy') && page.querySelector('.seats-place > *')
  if (strip && overflows(strip)) found.push('a seat is out of sight')
  const chips = page.matches('.upright') && innerWidth >= 20 * rem && page.querySelector('.chips')
  if (chips && chips.scrollWidth > chips.clientWidth + 1) found.push('the chips are cut')
  const call = page.querySelector('.question.call')?.getBoundingClientRect()
  const meets = (one) => one.left < call.right && one.right > call.left && one.bottom > call.top && one.top < call.bottom
  const hides = (city) => [...city.querySelectorAll('circle')].some((dot) => meets(dot.getBoundingClientRect()))
  for (const city of call && page.matches('.columns') ? page.querySelectorAll('g[data-city]') : []) {
    if (hides(city)) found.push(`the call-out hides ${city.dataset.city}`)
  }
  // in bands there is hardly any free water; but whoever chooses tickets sees their places
  for (const name of call && page.matches('.bands:has(.choice li)') ? page.querySelectorAll('text.mine[data-name]') : []) {
    const isShown = name.style.display !== 'none'
    if (isShown && meets(name.getBoundingClientRect())) found.push(`the choice hides ${name.dataset.name}`)
  }
  return [...new Set(found)].slice(0, 6)
}"""

CAN_CLAIM = "() => ['.page[aria-busy=false] .question .ask strong', 'g.legal[data-route]'].every((one) => document.querySelector(one))"
# panels fold within some frames, call-outs settle when the board rests
STEADY = """() => new Promise((done) => {
  const after = (frames) => requestAnimationFrame(() => frames > 1 ? after(frames - 1) : done())
  setTimeout(() => after(2), document.querySelector('.question.call') ? 260 : 60)
})"""


ALL, EVEN, ODD = slice(None), slice(0, None, 2), slice(1, None, 2)


def screens() -> Iterator[tuple[str, tuple[int, int]]]:
    """One size after the other: another size of type alone is faster than another window."""
    if SOAK:
        yield from ((name, size) for size in SIZES for name in TYPES)
    else:
        yield from ((name, size) for name in SAMPLE for size in SAMPLE[name])


def troubles(page: Page, sample: slice = ALL, sizes: Sequence[tuple[int, int]] = SIZES) -> Trouble:
    """What is wrong now, by screen; outside the soak only on a sample of the screens."""
    found = {}
    for name, (width, height) in list(screens())[ALL if SOAK else sample]:
        if (width, height) not in sizes:
            continue
        set_type(page, TYPES[name])
        if page.viewport_size != {"width": width, "height": height}:
            page.set_viewport_size({"width": width, "height": height})
        page.evaluate(STEADY)
        if page.evaluate(MEASURE):
            page.evaluate(STEADY)  # on a busy machine panels may still be folding
        if wrong := page.evaluate(MEASURE):
            found[f"{width} × {height}, {name} type"] = wrong
    set_type(page, None)
    return found


def set_type(page: Page, size: str | None) -> None:
    page.evaluate("(size) => document.documentElement.style.setProperty('font-size', size ?? '', 'important')", size)


def sit_down(browser: Browser, server: ServerProcess, visitors: list[Visitor], board: str, locale: str, guides: bool = False) -> Page:
    visitors.append(visitor := Visitor(browser, server.url, locale=locale))
    visitor.prefer(guides=guides, name="Kateryna")
    bots = PLAYERS.get(board, 5) - 1
    page = visitor.open(f"/t/{visitor.new_table(board, 'person', *['easy'] * bots)}")
    page.wait_for_selector(".page")
    page.wait_for_timeout(300)
    return page


def collect(page: Page, visitor: Visitor) -> None:
    """Draw tickets and keep them all until there are very many or no more, without the page, which comes back at the beginning of a turn."""
    place = page.url
    table = place.rsplit("/", 1)[-1]
    visitor.go_away()
    while True:
        position = visitor.ask(f"/api/tables/{table}")["state"]["position"]
        if "question" not in position:
            continue
        legal = position["legal"]
        own = position["seats"]["0"]
        has_many = len(own["held"]) + len(own.get("completed", [])) >= MANY_TICKETS
        is_last = position["phase"] == "action" and "tickets" not in legal  # New York has so few that rivals may leave less than wanted
        if (has_many and not legal[0].startswith("keep")) or is_last:
            break
        wanted = next((text for word in ("keep", "tickets") for text in legal if text.startswith(word)), legal[0])
        visitor.ask(f"/api/tables/{table}/decide", {"question": position["question"], "decision": wanted, "id": secrets.token_hex(8)})
    page.goto(place)
    page.wait_for_selector(".page[aria-busy=false] .question.mine")


def languages() -> list[str]:
    return LANGUAGES if SOAK else ["uk-UA"]  # the longest words


@pytest.mark.timeout(900 if SOAK else 240)
@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("board", BOARDS if SOAK else ["card-game"])
def test_the_opening_a_hint_and_thirteen_tickets(browser: Browser, server: ServerProcess, visitors: list[Visitor], board: str, locale: str) -> None:
    page = sit_down(browser, server, visitors, board, locale)
    found = {"opening": troubles(page, EVEN)}
    page.locator("[data-do=hint]").click()
    page.wait_for_selector(".hint")
    found["opening, with a hint"] = troubles(page, ODD)
    collect(page, visitors[-1])
    found["my turn"] = troubles(page)
    page.locator("[data-do=hint]").click()
    page.wait_for_selector(".hint")
    found["hint"] = troubles(page)
    assert {phase: wrong for phase, wrong in found.items() if wrong} == {}


def beyond_two_tours(wrong: list[str]) -> list[str]:
    """One deal of the World in twenty has two tours: with fourteen cities and the guide beside them, there is not always room for every name."""
    hidden = [one for one in wrong if one.startswith("the choice hides")]
    return [one for one in wrong if one not in hidden] if len(hidden) <= 2 else wrong


@pytest.mark.soak("the tunnel below is a payment, too")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("board", [board for board in BOARDS if board != "card-game"])
def test_paying_and_the_guide(browser: Browser, server: ServerProcess, visitors: list[Visitor], board: str, locale: str) -> None:
    page = sit_down(browser, server, visitors, board, locale, guides=True)
    found = {"opening, with the guide": {screen: left for screen, wrong in troubles(page).items() if (left := beyond_two_tours(wrong))}}
    player = Player(page, seed=5, claims=0)
    while not page.evaluate(CAN_CLAIM):
        assert player.act()
        page.wait_for_selector(".page[aria-busy=false] .question.mine")
    found["my turn, with the guide"] = troubles(page, EVEN)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.wait_for_timeout(300)
    player.claim(player.in_sight("g.legal[data-route]"))
    page.wait_for_selector(".question .do")
    found["a route is chosen"] = troubles(page, ODD)
    page.locator(".question .do .primary").click()
    page.wait_for_selector(".payment, .question .waiting, .question .tunnel, .question .ask")
    found["payment"] = troubles(page)
    assert {phase: wrong for phase, wrong in found.items() if wrong} == {}


@pytest.mark.soak("a turn with thirteen tickets needs more room")
@pytest.mark.timeout(900 if SOAK else 240)
@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("board", BOARDS if SOAK else ["london"])
def test_the_end_and_the_replay(browser: Browser, server: ServerProcess, visitors: list[Visitor], board: str, locale: str) -> None:
    page = sit_down(browser, server, visitors, board, locale)
    play_on_unseen(page.url.rsplit("/", 1)[-1], visitors[-1])
    page.wait_for_selector("[data-do=skip], [data-total]")
    found = {"the count": troubles(page)}
    page.set_viewport_size({"width": 1440, "height": 900})
    skip_to_the_result(page)
    found["the end"] = troubles(page, EVEN)
    page.goto(page.url.replace("/t/", "/replay/") + "?at=30")
    page.wait_for_selector("input[type=range]")
    found["replay"] = troubles(page)
    assert {phase: wrong for phase, wrong in found.items() if wrong} == {}


class Decider:
    """A table with bots, or one easy bot, at which a visitor decides without the page."""

    def __init__(self, visitor: Visitor, board: str, *bots: str) -> None:
        self.visitor = visitor
        self.table = visitor.new_table(board, "person", *(bots or ["easy"]), first_seat=0)
        routes = visitor.ask(f"/api/games/{board}")["routes"]
        self.tunnels = tuple(f"claim {route['id']}" for route in routes if route.get("tunnel"))

    def shown(self) -> Page:
        page = self.visitor.open(f"/t/{self.table}")
        page.wait_for_selector(".page[aria-busy=false] .question.mine")
        return page

    def play_to(self, phase: str, *wanted: str, least: int = 0) -> Decider:
        """Take the first decision that begins with one of `wanted`, in this order, or just the first, until the phase has come."""
        for number in range(MOST_DECIDED):
            position = self.position
            if position["phase"] == phase and number >= least:
                return self
            found = (text for beginning in wanted for text in position["legal"] if text.startswith(beginning))
            answer = {"question": position["question"], "decision": next(found, position["legal"][0]), "id": secrets.token_hex(8)}
            self.visitor.ask(f"/api/tables/{self.table}/decide", answer)
        raise AssertionError(f"{phase} has not come after {MOST_DECIDED} decisions")

    @property
    def position(self) -> dict[str, Any]:
        """Once the visitor is asked."""
        while True:
            state = self.visitor.ask(f"/api/tables/{self.table}")["state"]
            assert state["status"] == "playing"
            if "question" in state["position"]:
                return dict(state["position"])


def tunnel(visitor: Visitor) -> dict[str, Trouble]:
    decider = Decider(visitor, "europe")
    decider.play_to("action", "draw", least=40)  # enough cards to be able to pay what is owed
    return {"a tunnel with cards owed": troubles(decider.play_to("tunnel", *decider.tunnels, "draw").shown())}


def choice_of_pieces(visitor: Visitor) -> dict[str, Trouble]:
    return {"the choice of pieces": troubles(Decider(visitor, "world").play_to("supply", "keep").shown())}


def full_hand(visitor: Visitor) -> dict[str, Trouble]:
    return {"a hand of many kinds": troubles(Decider(visitor, "world").play_to("action", "keep", "draw", least=50).shown())}


def completing(visitor: Visitor) -> dict[str, Trouble]:
    return {"completing tickets": troubles(Decider(visitor, "card-game").play_to("completing tickets", "keep", "place", "draw").shown())}


def dialogues(visitor: Visitor) -> dict[str, Trouble]:
    page = Decider(visitor, "world").play_to("action", "keep").shown()
    page.locator(".question .more .button").click()
    found = {"the exchange of pieces": troubles(page)}
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator(".brand-place summary, .brand-place button").first.click()
    page.locator(".brand-place .button.quiet").last.click()
    return found | {"leaving": troubles(page)}


def open_sheets(visitor: Visitor) -> dict[str, Trouble]:
    page = Decider(visitor, "europe").play_to("action", "keep", "draw", least=20).shown()
    found = {}
    for name in ("tickets", "log", "chat"):
        for size in UPRIGHT:
            page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))  # type: ignore[arg-type]
            page.locator(f".opens-{name}").click()
            found[f"{name}, {size}"] = troubles(page, sizes=[size])
            page.keyboard.press("Escape")
    return found


CASES = [tunnel, choice_of_pieces, full_hand, completing, dialogues, open_sheets]


@pytest.mark.timeout(900 if SOAK else 240)
@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("case", CASES if SOAK else [tunnel])
def test_what_is_asked_or_opened_seldom(browser: Browser, server: ServerProcess, visitors: list[Visitor], case: Case, locale: str) -> None:
    visitors.append(visitor := Visitor(browser, server.url, locale=locale))
    visitor.without_guides()
    assert {moment: wrong for moment, wrong in case(visitor).items() if wrong} == {}


LEAST_SHARE = 0.75
WIDE_NET = 32  # pixels between points: asking what is on top takes time
NET = 16


# ten kinds of cards in a hand, two kinds of pieces and harbours in every seat's line: there is less left
LESS = {"great-lakes": 0.7}
ON_ROUTES = [board for board in BOARDS if board != "card-game"]


@pytest.mark.parametrize("board", ON_ROUTES if SOAK else ["europe"])
def test_three_quarters_of_a_laptop_are_board(browser: Browser, server: ServerProcess, visitors: list[Visitor], board: str) -> None:
    visitors.append(visitor := Visitor(browser, server.url, viewport={"width": 1280, "height": 720}))
    visitor.without_guides()
    page = visitor.open(f"/t/{visitor.new_table(board, 'person', 'easy', 'easy')}")
    page.wait_for_selector(".page g[data-route]")
    page.evaluate(STEADY)
    assert page.evaluate(SHARE, WIDE_NET) >= LEAST_SHARE


@pytest.mark.sample(1)
@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("bots", [2, 4])
@pytest.mark.parametrize("board", ON_ROUTES if SOAK else ["europe"])
@pytest.mark.soak("the opening is measured above")
def test_and_they_stay_so_in_an_ordinary_turn(
    browser: Browser, server: ServerProcess, visitors: list[Visitor], board: str, bots: int, locale: str
) -> None:
    """Some turns in, the log has lines, and every seat has moved. The log is a button away."""
    visitors.append(visitor := Visitor(browser, server.url, viewport={"width": 1280, "height": 720}, locale=locale))
    visitor.without_guides()
    bots = min(bots, PLAYERS.get(board, 5) - 1)
    decider = Decider(visitor, board, *["easy"] * bots)
    page = decider.play_to("action", "return", "keep", "draw", least=12).shown()
    page.evaluate(STEADY)
    assert page.evaluate(SHARE, NET) >= LESS.get(board, LEAST_SHARE)
    page.locator(".opens-log").click()
    page.wait_for_selector("aside.sheet .scroller")
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.evaluate(STEADY)
    if page.locator(".columns").count() and bots == 2:  # five seats leave no room for it
        assert page.locator(".log-place").is_visible()


COVERED = """() => {
  const box = document.querySelector('.question').getBoundingClientRect()
  const meets = (one) => one.width && one.left < box.right && one.right > box.left && one.bottom > box.top && one.top < box.bottom
  const covered = (route) => [...route.querySelectorAll('*')].some((one) => meets(one.getBoundingClientRect()))
  return [...document.querySelectorAll("g[data-route]")].filter(covered).map((route) => route.dataset.route)
}"""


@pytest.mark.soak("the phases of a game are measured above")
@pytest.mark.parametrize("locale", languages())
def test_the_offer_to_exchange_pieces_covers_no_space(browser: Browser, server: ServerProcess, visitors: list[Visitor], locale: str) -> None:
    visitors.append(visitor := Visitor(browser, server.url, locale=locale))
    visitor.without_guides()
    table = visitor.new_table("world", "person", "easy", first_seat=0)
    opening_kept(visitor, table)
    page = visitor.open(f"/t/{table}")
    page.wait_for_selector(".question .more .button")
    for width, height in [(1280, 720), (1366, 768), (1440, 900), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(STEADY)
        assert page.locator(".page.bands").count() == 1
        assert page.evaluate(COVERED) == []
        assert page.evaluate(MEASURE) == []


@pytest.mark.soak("a whole game for one button")
@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_more_after_a_game_shows_its_buttons(browser: Browser, server: ServerProcess, visitors: list[Visitor], size: tuple[int, int]) -> None:
    visitors.append(visitor := Visitor(browser, server.url, viewport=dict(zip(("width", "height"), size, strict=True))))
    visitor.without_guides()
    table = visitor.new_table("europe", "person", *["easy"] * 4)
    play_out_unseen(table, visitor)
    page = visitor.open(f"/t/{table}")
    skip_to_the_result(page)
    page.locator(".after summary").first.click()
    for button in page.locator(".after details .after > .button").all():
        expect(button).to_be_in_viewport(ratio=0.95)


WHOLE_TICKETS = """() => {
  const edge = document.querySelector('.tickets ul').getBoundingClientRect()
  const boxes = [...document.querySelectorAll('.tickets li')].map((one) => one.getBoundingClientRect())
  return boxes.filter((one) => one.left >= edge.left - 1 && one.right <= edge.right + 1).length
}"""
WHOLE_NAMES = "[...document.querySelectorAll('.seat .name')].every((one) => one.scrollWidth <= one.clientWidth + 1)"


@pytest.mark.soak("the phases of a game are measured above")
@pytest.mark.parametrize("locale", languages())
def test_five_seats_and_a_full_hand_of_the_world_have_room(browser: Browser, server: ServerProcess, visitors: list[Visitor], locale: str) -> None:
    """With large type, too, every kind of card, every seat and every bot's name is seen, and tickets are seen whole."""
    visitors.append(visitor := Visitor(browser, server.url, viewport={"width": 1280, "height": 720}, locale=locale))
    visitor.without_guides()
    decider = Decider(visitor, "world", *["easy"] * 4).play_to("action", "keep", "draw", least=50)
    page = decider.shown()
    for size, (width, height), shape in [(None, (1280, 720), "bands"), ("24px", (1280, 720), "columns"), (None, (820, 1180), "upright")]:
        set_type(page, size)
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(STEADY)
        assert page.locator(f".page.{shape}").count() == 1
        assert page.evaluate(MEASURE) == []
        assert page.evaluate(WHOLE_NAMES)
        if shape == "bands":
            assert page.evaluate(WHOLE_TICKETS) >= 2  # three, unless their names are very long


COVERED_BY_THE_END = """() => {
  const boxes = [...document.querySelectorAll('.end, .zoom')].map((one) => one.getBoundingClientRect())
  const meets = (one, box) => one.width && one.left < box.right && one.right > box.left && one.bottom > box.top && one.top < box.bottom
  const shown = [...document.querySelectorAll('.over-board text, g[data-city] circle')]
  return shown.filter((one) => boxes.some((box) => meets(one.getBoundingClientRect(), box))).map((one) => one.textContent)
}"""


@pytest.mark.soak("the end is measured above")
@pytest.mark.parametrize("board", ["world", "great-lakes"])
def test_the_result_covers_no_name(browser: Browser, server: ServerProcess, visitors: list[Visitor], board: str) -> None:
    page = sit_down(browser, server, visitors, board, "en-GB")
    play_on_unseen(page.url.rsplit("/", 1)[-1], visitors[-1])
    page.wait_for_selector("[data-do=skip], [data-total]")
    skip_to_the_result(page)
    for width, height in [(1280, 720), (1440, 900), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(STEADY)
        assert page.evaluate(COVERED_BY_THE_END) == []
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate(STEADY)
    end = page.locator(".end").bounding_box()
    share = page.locator("[data-do=share]").bounding_box()
    assert end
    assert share
    assert share["y"] + share["height"] <= end["y"] + end["height"]  # the ranking scrolls, what can be done next does not


FULLY_READ = "(selector) => { const one = document.querySelector(selector); return one.scrollHeight <= one.clientHeight + 1 }"


@pytest.mark.soak("the phases of a game are measured above")
@pytest.mark.parametrize("locale", languages())
def test_the_first_guide_is_read_without_scrolling_on_a_laptop(browser: Browser, server: ServerProcess, visitors: list[Visitor], locale: str) -> None:
    visitors.append(visitor := Visitor(browser, server.url, viewport={"width": 1280, "height": 720}, locale=locale))
    page = visitor.open(f"/t/{visitor.new_table('europe', 'person', 'normal', 'normal')}")
    page.wait_for_selector(".coach p")
    page.evaluate(STEADY)
    assert page.evaluate(FULLY_READ, ".coach p")
    assert page.evaluate(FULLY_READ, ".choice ul")
    assert page.evaluate(MEASURE) == []


def test_six_tickets_and_a_hint_stand_beside_an_empty_yard(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    visitors.append(visitor := Visitor(browser, server.url, viewport={"width": 1280, "height": 720}, locale="uk-UA"))
    visitor.without_guides()
    page = visitor.open(f"/t/{visitor.new_table('card-game', 'person', 'easy', 'easy', 'easy', first_seat=0)}")
    page.locator("[data-do=hint]").click()
    page.wait_for_selector(".hint")
    page.evaluate(STEADY)
    assert page.evaluate(FULLY_READ, ".choice ul")
    places = [box["x"] for box in page.locator(".choice li").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")]
    assert len(set(places)) == 2  # columns
