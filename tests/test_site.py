"""The site of the documentation builds without warnings, holds every page, and asks no other host for anything."""

import inspect
import logging
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml
from mkdocs.commands.build import build
from mkdocs.config import load_config

from branchline import Game, Record, State, View
from branchline.arena import Arena
from branchline.arena.ladder.keeping import Ladder
from branchline.batch import Batch, Player, Rewards
from branchline.bots.guard import GuardedBot
from branchline.design.watching import Question
from branchline.simulation.plan import Plan
from tests.conftest import SOAK
from tests.web.browsing import PHONE, WIDE, running_browser

ROOT = Path(__file__).parents[1]


class Parts(HTMLParser):
    """What a page loads from elsewhere, and what it links to."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = dict(attrs)
        if tag in ("script", "img", "link", "iframe", "source") and (address := facts.get("src") or facts.get("href")):
            self.loads.append(address)
        elif tag == "a" and (address := facts.get("href")):
            self.links.append(address)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Built as `make docs` does, once; whatever MkDocs warns about is kept."""
    folder = tmp_path_factory.mktemp("site")
    warnings: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: warnings.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("mkdocs").addHandler(handler)
    with pytest.MonkeyPatch.context() as patching:
        patching.setenv("NO_MKDOCS_2_WARNING", "1")
        patching.chdir(ROOT)
        config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder))
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
    logging.getLogger("mkdocs").removeHandler(handler)
    return folder, warnings


def test_it_builds_without_warnings(site):
    assert site[1] == []


def test_every_page_of_the_documentation_is_in_it(site):
    made = {path.stem for path in site[0].glob("*.html")}
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} <= made
    assert {"changes", "contributing", "benchmarks", "tutorial", "security"} <= made


def test_the_tutorial_has_what_its_cells_show(site):
    text = (site[0] / "tutorial.html").read_text(encoding="utf-8")
    for name in ("cell-3.svg", "cell-8.svg", "cell-17.jpg"):
        assert f'src="pictures/tutorial/{name}"' in text
        assert (site[0] / "pictures/tutorial" / name).exists()
    assert "greedy   wins" in unescape(re.sub("<[^>]*>", "", text))
    assert not list(site[0].rglob("*.txt"))


def test_no_page_loads_anything_from_another_host(site):
    """The theme's script can draw diagrams that it fetches; no page has one."""
    for path in site[0].rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        parts = Parts()
        parts.feed(text)
        assert not [address for address in parts.loads if re.match(r"(https?:)?//", address)], path.name
        assert 'class="mermaid"' not in text


def test_links_between_its_pages_lead_somewhere(site):
    for path in site[0].rglob("*.html"):
        parts = Parts()
        parts.feed(path.read_text(encoding="utf-8"))
        for address in parts.links:
            target = address.partition("#")[0]
            if target and not re.match(r"(https?:)?//|mailto:", target) and path.name != "404.html":
                assert (path.parent / target).exists(), f"{path.name} links to {address}"


SOME = ["index.html", "cluster.html", "api.html", "protocol.html", "operating.html"]


def test_no_page_scrolls_sideways_on_a_phone(site):
    """Wide tables and lines of code scroll by themselves."""
    names = sorted(path.name for path in site[0].glob("*.html")) if SOAK else SOME
    with running_browser() as browser:
        page = browser.new_context(viewport=PHONE).new_page()
        for name in names:
            page.goto((site[0] / name).as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name


BACKGROUND = "getComputedStyle(document.body).backgroundColor"
# the pieces of code in tables that stand on more than one line
CUT = "[...document.querySelectorAll('table code')].filter((one) => one.getClientRects().length > 1).map((one) => one.innerText)"


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_code_in_tables_is_not_cut_between_letters(site, size):
    """`BRANCHLINE_BOT_LIMIT` is one word; a table that it makes too wide scrolls."""
    with running_browser() as browser:
        page = browser.new_context(viewport=size).new_page()
        page.goto((site[0] / "operating.html").as_uri())
        assert page.locator("table code").count() > 100
        assert page.evaluate(CUT) == []


def test_a_search_from_the_disk_finds_a_page_and_opens_it(site):
    with running_browser() as browser:
        page = browser.new_context(viewport=WIDE).new_page()
        page.goto((site[0] / "index.html").as_uri())
        page.locator(".md-search__input").click()
        page.keyboard.type("check-bot", delay=20)
        found = page.locator(".md-search-result__link[href*='protocol.html']").first
        found.click()
        page.wait_for_url("**/protocol.html*")
        assert page.locator("h1").inner_text().startswith("Bots in any language")


def test_the_dark_scheme_can_be_chosen_and_stays(site):
    with running_browser() as browser:
        page = browser.new_context(viewport=WIDE, color_scheme="light").new_page()
        page.goto((site[0] / "index.html").as_uri())
        light = page.evaluate(BACKGROUND)
        page.locator("label[for='__palette_1']:visible").click()
        assert page.locator("body").get_attribute("data-md-color-scheme") == "slate"
        dark = page.evaluate(BACKGROUND)
        assert dark != light
        page.goto((site[0] / "protocol.html").as_uri())
        assert page.evaluate(BACKGROUND) == dark


def test_the_reference_has_what_the_package_promises(site):
    text = (site[0] / "reference.html").read_text(encoding="utf-8")
    games = "Game State View Record Board IllegalDecision why_not Reason explained_count payments best_choice watch"
    bots = "Bot compiled_bot check Batch Player GpuBatch GpuPlayer observation statistic aec_env SeatEnv"
    for name in f"{games} {bots}".split():
        assert re.search(rf'id="branchline\.[a-z_.]+\.{name}"', text), name


def signature_of(site, name: str) -> str:
    """Of a class in the reference, as people read it; empty if it has none."""
    text = (site[0] / "reference.html").read_text(encoding="utf-8")
    found = re.search(rf'<h3 id="branchline\.[a-z_.]+\.{name}"(?:(?!doc-contents).)*?<pre>(.*?)</pre>', text, re.DOTALL)
    return unescape(re.sub("<[^>]*>", "", found[1])) if found else ""


@pytest.mark.parametrize("made", [Game, Record, Batch, Rewards, Player, Arena, Ladder, Plan, Question, GuardedBot])
def test_the_reference_says_how_to_make_one(site, made):
    shown = signature_of(site, made.__name__)
    assert shown.startswith(f"{made.__name__}(")
    assert [*inspect.signature(made.__init__).parameters][1:] == re.findall(r"\w+(?=: )", shown)


@pytest.mark.parametrize("made", [State, View])
def test_the_reference_is_silent_about_how_games_make_states_and_views(site, made):
    assert signature_of(site, made.__name__) == ""


# what compiled bots and statistics are written in: its reference are the files, which bots.md and simulation.md name
OF_THE_RULES = {"rule", "nth", "can", "CLAIM", "SEATS"}


def test_the_reference_has_whatever_the_examples_import(site):
    text = (site[0] / "reference.html").read_text(encoding="utf-8")
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    lists = re.findall(r"^from branchline[a-z_.]* import (.*)$", pages, re.MULTILINE)
    names = {name.strip() for one in lists for name in one.split(",")} - OF_THE_RULES
    assert len(names) > 20
    assert {name for name in names if not re.search(rf'id="branchline\.[a-z_.]+\.{name}"', text)} == set()


def test_the_workflow_builds_it():
    job = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))["jobs"]["docs"]
    assert job["strategy"]["matrix"]["system"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    assert "python -m mkdocs build --strict" in [step.get("run") for step in job["steps"]]
