"""The boards in examples/boards: complete, without flaws, and played the same for ever."""

import csv
import json

import pytest

from branchline import load_board
from branchline.boards.letters import text_width, widths
from branchline.design.layout.board import read_board
from branchline.design.layout.checking import problems_of
from branchline.design.layout.measuring import flaws_of
from branchline.play.records import read_records
from branchline.play.rulebook import rulebook_of
from tests.boards.outside import EXAMPLES, only
from tests.boards.test_layouts import ROOT

FOLDERS = sorted(path.parent.name for path in EXAMPLES.glob("*/board.toml"))
RULES = {"new_york": [f"NY-{number}" for number in range(1, 8)], "great_lakes": [f"GL-{number}" for number in range(1, 9)]}


@pytest.fixture(autouse=True)
def known():
    with only(EXAMPLES):
        yield


@pytest.mark.parametrize("name", FOLDERS)
def test_nothing_is_wrong_with_it(name):
    assert problems_of(EXAMPLES / name) == []


@pytest.mark.parametrize("name", FOLDERS)
def test_it_is_drawn_without_flaws(name):
    layout = json.loads((EXAMPLES / name / "layout.json").read_text(encoding="utf-8"))
    assert flaws_of(read_board(EXAMPLES / name), layout) == {}


@pytest.mark.parametrize("language", ["en", "pl", "uk"])
@pytest.mark.parametrize("name", FOLDERS)
def test_it_has_its_own_rules_in_every_language(name, language):
    book = rulebook_of(load_board(EXAMPLES / name).game, language)
    assert [rule["id"] for section in book["sections"] for rule in section["rules"]] == RULES[name]


@pytest.mark.parametrize("name", FOLDERS)
def test_every_city_has_its_names(name):
    with (EXAMPLES / name / "names.csv").open(encoding="utf-8", newline="") as lines:
        names = list(csv.DictReader(lines))
    assert [row["city"] for row in names] == [city.id for city in load_board(EXAMPLES / name).cities]
    assert not any("a" <= letter.lower() <= "z" for row in names for letter in row["uk"])


@pytest.mark.parametrize("name", FOLDERS)
def test_a_game_of_planners_replays_to_the_same_result(name):
    (record,) = read_records(EXAMPLES.parents[1] / "tests" / "boards" / "golden" / f"{name}.jsonl")
    assert record.board == load_board(EXAMPLES / name).fingerprint
    assert record.replay().is_over


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
