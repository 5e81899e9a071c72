"""The boards in boards/further: complete, without flaws, offered like the others, and played the same for ever."""

import csv
import json
import subprocess
import sys

import pytest

from branchline import BoardError, Game, available_boards, load_board
from branchline.batch.games import play_batch
from branchline.boards.examples import read_examples
from branchline.boards.folders import add_board, board_folder, further_boards, is_packed, own_boards, use_folders
from branchline.boards.letters import text_width, widths
from branchline.bots import make_bot
from branchline.bots.levels import LEVELS
from branchline.cluster.parcels import packed
from branchline.design.layout.board import read_board
from branchline.design.layout.checking import problems_of
from branchline.design.layout.placing.measuring import Measured, flaws_of
from branchline.play.facts import all_games, ground
from branchline.play.records import read_records
from branchline.play.rulebook import rulebook_of
from branchline.play.wording import Speaker
from branchline.server.protocol.game_replies import Rulebook
from branchline.words import languages
from tests.boards.outside import alone, write_board  # noqa: F401  # `alone` is used by all tests
from tests.boards.test_layouts import ROOT

LANGUAGES = [code for code, language in languages().items() if language.complete]
RULES = {"new-york": [f"NY-{number}" for number in range(1, 8)], "great-lakes": [f"GL-{number}" for number in range(1, 9)]}
NAMES = {"new-york": ("New York", "Nowy Jork", "Нью-Йорк"), "great-lakes": ("The Great Lakes", "Wielkie Jeziora", "Великі озера")}
BOARDS = sorted(RULES)
WET_ROADS = {"new-york": 10, "great-lakes": 4}  # spaces of roads and rails that are drawn on water: bridges
DRY_SHIPS = {"new-york": 0, "great-lakes": 70}  # rivers and canals are drawn as land


def folder_of(board):
    return further_boards()[board]


def layout_in(board):
    return json.loads((folder_of(board) / "layout.json").read_text(encoding="utf-8"))


def test_they_come_with_branchline():
    assert sorted(further_boards()) == BOARDS
    assert set(BOARDS) <= set(available_boards())
    assert all(is_packed(board) and load_board(board).is_own for board in BOARDS)


def test_importing_branchline_does_not_look_for_boards():
    code = "import branchline, sys; assert not [name for name in sys.modules if name.startswith('branchline.boards')]"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("board", BOARDS)
def test_it_is_called_by_its_place_in_every_language(board):
    assert tuple(Speaker(load_board(board), language).game for language in ("en", "pl", "uk")) == NAMES[board]
    listed = next(one for one in all_games() if one["game"] == board)
    assert list(listed["names"]) == list(listed["lines"]) == sorted(languages())


def test_its_folder_is_no_other_board():
    assert add_board(folder_of("new-york")) == "new-york"
    use_folders([str(folder_of("new-york").parent)])
    assert sorted(own_boards()) == BOARDS


def test_no_other_board_takes_its_name(tmp_path):
    write_board(tmp_path / "one", {"board.toml": 'game = "new-york"\n'})
    with pytest.raises(BoardError, match="the game is called 'new-york', as is a board that comes with Branchline"):
        load_board(tmp_path / "one")


def test_it_is_not_sent_to_the_machines_of_a_cluster_which_have_it():
    assert packed([], ["new-york"]).digest == packed([], ["london"]).digest


@pytest.mark.parametrize("board", BOARDS)
def test_nothing_is_wrong_with_it(board):
    assert problems_of(folder_of(board)) == []


@pytest.mark.parametrize("board", BOARDS)
def test_it_is_drawn_without_flaws(board):
    drawn, layout = read_board(folder_of(board)), layout_in(board)
    assert flaws_of(drawn, layout) == {}
    on_land, at_sea = Measured(drawn, layout).wrong_side()
    assert len(on_land) <= DRY_SHIPS[board]
    assert len(at_sea) <= WET_ROADS[board]


@pytest.mark.parametrize("board", BOARDS)
def test_it_has_a_map_by_day_and_by_night(board):
    layout = layout_in(board)
    left, top, width, height = layout["ground"]
    assert left < 0 > top
    assert (width, height) > tuple(layout["view_box"][2:])
    assert all(ground(board, theme)[0][8:12] == b"WEBP" for theme in ("light", "dark"))
    assert all(list(sea["names"]) == LANGUAGES for sea in layout["seas"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("board", BOARDS)
def test_it_has_its_own_rules_in_every_language(board, language):
    book = rulebook_of(board, language)
    Rulebook.model_validate(book)
    assert [rule["id"] for section in book["sections"] for rule in section["rules"]] == RULES[board]
    assert book["examples"].keys() == {example["id"] for example in book["worked"]}


@pytest.mark.parametrize("board", BOARDS)
def test_every_city_has_its_names(board):
    with (folder_of(board) / "names.csv").open(encoding="utf-8", newline="") as lines:
        names = list(csv.DictReader(lines))
    assert [row["city"] for row in names] == [city.id for city in load_board(board).cities]
    assert not any("a" <= letter.lower() <= "z" for row in names for letter in row["uk"])


@pytest.mark.parametrize("board", BOARDS)
def test_a_game_of_planners_replays_to_the_same_result(board):
    (record,) = read_records(ROOT / "tests" / "boards" / "golden" / f"{board.replace('-', '_')}.jsonl")
    assert record.board == load_board(board).fingerprint
    assert record.replay().is_over


@pytest.mark.parametrize("board", BOARDS)
def test_planners_beat_greedy_bots(board):
    """In 200 compiled games, each of them also with the seats exchanged."""
    won = 0
    for seats in (["planner", "greedy"], ["greedy", "planner"]):
        totals = play_batch(load_board(board), seats, 100, seed=1).results["total"]
        planner = seats.index("planner")
        won += int((totals[:, planner] > totals[:, 1 - planner]).sum())
    assert won >= 140


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_it_though_no_network_has_learned_it(level):
    state = Game("new-york", 2).start(1)
    bots = [make_bot(level, seat) for seat in state.seats]
    for _ in range(6):
        state.apply(bots[state.seat].decide(state.view(state.seat)))
    assert not (board_folder("new-york") / "learned.net").is_file()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[", r"examples.json, line 1: is not JSON"),
        ('[{"id": "one", "section": "end", "rules": []}]', r"examples\[0\].steps is missing: add it"),
        ('[{"id": "one", "section": "end", "rules": [], "steps": [{"id": "a", "kind": "dance"}]}]', r"kind is 'dance'; it should be 'payment'"),
        (
            '[{"id": "one", "section": "end", "rules": [], "map": ["arc"], "steps": [{"id": "a", "kind": "count"}]}]',
            "names 'arc', which is not among",
        ),
        (
            '[{"id": "one", "section": "end", "rules": [], "steps": [{"id": "a", "kind": "payment", "route": "x-y"}]}]',
            "is not among the board's routes",
        ),
    ],
)
def test_an_example_that_names_what_is_not_there_is_refused(tmp_path, text, reason):
    folder = write_board(tmp_path / "isles", {"examples.json": text})
    with pytest.raises(BoardError, match=reason):
        read_examples(folder, load_board(folder))
    assert any("examples.json" in problem.file for problem in problems_of(folder))


def test_letters_are_as_wide_as_in_the_pages_font():
    from fontTools.ttLib import TTFont

    drawn = {}
    for subset in ("cyrillic", "latin-ext", "latin"):  # the last prevails, as in the page
        font = TTFont(ROOT / "web" / "node_modules" / "@fontsource" / "alegreya-sans" / "files" / f"alegreya-sans-{subset}-700-normal.woff")
        em, metrics = font["head"].unitsPerEm, font["hmtx"].metrics
        drawn |= {chr(code): metrics[glyph][0] / em for code, glyph in font.getBestCmap().items()}
    assert widths().keys() == drawn.keys()
    assert all(abs(widths()[letter] - width) < 0.001 for letter, width in drawn.items())
    assert text_width("Wien", 12) == pytest.approx(12 * sum(widths()[letter] for letter in "Wien"))
