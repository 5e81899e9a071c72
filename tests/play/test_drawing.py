"""Pictures of positions."""

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from branchline import Game, available_boards, load_board
from branchline.play.drawing import colours, picture
from branchline.play.drawing.picture import has_map
from tests.random_games import random_game
from tests.twins import twin_world

SVG = "{http://www.w3.org/2000/svg}"
PAGE = Path(__file__).parents[2] / "web" / "src" / "look" / "colours.ts"


def midway(game, players, share=0.6):
    states = [state.clone() for state in random_game(game, players, 1)]
    return states[int(share * len(states))]


@pytest.mark.one_table_each
def test_a_picture_is_an_svg_with_every_claimed_route_in_its_owners_colour(game, players):
    state = midway(game, players)
    drawn = ElementTree.fromstring(picture(state.view(0)))
    owned = [group for group in drawn.iter(f"{SVG}g") if group.get("class") == "route owned"]
    assert sorted(group.get("fill") for group in owned) == sorted(colours.SEATS[seat] for seat in state.seats for _ in state.routes(seat))


@pytest.mark.one_table_each
def test_g_2_the_picture_of_a_view_shows_no_secret(game, players):
    state, rng = midway(game, players, 0.5), random.Random(1)
    while state.record.paid.any():
        state.apply(state.legal[0])
    for viewer in (0, None):
        assert picture(twin_world(state, viewer, rng).view(viewer)) == picture(state.view(viewer))


@pytest.mark.one_table_each
def test_every_card_is_within_the_picture(game, players):
    drawn = ElementTree.fromstring(picture(midway(game, players)))
    _, _, width, _ = map(float, drawn.get("viewBox").split())
    shown = [float(one.get("x")) + float(one.get("width")) for one in drawn.iter(f"{SVG}rect") if one.get("class") == "card"]
    assert shown
    assert max(shown) <= width, "cards are placed from the left edge, wherever the map begins"


@pytest.mark.parametrize("board", [name for name in available_boards() if has_map(load_board(name))])
def test_no_name_leaves_its_picture(board):
    """Whatever typeface shows it: each says how long it is."""
    drawn = ElementTree.fromstring(picture(Game(board).start(1)))
    left, top, width, height = map(float, drawn.get("viewBox").split())
    for name, x, y in names_in(drawn):
        length = float(name.get("textLength"))
        start = x + float(name.get("x")) - {"start": 0, "middle": 0.5, "end": 1}[name.get("text-anchor")] * length
        assert left + 1 < start < start + length < left + width - 1, name.text
        assert top + float(name.get("font-size")) < y + float(name.get("y")) < top + height - 4, name.text


def names_in(drawn):
    """The names of places, each with where its numbers count from: on the map, and beyond its edge."""
    yield from ((one, 0, 0) for one in drawn.iter(f"{SVG}text") if one.get("class") == "name")
    for group in drawn.iter(f"{SVG}g"):
        if group.get("class") == "portal":
            x, y = map(float, re.findall(r"[-.\d]+", group.get("transform")))
            yield from ((one, x, y) for one in group.iter(f"{SVG}text"))


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
