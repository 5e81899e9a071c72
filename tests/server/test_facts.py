"""What a page has to know about a game before it shows a table: facts, names, and the drawing of the board."""

import json

import pytest

from branchline import BoardError, load_board
from branchline.boards.folders import shipped_boards
from branchline.boards.names import city_names, read_names
from branchline.play import facts
from branchline.play.facts import game_facts
from tests.server.refusing import code_of
from tests.server.worlds import random_play


def test_a_seats_pieces_and_the_tables_spaces():
    asked = ("row", "pieces", "supply", "stations", "harbours", "last_pieces")
    numbers = {game: {name: game_facts(game).get(name) for name in asked} for game in shipped_boards()}
    none = dict.fromkeys(("supply", "stations", "harbours"))
    assert numbers["europe"] == {"row": 5, "pieces": {"trains": 45}, "last_pieces": 2} | none | {"stations": 3}
    assert numbers["london"] == {"row": 5, "pieces": {"trains": 17}, "last_pieces": 2} | none
    assert numbers["usa"] == {"row": 5, "pieces": {"trains": 45}, "last_pieces": 2} | none
    assert numbers["world"] == {"row": 6, "pieces": {"trains": 25, "ships": 50}, "last_pieces": 6, "stations": None, "supply": 60, "harbours": 3}
    assert numbers["card-game"] == {"row": 5, "pieces": None, "last_pieces": None} | none


def test_a_route_has_the_points_of_its_claim(game):
    points = {route["id"]: route["points"] for route in game_facts(game)["routes"]}
    *_, table = random_play(game, 2, 1)
    claims = [event for _, event in table.happened if event["event"] == "claim"]
    assert claims or not points
    for event in claims:
        assert event["points"] == points[event["route"]]


def test_every_city_has_its_names(game):
    """In every language, in its letters."""
    names = city_names(game)
    assert set(names) == {city.id for city in load_board(game).cities}
    assert {tuple(ones) for ones in names.values()} == {("pl", "uk")}
    assert all(any("а" <= letter.lower() <= "ї" for letter in ones["uk"]) for ones in names.values())
    assert {city["id"]: city["names"] for city in game_facts(game)["cities"]} == names


def test_a_board_need_not_have_names(tmp_path):
    assert read_names(tmp_path, load_board("europe").cities) == {}


@pytest.mark.parametrize(("row", "reason"), [("atlantis,a,b", "'atlantis' is not one of"), ("roma,,Рим", "pl is empty"), ("roma,Rzym", "2 cells")])
def test_names_that_cannot_be_used_are_refused_with_their_line(tmp_path, row, reason):
    (tmp_path / "names.csv").write_text(f"city,pl,uk\n{row}\n", encoding="utf-8")
    with pytest.raises(BoardError, match=rf"line 2.*{reason}"):
        read_names(tmp_path, load_board("europe").cities)


@pytest.fixture
def drawing(monkeypatch):
    """A board with a drawing, and one without."""
    monkeypatch.setattr(facts, "layout_of", lambda game: b'{"width": 100}' if game == "london" else None)
    facts.layout.cache_clear()
    facts.game_facts.cache_clear()
    yield b'{"width": 100}'
    facts.layout.cache_clear()
    facts.game_facts.cache_clear()


def test_a_drawing_is_sent_as_it_is_and_may_be_kept(inside, drawing):
    response = inside.get("/api/games/london/layout")
    assert (response.status_code, response.content) == (200, drawing)
    assert response.headers["cache-control"] == "no-cache"
    tag = response.headers["etag"]
    assert tag.startswith('"')
    for known in (tag, f"W/{tag}", f'"other", {tag}'):
        again = inside.http.get("/api/games/london/layout", headers={"if-none-match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert again.headers["cache-control"] == "no-cache"
    assert inside.http.get("/api/games/london/layout", headers={"if-none-match": '"other"'}).status_code == 200
    assert inside.get("/api/games/london").json()["has_layout"] is True


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_of_a_map_is_sent_as_it_is_and_may_be_kept(inside, theme):
    response = inside.get(f"/api/games/europe/ground/{theme}")
    assert (response.status_code, response.headers["content-type"]) == (200, "image/webp")
    assert (response.content[:4], response.content[8:12]) == (b"RIFF", b"WEBP")
    again = inside.http.get(f"/api/games/europe/ground/{theme}", headers={"if-none-match": response.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_game_without_a_picture_of_its_map_says_so(inside):
    assert code_of(inside.get("/api/games/card-game/ground/light")) == "not_found"


def test_a_layout_names_the_part_of_the_map_that_its_pictures_show(game):
    found = facts.layout(game)
    drawn = json.loads(found[0]) if found else {}
    pictures = [facts.ground(game, theme) for theme in ("light", "dark")]
    assert [picture is not None for picture in pictures] == [bool(drawn.get("ground"))] * 2
    if drawn:
        (x, y, width, height), (left, top, across, down) = drawn["ground"], drawn["view_box"]
        assert x < left - 200
        assert y < top - 200
        assert x + width > left + across + 200
        assert y + height > top + down + 200


def test_a_game_without_a_drawing_says_so(inside, drawing):
    assert drawing
    assert code_of(inside.get("/api/games/europe/layout")) == "not_found"
    assert code_of(inside.get("/api/games/monopoly/layout")) == "not_found"
    assert inside.get("/api/games/europe").json()["has_layout"] is False


def test_the_drawings_that_there_are_can_be_read(game):
    found = facts.layout(game)
    assert found is None or isinstance(json.loads(found[0]), dict)
