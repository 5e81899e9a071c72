"""The report of the board editor: games in a process of their own, what they show meanwhile, and how a run ends."""

import json
import os
import re
import signal
import time

import psutil
import pytest

from branchline.design.editor.reports import UNDER_WAY, in_language
from branchline.design.layout.beginning import begin
from branchline.server.protocol import editor_replies as e
from tests.boards.outside import only
from tests.server.inside import running_inside
from tests.server.running import new_key
from tests.server.test_editor import opened, refused, save

KEY = new_key()
MANY = 1_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    with only():
        place = tmp_path_factory.mktemp("report") / "islands"
        begin(place, "Islands")
        yield place


@pytest.fixture(scope="module")
def inside(folder):
    with running_inside(folder.parent, editor=str(folder), editor_code="open-sesame") as running:
        yield running


@pytest.fixture(autouse=True)
def afterwards(inside):
    yield
    ask(inside, "DELETE")


def ask(inside, method, language="en", **body):
    headers = {"x-editor-code": "open-sesame", "authorization": f"Bearer {KEY}", "content-type": "application/json"}
    content = json.dumps(body) if method == "POST" else None
    return inside.http.request(method, f"/api/editor/report?language={language}", content=content, headers=headers)


def shown(inside, method="GET", language="en", **body):
    response = ask(inside, method, language, **body)
    assert response.status_code == 200, response.text
    return e.Report.model_validate(response.json())


def when(inside, is_so, within=60.0):
    """The report, once something is so; whoever waits asks again and again, as the page does."""
    end = time.monotonic() + within
    while not is_so(report := shown(inside)):
        assert time.monotonic() < end, report
        time.sleep(0.05)
    return report


def process(inside):
    return psutil.Process(inside.service.reports._run.process.pid)


def is_gone(child, within=5.0):
    end = time.monotonic() + within
    while child.is_running() and child.status() != psutil.STATUS_ZOMBIE:
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def dear(inside):
    """The shortest ticket, which pays far too much until the test is over."""
    before = opened(inside)
    tickets = before["document"]["tickets"]
    shortest = min(tickets, key=lambda one: one["points"])
    spoilt = [one | {"points": 60} if one is shortest else one for one in tickets]
    changed = save(inside, before["document"] | {"tickets": spoilt}, before["revision"]).json()
    yield shortest
    assert save(inside, before["document"], changed["revision"]).status_code == 200


def test_a_report_fills_in_while_games_are_played_and_ends_with_all_of_them(inside):
    assert shown(inside).state in ("none", "stopped")
    first = shown(inside, "POST", players=[2], games=600)
    assert (first.state, first.revision, first.players) == ("preparing", opened(inside)["revision"], [2])
    whole = when(inside, lambda report: report.state not in UNDER_WAY)
    assert (whole.state, whole.games, whole.asked) == ("finished", 900, 900)
    assert [one.severity for one in whole.findings] == sorted((one.severity for one in whole.findings), reverse=True)


def test_findings_lead_to_what_they_are_about_and_speak_the_language_asked_for(inside, dear):
    shown(inside, "POST", players=[2], games=600)
    whole = when(inside, lambda report: report.state not in UNDER_WAY)
    found = about_the_ticket(whole)
    assert (found.place.kind, {found.place.a, found.place.b}) == ("ticket", {dear["a"], dear["b"]})
    assert found.subject == f"{dear['a']}-{dear['b']}"
    assert "pays too much: with 2 players drawing it is worth" in found.text
    polish = about_the_ticket(shown(inside, language="pl"))
    assert polish.place == found.place
    assert "daje za dużo: w grach 2-osobowych jego dobranie jest warte" in polish.text


def about_the_ticket(report):
    [found] = [one for one in report.findings if one.kind == "ticket_too_much"]
    return found


@pytest.mark.soak("the figures are counted in tests/design")
def test_the_key_figures_stand_side_by_side_with_their_intervals_in_the_language_asked_for(inside):
    shown(inside, "POST", players=[2, 3], games=400)
    whole = when(inside, lambda report: report.state not in UNDER_WAY)
    assert whole.head.columns == ["2 players", "3 players"]
    rows = {row.name: row.values for row in whole.head.rows}
    assert list(rows) == ["first-player advantage (percentage points)", "turns", "minutes", "shared victories", "leader at half-time wins"]
    assert all(re.fullmatch(r"[+−]?\d.* to .*\d", one.interval) for values in rows.values() for one in values)
    assert all(one.value.endswith("%") for one in rows["leader at half-time wins"])
    polish = shown(inside, language="pl").head
    assert (polish.columns[0], polish.rows[1].name) == ("2 gracze", "tury")


@pytest.mark.soak("it waits for a run of games, and for the page about it")
def test_the_whole_page_opens_for_those_who_have_been_told_its_name_only(inside):
    shown(inside, "POST", players=[2], games=200)
    whole = when(inside, lambda report: report.state not in UNDER_WAY)
    found = inside.http.get(f"/api/editor/report/{whole.page}?language=pl")  # a link sends neither key nor code
    assert found.status_code == 200
    assert '<html lang="pl">' in found.text
    assert all(f'<section id="{one}">' in found.text for one in ("order", "lead", "tickets", "routes", "styles"))
    assert "sandbox allow-scripts" in found.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'sha256-" in found.headers["content-security-policy"]
    assert refused(inside.http.get("/api/editor/report/another-name")) == "not_found"
    assert refused(inside.http.get("/api/editor/report", headers={"authorization": f"Bearer {KEY}"})) == "not_editor"
    assert shown(inside, "POST", players=[2], games=MANY).page != whole.page
    assert refused(inside.http.get(f"/api/editor/report/{whole.page}")) == "not_found"


@pytest.mark.soak("it waits for a run of games")
def test_what_is_known_when_somebody_stops_it_stays(inside):
    shown(inside, "POST", players=[2], games=MANY)
    child = process(inside)
    report = when(inside, lambda report: report.games > 0)
    assert report.state == "playing"
    assert child.nice() > psutil.Process().nice()
    stopped = shown(inside, "DELETE")
    assert (stopped.state, stopped.games >= report.games) == ("stopped", True)
    assert is_gone(child)


def test_another_run_takes_the_place_of_the_one_before(inside):
    shown(inside, "POST", games=MANY)
    child = process(inside)
    assert shown(inside, "POST", players=[3], games=MANY).players == [3]
    assert is_gone(child)
    assert process(inside).pid != child.pid


def test_it_ends_when_nobody_asks_any_more(inside, monkeypatch):
    monkeypatch.setattr(inside.service.reports, "silence", 0.2)
    shown(inside, "POST", games=MANY)
    assert is_gone(process(inside))
    assert when(inside, lambda report: report.state not in UNDER_WAY).state == "left"


def test_a_process_that_is_killed_is_said_to_be(inside):
    shown(inside, "POST", games=MANY)
    os.kill(process(inside).pid, signal.SIGKILL)
    assert when(inside, lambda report: report.state not in UNDER_WAY).state == "killed"


def test_a_board_that_turns_out_not_to_be_playable_says_why(inside, folder):
    """As when its files are gone before the process has read them."""
    shown(inside, "POST", games=MANY)
    (folder / ".branchline" / "reported" / "board.toml").unlink()
    report = when(inside, lambda report: report.state not in UNDER_WAY)
    assert (report.state, "board.toml" in report.reason) == ("failed", True)


def test_a_board_with_problems_is_not_played(inside):
    now = opened(inside)
    broken = save(inside, now["document"] | {"tickets": now["document"]["tickets"][:1]}, now["revision"]).json()
    assert refused(ask(inside, "POST")) == "not_playable"
    assert save(inside, now["document"], broken["revision"]).status_code == 200


def test_numbers_of_players_that_the_board_does_not_allow_are_refused(inside):
    answer = ask(inside, "POST", players=[2, 5])
    assert (refused(answer), answer.json()["message"]) == ("not_playable", "Islands is for 2 to 4 players.")


@pytest.mark.soak("it waits for a run of games")
def test_a_run_that_is_refused_leaves_the_board_that_the_last_figures_are_about(inside, folder):
    shown(inside, "POST", players=[2], games=64)
    when(inside, lambda report: report.state not in UNDER_WAY)
    copy, now = folder / ".branchline" / "reported" / "tickets.csv", opened(inside)
    played = copy.read_bytes()
    changed = save(inside, now["document"] | {"tickets": now["document"]["tickets"][1:]}, now["revision"]).json()
    assert refused(ask(inside, "POST", players=[2, 5])) == "not_playable"
    assert copy.read_bytes() == played
    assert save(inside, now["document"], changed["revision"]).status_code == 200


@pytest.mark.parametrize("body", [{"games": 0}, {"games": 2_000_000}, {"players": [0]}, {"players": "2"}, {"bots": "mine"}], ids=str)
def test_what_is_not_a_question_is_refused(inside, body):
    assert refused(ask(inside, "POST", **body)) == "malformed"


def test_it_ends_with_the_server(folder, tmp_path):
    with running_inside(tmp_path, editor=str(folder), editor_code="open-sesame") as running:
        shown(running, "POST", games=MANY)
        child = process(running)
    assert is_gone(child)


def test_a_language_that_is_not_complete_is_english():
    finding = {"kind": "bottleneck", "said": {"en": {"text": "a", "advice": "b"}, "pl": {"text": "c", "advice": "d"}}}
    assert in_language(finding, "de") == {"kind": "bottleneck", "text": "a", "advice": "b"}
    assert in_language(finding, "pl") == {"kind": "bottleneck", "text": "c", "advice": "d"}
