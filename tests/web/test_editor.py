"""The board editor in a real browser: a board made by clicks, checked, played, reported and balanced; by keys; by touch; and nothing is lost."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as NotThere

from branchline.boards import load_board
from branchline.design.editor.reading import read_document
from branchline.design.layout.beginning import begin
from branchline.design.layout.checking import problems_of
from tests.boards.outside import alone  # noqa: F401  # used by all tests
from tests.commands import branchline
from tests.conftest import SOAK
from tests.server.running import ServerProcess
from tests.web.browsing import PHONE, SOON, WIDE, Player, Visitor
from tests.web.test_accessibility import LOOKS, look_id, violations
from tests.web.test_whole_games import final_totals

CODE = "a-code-for-tests"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A board to begin with, which some tests empty."""
    begin(tmp_path / "islands", "Islands")
    return tmp_path / "islands"


def emptied(folder: Path) -> None:
    """Only the headings are left, and nothing lies beneath."""
    for file in ("cities", "routes", "tickets", "geography", "names"):
        path = folder / f"{file}.csv"
        path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    (folder / "editor.toml").write_text('[background]\nkind = "none"\n', encoding="utf-8")


@pytest.fixture
def server(folder: Path, tmp_path: Path) -> Iterator[ServerProcess]:
    running = ServerProcess(f"sqlite:///{tmp_path / 'games.db'}", tmp_path, "--editor", str(folder), "--editor-code", CODE)
    yield running
    running.stop()


def opened(visitor: Visitor) -> Page:
    visitor.prefer(guides=False, name="Ann", pace=0)
    page = visitor.open(f"/edit#{CODE}")
    page.wait_for_selector(".editor")
    page.wait_for_timeout(200)
    return page


def saved(page: Page) -> None:
    """Wait until everything shown is on disk."""
    page.wait_for_timeout(60)
    page.wait_for_selector(".editor[data-state=saved]")


def tool(page: Page, name: str) -> None:
    page.locator(f"[data-tool={name}]").click()


def on_map(page: Page, x: float, y: float) -> tuple[float, float]:
    """A place on the map, in shares of its sides."""
    box = page.locator(".map").bounding_box()
    assert box
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def middle(page: Page, city: str) -> tuple[float, float]:
    box = page.locator(f"[data-city='{city}'] .dot").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def add_city(page: Page, name: str, x: float, y: float) -> None:
    page.mouse.click(*on_map(page, x, y))
    page.locator("[data-field=name]").fill(name)


def join(page: Page, a: str, b: str, length: int) -> None:
    for city in (a, b):
        page.mouse.click(*middle(page, city))
    page.locator("[data-field=length]").select_option(str(length))


def field(page: Page, path: str) -> Locator:
    return page.locator(f"[data-path='{path}']")


PLACES = {
    "Alta": (0.2, 0.2),
    "Bergen": (0.5, 0.15),
    "Calais": (0.8, 0.25),
    "Dover": (0.25, 0.6),
    "Essen": (0.55, 0.5),
    "Fiume": (0.8, 0.75),
    "Genova": (0.4, 0.85),
}
WAYS = [("alta", "bergen"), ("bergen", "calais"), ("alta", "dover"), ("bergen", "essen"), ("calais", "essen"), ("dover", "essen"), ("essen", "fiume")]
WAYS += [("calais", "fiume"), ("dover", "genova"), ("essen", "genova"), ("fiume", "genova")]


@pytest.mark.timeout(300)
def test_a_board_made_by_clicks_is_checked_played_reported_and_balanced(
    browser: Browser, server: ServerProcess, folder: Path, visitors: list[Visitor]
) -> None:
    """As a soak to the end of the game, with all that a designer does then; otherwise the beginning."""
    emptied(folder)
    server.start()
    visitors.append(visitor := Visitor(browser, server.url))
    page = opened(visitor)
    expect(page.locator("[data-do=play]")).to_be_disabled()
    make_board(page)
    check_files(folder)
    play(visitor, folder)
    if SOAK:
        page = opened(visitor)
        spoil_ticket(page)
        report(page)
        report_and_balance(folder)


def make_board(page: Page) -> None:
    tool(page, "city")
    for name, place in PLACES.items():
        add_city(page, name, *place)
    tool(page, "route")
    for number, (a, b) in enumerate(WAYS):
        join(page, a, b, 1 + number % 3)
    page.mouse.click(*middle(page, "alta"))
    page.mouse.click(*middle(page, "essen"))
    page.get_by_role("radio", name="red").check(force=True)
    page.locator("[data-field=double]").check()
    page.locator("[data-field=ferry]").select_option("1")
    saved(page)
    expect(page.locator("[data-problems='0']")).to_have_count(0)  # no tickets yet, and the server says so
    make_tickets(page)
    page.locator("[data-tab=rules]").click()
    field(page, "pieces.trains").fill("10")
    page.locator("[data-mechanism=stations]").check()
    field(page, "players.1").fill("3")
    page.locator("[data-tab=board]").click()
    page.locator("[data-field=board-name]").fill("Seven Towns")
    saved(page)
    expect(page.locator("[data-problems='0']")).to_be_visible()


def make_tickets(page: Page) -> None:
    """By clicks on the map; the first has a wrong value, for which another is suggested."""
    tool(page, "ticket")
    ends = [("alta", "fiume"), ("alta", "genova"), ("bergen", "genova"), ("calais", "dover"), ("dover", "fiume"), ("bergen", "fiume")]
    ends += [("calais", "genova"), ("alta", "calais"), ("bergen", "dover")]
    for a, b in ends:
        for city in (a, b):
            page.mouse.click(*middle(page, city))
    saved(page)
    expect(page.locator("tbody tr").last).to_be_in_viewport(ratio=1)  # what was made last, below many others
    first = page.locator("tbody tr").first
    first.locator("input").fill("50")
    saved(page)
    page.locator("[data-do=take-all]").click()
    expect(first.locator("input")).not_to_have_value("50")
    saved(page)


def check_files(folder: Path) -> None:
    """What was clicked is what the files say, and the check has nothing to say."""
    assert problems_of(folder) == []
    board = load_board(folder)
    assert (board.name, board.players) == ("Seven Towns", (2, 3))
    assert [city.name for city in board.cities] == list(PLACES)
    assert len(board.routes) == len(WAYS) + 2
    twins = [route for route in board.routes if route.double]
    assert [(route.id, route.colour, route.ferry) for route in twins] == [("alta-essen.1", "red", 1), ("alta-essen.2", "red", 0)]
    assert board.record.stations == 3
    assert board.tickets[0].points < 50


def play(visitor: Visitor, folder: Path) -> None:
    """A person by clicks, as a soak to the result; bots to the end."""
    page = visitor.page
    page.locator("[data-do=play]").click()
    page.wait_for_selector(".page")
    expect(page.locator(".page")).to_contain_text("Seven Towns")
    player = Player(page, seed=3)
    if SOAK:
        player.play_out()
        assert len(final_totals(visitor)) == 3
    else:
        player.play(8)
        assert sum(player.acts.values()) == 8
    done = branchline("simulate", str(folder), "--players", "3", "--bots", "planner", "--games", "100")
    assert done.returncode == 0, done.stderr
    assert "100 games" in done.stdout


def spoil_ticket(page: Page) -> None:
    """The first one pays far more than its way is long."""
    page.locator("[data-tab=tickets]").click()
    page.locator("tbody tr").first.locator("input").first.fill("20")
    saved(page)


def report(page: Page) -> None:
    """The panel, until all games are played. It finds the spoilt ticket."""
    page.locator("[data-tab=report]").click()
    page.get_by_label("1,000", exact=True).check(force=True)
    page.locator("[data-do=report]").click()
    page.wait_for_selector("[data-report=finished]", timeout=120_000)
    assert page.locator("[data-finding=ticket_too_much]").count()


def report_and_balance(folder: Path) -> None:
    """The commands, with few games: the spoilt ticket pays less afterwards, and that has gained something."""
    figures, better = folder.parent / "figures.json", folder.parent / "better"
    reported = branchline("board", "report", folder, "--games", 200, "--styles", 60, "--threads", 1, "--json", figures)
    assert reported.returncode == 0, reported.stderr
    assert f"Written: {figures}" in reported.stdout
    few = ("--minutes", 0.2, "--check", 4000, "--players", 2, "--threads", 1)
    balanced = branchline("board", "balance", folder, "--goal", "tickets", "--tickets", 18, *few, "--out", better)
    assert balanced.returncode == 0, balanced.stderr
    assert problems_of(better) == []
    assert load_board(better).name.startswith("Seven Towns")
    goal = json.loads((better / "balance.json").read_text(encoding="utf-8"))["goals"][0]
    assert goal["after"]["high"] < goal["before"]["low"]  # on games that the search has not seen
    assert load_board(better).tickets[0].points < load_board(folder).tickets[0].points == 20


@pytest.mark.soak("tests/server/test_editor_report.py fills one in, and boards made by clicks are reported above")
@pytest.mark.timeout(300)
def test_the_report_fills_in_and_leads_to_what_it_is_about(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    server.start()
    visitors.append(visitor := Visitor(browser, server.url))
    page = opened(visitor)
    page.locator("[data-tab=report]").click()
    page.get_by_label("2", exact=True).check(force=True)
    page.get_by_label("100,000", exact=True).check(force=True)
    page.locator("[data-do=report]").focus()
    page.keyboard.press("Enter")
    about = page.locator("[data-finding^=route] .link, [data-finding=bottleneck] .link").first
    about.wait_for(state="attached", timeout=60_000)
    if not about.is_visible():
        page.locator("details:has([data-finding]) summary").click()  # what matters less is folded away
    assert 0 < float(page.locator("progress").get_attribute("value") or 0) < 150_000
    rows = page.locator("[data-head] tbody tr")
    expect(rows).to_have_count(5)
    expect(rows.first).to_contain_text("first-player advantage")
    head = page.locator(".head").bounding_box()
    assert head is not None
    assert head["height"] > 100
    expect(rows.first.locator("td small")).to_contain_text(" to ")
    about.press("Enter")
    expect(page.locator(".map .under.selected")).to_have_count(1)
    expect(about).to_have_attribute("aria-pressed", "true")
    look_at_the_whole_report(page)
    page.locator("[data-tab=tickets]").click()  # it goes on meanwhile
    page.locator("tbody input").first.fill("17")
    saved(page)
    page.locator("[data-tab=report]").click()
    expect(page.locator("[data-old]")).to_contain_text("before your last change")
    page.locator("[data-do=stop-report]").click()
    expect(page.locator("[data-report=stopped]")).to_contain_text("Stopped after")
    assert violations(page) == []
    page.keyboard.press("Control+z")
    saved(page)
    expect(page.locator("[data-old]")).to_have_count(0)


@pytest.mark.soak("the editor's map is drawn in the tests of clicks and of undoing")
def test_names_stand_beside_the_tracks(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    """On the board to begin with, Turku and Berlin have tracks to the right, where names usually stand."""
    server.start()
    visitors.append(visitor := Visitor(browser, server.url, viewport=PHONE))
    page = opened(visitor)
    assert page.evaluate(COVERED) == []
    for city, side in {"riga": "start", "turku": "middle", "berlin": "end"}.items():
        expect(page.locator(f"[data-city={city}] text")).to_have_attribute("text-anchor", side)


# names on which another city's dot lies
COVERED = """() => [...document.querySelectorAll('.city text')].filter((name) => {
  const own = name.getBoundingClientRect()
  return [...document.querySelectorAll('.city .dot')].some((dot) => {
    const { left, right, top, bottom } = dot.getBoundingClientRect()
    return left < own.right && own.left < right && top < own.bottom && own.top < bottom && dot.parentElement !== name.parentElement
  })
}).map((name) => name.textContent)"""


def look_at_the_whole_report(page: Page) -> None:
    """In a tab of its own, while games are played."""
    errors: list[str] = []
    with page.expect_popup() as opening:
        page.locator("[data-do=whole-report]").click()
    whole = opening.value
    whole.on("pageerror", lambda error: errors.append(str(error)))
    whole.wait_for_load_state()
    whole.reload()
    expect(whole.locator("#tickets tbody tr").first).to_be_visible()
    whole.locator("#routes th button").nth(1).click()
    expect(whole.locator("#routes th").nth(1)).to_have_attribute("aria-sort", "descending")
    assert errors == []
    whole.close()


def documents(folder: Path) -> str:
    return read_document(folder).model_dump_json()


def test_everything_can_be_undone_and_redone(browser: Browser, server: ServerProcess, folder: Path, visitors: list[Visitor]) -> None:
    server.start()
    visitors.append(visitor := Visitor(browser, server.url))
    page = opened(visitor)
    states = [documents(folder)]
    for act in ACTS if SOAK else ACTS[::3]:
        act(page)
        saved(page)
        states.append(documents(folder))
    assert len(set(states)) == len(states)
    for state in states[-2::-1]:
        page.locator("[data-do=undo]").click()
        saved(page)
        assert documents(folder) == state
    expect(page.locator("[data-do=undo]")).to_be_disabled()
    for state in states[1:]:
        page.keyboard.press("Control+Shift+z")
        saved(page)
        assert documents(folder) == state
    expect(page.locator("[data-do=redo]")).to_be_disabled()


def moved_city(page: Page) -> None:
    x, y = middle(page, "riga")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 30, steps=4)
    page.mouse.up()


def removed_city(page: Page) -> None:
    page.mouse.click(*middle(page, "oslo"))
    page.locator("[data-do=remove]").click()


def switched_ships(page: Page) -> None:
    switched(page, "ships")


def switched_harbours(page: Page) -> None:
    switched(page, "harbours")


def switched(page: Page, mechanism: str) -> None:
    page.locator("[data-tab=rules]").click()
    page.locator(f"[data-mechanism={mechanism}]").check()


def ticket_removed(page: Page) -> None:
    page.locator("[data-tab=tickets]").click()
    page.get_by_role("button", name="Remove Berlin–Helsinki").click()


ACTS = (moved_city, removed_city, switched_ships, switched_harbours, ticket_removed)


@pytest.mark.soak("one of them is switched on, and that is undone, above")
def test_each_mechanism_is_switched_on_and_off_without_a_trace(
    browser: Browser, server: ServerProcess, folder: Path, visitors: list[Visitor]
) -> None:
    server.start()
    visitors.append(visitor := Visitor(browser, server.url))
    page = opened(visitor)
    page.locator("[data-tab=rules]").click()
    before = read_document(folder)
    for switch in page.locator("[data-mechanism]").all():
        was_on = switch.is_checked()
        switch.click()
        saved(page)
        assert read_document(folder) != before
        if was_on:
            page.locator("[data-do=undo]").click()
        else:
            switch.click()
        saved(page)
        assert read_document(folder) == before
    assert problems_of(folder) == []


@pytest.mark.soak("by clicks and by touch it is tested here")
def test_a_city_and_a_route_by_keys_alone(browser: Browser, server: ServerProcess, folder: Path, visitors: list[Visitor]) -> None:
    server.start()
    visitors.append(visitor := Visitor(browser, server.url))
    page = opened(visitor)
    reach(page, ".map")
    for key in ("c", "Shift+ArrowRight", "Shift+ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    reach(page, "[data-field=name]")
    page.keyboard.press("Control+a")
    page.keyboard.type("Klaipeda")
    reach(page, ".map", back=True)
    for key in ("r", "Enter", "PageDown", "Enter", "3"):
        page.keyboard.press(key)
    saved(page)
    document = read_document(folder)
    assert document.cities[-1].name == "Klaipeda"
    assert (document.routes[-1].cities, document.routes[-1].length) == (("klaipeda", "oslo"), 3)
    place = document.cities[-1].lat
    page.keyboard.press("v")
    page.keyboard.press("PageUp")
    page.keyboard.press("Enter")
    page.keyboard.press("Alt+ArrowUp")
    saved(page)
    assert read_document(folder).cities[-1].lat > place
    page.keyboard.press("Delete")
    saved(page)
    assert "klaipeda" not in documents(folder)
    page.keyboard.press("Control+z")
    saved(page)
    assert "klaipeda" in documents(folder)


def reach(page: Page, selector: str, back: bool = False) -> None:
    """Only with the Tab key."""
    for _ in range(60):
        if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Shift+Tab" if back else "Tab")
    raise AssertionError(f"{selector} cannot be reached")


@pytest.mark.soak("clicks and keys are tested in the same editor")
def test_by_touch_on_a_phone(browser: Browser, server: ServerProcess, folder: Path, visitors: list[Visitor]) -> None:
    server.start()
    visitors.append(visitor := Visitor(browser, server.url, viewport=PHONE, has_touch=True))
    page = opened(visitor)
    before = read_document(folder)
    page.touchscreen.tap(*middle(page, "riga"))
    page.locator("[data-field=name]").fill("Ryga")
    dragged(page, middle(page, "ryga"), (-30, 12))
    take_by_touch(page, "city")
    page.touchscreen.tap(*on_map(page, 0.5, 0.5))
    new = f"city-{len(before.cities) + 1}"
    page.wait_for_selector(f"[data-city='{new}']")
    take_by_touch(page, "route")
    for city in (new, "ryga"):
        page.touchscreen.tap(*middle(page, city))
    page.locator("[data-field=tunnel]").check()
    saved(page)
    after = read_document(folder)
    riga = next(city for city in after.cities if city.id == "ryga")
    assert riga.lon < next(city for city in before.cities if city.id == "riga").lon
    assert (after.routes[-1].cities, after.routes[-1].tunnel) == ((new, "ryga"), True)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def take_by_touch(page: Page, tool: str) -> None:
    """Chromium swallows a tap that comes right after a drag, faster than anybody's finger: then tap again."""
    taken = page.locator(f"[data-tool={tool}][aria-pressed=true]")
    for _ in range(5):
        page.locator(f"[data-tool={tool}]").tap()
        with suppress(NotThere):
            taken.wait_for(timeout=SOON)
            return
    raise NotThere(f"the tool {tool} cannot be taken")


def dragged(page: Page, start: tuple[float, float], by: tuple[float, float]) -> None:
    """With one finger."""
    talk = page.context.new_cdp_session(page)
    for kind, share in (("touchStart", 0.0), ("touchMove", 0.4), ("touchMove", 1.0), ("touchEnd", None)):
        points = [] if share is None else [{"x": start[0] + share * by[0], "y": start[1] + share * by[1]}]
        talk.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    talk.detach()


@pytest.mark.soak("tests/server/test_editor.py exports and imports")
def test_an_export_imported_elsewhere_is_the_same_folder(
    browser: Browser, server: ServerProcess, folder: Path, tmp_path: Path, visitors: list[Visitor]
) -> None:
    server.start()
    visitors.append(visitor := Visitor(browser, server.url))
    page = opened(visitor)
    page.locator("[data-tab=board]").click()
    before = contents(folder)
    with page.expect_download() as download:
        page.locator("[data-do=export]").click()
    download.value.save_as(tmp_path / "board.zip")
    with zipfile.ZipFile(tmp_path / "board.zip") as zipped:
        assert {name.partition("/")[2]: zipped.read(name) for name in zipped.namelist()} == before
    page.mouse.click(*middle(page, "oslo"))
    page.locator("[data-do=remove]").click()
    (folder / "words" / "pl.toml").write_text('name = "Wyspy"\n', encoding="utf-8")
    saved(page)
    assert contents(folder) != before
    page.locator("[data-tab=board]").click()
    page.locator("input[data-do=import]").set_input_files(tmp_path / "board.zip")
    page.wait_for_selector("[data-city=oslo]")
    assert contents(folder) == before


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".branchline" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.soak("tests/server/test_editor.py kills a server while it saves")
@pytest.mark.timeout(300)
def test_a_killed_server_and_a_closed_tab_lose_nothing(browser: Browser, server: ServerProcess, folder: Path, visitors: list[Visitor]) -> None:
    """What was shown as saved is on disk; what was not is kept in the browser, and saved when the server is back."""
    server.start()
    visitors.append(visitor := Visitor(browser, server.url))
    page = opened(visitor)
    page.locator("[data-tab=board]").click()
    page.locator("[data-field=board-name]").fill("Saved before")
    saved(page)
    server.kill()
    assert read_document(folder).settings["name"] == "Saved before"
    page.locator("[data-field=board-name]").fill("Typed without a server")
    page.wait_for_selector(".editor[data-state=offline]")
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto("about:blank")
    server.start()
    page = opened(visitor)
    saved(page)
    assert read_document(folder).settings["name"] == "Typed without a server"
    visitor.errors.clear()  # the browser says that the server was away


@pytest.mark.soak("tests/server/test_editor.py has two who edit at once")
def test_two_who_edit_at_once_are_told(browser: Browser, server: ServerProcess, folder: Path, visitors: list[Visitor]) -> None:
    server.start()
    people = [Visitor(browser, server.url) for _ in range(2)]
    visitors += people
    ann, ben = (opened(one) for one in people)
    for page, name in ((ann, "Ann's"), (ben, "Ben's")):
        page.locator("[data-tab=board]").click()
        page.locator("[data-field=board-name]").fill(name)
        page.wait_for_selector(".editor:not([data-state=waiting]):not([data-state=saving])")
    expect(ben.get_by_role("alert")).to_contain_text("changed elsewhere")
    assert read_document(folder).settings["name"] == "Ann's"
    ben.locator("[data-do=mine]").click()
    saved(ben)
    assert read_document(folder).settings["name"] == "Ben's"
    ann.locator("[data-field=board-name]").fill("Ann's again")
    ann.locator("[data-do=theirs]").click()
    expect(ann.locator("[data-field=board-name]")).to_have_value("Ben's")
    for one in people:
        one.errors = [error for error in one.errors if "409" not in error]


@pytest.mark.soak("tests/server/test_editor.py has the problems, and boards made by clicks show theirs")
def test_problems_stand_at_their_places_in_the_page_s_language(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    server.start()
    visitors.append(visitor := Visitor(browser, server.url, locale="pl-PL"))
    page = opened(visitor)
    tool(page, "city")
    page.mouse.click(*on_map(page, 0.5, 0.5))
    saved(page)
    expect(page.locator("[data-city=miasto-11].wrong")).to_have_count(1)
    expect(page.locator(".form .wrong")).to_have_text("Nie prowadzi tu żadna trasa: dodaj ją albo usuń miasto.")
    expect(page.locator("[data-do=play]")).to_be_disabled()
    page.locator("[data-tab=rules]").click()
    field(page, "pieces.trains").fill("99")
    saved(page)
    expect(page.locator("label:has([data-path='pieces.trains']) + .wrong")).to_contain_text("60")
    page.locator(".problems li button").first.click()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    saved(page)
    expect(page.locator("[data-do=play]")).to_be_enabled()


@pytest.mark.soak("pictures are tested in tests/server/test_editor.py")
def test_a_picture_of_one_s_own(browser: Browser, server: ServerProcess, folder: Path, tmp_path: Path, visitors: list[Visitor]) -> None:
    server.start()
    visitors.append(visitor := Visitor(browser, server.url))
    page = opened(visitor)
    page.screenshot(path=tmp_path / "sketch.png")
    page.locator("[data-tab=board]").click()
    page.locator("input[accept^='image/png']").set_input_files(tmp_path / "sketch.png")
    page.wait_for_selector(".map image")
    saved(page)
    assert (folder / "background.png").read_bytes() == (tmp_path / "sketch.png").read_bytes()
    west, south, east, north = read_document(folder).background.box
    assert round((east - west) / (north - south), 2) == round(WIDE["width"] / WIDE["height"], 2)
    page.reload()
    page.wait_for_selector(".map image")


@pytest.mark.soak("the page's other parts are looked at in test_accessibility.py")
@pytest.mark.parametrize(("scheme", "size"), LOOKS, ids=map(look_id, LOOKS))
def test_axe_finds_nothing(browser: Browser, server: ServerProcess, folder: Path, visitors: list[Visitor], scheme: str, size: dict[str, int]) -> None:
    (folder / "tickets.csv").write_text("id,a,b,points\nberlin-oslo,berlin,oslo,3\n", encoding="utf-8")
    server.start()
    visitors.append(visitor := Visitor(browser, server.url, color_scheme=scheme, viewport=size))
    page = opened(visitor)
    found = {}
    for tab in ("tickets", "cards", "rules", "board", "report", "map"):
        page.locator(f"[data-tab={tab}]").click()
        page.wait_for_timeout(100)
        found[tab] = violations(page)
    page.mouse.click(*middle(page, "riga"))
    found["city"] = violations(page)
    page.locator("summary").filter(has_text="All routes").click()
    page.get_by_role("button", name="Berlin–Gdańsk").first.click()
    found["route"] = violations(page)
    assert found == {one: [] for one in found}


@pytest.mark.soak("tests/server/test_editor.py asks without the code")
def test_without_its_code_the_editor_asks_for_it(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    server.start()
    visitors.append(visitor := Visitor(browser, server.url))
    page = visitor.open("/edit")
    page.get_by_placeholder("Code").fill(CODE)
    page.get_by_placeholder("Code").press("Enter")
    page.wait_for_selector(".editor")
    visitor.errors = [error for error in visitor.errors if "403" not in error]
