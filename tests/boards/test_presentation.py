"""How clients present a board: its `page.toml` and `picture.json`."""

import json

import pytest

from branchline import BoardError, available_boards, load_board
from branchline.boards.folders import board_folder
from branchline.boards.presentation import PICTURES, boards_in_order, presentation_of, read_presentation

COLOURS = {"red", "orange", "yellow", "green", "blue", "pink", "black", "white", "gray", *(f"s{seat}" for seat in range(5))}
PATHS = {"land", "beside", "river", "parks"}


def written(folder, text):
    (folder / "page.toml").write_text(text, encoding="utf-8")
    return read_presentation(folder)


def test_games_are_listed_in_the_order_that_their_boards_name():
    assert boards_in_order() == ("europe", "london", "usa", "world", "card-game", "new-york", "great-lakes")


def test_every_board_has_a_place_of_its_own():
    orders = [presentation_of(game).order for game in available_boards()]
    assert len(set(orders)) == len(orders)


def test_rule_ids_tell_the_games_apart():
    ids = [presentation_of(game).rule_ids for game in available_boards()]
    assert None not in ids
    assert len({*ids, "G"}) == len(ids) + 1


@pytest.mark.parametrize("board", available_boards())
def test_every_kind_of_card_has_a_picture(board):
    pictures = presentation_of(board).pictures
    for card in load_board(board).cards:
        assert (f"double-{card.deck}" if card.covers > 1 else card.deck) in pictures


def test_a_board_need_not_say_how_it_is_presented(tmp_path):
    presentation = read_presentation(tmp_path)
    assert (presentation.minutes, presentation.rule_ids, presentation.rules) == (None, None, {})
    assert (presentation.words.wild, presentation.words.pieces) == ("locomotive", "trains")
    assert presentation.pictures == PICTURES


def test_what_a_board_leaves_out_is_as_usual(tmp_path):
    presentation = written(tmp_path, 'order = 3\n[pictures]\ntrain = "bus"\n')
    assert presentation.order == 3
    assert presentation.pictures == PICTURES | {"train": "bus"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("order = 0", "order is 0; it should be greater than or equal to 1"),
        ('minutes = "long"', "minutes is 'long'; it should be a whole number"),
        ('rule_ids = "eu"', "rule_ids is 'eu'; "),
        ('[words]\nwild = "clown"', "words.wild is 'clown'; it should be 'locomotive' or 'joker'"),
        ('[pictures]\ntrain = "tram"', "pictures.train is 'tram'; it should be"),
        ("colour = 1", "colour is not a known setting"),
        ("order", "is not valid TOML"),
    ],
)
def test_a_presentation_that_cannot_be_used_is_refused_with_the_reason(tmp_path, text, reason):
    with pytest.raises(BoardError, match=rf"page.toml(, line \d)?: {reason}"):
        written(tmp_path, text)


@pytest.mark.parametrize("board", available_boards())
def test_pictures_are_drawn_with_what_the_page_knows(board):
    file = board_folder(board) / "picture.json"
    assert file.is_file() == bool(load_board(board).routes)
    if not file.is_file():
        return
    picture = json.loads(file.read_text(encoding="utf-8"))
    assert {"land", "lines"} <= set(picture) <= {"lines", *PATHS}
    for x1, y1, x2, y2, colour, *_ in picture["lines"]:
        assert colour in COLOURS
        assert all(0 <= x <= 260 and 0 <= y <= 160 for x, y in ((x1, y1), (x2, y2)))
