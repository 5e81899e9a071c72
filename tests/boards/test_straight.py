"""Straight tracks: on a board that nobody has drawn, nothing lies on anything else either."""

import json

import pytest
from shapely.geometry import box

from branchline.boards.drawings import layout_of
from branchline.boards.loader import load_board
from branchline.design.layout.beginning import begin
from branchline.design.layout.board import read_board
from branchline.design.layout.placing.measuring import Measured
from tests.boards.outside import alone, write_board  # noqa: F401  # `alone` is used by all tests
from tests.boards.test_made_up_board import SETTINGS, table

TOWNS = {"alta": (80, 20), "bergen": (85, 50), "calais": (75, 80), "dover": (40, 25), "essen": (50, 55), "fiume": (25, 80), "genova": (15, 40)}
WAYS = ["alta-bergen", "bergen-calais", "alta-dover", "bergen-essen", "calais-essen", "dover-essen", "essen-fiume", "calais-fiume", "dover-genova"]
WAYS += ["essen-genova", "fiume-genova", "alta-essen.1", "alta-essen.2"]  # seven tracks meet in Essen
TICKETS = ["alta-fiume", "alta-genova", "bergen-genova", "calais-dover", "dover-fiume", "bergen-fiume", "alta-calais"]


def template(folder):
    return begin(folder, "Islands")


def far_isles(folder):
    return write_board(folder)


def seven_towns(folder):
    """The board of docs/designers.md: short routes, and many of them in the middle."""
    ends = {way: way.split(".")[0].split("-") for way in WAYS}
    rows = [f"{way},{a},{b},{1 + number % 3},gray,{'yes' if '.' in way else ''}" for number, (way, (a, b)) in enumerate(ends.items())]
    rows[-2:] = ["alta-essen.1,alta,essen,2,red,yes", "alta-essen.2,alta,essen,2,gray,yes"]
    settings = SETTINGS.split("[totals]")[0].replace("points = { 2", "points = { 1 = 1, 2")
    files = {
        "board.toml": settings,
        "cities.csv": table("id,name", *(f"{town},{town.title()}" for town in TOWNS)),
        "geography.csv": table("city,lat,lon", *(f"{town},{lat / 10},{lon / 10}" for town, (lat, lon) in TOWNS.items())),
        "routes.csv": table("id,a,b,length,colour,double", *rows),
        "tickets.csv": table("id,a,b,points", *(f"{ticket},{ticket.replace('-', ',')},5" for ticket in TICKETS)),
    }
    return write_board(folder, files)


def measured_board(make, place):
    make(place / "board")
    return Measured(read_board(place / "board"), json.loads(layout_of(load_board(place / "board").game)))


@pytest.fixture(params=[template, far_isles, seven_towns], ids=lambda make: make.__name__)
def measured(request, tmp_path):
    return measured_board(request.param, tmp_path)


def test_no_two_spaces_touch(measured):
    assert measured.overlaps() == []


def test_spaces_have_about_their_length(measured):
    lengths = [space["length"] / measured.layout["space"]["length"] for *_, space in measured.spaces]
    assert min(lengths) >= 0.8
    assert max(lengths) <= 1.15


def test_no_space_lies_on_a_dot_and_no_routes_cross(measured):
    assert measured.on_dots() == []
    assert measured.crossings() == []


def test_names_lie_on_nothing_and_within_the_frame(measured):
    assert [fault for language in measured.board.languages for fault in measured.name_faults(language)] == []


@pytest.mark.parametrize("make", [far_isles, seven_towns], ids=lambda make: make.__name__)
def test_a_station_covers_no_name(make, tmp_path):
    """As the page draws it, it is larger than the dot that it stands on."""
    measured = measured_board(make, tmp_path)
    stations = [box(one["x"] - 12.3, one["y"] - 14.8, one["x"] + 12.3, one["y"] + 3.3) for one in measured.layout["cities"].values()]
    labels = [one["labels"][language] for one in measured.layout["cities"].values() for language in measured.board.languages]
    assert not any(measured.box_of(label).intersects(station) for label in labels for station in stations)
