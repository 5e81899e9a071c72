"""Pictures of positions."""

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from branchline import Game
from branchline.play.drawing import colours, picture
from tests.random_games import random_game
from tests.twins import twin_world

PAGE = Path(__file__).parents[2] / "web" / "src" / "look" / "colours.ts"


def midway(game, players, share=0.6):
    states = [state.clone() for state in random_game(game, players, 1)]
    return states[int(share * len(states))]


@pytest.mark.fewest_and_most
def test_a_picture_is_an_svg_with_every_claimed_route_in_its_owners_colour(game, players):
    state = midway(game, players)
    drawn = ElementTree.fromstring(picture(state.view(0)))
    owned = [group for group in drawn.iter("{http://www.w3.org/2000/svg}g") if group.get("class") == "route owned"]
    assert sorted(group.get("fill") for group in owned) == sorted(colours.SEATS[seat] for seat in state.seats for _ in state.routes(seat))


@pytest.mark.fewest_and_most
def test_g_2_the_picture_of_a_view_shows_no_secret(game, players):
    state, rng = midway(game, players, 0.5), random.Random(1)
    while state.record.paid.any():
        state.apply(state.legal[0])
    for viewer in (0, None):
        assert picture(twin_world(state, viewer, rng).view(viewer)) == picture(state.view(viewer))


@pytest.mark.fewest_and_most
def test_every_card_is_within_the_picture(game, players):
    drawn = ElementTree.fromstring(picture(midway(game, players)))
    _, _, width, _ = map(float, drawn.get("viewBox").split())
    shown = [float(one.get("x")) + float(one.get("width")) for one in drawn.iter("{http://www.w3.org/2000/svg}rect") if one.get("class") == "card"]
    assert shown
    assert max(shown) <= width, "cards are placed from the left edge, wherever the map begins"


def test_pieces_are_called_what_the_board_calls_them():
    state = Game("new-york", 2).start(1)
    assert "0 points, 15 taxis, 0 tickets" in picture(state)
    state.record.pieces[0, 0] = 1
    assert "1 taxi," in picture(state)


def test_the_colours_are_those_of_the_page():
    text = PAGE.read_text(encoding="utf-8")
    cards, seats = text.split("export const SEATS")
    assert dict(re.findall(r"^  (\w+): \{ fill: '(#\w+)'", cards, re.MULTILINE)) == colours.CARDS
    assert tuple(re.findall(r"^    fill: '(#\w+)'", seats, re.MULTILINE)) == colours.SEATS
