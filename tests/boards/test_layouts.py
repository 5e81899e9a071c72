"""Layouts: what the page draws is measured with exact shapes and the real font, and every measure finds a planted fault."""

import csv
import json
from copy import deepcopy
from pathlib import Path

import pytest

from branchline.design.layout.board import read_board
from branchline.design.layout.placing.measuring import Measured

ROOT = Path(__file__).parents[2]
BOARDS = ROOT / "src" / "branchline" / "boards"
DRAWN = sorted(path.parent.name for path in BOARDS.glob("*/layout.json"))
LANGUAGES = ["en", "pl", "uk"]
# The measured results, which no new layout may pass: spaces of ferries and sea routes drawn on land, spaces of rails drawn at sea, the tightest bend.
ON_LAND = {"europe": 9, "usa": 0, "world": 16}
AT_SEA = {"europe": 31, "usa": 22, "world": 23}
TIGHTEST = {"europe": 33, "london": 35, "usa": 34, "world": 34}


@pytest.fixture(scope="module")
def measured():
    made = {}

    def make(name, layout=None):
        if layout:
            return Measured(read_board(BOARDS / name), layout)
        if name not in made:
            made[name] = make(name, read_layout(name))
        return made[name]

    return make


def read_layout(name):
    return json.loads((BOARDS / name / "layout.json").read_text(encoding="utf-8"))


def rows(name, file):
    with (BOARDS / name / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_board_with_routes_has_a_layout():
    assert sorted(path.parent.name for path in BOARDS.glob("*/routes.csv")) == DRAWN


@pytest.mark.parametrize("name", sorted(path.parent.name for path in BOARDS.glob("*/cities.csv")))
def test_every_city_has_its_names(name):
    names = rows(name, "names.csv")
    assert [row["city"] for row in names] == [row["id"] for row in rows(name, "cities.csv")]
    for language in ("pl", "uk"):
        written = [row[language] for row in names]
        assert all(written)
        assert len(set(written)) == len(written)
    assert not any("a" <= letter.lower() <= "z" for row in names for letter in row["uk"])


@pytest.mark.parametrize("name", DRAWN)
def test_every_city_and_every_space_is_placed(measured, name):
    assert measured(name).missing() == []


@pytest.mark.parametrize("name", DRAWN)
def test_spaces_have_about_their_length(name):
    layout = read_layout(name)
    lengths = [space["length"] / layout["space"]["length"] for route in layout["routes"].values() for space in route["spaces"]]
    assert min(lengths) >= 0.9
    assert max(lengths) <= 1.15


@pytest.mark.parametrize("name", DRAWN)
def test_no_two_spaces_touch(measured, name):
    assert measured(name).overlaps() == []


@pytest.mark.parametrize("name", DRAWN)
def test_no_space_lies_on_a_dot(measured, name):
    assert measured(name).on_dots() == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DRAWN)
def test_names_lie_on_nothing_and_within_the_frame(measured, name, language):
    assert measured(name).name_faults(language) == []


@pytest.mark.parametrize("name", DRAWN)
def test_names_stand_beside_their_dots(measured, name):
    assert measured(name).far_names() < 12


@pytest.mark.parametrize("name", DRAWN)
def test_no_routes_cross(measured, name):
    assert measured(name).crossings() == []


@pytest.mark.parametrize("name", DRAWN)
def test_bends_are_no_tighter_than_measured(measured, name):
    assert min(measured(name).bends().values()) >= TIGHTEST[name]


@pytest.mark.parametrize("name", ON_LAND)
def test_few_ships_are_drawn_on_land_and_few_trains_at_sea(measured, name):
    on_land, at_sea = measured(name).wrong_side()
    assert len(on_land) <= ON_LAND[name]
    assert len(at_sea) <= AT_SEA[name]


@pytest.mark.parametrize("name", DRAWN)
def test_a_layout_is_small_enough_to_send(name):
    assert (BOARDS / name / "layout.json").stat().st_size < 170_000


def test_routes_over_the_edge_leave_and_arrive_at_one_height():
    points = {(one["side"], *one["routes"]): one for one in read_layout("world")["edge"]}
    over = {row["id"] for row in rows("world", "routes.csv") if row["over_the_edge"]}
    assert {route for _, *routes in points for route in routes} == over
    for (side, *routes), one in points.items():
        other = points["E" if side == "W" else "W", *routes]
        assert abs(one["at"][1] - other["at"][1]) < 4
        assert {one["to"], other["to"]} == {row[end] for row in rows("world", "routes.csv") if row["id"] in routes for end in "ab"}


@pytest.fixture
def spoilt():
    """Europe's layout, for planting faults."""
    return deepcopy(read_layout("europe"))


def test_a_missing_space_or_city_is_noticed(measured, spoilt):
    del spoilt["routes"]["berlin-wien"]["spaces"][0]
    assert measured("europe", spoilt).missing() == ["berlin-wien"]


def test_a_space_moved_onto_another_is_noticed(measured, spoilt):
    one, other = spoilt["routes"]["berlin-wien"]["spaces"][1], spoilt["routes"]["lisboa-madrid"]["spaces"][1]
    one["x"], one["y"] = other["x"] + 4, other["y"] + 4
    assert "berlin-wien 2 / lisboa-madrid 2" in measured("europe", spoilt).overlaps()


def test_tracks_of_a_double_route_that_touch_are_noticed(measured, spoilt):
    for space in spoilt["routes"]["edinburgh-london.1"]["spaces"]:
        space["x"] += 3 if space["x"] < spoilt["routes"]["edinburgh-london.2"]["spaces"][0]["x"] else -3
    assert measured("europe", spoilt).overlaps()


def test_a_space_on_a_dot_is_noticed(measured, spoilt):
    city = spoilt["cities"]["wien"]
    spoilt["routes"]["berlin-wien"]["spaces"][0] |= {"x": city["x"], "y": city["y"] + 10}
    assert "berlin-wien 1 / wien" in measured("europe", spoilt).on_dots()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_on_anything_is_noticed(measured, spoilt, language):
    cities = spoilt["cities"]
    space = spoilt["routes"]["lisboa-madrid"]["spaces"][0]
    cities["wien"]["labels"][language] |= {"x": space["x"], "y": space["y"]}
    cities["roma"]["labels"][language] |= {"x": cities["moskva"]["x"], "y": cities["moskva"]["y"]}
    cities["paris"]["labels"][language] |= {"x": 3}
    cities["riga"]["labels"][language] |= {"lines": ["Atlantis"]}
    cities["smyrna"]["labels"][language] |= {axis: cities["angora"]["labels"][language][axis] for axis in "xy"}
    faults = measured("europe", spoilt).name_faults(language)
    assert {"wien / lisboa-madrid 1", "roma / dot of moskva", "paris / frame", "riga / other name", "angora / smyrna"} <= set(faults)


def test_a_name_far_from_its_dot_is_noticed(measured, spoilt):
    spoilt["cities"]["petrograd"]["labels"]["pl"]["y"] -= 30
    assert measured("europe", spoilt).far_names() > 12


def test_a_crossing_and_a_tight_bend_are_noticed(measured, spoilt):
    lisboa, moskva = ([spoilt["cities"][city]["x"], spoilt["cities"][city]["y"]] for city in ("lisboa", "moskva"))
    spoilt["routes"]["berlin-wien"]["curves"] = [[lisboa, lisboa, moskva, moskva]]
    spoilt["routes"]["brest-paris"]["curves"] = [[[10, 10], [60, 10], [10, 12], [60, 12]]]
    faulty = measured("europe", spoilt)
    assert "berlin-wien / kyiv-wilno" in faulty.crossings()
    assert min(faulty.bends().values()) < 5


def test_a_ship_on_land_and_a_train_at_sea_are_noticed(measured, spoilt):
    moscow, on_land, at_sea = spoilt["cities"]["moskva"], *measured("europe").wrong_side()
    spoilt["routes"]["palermo-smyrna"]["spaces"][2] |= {"x": moscow["x"], "y": moscow["y"]}
    spoilt["routes"]["moskva-smolensk"]["spaces"][0] |= {"x": 15, "y": 400}
    dry, wet = measured("europe", spoilt).wrong_side()
    assert set(dry) - set(on_land) == {"palermo-smyrna 3"}
    assert set(wet) - set(at_sea) == {"moskva-smolensk 1"}
