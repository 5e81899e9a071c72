"""Custom boards: named by a path, in BRANCHLINE_BOARDS, or brought by a package; whatever the way, they are boards like any other."""

import os
import pickle
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest

from branchline import BoardError, Game, Record, available_boards, load_board
from branchline.boards import folders
from branchline.boards.drawings import layout_of
from branchline.errors import GameOptionError, RecordError, UsageError
from branchline.play.drawing import picture
from branchline.play.facts import all_games, game_facts, layout
from branchline.play.records import read_records
from branchline.play.rulebook import rulebook_of
from branchline.play.wording import Speaker
from branchline.server.protocol.game_replies import About, GameFacts, Rulebook
from branchline.words import languages
from tests.boards.outside import ENGLISH, alone, only, write_board  # noqa: F401  # `alone` is used by all tests
from tests.commands import branchline, branchline_process
from tests.random_games import random_game


@pytest.fixture
def isles(tmp_path):
    return write_board(tmp_path / "isles")


def test_a_game_is_played_from_a_path(isles):
    game = Game(str(isles), 2)
    assert (game.name, game.board.is_own, game.board.mark) == ("far-isles", True, game.board.fingerprint)
    *_, state = random_game(str(isles), 2, 1)
    assert state.is_over


def test_a_path_relative_to_where_you_are(isles, monkeypatch):
    monkeypatch.chdir(isles.parent)
    assert load_board("./isles") is load_board("isles") is load_board(isles)


def test_folders_named_in_the_environment_hold_a_board_or_several(isles, tmp_path, monkeypatch):
    monkeypatch.setenv(folders.VARIABLE, str(tmp_path))
    assert "far-isles" in available_boards()
    monkeypatch.setenv(folders.VARIABLE, str(isles))
    assert load_board("far-isles").name == "The Far Isles"


def test_a_package_brings_a_board_by_its_entry_point(tmp_path, monkeypatch):
    write_board(tmp_path / "brought" / "isles")
    (tmp_path / "brought" / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(folders, "entry_points", lambda group: [EntryPoint("isles", "brought", group)])
    folders.forget_boards()
    assert load_board("far-isles").is_own


def test_a_package_that_cannot_be_imported_is_named(monkeypatch):
    monkeypatch.setattr(folders, "entry_points", lambda group: [EntryPoint("isles", "nowhere_at_all", group)])
    folders.forget_boards()
    with pytest.raises(BoardError, match=r"branchline.boards: isles = nowhere_at_all: cannot be imported .* reinstall or remove that package"):
        available_boards()


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("./nowhere", "./nowhere: there is no such folder: `branchline board new FOLDER` makes one"),
        (".", "has no board.toml: `branchline board new FOLDER` makes one"),
    ],
)
def test_a_folder_without_a_board_is_refused(tmp_path, monkeypatch, path, reason):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=reason):
        load_board(path)


def test_two_boards_of_one_name_are_refused(tmp_path):
    write_board(tmp_path / "one")
    write_board(tmp_path / "two")
    load_board(tmp_path / "one")
    with pytest.raises(BoardError, match=r"the game is called 'far-isles', as is the board in .*one: give it another name"):
        load_board(tmp_path / "two")
    assert load_board("far-isles").is_own  # the first is still there


def test_no_board_takes_the_name_of_one_of_ours(tmp_path):
    write_board(tmp_path / "one", {"board.toml": 'game = "london"\n'})
    with pytest.raises(BoardError, match="the game is called 'london', as is a board that comes with Branchline"):
        load_board(tmp_path / "one")


@pytest.fixture(params=["no folder", "an empty folder", "a mistake in TOML", "two of one name"])
def named_wrongly(request, tmp_path):
    """What BRANCHLINE_BOARDS may name by mistake."""
    folder = tmp_path / "wrong"
    if request.param != "no folder":
        folder.mkdir()
    if request.param == "a mistake in TOML":
        write_board(folder / "one", {"board.toml": "game =\n"})
    if request.param == "two of one name":
        write_board(folder / "one")
        write_board(folder / "two")
    return str(folder)


@pytest.mark.sample(1)
def test_commands_that_need_no_board_from_outside_do_not_mind_a_broken_one(isles, named_wrongly):
    for command in (("--help",), ("--version",), ("board", "check", isles), ("show", "new-york")):
        done = branchline_process(*command, BRANCHLINE_BOARDS=named_wrongly)
        assert (done.returncode, done.stderr) == (0, ""), command


@pytest.mark.sample(2)
def test_commands_that_need_one_say_in_a_line_what_is_broken(named_wrongly):
    done = branchline_process("show", "far-isles", BRANCHLINE_BOARDS=named_wrongly)
    assert done.returncode in (1, 2)
    assert done.stderr.count("\n") == 1
    assert named_wrongly in done.stderr


def test_changed_files_are_read_again(isles):
    first = load_board(isles)
    write_board(
        isles, {"tickets.csv": (isles / "tickets.csv").read_text(encoding="utf-8").replace(",5\n", ",7\n"), "board.toml": without_totals(isles)}
    )
    second = load_board(isles)
    assert {ticket.points for ticket in second.tickets} == {7}
    assert first.fingerprint != second.fingerprint


def without_totals(folder):
    return (folder / "board.toml").read_text(encoding="utf-8").partition("[totals]")[0]


def test_a_fingerprint_changes_with_rules_and_not_with_names_or_drawings(isles):
    first = load_board(isles).fingerprint
    cities = (isles / "cities.csv").read_text(encoding="utf-8")
    (isles / "cities.csv").write_text(cities.replace("Arch", "The Arch"), encoding="utf-8")
    assert load_board(isles).fingerprint == first
    routes = (isles / "routes.csv").read_text(encoding="utf-8")
    (isles / "routes.csv").write_text(routes.replace("red", "gray", 1), encoding="utf-8")
    assert load_board(isles).fingerprint != first


def test_another_process_finds_the_board_that_this_one_uses(isles):
    game = Game(isles, 2)
    code = f"import pickle; game = pickle.loads({pickle.dumps(game)!r}); print(game.name, game.board.fingerprint)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | {"BRANCHLINE_MODE": "plain"})
    assert found.stdout.split() == ["far-isles", game.board.fingerprint]


def test_a_pickled_game_does_not_come_back_on_another_board(isles):
    kept = pickle.dumps(Game(isles, 2))
    (isles / "routes.csv").write_text((isles / "routes.csv").read_text(encoding="utf-8").replace("red", "gray", 1), encoding="utf-8")
    load_board(isles)
    with pytest.raises(GameOptionError, match="the board of far-isles has changed: its fingerprint is"):
        pickle.loads(kept)


# records


@pytest.fixture
def record(isles, tmp_path):
    *_, state = random_game(str(isles), 2, 1)
    file = tmp_path / "game.json"
    file.write_text(Record.of(state).to_json(), encoding="utf-8")
    return file


def test_a_record_carries_the_fingerprint_and_replays(record, isles):
    (kept,) = read_records(record)
    assert kept.board == load_board(isles).fingerprint
    assert kept.replay().is_over
    assert kept.redacted(0).board == kept.board


def test_records_of_our_own_boards_are_as_they_were():
    *_, state = random_game("london", 2, 1)
    assert '"board"' not in Record.of(state).to_json()


def test_a_record_without_its_board_says_which_one_is_missing(record):
    (kept,) = read_records(record)
    del os.environ[folders.VARIABLE]
    folders.forget_boards()
    with pytest.raises(
        RecordError, match=rf"far-isles, a custom board \(fingerprint {kept.board}\), which is not here: name its folder with --boards"
    ):
        kept.replay()


def test_a_record_of_another_state_of_the_board_says_so(record, isles):
    (kept,) = read_records(record)
    (isles / "routes.csv").write_text((isles / "routes.csv").read_text(encoding="utf-8").replace("red", "gray", 1), encoding="utf-8")
    now = load_board(isles).fingerprint
    with pytest.raises(RecordError, match=rf"another version of the board far-isles: its fingerprint is {kept.board}, that of .*isles is {now}"):
        kept.replay()


def test_a_record_that_does_not_say_on_which_state_it_was_played_is_refused(record):
    (kept,) = read_records(record)
    kept.board = None
    with pytest.raises(RecordError, match="does not say on which version of far-isles it was made"):
        kept.replay()


# what people see


def test_it_is_listed_with_what_its_folder_brings(isles):
    write_board(isles, {"words/en.toml": ENGLISH, "words/pl.toml": 'name = "Wyspy"\n'})
    Game(isles)
    listed = next(game for game in all_games() if game["game"] == "far-isles")
    assert listed["names"] == {"en": "The Isles", "pl": "Wyspy"}
    assert listed["lines"] == {"en": "Six islands, and storms between them"}
    assert len(listed["picture"]["lines"]) == 8
    shown = {"version": "1", "games": all_games(), "levels": [], "bots": [], "phrases": [], "limits": {}}
    About.model_validate(shown | {"ladder": False, "editor": False})
    assert [Speaker(load_board(isles), language).game for language in ("en", "pl", "uk")] == ["The Isles", "Wyspy", "The Isles"]


def test_without_texts_it_has_its_own_name(isles):
    Game(isles)
    listed = next(game for game in all_games() if game["game"] == "far-isles")
    assert "names" not in listed
    assert Speaker(load_board(isles), "uk").game == "The Far Isles"


def test_an_outline_is_drawn_with_straight_tracks(isles):
    Game(isles)
    drawn = GameFacts.model_validate(game_facts("far-isles"))
    assert drawn.has_layout
    assert layout("far-isles") is not None
    assert "<svg" in picture(Game(isles).start(1).view(None))


def test_an_outline_without_any_places_is_drawn_too(isles):
    (isles / "geography.csv").unlink()
    Game(isles)
    assert layout_of("far-isles") is not None


def test_a_drawing_of_an_earlier_state_is_refused_with_what_to_do(isles):
    Game(isles)
    drawn = layout_of("far-isles")
    (isles / "layout.json").write_bytes(drawn)
    routes = (isles / "routes.csv").read_text(encoding="utf-8")
    (isles / "routes.csv").write_text(routes.replace("arch-bay,arch,bay,2", "arch-bay,arch,bay,3"), encoding="utf-8")
    (isles / "board.toml").write_text(without_totals(isles), encoding="utf-8")
    load_board(isles)
    with pytest.raises(
        BoardError, match=r"layout.json: draws 2 spaces of the route arch-bay, which has 3: draw it again with `branchline board draw`"
    ):
        layout_of("far-isles")


@pytest.mark.parametrize("language", languages())
def test_its_rules_follow_from_its_mechanisms(isles, language):
    Game(isles)
    book = rulebook_of("far-isles", language)
    Rulebook.model_validate(book)
    ids = [rule["id"] for section in book["sections"] for rule in section["rules"]]
    assert ids == [f"R-{number}" for number in range(1, len(ids) + 1)]
    assert [section["id"] for section in book["sections"]] == ["setup", "turn", "cards", "routes", "tunnels", "buildings", "tickets", "end"]
    assert not any("{" in rule["text"] for section in book["sections"] for rule in section["rules"])


def test_general_rules_have_the_boards_numbers(isles):
    Game(isles)
    texts = [rule["text"] for section in rulebook_of("far-isles")["sections"] for rule in section["rules"]]
    for text in (
        "Everyone has 12 trains.",
        "You score at once, by the length of the route: 2 spaces: 2, 3 spaces: 4.",
        "Each station that you have not built is worth 4 points.",
        "When a player has 2 pieces or fewer after a turn, everybody has 1 more turn, that player included.",
    ):
        assert text in texts


def test_rules_that_the_folder_brings_come_first(isles):
    write_board(isles, {"words/en.toml": ENGLISH})
    Game(isles)
    book = rulebook_of("far-isles", "uk")
    assert (book["title"], book["summary"]) == ("The Isles", ["A small game."])
    assert book["sections"][0]["rules"] == [{"id": "FI-1", "text": "Everyone has 12 trains."}]


def test_every_mechanism_of_our_boards_has_a_general_rule(game):
    for language in languages():
        book = rulebook_of(game, language)
        assert sum(len(section["rules"]) for section in book["sections"]) >= 8


# simulations and arenas


def simulated(folder, out, *more):
    return branchline("simulate", str(folder), "--players", "2", "--bots", "greedy", "--games", "6", "--threads", "1", "--out", str(out), *more)


def change(isles):
    (isles / "routes.csv").write_text((isles / "routes.csv").read_text(encoding="utf-8").replace("red", "gray", 1), encoding="utf-8")


def test_a_report_needs_the_board_as_it_was(isles, tmp_path):
    done = simulated(isles, tmp_path / "games.parquet")
    assert f"branchline report {tmp_path / 'games.parquet'} --boards {isles}" in done.stdout
    made = branchline("report", str(tmp_path / "games.parquet"), "--boards", str(isles), "--out", str(tmp_path / "report.html"))
    assert made.returncode == 0, made.stderr
    assert "The Far Isles" in (tmp_path / "report.html").read_text(encoding="utf-8")
    with only():
        missing = branchline("report", str(tmp_path / "games.parquet"))
    assert "the simulation is of far-isles, a custom board" in missing.stderr
    change(isles)
    with only():
        changed = branchline("report", str(tmp_path / "games.parquet"), "--boards", str(isles))
    assert "the simulation was made on another version of the board far-isles" in changed.stderr


@pytest.mark.parametrize("file", ["games.parquet", "games.jsonl"])
def test_a_simulation_does_not_go_on_on_a_changed_board(isles, tmp_path, file):
    assert simulated(isles, tmp_path / file).returncode == 0
    change(isles)
    refused = simulated(isles, tmp_path / file, "--resume")
    assert refused.returncode == 1
    assert "its board has the fingerprint" in refused.stderr


def test_a_record_is_replayed_by_the_command_with_its_board(record, isles):
    with only():
        assert branchline("replay", str(record), "--check", "--boards", str(isles)).returncode == 0
    with only():
        assert "name its folder with --boards" in branchline("replay", str(record), "--check").stderr


def test_an_arena_plays_it_in_several_processes(isles, tmp_path):
    arena = ("arena", "greedy", "random", "--game", str(isles), "--games", "4", "--jobs", "2", "--out", str(tmp_path / "games.jsonl"))
    assert branchline(*arena).returncode == 0
    change(isles)
    assert "its boards have the fingerprints far-isles" in branchline(*arena).stderr


def test_a_record_names_a_board_and_never_a_folder(isles):
    """Servers replay what strangers send: that must not read folders."""
    record = replace(Record.of(Game("london", 2).start(1)), game=str(isles))
    with pytest.raises(GameOptionError, match="there is no such board"):
        record.new_game()
    assert "far-isles" not in available_boards()
