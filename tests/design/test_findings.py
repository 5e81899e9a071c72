"""What is wrong with a board: planted faults are found, and named in plain sentences."""

import json
import re

import pytest

from branchline import load_board
from branchline.design import watching
from branchline.design.findings import findings_of
from branchline.design.layout.beginning import begin
from branchline.design.page.sections import match_card, value_of
from branchline.design.watching import Question, Watch, watch
from branchline.design.words import Sentences, is_about
from branchline.errors import GameOptionError, UsageError
from branchline.pages.prose import Prose
from branchline.words.catalogues import own_messages
from tests.boards.outside import alone  # noqa: F401  # used by all tests
from tests.commands import branchline
from tests.design.broken import DEAD, DEAR, broken_board
from tests.report.simulated import english_left
from tests.web.browsing import CUT, PHONE, WIDE, running_browser

KINDS = [key.partition(".")[2] for key in own_messages("en") if key.startswith("finding.") and key not in ("finding.nothing", "finding.also_with")]

# how far the end of each table that scrolls is from the end of a row
OVER = """[...document.querySelectorAll('.tall.cut')].map((place) => Math.min(...[...place.querySelectorAll('tbody tr')].map(
  (row) => Math.abs(row.getBoundingClientRect().bottom - place.getBoundingClientRect().top - place.clientHeight))))"""


@pytest.fixture
def broken(tmp_path):
    return broken_board(tmp_path / "broken")


def named(figures, kind, subject=""):
    return next((one for one in figures["findings"] if one["kind"] == kind and one["subject"] == subject), None)


def test_planted_faults_are_found_and_named(broken):
    *_, figures = watch(Question(load_board(broken), games=3000, styles=0, threads=1))
    dear, dead, first = named(figures, "ticket_too_much", DEAR), named(figures, "route_dead", DEAD), named(figures, "first_player")
    assert {id(one) for one in (dear, first)} <= {id(one) for one in figures["findings"][:5]}
    assert "The ticket Piccadilly Circus–Waterloo pays too much" in dear["text"]
    assert dear["low"] > 8
    assert dear["facts"]["printed"] == 15
    assert 2 <= dear["facts"]["suggested"]["value"] <= 6  # it was 3 before it was spoilt
    assert re.fullmatch(r"Print [2-6] instead of 15 points \([2-6] to [2-6]\)\.", dear["advice"])
    assert dead["text"].startswith("Nobody wants the route Hyde Park–Tower of London (9 spaces): it is claimed in 0.0")
    assert dead["players"] == [2, 3, 4]
    assert first["low"] > 0.03
    assert "The first player wins" in first["text"]


def test_the_board_to_begin_with_gives_nobody_more_pieces_than_it_has_room_for(tmp_path):
    """With 20 trains for each of four players, nine games in ten end because nobody can do anything."""
    begin(tmp_path / "islands")
    *_, figures = watch(Question(load_board(tmp_path / "islands"), players=(4,), games=300, styles=0, threads=1))
    assert [one for one in figures["findings"] if one["kind"].startswith("ends_")] == []


def test_figures_grow_while_games_are_played_and_are_plain_data(broken):
    question = Question(load_board(broken), players=(2,), games=300, styles=40, threads=1)
    seen = list(watch(question, every=0))
    assert [one["games"] for one in seen] == sorted(one["games"] for one in seen)
    assert len(seen) > 3
    assert seen[-1]["games"] == seen[-1]["asked"] == 340
    assert json.loads(json.dumps(seen[-1])) == seen[-1]


def test_few_games_find_nothing_wrongly(broken):
    watched = Watch(Question(load_board(broken), players=(2,), games=1, styles=0, threads=1))
    for _ in watched.play():
        pass
    assert watched.figures()["findings"] == []


def test_a_fair_table_is_not_blamed():
    figures = {"tables": [], "strategies": []}
    assert findings_of(load_board("london"), figures) == []


@pytest.mark.parametrize(
    ("wanted", "error", "reason"),
    [
        ({"players": (7,)}, GameOptionError, "is for 2 to 4 players, not 7"),
        ({"games": 0}, UsageError, "--games is at least 1"),
        ({"device": "tpu"}, UsageError, "--device is one of cpu, cuda, auto"),
        ({"seconds_per_turn": 0}, UsageError, "--seconds-per-turn is more than 0"),
    ],
)
def test_wrong_questions_are_refused(broken, wanted, error, reason):
    with pytest.raises(error, match=reason):
        Watch(Question(load_board(broken), **wanted))


@pytest.mark.parametrize(
    ("wanted", "there", "device"),
    [
        ({"games": 40_000}, True, "cuda"),  # with 2, 3 and 4 players
        ({"games": 40_000}, False, "cpu"),
        ({"games": 40_000, "players": (2,)}, True, "cpu"),  # building the kernels would take longer
        ({"games": 40_000, "bots": "learned"}, True, "cpu"),
        ({"games": 10, "device": "cuda"}, True, "cuda"),
        ({"games": 10**6, "device": "cpu"}, True, "cpu"),
    ],
)
def test_a_gpu_plays_if_it_is_there_and_saves_time(monkeypatch, wanted, there, device):
    monkeypatch.setattr(watching, "has_gpu", lambda: there)
    assert Question(load_board("london"), **wanted).plays_on == device


@pytest.mark.parametrize("language", ["en", "pl", "uk"])
def test_every_finding_has_its_sentences_in_every_language(broken, language):
    """No value of a message is missing, and the figure stands in the sentence."""
    board = load_board(broken)
    one = {"value": 0.5, "low": 0.25, "high": 0.75}
    facts = {"side": -1, "fair": 0.3, "printed": 15, "kept": one, "completed": one, "suggested": one, "why": {"spent": one, "blocked": one}}
    facts |= {"length": 1, "tickets": 0, "claimed": one}
    says = Sentences(board, language)
    for kind in KINDS:
        subject = {"ticket": DEAR, "route": DEAD, "style": "long routes", "board": ""}[is_about(kind)]
        finding = {"kind": kind, "subject": subject, "players": [2, 3, 4], "worst_with": 3, **one, "facts": facts}
        for suggested in (one, {"value": 4, "low": 3, "high": 5}, {"value": None, "low": None, "high": None}):
            text, advice = says.told(finding | {"facts": facts | {"suggested": suggested}})
            assert re.search(r"50|0[.,]5", text)
            assert "{" not in text + advice


def test_a_ticket_that_pays_too_much_at_any_price_is_not_given_a_price(broken):
    """The interval of its fair value lies below what can be printed."""
    board = load_board(broken)
    one, suggested = {"value": 0.5, "low": 0.25, "high": 0.75}, {"value": -5.0, "low": -8.6, "high": -1.4}
    finding = {"kind": "ticket_too_much", "subject": DEAR, "players": [2], "worst_with": 2, **one}
    facts = {"printed": 15, "kept": one, "completed": one, "suggested": suggested}
    advice = Sentences(board).told(finding | {"facts": facts})[1]
    assert advice == "Even 1 point instead of 15 would be too much. Lengthen its way, or replace it."
    assert value_of(Prose(), -5.0) == value_of(Prose(), 0.4) == "&lt; 1"
    assert value_of(Prose(), 1.2) == "1.2"


def test_strategies_at_one_table_are_measured_by_what_is_fair_there():
    """In pairs half is fair, with any number of players."""
    share = {"value": 0.3, "low": 0.2, "high": 0.4}
    names = ("balanced", "tickets")
    styles = [
        {"style": one, **dict.fromkeys(("wins", "spaces", "tickets", "cuts"), share), "ahead_of": {other: share for other in names if other != one}}
        for one in names
    ]
    wins, pairs = match_card(Prose(), {"players": 3, "games": 30, "fair": 1 / 3, "styles": styles}).split('<table class="matrix">')
    assert wins.count("fair: 33.3") == 1
    assert "fair: 50.0" in pairs
    assert "fair: 33.3" not in pairs


def test_page_and_terminal_are_in_the_terms_of_the_board(tmp_path):
    made = tmp_path / "page.html"
    options = ("--games", 64, "--styles", 32, "--players", 2, "--bots", "greedy", "--threads", 1, "--language", "pl")
    said = branchline("board", "report", "london", "--out", made, *options)
    assert said.returncode == 0, said.stderr
    text = re.sub(r"<(script|style)\b.*?</\1>", "", made.read_text(encoding="utf-8"), flags=re.DOTALL) + said.stdout
    assert "Połączenia" in text
    assert re.findall(r"(?i)\btras\w*|zbudowan[aey]\b", text) == []


def test_the_command_writes_a_page_that_opens_offline(broken, tmp_path):
    page, figures = tmp_path / "page.html", tmp_path / "figures.json"
    said = branchline("board", "report", broken, "--games", 400, "--styles", 60, "--out", page, "--json", figures, "--threads", 1)
    assert said.returncode == 0, said.stderr
    assert "Piccadilly Circus–Waterloo pays too much" in said.stdout
    assert json.loads(figures.read_text(encoding="utf-8"))["games"] >= 1300
    text = page.read_text(encoding="utf-8")
    assert "http://" not in text.replace("http://www.w3.org", "")
    with running_browser() as browser:
        for size in (WIDE, PHONE):
            shown, errors = browser.new_context(viewport=size, offline=True).new_page(), []
            shown.on("pageerror", lambda error, errors=errors: errors.append(str(error)))
            shown.goto(page.as_uri())
            assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert shown.locator(".findings li").count() >= 5
            assert all(over < 1 for over in shown.evaluate(OVER)), "tables end with a whole row"
            assert len(shown.evaluate(OVER)) == 2, "tickets and routes with the most players"
            assert errors == []


@pytest.mark.parametrize("language", ["pl", "uk"])
def test_page_and_terminal_are_in_the_language_asked_for(broken, tmp_path, language):
    made = tmp_path / "page.html"
    options = ("--games", 64, "--styles", 32, "--players", 2, "--bots", "greedy", "--threads", 1, "--language", language)
    said = branchline("board", "report", broken, "--out", made, *options)
    assert said.returncode == 0, said.stderr
    assert own_messages(language)["report.written"].partition("{")[0] in said.stdout
    text = made.read_text(encoding="utf-8")
    assert f'<html lang="{language}">' in text
    assert [one for beginning in ("board_report.", "style", "finding.") for one in english_left(text + said.stdout, language, beginning)] == []
    with running_browser() as browser:
        shown = browser.new_context(viewport={"width": 1200, "height": 800}).new_page()
        shown.goto(made.as_uri())
        assert shown.evaluate(CUT) == 0, "every column is seen on a screen of 1,200 pixels"


def test_a_game_without_a_map_has_a_report_too():
    said = branchline("board", "report", "card-game", "--players", "2", "--games", "200", "--json", "-", "--threads", "1")
    assert said.returncode == 0, said.stderr
    figures = json.loads(said.stdout)
    assert figures["tables"][0]["games"] == 200
    assert "routes" not in figures["tables"][0]
    assert figures["strategies"] == []
