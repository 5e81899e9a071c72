"""Take pictures of the page: `make screenshots` retakes those in docs/, this script with names of games those of these games.

    python scripts/screenshots.py --matrix FOLDER [--size 1280x720 ...] [--language pl] [--seats 5] [GAME ...]

takes every game at every size of screen, light and dark, at the moments that need most room, and puts them side by side on one sheet for each game.
It uses a real server and a real browser. What leads to a moment is decided without the page, as a bot's hints advise.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page

PROJECT = Path(__file__).parents[1]
sys.path.insert(0, str(PROJECT))

from tests.commands import branchline  # noqa: E402  # the server and people of the tests
from tests.server.running import running_server  # noqa: E402
from tests.web.browsing import PHONE, WIDE, Player, Visitor, running_browser  # noqa: E402
from tests.web.test_editor import emptied, make_board, report, saved  # noqa: E402
from tests.web.test_whole_games import skip_to_the_result  # noqa: E402

from branchline.design.layout.beginning import begin  # noqa: E402
from branchline.words import languages  # noqa: E402

FOLDER = PROJECT / "docs" / "pictures"
BEFORE = FOLDER / "before"  # turns as they looked in November 2026 before the screen was redesigned: they cannot be taken again
GAMES = {"europe": 3, "london": 3, "usa": 3, "world": 4, "card-game": 3, "new-york": 3, "great-lakes": 3}
TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}
LOOKS: dict[str, dict[str, Any]] = {
    "wide": {"viewport": WIDE},
    "dark": {"viewport": WIDE, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "device_scale_factor": 2, **TOUCH},
}
HALF, GAP = (740, 462), 4  # pixels of a picture beside another, and between them
SHEET_ROW = 220  # pixels of height
CROWD = ("europe", 5, {"width": 1280, "height": 720})
LANGUAGES = {"wide": "en-GB", "dark": "pl-PL", "phone": "uk-UA"}  # each is shown once
SETTLED = 400  # milliseconds
# by day or by night, whatever the page is in
MAP_SHOWN = """() => {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'
  return [...document.querySelectorAll('.ground img')].every((map) => map.matches('.shown') && map.src.includes(`/ground/${theme}`))
}"""
HINTS = "--hints-per-minute=100000"
ACTS = {"card-game": 12, "london": 14, "new-york": 12}  # until a good moment; 34 elsewhere
MANY_CARDS = 11  # in the hand
LATEST = 400  # acts after which a moment will not come any more
ASKING = ("hint", "payment", "tunnel")  # where the question needs most room
MOMENTS = {
    "wide": ("opening", "turn", *ASKING, "end"),
    "dark": ("turn", "count", "replay"),
    "phone": ("opening", "turn", *ASKING, "end"),
}
ASKED_FEWER = ("new-york", "great-lakes")  # look as others do when they ask
CROWDED = ("opening", "hint", "payment", "tunnel", "turn", "end")  # what the matrix shows
SIZES = ("360x740", "844x390", "820x1180", "1280x720", "1440x900", "1920x1080", "2560x1440")
BY_TOUCH = SIZES[:3]


class Game:
    """A visitor's table, on which everything is decided without the page."""

    def __init__(self, visitor: Visitor, board: str, seats: int) -> None:
        self.visitor, self.board = visitor, board
        visitor.key()
        self.table = visitor.new_table(board, "person", *["normal"] * (seats - 1), first_seat=0)
        facts = visitor.ask(f"/api/games/{board}")
        self.tunnels = {route["id"] for route in facts.get("routes", []) if route.get("tunnel")}

    @property
    def position(self) -> dict[str, Any]:
        """Once this visitor is asked, or the game is over."""
        while True:
            state = self.visitor.ask(f"/api/tables/{self.table}")["state"]
            if "question" in state["position"] or state["status"] != "playing":
                return dict(state["position"])

    def decide(self, decision: str) -> None:
        answer = {"question": self.position["question"], "decision": decision, "id": secrets.token_hex(8)}
        self.visitor.ask(f"/api/tables/{self.table}/decide", answer)

    def advised(self) -> str:
        return str(self.visitor.ask(f"/api/tables/{self.table}/hint")["decision"])

    def play(self, acts: int) -> None:
        """That many decisions, and further ones to the beginning of a turn."""
        for number in range(LATEST):
            position = self.position
            is_turn = position.get("phase") == "action" and (has_cards_everywhere(position) or number > 4 * acts)
            if "question" not in position or (number >= acts and is_turn):
                return
            self.decide(self.laying(position) or self.advised())

    def laying(self, position: dict[str, Any]) -> str | None:
        """Cards into a yard, of the colour of which the viewer has most: hints would rather wait."""
        own = position["seats"]["0"]
        places = [text for text in position["legal"] if text.startswith("place ")]
        if not places or (position["phase"] == "action" and sum(own["hand"].values()) < MANY_CARDS):
            return None
        return max(places, key=lambda text: own["hand"].get(text.removeprefix("place "), 0))

    def play_until(self, phases: tuple[str, ...], choose: Callable[[list[str]], str | None]) -> bool:
        """Choose so in every turn that offers it, until one of the phases has come."""
        for _ in range(LATEST):
            position = self.position
            if "question" not in position:
                return False
            if position["phase"] in phases:
                return True
            self.decide((position["phase"] == "action" and choose(position["legal"])) or self.advised())
        return False

    def play_to_a_payment(self) -> bool:
        """For a route, or of cards into a yard."""
        return self.play_until(("payment", "placing"), lambda legal: next((text for text in legal if text.startswith(("claim", "place"))), None))

    def play_to_a_tunnel(self) -> bool:
        """Where cards are owed."""
        tunnels = {f"claim {route}" for route in self.tunnels}
        return bool(tunnels) and self.play_until(("tunnel",), lambda legal: next((text for text in legal if text in tunnels), None))


def has_cards_everywhere(position: dict[str, Any]) -> bool:
    """In every yard, if there are yards."""
    return all(seat["yard"] for seat in position["seats"].values() if "yard" in seat)


def moments(game: Game) -> Iterator[str]:
    """The names of the moments of a game as they come. Each is there when its name is given."""
    yield "opening"
    game.play(ACTS.get(game.board, 34))
    yield "turn"
    yield "hint"
    if game.play_to_a_payment():
        yield "payment"
    if game.play_to_a_tunnel():
        yield "tunnel"
    game.play(LATEST)
    yield from ("count", "end", "replay")


def show(visitor: Visitor, table: str, moment: str) -> Page:
    """Open the page and wait until it shows the moment."""
    if moment == "replay":
        visitor.open(f"/replay/{table}?at=60").wait_for_selector("input[type=range]")
        return visitor.page
    page = visitor.open(f"/t/{table}")
    page.wait_for_selector(".page")
    if moment == "hint":
        page.locator("[data-do=hint]").click()
        page.wait_for_selector(".hint")
    elif moment in ("count", "end"):
        page.wait_for_selector("[data-do=skip], [data-total]")
    if moment == "end":
        skip_to_the_result(page)
    page.wait_for_timeout(2 * SETTLED)
    return page


def beside(left: Image.Image, right: Image.Image) -> Image.Image:
    pair = Image.new("RGB", (2 * HALF[0] + GAP, HALF[1]), "white")
    for number, picture in enumerate((left, right)):
        pair.paste(picture.convert("RGB").resize(HALF, Image.Resampling.LANCZOS), (number * (HALF[0] + GAP), 0))
    return pair


def before_and_after(board: str) -> None:
    """A turn as it looked before the redesign, and as it looks now."""
    if (BEFORE / f"{board}.jpg").exists():
        pair = beside(Image.open(BEFORE / f"{board}.jpg"), Image.open(FOLDER / f"{board}-wide-turn.jpg"))
        pair.save(FOLDER / f"before-after-{board}.jpg", quality=75, optimize=True)


def take(page: Page, path: Path) -> None:
    page.wait_for_function(MAP_SHOWN)
    page.wait_for_timeout(SETTLED)
    page.screenshot(path=path, type="jpeg", quality=70)
    print(path.stem, flush=True)


def pictures_of(browser: Browser, url: str, board: str, look: str) -> None:
    """The moments that differ most in a look."""
    visitor = Visitor(browser, url, **LOOKS[look], locale=LANGUAGES[look])
    visitor.without_guides()
    game = Game(visitor, board, GAMES[board])
    for moment in moments(game):
        if moment in MOMENTS[look] and not (moment in ASKING and board in ASKED_FEWER):
            take(show(visitor, game.table, moment), FOLDER / f"{board}-{look}-{moment}.jpg")
    visitor.close()


def crowd(browser: Browser, url: str) -> None:
    """As many seats as possible on a small laptop."""
    board, seats, viewport = CROWD
    visitor = Visitor(browser, url, viewport=viewport)
    visitor.without_guides()
    game = Game(visitor, board, seats)
    game.play(ACTS.get(board, 34))
    take(show(visitor, game.table, "turn"), FOLDER / f"{board}-crowd-turn.jpg")
    visitor.close()


def around(browser: Browser, url: str, look: str) -> None:
    """Start page, lobby, rules."""
    visitor = Visitor(browser, url, **LOOKS[look], locale=LANGUAGES[look])
    visitor.without_guides()
    page = visitor.open()
    page.wait_for_selector("main")
    take(page, FOLDER / f"start-{look}.jpg")
    table = visitor.new_table("europe", "person", "person", "hard", open=True)
    visitor.open(f"/t/{table}").wait_for_selector("main")
    take(page, FOLDER / f"lobby-{look}.jpg")
    visitor.open("/rules/europe#EU-24").wait_for_selector(".example")
    take(page, FOLDER / f"rules-{look}.jpg")
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
    shown.scroll_into_view_if_needed()
    page.wait_for_timeout(SETTLED)
    shown.screenshot(path=FOLDER / f"{board}-{look}-example.jpg", type="jpeg", quality=70)
    print(f"{board}-{look}-example", flush=True)
    visitor.close()


def guide(browser: Browser, url: str) -> None:
    visitor = Visitor(browser, url, **LOOKS["wide"])
    table = visitor.new_table("europe", "person", "normal")
    visitor.open(f"/t/{table}").wait_for_selector(".coach")
    take(visitor.page, FOLDER / "guide-wide.jpg")
    visitor.close()


def editor(browser: Browser) -> None:
    """A board with a route selected, in the editor: a server of its own, because most servers have none."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "baltic"
        begin(folder, "Around the Baltic")
        with running_server(Path(place), None, f"--editor={folder}") as server:
            for look, how in LOOKS.items():
                visitor = Visitor(browser, server.url, **how, locale=LANGUAGES[look])
                page = visitor.open("/edit")
                page.wait_for_selector(".editor canvas")
                page.locator("details").last.locator("summary").click()
                page.locator("details[open] .list button").filter(has_text="Oslo–Stockholm").click()
                page.locator("details[open]").last.locator("summary").click()
                page.locator(".inside").evaluate("(panel) => panel.scrollTo(0, 0)")
                page.wait_for_timeout(SETTLED)
                take(page, FOLDER / f"editor-{look}.jpg")
                visitor.close()


def designing(browser: Browser) -> None:
    """A board from the first click to better numbers: drawn, played, reported, balanced."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "seven-towns"
        begin(folder, "Islands")
        emptied(folder)
        with running_server(Path(place), None, f"--editor={folder}") as server:
            visitor = Visitor(browser, server.url, **LOOKS["wide"])
            visitor.prefer(guides=False, name="Ann", pace=0)
            page = visitor.open("/edit")
            page.wait_for_selector(".editor")
            page.wait_for_timeout(SETTLED)
            make_board(page)
            page.locator("[data-tab=tickets]").click()
            page.locator("tbody input").first.fill("20")  # far too much, for the report to find
            saved(page)
            take(page, FOLDER / "design-drawn.jpg")
            page.locator("[data-do=play]").click()
            page.wait_for_selector(".page")
            Player(page, seed=3).play_out()
            skip_to_the_result(page)
            page.wait_for_timeout(2 * SETTLED)
            take(page, FOLDER / "design-played.jpg")
            visitor.open("/edit").wait_for_selector(".editor")
            report(page)
            page.locator("[data-finding=ticket_too_much] .link").first.click()
            page.locator(".inside").evaluate("(panel) => panel.scrollTo(0, 0)")
            take(page, FOLDER / "design-reported.jpg")
            visitor.close()
        commands(browser, folder)


def commands(browser: Browser, folder: Path) -> None:
    """What the report's page and the terminal show afterwards."""
    file = folder.parent / "report.html"
    branchline("board", "report", folder, "--games", 2000, "--out", file)
    page = browser.new_context(viewport=WIDE).new_page()
    page.goto(file.as_uri())
    take(page, FOLDER / "design-report-page.jpg")
    words = "branchline board balance seven-towns --goal tickets --tickets 17 --minutes 1"
    said = branchline(*words.split()[1:], "--check", 2000, cwd=folder.parent).stdout
    page.set_content(f'<pre style="display:inline-block;margin:0;padding:1rem;font:15px/1.45 monospace">$ {words}\n{escape(said)}</pre>')
    page.locator("pre").screenshot(path=FOLDER / "design-balanced.jpg", type="jpeg", quality=80)
    page.context.close()


def for_docs(browser: Browser, url: str) -> None:
    guide(browser, url)
    editor(browser)
    designing(browser)
    crowd(browser, url)
    for look in LOOKS:
        around(browser, url, look)
    of_games(browser, url, list(GAMES))


def of_games(browser: Browser, url: str, boards: list[str]) -> None:
    for board in boards:
        for look in LOOKS:
            pictures_of(browser, url, board, look)
            example(browser, url, board, look)
        before_and_after(board)


def matrix(browser: Browser, url: str, boards: list[str], sizes: list[str], language: str, seats: int | None, folder: Path) -> None:
    """One game of each board. The same person looks at it with a mouse and on a touch screen."""
    folder.mkdir(parents=True, exist_ok=True)
    for board in boards:
        people = {"mouse": Visitor(browser, url, locale=language), "touch": Visitor(browser, url, locale=language, **TOUCH)}
        people["touch"].keep(people["mouse"].key())
        for person in people.values():
            person.without_guides()
        game = Game(people["mouse"], board, seats or GAMES[board])
        for moment in moments(game):
            for size in sizes if moment in CROWDED else ():
                person = people["touch" if size in BY_TOUCH else "mouse"]
                person.page.set_viewport_size(dict(zip(("width", "height"), map(int, size.split("x")), strict=True)))  # type: ignore[arg-type]
                page = show(person, game.table, moment)  # again for each: a phone's board may have been moved for a sheet
                light_and_dark(page, folder / f"{board}-{moment}-{size}")
        for person in people.values():
            person.close()
        sheet(folder, board, sizes)


def sheet(folder: Path, board: str, sizes: list[str]) -> None:
    """All pictures of a game side by side, reduced: a row for each moment."""
    shown = [moment for moment in CROWDED if list(folder.glob(f"{board}-{moment}-*"))]
    rows = [[folder / f"{board}-{moment}-{size}-{theme}.jpg" for size in sizes for theme in ("light", "dark")] for moment in shown]
    reduced = [[scaled(Image.open(path)) for path in row] for row in rows]
    width = max(sum(picture.width + GAP for picture in row) for row in reduced)
    whole = Image.new("RGB", (width, len(rows) * (SHEET_ROW + GAP)), "white")
    for number, row in enumerate(reduced):
        left = 0
        for picture in row:
            whole.paste(picture, (left, number * (SHEET_ROW + GAP)))
            left += picture.width + GAP
    whole.save(folder / f"sheet-{board}.jpg", quality=60, optimize=True)


def scaled(picture: Image.Image) -> Image.Image:
    return picture.resize((round(picture.width * SHEET_ROW / picture.height), SHEET_ROW), Image.Resampling.LANCZOS)


def light_and_dark(page: Page, name: Path) -> None:
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        page.wait_for_function("(theme) => document.documentElement.dataset.theme === theme", arg=theme)
        take(page, name.with_name(f"{name.name}-{theme}.jpg"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"some of {', '.join(GAMES)}; all if none is named")
    parser.add_argument("--matrix", type=Path, metavar="FOLDER", help="every size, light and dark, instead of the pictures for docs/")
    parser.add_argument("--size", action="append", choices=SIZES, help="of the matrix; all if none is given")
    parser.add_argument("--seats", type=int, help="at the matrix's tables; three or four if it is not given")
    parser.add_argument("--language", choices=[code for code, one in languages().items() if one.complete], default="en", help="of the matrix")
    wanted = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder), None, HINTS) as server, running_browser() as browser:
        if wanted.matrix:
            matrix(browser, server.url, wanted.games or list(GAMES), wanted.size or list(SIZES), wanted.language, wanted.seats, wanted.matrix)
        elif wanted.games:
            of_games(browser, server.url, wanted.games)
        else:
            for_docs(browser, server.url)


if __name__ == "__main__":
    main()
