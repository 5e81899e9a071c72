"""A server offers boards from outside, with what their folders bring, and does not go on with a game on a board that has changed."""

import pytest

from branchline import load_board
from branchline.boards import folders
from branchline.server.protocol import messages as m
from branchline.server.protocol.refusals import Refused
from branchline.server.tables.loaded import check_board
from branchline.server.tables.opening import new_header
from tests.boards.outside import ENGLISH, only, write_board


@pytest.fixture(autouse=True)
def isles(tmp_path):
    folder = write_board(tmp_path / "isles", {"words/en.toml": ENGLISH})
    with only(folder):
        yield folder


def asked():
    return m.CreateTable(game="far-isles", seats=["person", "normal"], name="Zoe")


def test_its_rules_are_sent_in_every_language(inside):
    book = inside.get("/api/games/far-isles/rules/uk").json()
    assert book["sections"][0]["rules"][0]["id"] == "FI-1"
    assert inside.get("/api/games/far-isles/rules/tlh").json()["code"] == "not_found"
    assert inside.get("/api/games/london/rules/en").json()["code"] == "not_found"  # the page has them


def test_it_is_listed_and_drawn(inside):
    listed = {game["game"]: game for game in inside.get("/api/about").json()["games"]}
    assert listed["far-isles"]["names"] == {"en": "The Isles"}
    assert inside.get("/api/games/far-isles").json()["has_layout"]
    assert set(inside.get("/api/games/far-isles/layout").json()["cities"]) == {city.id for city in load_board("far-isles").cities}


def test_a_table_remembers_the_fingerprint_of_its_board():
    header = new_header("key", asked(), 0.0)
    assert header.settings["board"] == load_board("far-isles").fingerprint
    check_board(header)


def test_a_table_on_a_board_that_has_changed_is_refused(isles):
    header = new_header("key", asked(), 0.0)
    (isles / "routes.csv").write_text((isles / "routes.csv").read_text(encoding="utf-8").replace("red", "gray", 1), encoding="utf-8")
    folders.forget_boards()
    with pytest.raises(Refused) as refused:
        check_board(header)
    assert refused.value.code == "other_board"


def test_a_table_on_a_board_that_is_gone_is_refused():
    header = new_header("key", asked(), 0.0)
    with only(), pytest.raises(Refused) as refused:
        check_board(header)
    assert refused.value.code == "other_board"
