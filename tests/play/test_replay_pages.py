"""A replay in a file of its own: what it holds, what it keeps to itself, and that it asks nobody for anything."""

import base64
import gzip
import json
import re
from html import unescape

import pytest

from branchline import Game, Record, RecordError, read_records
from branchline.play.replays import page
from branchline.play.replays.page import replay_page
from tests.commands import branchline
from tests.random_games import random_game

GOLDEN = "tests/play/golden/{}.json"
LARGEST = 1_000_000  # bytes


@pytest.fixture(autouse=True)
def built(monkeypatch):
    """The page's own part, which these tests do not need; those of the browser look at it."""
    monkeypatch.setattr(page, "built", lambda name: f"/* {name} */")


def record_of(game):
    return next(read_records(GOLDEN.format(game)))


def half_played(game="europe", players=3):
    """A record in the middle of a game, when everybody has tickets."""
    state = Game(game, players).start(4)
    while not (state.record.turn > 3 and all(state.tickets(seat) for seat in state.seats)):
        state.apply(state.legal[0])
    return Record.of(state)


def unpacked(text):
    packed = re.search(r'id="packed">([^<]*)<', text).group(1)
    return json.loads(gzip.decompress(base64.b64decode(packed)))["contents"]


def test_a_finished_game_is_there_from_every_seat(game):
    record = record_of(game)
    contents = unpacked(replay_page(record))
    assert sorted(contents["replays"]) == sorted(["", *map(str, range(len(record.seats)))])
    assert all(len(replay["steps"]) == len(record.decisions) for replay in contents["replays"].values())
    assert contents["record"] == json.loads(record.to_json())
    assert contents["facts"]["game"] == game
    assert (contents["layout"] is None) == (not contents["grounds"]) == (game == "card-game")


@pytest.mark.sample(2)
def test_the_same_record_is_the_same_file_and_not_a_large_one(game):
    record = record_of(game)
    text = replay_page(record)
    assert text == replay_page(record)
    assert len(text) < LARGEST - 400_000  # script, style and fonts, packed


def test_nothing_may_be_asked_of_anybody():
    text = replay_page(record_of("london"))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert not re.search(r"https?:|unsafe-eval|connect-src", policy)


def test_of_an_unfinished_game_a_seat_sees_nothing_that_it_may_not_know():
    record = half_played()
    contents = unpacked(replay_page(record, seat=1))
    assert list(contents["replays"]) == ["1"]
    assert not {"seed", "decisions"} & contents["record"].keys()
    steps = contents["replays"]["1"]["steps"]
    assert all("hand" not in seat for step in steps for number, seat in step["patch"].get("seats", {}).items() if number != "1")
    secret = {ticket for seat in (0, 2) for ticket in record.replay().tickets(seat)} - set(record.replay().tickets(1))
    told = json.dumps([contents["replays"], contents["record"]])
    assert secret
    assert not [ticket for ticket in secret if f'"{ticket}"' in told]


def test_of_an_unfinished_game_everything_is_shown_if_no_seat_is_named_and_that_is_said(tmp_path):
    record = half_played()
    (tmp_path / "game.json").write_text(record.to_json())
    said = branchline("replay", "game.json", "--html", "game.html", "--language", "en", cwd=tmp_path).stdout
    assert "hidden cards and tickets included" in said
    assert "" in unpacked((tmp_path / "game.html").read_text())["replays"]
    said = branchline("replay", "game.json", "--html", "game.html", "--seat", 0, "--language", "en", cwd=tmp_path).stdout
    assert "hidden" not in said
    assert list(unpacked((tmp_path / "game.html").read_text())["replays"]) == ["0"]


def test_what_cannot_be_shown_is_refused():
    with pytest.raises(RecordError, match="there is no seat 5: this game has seats 0 to 2"):
        replay_page(half_played(), seat=5)
    with pytest.raises(RecordError, match="redacted"):
        replay_page(half_played().redacted(0))
    wrong = record_of("london")
    wrong.events[3] = {"event": "pass", "seat": 0}
    with pytest.raises(RecordError, match="event 3 differs"):
        replay_page(wrong)


def test_without_the_built_page_it_says_what_to_run(monkeypatch, tmp_path):
    monkeypatch.undo()
    monkeypatch.setattr(page, "files", lambda _: tmp_path)
    with pytest.raises(page.BranchlineError, match="hatch_build"):
        replay_page(record_of("london"))


def test_in_a_notebook_it_is_a_frame_that_knows_nothing_of_the_notebook():
    *_, state = random_game("london", 2, 1)
    shown = Record.of(state).widget(seat=1, height=500)._repr_html_()
    assert 'sandbox="allow-scripts allow-downloads"' in shown
    assert "height: 500px" in shown
    inner = unescape(re.search(r'srcdoc="([^"]*)"', shown).group(1))
    assert unpacked(inner)["seat"] == 1


def test_names_are_data_and_never_markup():
    record = record_of("london")
    record.seats[0]["name"] = "</script><script>alert(1)</script>"
    assert "alert(1)" not in replay_page(record)
