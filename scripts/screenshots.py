"""Take pictures of the page for docs/: every game's key moments, wide, on a phone, and dark. Run it with `make screenshots`.

It uses a real server and a real browser, and clicks like a person, as the browser tests do.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

PROJECT = Path(__file__).parents[1]
sys.path.insert(0, str(PROJECT))

from tests.server.running import running_server  # noqa: E402  # the server and people of the tests
from tests.web.browsing import PHONE, WIDE, Player, Visitor, running_browser  # noqa: E402
from tests.web.test_whole_games import skip_to_the_result  # noqa: E402

FOLDER = PROJECT / "docs" / "pictures"
GAMES = {"europe": 3, "london": 3, "usa": 3, "world": 4, "card-game": 3}
LOOKS: dict[str, dict[str, Any]] = {
    "wide": {"viewport": WIDE},
    "dark": {"viewport": WIDE, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "device_scale_factor": 2, "has_touch": True, "is_mobile": True},
}
LANGUAGES = {"wide": "en-GB", "dark": "pl-PL", "phone": "uk-UA"}  # each is shown once
SETTLED = 400  # milliseconds
ACTS = {"card-game": 24, "london": 16}  # until a good moment; 70 elsewhere
QUIET = 3_500  # milliseconds after which news about others disappears
MOMENTS = {"wide": ("begin", "turn", "end"), "dark": ("turn", "count", "replay"), "phone": ("begin", "turn", "end")}


def take(page: Page, name: str) -> None:
    page.wait_for_timeout(SETTLED)
    page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=70)
    print(name, flush=True)


def game(browser: Browser, url: str, board: str, look: str) -> None:
    """The first choice, some turns later, the count, its result, the replay; for each look, the ones that differ most."""
    visitor = Visitor(browser, url, **LOOKS[look], locale=LANGUAGES[look])
    visitor.without_guides()
    table = visitor.new_table(board, "person", *["hard"] * (GAMES[board] - 1))
    page = visitor.open(f"/t/{table}")
    page.wait_for_selector(".page")

    def moment(name: str) -> None:
        if name in MOMENTS[look]:
            take(page, f"{board}-{look}-{name}")

    moment("begin")
    player = Player(page, seed=4, claims=0.7)
    player.play(ACTS.get(board, 70))
    wait_for_turn(player)
    page.wait_for_timeout(QUIET)
    moment("turn")
    player.play_out()
    moment("count")
    skip_to_the_result(page)
    moment("end")
    if "replay" in MOMENTS[look]:
        visitor.open(f"/replay/{table}?at=60").wait_for_selector("input[type=range]")
        moment("replay")
    visitor.close()


def wait_for_turn(player: Player) -> None:
    """Play until the viewer may choose any action."""
    for _ in range(20):
        player.page.wait_for_timeout(200)
        if player.page.locator(".question .ask strong").count() or not player.act():
            return


def around(browser: Browser, url: str, look: str) -> None:
    """Start page, lobby, rules."""
    visitor = Visitor(browser, url, **LOOKS[look], locale=LANGUAGES[look])
    visitor.without_guides()
    page = visitor.open()
    page.wait_for_selector("main")
    take(page, f"start-{look}")
    table = visitor.new_table("europe", "person", "person", "hard", open=True)
    visitor.open(f"/t/{table}").wait_for_selector("main")
    take(page, f"lobby-{look}")
    visitor.open("/rules/europe#EU-24").wait_for_selector("main")
    take(page, f"rules-{look}")
    visitor.close()


def example(browser: Browser, url: str, board: str, look: str) -> None:
    """One worked example of a game's rules; each look shows another."""
    visitor = Visitor(browser, url, **LOOKS[look], locale=LANGUAGES[look])
    page = visitor.open(f"/rules/{board}")
    page.wait_for_selector(".example")
    examples = page.locator(".example").all()
    shown = examples[(list(LOOKS).index(look) + 1) % len(examples)]
    for picture in shown.locator("figure").all():  # they are drawn when they are near
        picture.scroll_into_view_if_needed()
        page.wait_for_timeout(SETTLED)
    shown.screenshot(path=FOLDER / f"{board}-{look}-example.jpg", type="jpeg", quality=70)
    print(f"{board}-{look}-example", flush=True)
    visitor.close()


def guide(browser: Browser, url: str) -> None:
    visitor = Visitor(browser, url, **LOOKS["wide"])
    table = visitor.new_table("europe", "person", "normal")
    visitor.open(f"/t/{table}").wait_for_selector(".page")
    take(visitor.page, "guide-wide")
    visitor.close()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    wanted = sys.argv[1:] or list(GAMES)
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as server, running_browser() as browser:
        guide(browser, server.url)
        for look in LOOKS:
            around(browser, server.url, look)
            for board in wanted:
                game(browser, server.url, board, look)
                example(browser, server.url, board, look)


if __name__ == "__main__":
    main()
