"""The rules pages in a browser: worked examples drawn by the game's own components, in every complete language, on every screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from branchline import available_boards
from tests.conftest import SOAK
from tests.server.running import ServerProcess
from tests.web.browsing import PHONE, WIDE, Visitor
from tests.web.test_accessibility import violations
from tests.words.test_examples import examples_of

LOOKS = [("en-GB", "light", WIDE), ("pl-PL", "dark", PHONE), ("uk-UA", "light", PHONE)]
EVERY = [(game, look) for game in available_boards() for look in LOOKS]
SAMPLE = list(zip(available_boards(), LOOKS[:2], strict=False))


# cities that are not in the picture that shows their part of the map
CUT_OFF = """() => [...document.querySelectorAll('.example .map')].flatMap((map) => {
  const frame = map.getBoundingClientRect()
  const isInside = ({ left, right, top, bottom }) => left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom
  return [...map.querySelectorAll('[data-city]')].filter((city) => !isInside(city.getBoundingClientRect())).map((city) => city.dataset.city)
})"""


@pytest.fixture
def visitor(request: pytest.FixtureRequest, browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> Visitor:
    locale, scheme, size = getattr(request, "param", LOOKS[0])
    visitors.append(Visitor(browser, server.url, locale=locale, color_scheme=scheme, viewport=size))
    return visitors[-1]


def scrolled_through(page: Page) -> None:
    """Pictures are drawn when they are near."""
    for picture in page.locator(".example figure").all():
        picture.scroll_into_view_if_needed()
        page.wait_for_timeout(60)


@pytest.mark.sample(1)
@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("board", "visitor"), [pytest.param(*one, id=f"{one[0]}-{one[1][0]}") for one in (EVERY if SOAK else SAMPLE)], indirect=["visitor"]
)
def test_every_example_is_drawn_and_nothing_is_left_unsaid(visitor: Visitor, board: str) -> None:
    page = visitor.open(f"/rules/{board}")
    page.wait_for_selector(".example")
    scrolled_through(page)
    steps = [step for example in examples_of(board) for step in example["steps"]]
    assert page.locator(".example").count() == len(examples_of(board))
    assert page.locator(".example figure").count() == len(steps)
    captions = page.locator(".example figcaption").all_inner_texts()
    assert [caption for caption in captions if not caption.strip() or "{" in caption] == []
    claims = sum(len(step.get("claims", {})) for step in steps)
    assert page.locator(".example [data-route]").count() >= claims
    assert page.locator(".example figure svg").count() > len(steps)
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []


# pictures of an example on its last line, and how many have room on a line
ON_LINES = """() => [...document.querySelectorAll('.example .steps')].map((steps) => {
  const tops = [...steps.children].map((step) => Math.round(step.getBoundingClientRect().top))
  return [tops.filter((top) => top === tops.at(-1)).length, tops.filter((top) => top === tops[0]).length]
})"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("board", ["europe", "world", "london"])
def test_no_place_beside_a_picture_stays_empty(visitor: Visitor, board: str) -> None:
    page = visitor.open(f"/rules/{board}")
    page.wait_for_selector(".example")
    for width in (1440, 1280, 900, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        lines = page.evaluate(ON_LINES)
        assert [last for last, first in lines if last != first] == [], width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.soak("it waits for every picture of a page")
def test_pictures_out_of_sight_are_printed_too(visitor: Visitor) -> None:
    page = visitor.open("/rules/world")
    page.wait_for_selector(".map .board")
    assert page.locator(".map .board").count() < page.locator(".map").count()
    page.pdf()
    assert page.locator(".map .board").count() == page.locator(".map").count()


def test_what_is_ours_is_marked_as_ruling_or_deviation(visitor: Visitor) -> None:
    page = visitor.open("/rules/shared")
    page.wait_for_selector("#G-3")
    assert page.locator("#G-3 .mark.deviation").count() == 1
    assert page.locator("#G-3 .ours.deviation").count() == 2  # what is printed, and why we depart from it
    assert page.locator("#G-3 .option").count() == 1
    assert page.locator("#G-4 .mark.ruling").count() == 1
    assert page.locator("#G-13 .mark").count() == 0
    assert page.locator("#G-14 .ours .mark.ruling").count() == 1


@pytest.mark.soak("the pictures are drawn in another test")
def test_pictures_are_only_to_look_at(visitor: Visitor) -> None:
    """They are left out by the keyboard and by screen readers, which get the words."""
    page = visitor.open("/rules/london")
    page.wait_for_selector(".example .map")
    assert page.locator(".example .map:not([inert])").count() == 0
    assert "Baker" not in page.locator(".example").first.aria_snapshot()
