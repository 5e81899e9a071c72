"""A board is a folder of data: one that nobody has written code for is listed, described, played and explained like any other."""

import shutil
from importlib.resources import files

import pytest

from branchline import Game, available_boards
from branchline.boards import folders
from branchline.bots import weights
from branchline.play import facts
from branchline.server.protocol.game_replies import About, GameFacts
from tests.random_games import random_game

CITIES = ["arch", "bay", "cape", "dale", "elm", "ford"]
COLOURS = ["red", "blue", "green"]
ROUTES = ["arch-bay", "arch-cape", "bay-cape", "bay-dale", "cape-elm", "dale-elm", "dale-ford", "elm-ford"]
TICKETS = ["arch-dale", "arch-elm", "arch-ford", "bay-elm", "bay-ford", "cape-dale", "cape-ford", "arch-cape"]
SETTINGS = """
game = "far-isles"
name = "The Far Isles"
rules_version = 1
players = [2, 3]
[cards]
row = 5
clear_row_at = 3
[[deck]]
name = "train"
hand = 3
[pieces]
trains = 12
stations = 1
[routes]
points = { 2 = 2, 3 = 4 }
both_tracks_from = 4
[tickets]
opening_offer = 2
opening_keep = 1
opening_to = "bottom"
offer = 2
keep = 1
[end]
last_pieces = 2
last_turns = 1
unbuilt_station = 4
tie_breaks = ["tickets", "fewer stations"]
[totals]
cities = 6
cards = 36
routes = 8
spaces = 20
tunnels = 2
tickets = 8
ticket_points = 40
"""


def table(header, *rows):
    return "\n".join([header, *rows]) + "\n"


def lengths():
    return [2 + number % 2 for number in range(len(ROUTES))]


def far_isles():
    """All files of the board, and nothing else."""
    ends = [route.split("-") for route in ROUTES]
    colours = [*COLOURS, "gray"] * 2
    tunnels = ["yes" if number in (3, 6) else "" for number in range(len(ROUTES))]
    routes = [f"{a}-{b},{a},{b},{long},{colour},{tunnel}" for (a, b), long, colour, tunnel in zip(ends, lengths(), colours, tunnels, strict=True)]
    return {
        "board.toml": SETTINGS,
        "cities.csv": table("id,name", *(f"{city},{city.title()}" for city in CITIES)),
        "geography.csv": table("city,lat,lon", *(f"{city},{number},{number}" for number, city in enumerate(CITIES))),
        "cards.csv": table("id,deck,colour,count", *(f"{colour},train,{colour},10" for colour in COLOURS), "wild,train,,6"),
        "routes.csv": table("id,a,b,length,colour,tunnel", *routes),
        "tickets.csv": table("id,a,b,points", *(f"{ticket},{ticket.replace('-', ',')},5" for ticket in TICKETS)),
    }


@pytest.fixture
def isles(tmp_path, monkeypatch):
    """The folder of the made-up board, next to the boards that come with Branchline."""
    shutil.copytree(str(files("branchline.boards")), tmp_path / "boards", ignore=shutil.ignore_patterns("*.py", "__pycache__", "layout.*"))
    folder = tmp_path / "boards" / "far_isles"
    folder.mkdir()
    for file, text in far_isles().items():
        (folder / file).write_text(text, encoding="utf-8")
    monkeypatch.setattr(folders, "boards_folder", lambda: tmp_path / "boards")
    folders.forget_boards()
    yield folder
    folders.forget_boards()


@pytest.mark.usefixtures("isles")
def test_a_new_board_is_listed_after_the_others():
    assert "far-isles" in available_boards()
    games = [game["game"] for game in facts.all_games()]
    assert games[-1] == "far-isles"
    assert len(games) == 8
    About.model_validate(
        {"version": "1", "games": facts.all_games(), "levels": [], "bots": [], "phrases": [], "limits": {}, "ladder": False, "editor": False}
    )


def test_its_place_in_the_list_is_its_own_choice(isles):
    (isles / "page.toml").write_text("order = 1\n", encoding="utf-8")
    (isles.parent / "europe" / "page.toml").write_text("order = 2\n", encoding="utf-8")
    assert facts.all_games()[0]["name"] == "The Far Isles"


@pytest.mark.usefixtures("isles")
def test_its_facts_are_those_that_clients_know():
    told = facts.game_facts("far-isles")
    GameFacts.model_validate(told)
    assert told["words"] == {"wild": "locomotive", "pieces": "trains", "terms": ()}
    assert told["tie_breaks"] == ["tickets", "fewer stations"]
    assert (told["yards"], told["options"], told["has_layout"]) == (False, [], True)
    assert {route["id"] for route in told["routes"] if route.get("tunnel")} == {"bay-dale", "dale-ford"}


def test_what_differs_from_the_usual_is_said_in_its_folder(isles):
    (isles / "page.toml").write_text('rule_ids = "FI"\n[words]\nwild = "joker"\n[rules]\ntunnel = ["FI-7"]\n', encoding="utf-8")
    told = facts.game_facts("far-isles")
    GameFacts.model_validate(told)
    assert (told["rule_ids"], told["words"]["wild"], told["rules"]) == ("FI", "joker", {"tunnel": ["FI-7"]})


@pytest.mark.usefixtures("isles")
def test_its_mechanisms_are_played_because_its_data_say_so():
    events = set()
    for seed in range(6):
        *_, state = random_game("far-isles", 2, seed)
        assert state.is_over
        events |= {event["event"] for event in state.events}
    assert {"claim", "tunnel_reveal", "station", "last_turns", "end"} <= events


@pytest.mark.usefixtures("isles")
def test_the_planner_plays_it_with_everyday_weights():
    own, common = (weights.weights_for(game, 2)[: weights.WEIGHTS] for game in ("far-isles", "anything"))  # addresses of networks follow
    assert (own == common).all()
    assert Game("far-isles", 2).board.name == "The Far Isles"
