"""A server shows the ladder that its operator keeps: the page and its sample games, with policies that let them do nothing else."""

import pytest

from branchline import read_records
from branchline.play.replays import page
from branchline.play.replays.page import replay_page
from branchline.server.http.security import HEADERS
from tests.server.inside import running_inside
from tests.server.refusing import code_of

RECORD = "tests/play/golden/london.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ladder")
    (folder / "games").mkdir()
    (folder / "index.html").write_text("<!doctype html><title>Ladder</title>")
    (folder / "games.jsonl").write_text("not for everybody\n")
    (folder / "games" / "000001-0.json").write_text("{}\n")
    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(page, "built", lambda name: f"/* {name} */")
        (folder / "games" / "000001-0.html").write_text(replay_page(next(read_records(RECORD))))
    return folder


@pytest.fixture(scope="module")
def inside(folder, tmp_path_factory):
    with running_inside(tmp_path_factory.mktemp("server"), ladder=str(folder)) as running:
        yield running


def test_the_page_is_there_and_the_server_says_so(inside):
    assert inside.get("/api/about").json()["ladder"] is True
    assert inside.http.get("/ladder", follow_redirects=False).headers["location"] == "/ladder/"
    shown = inside.get("/ladder/")
    assert "<title>Ladder</title>" in shown.text
    policy = shown.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "frame-ancestors 'none'" in policy
    assert shown.headers["x-frame-options"] == HEADERS["x-frame-options"]


def test_a_replay_may_run_its_own_scripts_and_knows_nothing_of_the_servers_guests(inside):
    shown = inside.get("/ladder/games/000001-0.html")
    policy = shown.headers["content-security-policy"]
    assert "script-src 'sha256-" in policy
    assert policy.endswith("sandbox allow-scripts allow-downloads")
    assert "allow-same-origin" not in policy


def test_records_are_served_and_nothing_else_of_the_folder(inside):
    assert inside.get("/ladder/games/000001-0.json").json() == {}
    for address in ("games.jsonl", "games/..%2fgames.json", "games/000002-0.html", "games/000002-0.json", "games/x.html", "games/%00.json", "games/"):
        assert code_of(inside.get(f"/ladder/{address}")) == "not_found", address


def test_a_browser_that_has_it_is_not_sent_it_again(inside):
    tag = inside.get("/ladder/").headers["etag"]
    assert inside.http.get("/ladder/", headers={"if-none-match": tag}).status_code == 304


def test_before_the_first_game_there_is_nothing_yet(tmp_path):
    with running_inside(tmp_path, ladder=str(tmp_path / "later")) as inside:
        assert code_of(inside.get("/ladder/")) == "not_found"


def test_without_a_ladder_its_address_does_not_exist(tmp_path):
    with running_inside(tmp_path) as inside:
        assert inside.get("/api/about").json()["ladder"] is False
        assert code_of(inside.get("/ladder/")) == "not_found"
