"""Numbers of things in English sentences."""

import pytest

from branchline.bots import WrongNumberOfBots
from branchline.words.plurals import called, counted


@pytest.mark.parametrize(
    ("number", "things", "said"),
    [
        (0, "games", "0 games"),
        (1, "games", "1 game"),
        (2000, "games", "2,000 games"),
        (1, "buses", "1 bus"),
        (1, "taxis", "1 taxi"),
        (-3, "points", "−3 points"),
    ],
)
def test_one_thing_is_not_called_like_several(number, things, said):
    assert counted(number, things) == said


def test_the_word_alone_follows_the_number():
    assert [called(number, "boards") for number in (0, 1, 2)] == ["boards", "board", "boards"]


def test_errors_count_as_pages_do():
    assert str(WrongNumberOfBots(1, 3, "name one for all")) == "1 bot for 3 seats: name one for all"
