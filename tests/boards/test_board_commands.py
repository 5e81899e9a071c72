"""`branchline board`: begin a board, check it, draw it, show it."""

import csv
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from branchline import Game, load_board, read_records
from branchline.boards.folders import board_folder
from branchline.boards.loader import read_board
from branchline.boards.tables import collecting
from branchline.design.editor.problems import problems_in
from branchline.design.editor.reading import read_document
from branchline.design.layout.beginning import begin
from branchline.design.layout.board import read_board as drawn_board
from branchline.design.layout.checking import problems_of, shortest
from branchline.design.layout.drawing import draw
from branchline.design.layout.names import boxes, names_of
from branchline.design.layout.picture import picture_of
from branchline.design.layout.placing.coast import Map
from branchline.design.layout.placing.fitting import PHASES, Fit
from branchline.design.layout.placing.plan import Plan
from branchline.design.layout.placing.tracing import Tracer, first_guess
from branchline.design.layout.placing.writing import layout, write
from branchline.errors import MissingPackage, UsageError
from branchline.play.drawing.shapes import read_layout
from branchline.play.facts import small_picture
from tests.boards.broken import BROKEN
from tests.boards.outside import alone  # noqa: F401  # used by all tests
from tests.commands import branchline
from tests.random_games import random_game


def town_for(file):
    """The same cities within half a degree."""
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return "city,lat,lon\n" + "".join(f"{row['city']},{50 + float(row['lat']) / 60:.4f},{float(row['lon']) / 40:.4f}\n" for row in rows)


@pytest.fixture
def baltic(tmp_path):
    begin(tmp_path / "baltic", "Around the Baltic")
    return tmp_path / "baltic"


def test_a_new_board_is_fine_and_can_be_played(baltic):
    assert problems_of(baltic) == []
    board = load_board(baltic)
    assert (board.game, board.name) == ("baltic", "Around the Baltic")
    *_, state = random_game("baltic", 4, 1)
    assert state.is_over


def test_its_tickets_are_worth_their_shortest_ways(baltic):
    board = load_board(baltic)
    for ticket in board.tickets:
        assert ticket.points == shortest(board, ticket.a, ticket.b), ticket.id


def test_nothing_is_overwritten(baltic):
    with pytest.raises(UsageError, match="is not an empty folder: name another"):
        begin(baltic)


@pytest.mark.parametrize(("folder", "reason"), [("london", "would be called 'london', which is taken"), ("---", "which is no name")])
def test_a_name_that_is_not_free_is_refused(tmp_path, folder, reason):
    with pytest.raises(UsageError, match=reason):
        begin(tmp_path / folder)


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_board_is_refused_with_file_line_and_what_to_do(baltic, what):
    file, old, new, said = BROKEN[what]
    text = (baltic / file).read_text(encoding="utf-8") if old else ""
    assert old in text
    (baltic / file).write_text(text.replace(old, new, 1), encoding="utf-8", errors="surrogateescape")
    found = list(map(str, problems_of(baltic)))
    assert any(re.match(rf"baltic/{said}", one) for one in found), found


def test_a_file_of_a_spreadsheet_may_begin_with_a_mark(baltic):
    before = load_board(baltic).fingerprint
    for file in (*baltic.glob("*.csv"), *baltic.glob("*.toml")):
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert problems_of(baltic) == []
    assert load_board(baltic).fingerprint == before
    assert small_picture(load_board(baltic))["lines"]


def test_a_name_is_taken_in_every_folder_but_ours(baltic, tmp_path):
    (tmp_path / "boards").mkdir()
    folder = baltic.rename(tmp_path / "boards" / "london")
    text = (folder / "board.toml").read_text(encoding="utf-8")
    (folder / "board.toml").write_text(text.replace('game = "baltic"', 'game = "london"'), encoding="utf-8")
    assert [one.code for one in problems_of(folder)] == ["name_taken"]
    with pytest.raises(ValueError, match="as is a board that comes with Branchline"):
        load_board(f"{folder}/")


def test_nothing_is_wrong_with_our_own_boards(game):
    """With their networks, levels, examples, pictures and drawings."""
    assert problems_of(Path(str(board_folder(game)))) == []


def test_all_that_is_wrong_is_said_at_once(baltic):
    routes = (baltic / "routes.csv").read_text(encoding="utf-8").replace("yellow", "purple")
    (baltic / "routes.csv").write_text(routes.replace(",2,blue", ",two,blue"), encoding="utf-8")
    (baltic / "tickets.csv").write_text((baltic / "tickets.csv").read_text(encoding="utf-8").replace(",10\n", ",ten\n"), encoding="utf-8")
    assert [(one.file, one.line) for one in problems_of(baltic)] == [
        *(("baltic/routes.csv", line) for line in (5, 10, 12)),
        *(("baltic/tickets.csv", line) for line in (6, 15, 16)),
    ]


@pytest.mark.parametrize(
    ("file", "old", "new", "line"), [("cards.csv", "red,train,red,", "red,train,red,0#", 3), ("cards.csv", "wild,train,,9", "wild,train,,0", 8)]
)
def test_a_row_with_an_error_is_not_missed_elsewhere(baltic, file, old, new, line):
    text = (baltic / file).read_text(encoding="utf-8")
    assert old in text
    (baltic / file).write_text(re.sub("0#[0-9]+", "0", text.replace(old, new, 1)), encoding="utf-8")
    assert [(one.file, one.line) for one in problems_of(baltic)] == [(f"baltic/{file}", line)]


def test_a_city_with_an_error_is_not_missed_elsewhere(baltic):
    text = (baltic / "cities.csv").read_text(encoding="utf-8")
    (baltic / "cities.csv").write_text(text.replace("riga,Riga", "riga,", 1), encoding="utf-8")
    assert [(one.file, one.line) for one in problems_of(baltic)] == [("baltic/cities.csv", 8)]


def test_all_that_is_wrong_with_what_may_be_balanced_is_said_at_once(baltic):
    lines = ["tickets = -3", "lengths = -1", 'keep = ["x"]', "[settings]", '"pieces.boats" = [1, 2]', '"pieces.trains" = [2, 1]']
    (baltic / "balance.toml").write_text("\n".join(lines), encoding="utf-8")
    assert [one.line for one in problems_of(baltic)] == [1, 2, 3, 5, 6]


def test_every_language_that_there_is_not_and_every_set_of_terms_is_named(baltic):
    (baltic / "names.csv").write_text("city,xx,yy\n", encoding="utf-8")
    (baltic / "page.toml").write_text('[words]\nterms = ["nope", "none"]\n', encoding="utf-8")
    assert [one.reason.split()[2] for one in problems_of(baltic)] == ["xx", "yy", "'nope',", "'none',"]


def test_grey_is_spelt_either_way(baltic):
    before = load_board(baltic)
    routes = (baltic / "routes.csv").read_text(encoding="utf-8")
    (baltic / "routes.csv").write_text(routes.replace("gray", "grey"), encoding="utf-8")
    assert problems_of(baltic) == []
    after = load_board(baltic)
    assert after.routes == before.routes
    assert after.fingerprint == before.fingerprint
    assert {route.colour for route in read_document(baltic).routes} == {route.colour for route in before.routes}


def test_a_route_with_an_error_is_not_missed_by_its_other_track(baltic):
    routes = (baltic / "routes.csv").read_text(encoding="utf-8")
    (baltic / "routes.csv").write_text(routes.replace("3,red", "3,purple", 1), encoding="utf-8")
    assert [(one.file, one.line) for one in problems_of(baltic)] == [("baltic/routes.csv", 3)]


def test_a_file_is_not_a_board(baltic):
    told = branchline("board", "check", str(baltic / "board.toml"))
    assert f"is a file: name the folder that holds the board, here {baltic}" in told.stderr
    with pytest.raises(ValueError, match="is a file: name the folder"):
        load_board(baltic / "board.toml")


def test_commands_to_copy_have_quotation_marks_where_they_need_some(tmp_path):
    made = branchline("board", "new", "My Board!", cwd=tmp_path)
    assert "branchline serve --open --boards 'My Board!'" in made.stdout
    assert "branchline board check 'My Board!'" in made.stdout
    assert "branchline board new 'No Board'" in branchline("board", "check", "No Board", cwd=tmp_path).stderr


def test_the_help_of_boards_names_what_can_be_learnt_from_games():
    told = " ".join(branchline("board", "--help").stdout.split())
    assert "learn what is wrong with it (report), and find better numbers (balance)" in told


def test_columns_without_anything_are_not_shown(baltic):
    rows = [line for line in branchline("board", "show", str(baltic)).stdout.splitlines() if "Riga" in line]
    assert rows
    assert not any(re.search(r"│ +│$", row) for row in rows)


def test_errors_are_raised_again_after_collecting(baltic):
    with collecting() as found:
        load_board(baltic)
    assert found == []
    (baltic / "routes.csv").write_text("id\n", encoding="utf-8")
    with pytest.raises(ValueError, match="has no column a"):
        load_board(baltic)


def test_a_folder_without_a_board_says_how_to_begin(tmp_path):
    assert [str(one) for one in problems_of(tmp_path)] == [
        f"{tmp_path}: has no board.toml: `branchline board new {tmp_path}` makes one to begin with"
    ]


def test_a_simulation_seats_no_more_players_than_the_board_is_for(baltic, tmp_path):
    facts = baltic / "board.toml"
    facts.write_text(re.sub(r"(?m)^players = \S+ \d\]", "players = [2, 3]", facts.read_text(encoding="utf-8")), encoding="utf-8")
    played = branchline("simulate", str(baltic), "--games", "2", "--out", "games.jsonl", cwd=tmp_path)
    assert played.returncode == 0, played.stderr
    assert [len(record.seats) for record in read_records(tmp_path / "games.jsonl")] == [3, 3]


@pytest.mark.parametrize("command", ["show", "draw", "check"])
def test_the_name_of_a_game_is_not_taken_for_a_folder(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    refused = branchline("board", command, "london")
    assert (refused.returncode, refused.stderr) == (2, "branchline: london comes with Branchline: `branchline show london`\n")
    assert branchline("board", command, "euorpe").stderr.endswith("to begin with; did you mean 'europe'?\n")


def test_the_commands_say_what_they_did(tmp_path):
    made = branchline("board", "new", str(tmp_path / "isles"))
    assert made.returncode == 0
    assert "holds the board isles" in made.stdout
    assert "is fine" in branchline("board", "check", str(tmp_path / "isles")).stdout
    (tmp_path / "isles" / "cards.csv").unlink()
    refused = branchline("board", "check", str(tmp_path / "isles"))
    assert refused.returncode == 1
    assert "isles/cards.csv: cannot be read (No such file or directory)" in (refused.stdout + refused.stderr)
    assert "1 problem." in (refused.stdout + refused.stderr)


def test_a_board_is_shown_with_its_picture(baltic, tmp_path):
    shown = branchline("board", "show", str(baltic), "--picture", str(tmp_path / "board.svg"), "--language", "pl")
    assert "Kopenhaga" in shown.stdout
    assert load_board(baltic).fingerprint in shown.stdout
    assert "Kopenhaga" in (tmp_path / "board.svg").read_text(encoding="utf-8")


def test_what_is_wrong_is_said_before_drawing(baltic):
    (baltic / "layout.toml").write_text('frame = ["wide", 300]\n', encoding="utf-8")
    refused = branchline("board", "draw", str(baltic))
    assert refused.returncode == 1
    assert "baltic/layout.toml, line 1: frame[0] is 'wide'" in (refused.stdout + refused.stderr)


def test_what_a_drawing_does_not_need_does_not_keep_anybody_from_drawing(baltic):
    (baltic / "learned.net").write_text("of another board", encoding="utf-8")
    (baltic / "layout.json").write_text("of yesterday", encoding="utf-8")
    assert len(problems_of(baltic)) == 2
    assert problems_of(baltic, to_draw=True) == []
    assert not any(one.stops_play for one in problems_in(baltic, read_document(baltic)))  # nor from playing, in the editor


def bare(folder):
    """A town that brings no river, no parks, no names and no settings."""
    (folder / "geography.csv").write_text(town_for(folder / "geography.csv"), encoding="utf-8")
    for file in ("names.csv", "layout.toml"):
        (folder / file).unlink()
    return folder


def test_a_board_without_river_parks_and_names_can_be_drawn(baltic):
    """Everything but the fit, which takes a while: the first guess, written and shown."""
    assert problems_of(bare(baltic)) == []
    facts, board = read_board(baltic), drawn_board(baltic)
    names = names_of(board)
    plan = Plan(board, boxes(names))
    unknowns = first_guess(plan, np.random.default_rng(1))
    found = layout(plan, names, Map(plan), unknowns, Tracer(plan).traced(unknowns))
    assert (found["coast"], found["river"], found["parks"]) == ("", "", "")
    assert "<svg" in picture_of(facts, found)
    write(baltic / "layout.json", found)
    assert problems_of(baltic) == []


def test_a_board_without_places_can_be_drawn(baltic):
    """Cities then stand about where straight tracks have them, and there are no shores."""
    (baltic / "geography.csv").unlink()
    assert problems_of(baltic) == []
    board = drawn_board(baltic)
    assert board.settings["map"] is None
    first = first_guess(Plan(board, boxes(names_of(board))), np.random.default_rng(1))
    assert np.isfinite(first.shifts).all()


@pytest.mark.parametrize("settings", ["via = { riga-tallinn = [58, 24] }", "map = { window = [5, 50, 30, 70], graticule = [5, 5] }"])
def test_what_refers_to_the_world_needs_places(baltic, settings):
    (baltic / "geography.csv").unlink()
    (baltic / "layout.toml").write_text(settings, encoding="utf-8")
    (found,) = map(str, problems_of(baltic))
    name = settings.split()[0]
    assert (
        found == f"baltic/layout.toml, line 1: {name} needs the places of all cities: add geography.csv with columns city, lat, lon, or remove {name}"
    )


def test_places_in_the_settings_are_all_or_none(baltic):
    (baltic / "geography.csv").unlink()
    (baltic / "layout.toml").write_text("places = { oslo = [59.9, 10.7] }", encoding="utf-8")
    (found,) = map(str, problems_of(baltic))
    assert found == "baltic/layout.toml, line 1: places has none for kobenhavn: add it, or geography.csv with those of all cities"


def test_tracks_of_different_lengths_are_drawn_apart(baltic):
    routes = (baltic / "routes.csv").read_text(encoding="utf-8")
    (baltic / "routes.csv").write_text(routes.replace("berlin-gdansk.2,berlin,gdansk,3", "berlin-gdansk.2,berlin,gdansk,4"), encoding="utf-8")
    board = drawn_board(baltic)
    names = names_of(board)
    plan = Plan(board, boxes(names))
    unknowns = first_guess(plan, np.random.default_rng(1))
    write(baltic / "layout.json", layout(plan, names, Map(plan), unknowns, Tracer(plan).traced(unknowns)))
    assert problems_of(baltic) == []


def test_a_drawing_begins_with_a_picture_of_straight_tracks(baltic, monkeypatch):
    """Before JAX is imported, which takes seconds."""
    monkeypatch.setitem(sys.modules, "jax", None)
    for module in [one for one in sys.modules if one.startswith("branchline.design.layout.placing.")]:
        monkeypatch.delitem(sys.modules, module)
    told = []
    with pytest.raises(MissingPackage):
        draw(baltic, tell=lambda *how: told.append((*how, (baltic / "board.svg").read_text(encoding="utf-8"))))
    ((done, doing, picture),) = told
    assert (done, doing) == (0.0, "Loading JAX")
    board = load_board(baltic)
    assert picture == picture_of(board, read_layout(board))


@pytest.mark.soak("loading JAX alone takes two seconds of processor time")
def test_each_picture_of_a_drawing_differs(baltic, monkeypatch):
    """Two short phases without compiling take the place of the fit."""
    pictures = []

    class Short(Fit):
        def go_through(self, _number, phase, tell=lambda: None):
            for _ in range(phase.steps // 100):
                self.unknowns = self.unknowns._replace(shifts=self.unknowns.shifts + 0.5)
                self.taken += 100
                tell()

    monkeypatch.setattr("branchline.design.layout.placing.fitting.PHASES", (PHASES[0]._replace(steps=200), PHASES[-1]._replace(steps=100)))
    monkeypatch.setattr("branchline.design.layout.placing.fitting.Fit", Short)
    monkeypatch.setattr("branchline.design.layout.drawing.MORE", 0)
    draw(baltic, tell=lambda _done, doing: pictures.append((doing, (baltic / "board.svg").read_text(encoding="utf-8"))))
    names = ["Loading JAX", "Compiling", PHASES[0].name, PHASES[-1].name, "Looking for overlaps"]
    assert [doing for doing, _ in pictures] == names
    assert len({picture for _, picture in pictures}) == len(names) - 1  # nothing has moved when JAX is loaded


@pytest.mark.soak("each takes some ten seconds of processor time")
@pytest.mark.parametrize("settings", [None, "nowhere", "seed = 2\n", 'map = "none"\n'])
def test_a_board_that_brings_little_is_drawn(baltic, settings):
    """Without names: a town, no places, shores, no shores."""
    if settings is None or settings == "nowhere":
        bare(baltic)
        if settings:
            (baltic / "geography.csv").unlink()
    else:
        (baltic / "names.csv").unlink()
        (baltic / "layout.toml").write_text(settings, encoding="utf-8")
    drawn = draw(baltic)
    assert bool(json.loads(drawn.layout.read_text(encoding="utf-8"))["coast"]) == (settings == "seed = 2\n")
    assert drawn.flaws == {} or settings == "nowhere"  # cities on a circle, in the order of their file, have routes that cross
    assert problems_of(baltic) == []


@pytest.mark.soak("drawing takes half a minute of processor time")
def test_a_board_is_drawn_without_flaws(baltic):
    shares, pictures = [], []

    def tell(done, doing):
        shares.append((done, doing))
        pictures.append((baltic / "board.svg").read_text(encoding="utf-8"))

    drawn = draw(baltic, tell=tell)
    assert (shares[-1][0], drawn.flaws) == (1.0, {})
    assert len(dict(shares)) > 20
    assert len({doing for _, doing in shares}) > 5
    assert len(set(pictures)) > 20
    layout = json.loads(drawn.layout.read_text(encoding="utf-8"))
    assert layout["coast"]
    assert "<svg" in drawn.picture.read_text(encoding="utf-8")
    assert problems_of(baltic) == []
    Game(baltic)
