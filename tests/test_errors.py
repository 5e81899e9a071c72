"""Names that are almost right: errors suggest what was meant."""

import pytest

from branchline import BoardError, BranchlineError, Game, GameOptionError, NotADecision, load_board
from branchline.batch.own_bots import own_function
from branchline.bots import BotError, check_bot, make_bot
from branchline.errors import UsageError, did_you_mean


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [("europ", "europe"), ("EUROPE", "europe"), ("Lóndon", "london"), ("card_game", "card-game"), ("game card", "card-game"), ("us", "usa")],
)
def test_an_unknown_game_is_guessed(wanted, meant):
    for ask, error in ((Game, GameOptionError), (load_board, BoardError)):
        with pytest.raises(error, match=rf"; did you mean '{meant}'\?$"):
            ask(wanted)


@pytest.mark.parametrize("ask", [make_bot, check_bot, own_function])
@pytest.mark.parametrize(("wanted", "meant"), [("gredy", "greedy"), ("Random", "random"), ("plannr@5", "planner")])
def test_an_unknown_bot_is_guessed(ask, wanted, meant):
    with pytest.raises(BotError, match=rf"; did you mean '{meant}'\?$"):
        ask(wanted)


@pytest.mark.parametrize(
    ("name", "wanted", "meant"),
    [
        ("europe", "build pris", "'build paris'"),
        ("europe", "Build Athína", "'build athina'"),
        ("europe", "build warsaw", "'build warszawa'"),
        ("europe", "bild paris", "'build paris'"),
        ("europe", "claim berlin-warszwa", "'claim berlin-warszawa.1' or 'claim berlin-warszawa.2'"),
        ("europe", "claim wien-berlin", "'claim berlin-wien'"),
        ("europe", "keep roma-berlin", "'keep berlin-roma'"),
        ("europe", "pay withe", "'pay white'"),
        ("usa", "claim new-orlens-atlanta", "'claim atlanta-new-orleans.1' or 'claim atlanta-new-orleans.2'"),
    ],
)
def test_an_unknown_city_or_route_is_guessed(name, wanted, meant):
    with pytest.raises(NotADecision) as raised:
        Game(name, 2).number(wanted)
    assert str(raised.value).endswith(f"; did you mean {meant}?")


@pytest.mark.parametrize("wanted", ["build xyz", "claim", "", "zzzzzz"])
def test_nothing_is_guessed_where_nothing_is_close(wanted):
    with pytest.raises(NotADecision, match=r"is not a decision of this game$"):
        Game("europe", 2).number(wanted)


def test_the_closest_names_come_first_and_no_more_than_asked_for():
    known = ["route.3", "route.1", "route.2", "elsewhere"]
    assert did_you_mean("rout.1", known, most=2) == "; did you mean 'route.1'?"
    assert did_you_mean("route", known, most=2).count("route.") == 2
    assert did_you_mean("atlantis", known) == ""
    assert did_you_mean("x" * 100_000, known) == ""


def test_what_is_unknown_is_wrong_usage():
    for wrong in (lambda: Game("europ"), lambda: load_board("europ"), lambda: make_bot("gredy"), lambda: Game("europe", 9)):
        with pytest.raises(UsageError) as raised:
            wrong()
        assert isinstance(raised.value, BranchlineError)
