"""Boards: the data files, and an error that names file, line and reason for every kind of mistake."""

import shutil
from collections import Counter
from importlib.resources import files

import pytest

from branchline import BoardError, available_boards, load_board
from branchline.boards.folders import shipped_boards
from branchline.boards.loader import read_board
from branchline.boards.model import Route, Ticket
from tests.conftest import SOAK


@pytest.fixture
def copy(tmp_path):
    """A copy of a board to break."""

    def make(game):
        shutil.copytree(str(files("branchline.boards") / game.replace("-", "_")), tmp_path / game)
        return tmp_path / game

    return make


def replace(folder, file, old, new):
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_boards_there_are():
    assert shipped_boards() == ("card-game", "europe", "london", "usa", "world")
    assert available_boards() == ("card-game", "europe", "great-lakes", "london", "new-york", "usa", "world")


def test_an_unknown_board_is_named():
    with pytest.raises(BoardError, match="atlantis: there is no such board; the boards are card-game, europe, great-lakes, london"):
        load_board("atlantis")


def test_europe_holds_what_the_printed_board_holds():
    board = load_board("europe")
    assert (len(board.cities), len(board.routes), len(board.tickets)) == (47, 101, 46)
    assert sum(route.length for route in board.routes) == 300
    assert Counter(route.tunnel for route in board.routes)[True] == 18
    assert sum(route.ferry > 0 for route in board.routes) == 13
    assert sum(route.double for route in board.routes) == 22


def test_london_holds_what_the_printed_board_holds():
    board = load_board("london")
    assert (len(board.cities), len(board.routes), len(board.tickets), len(board.districts)) == (17, 44, 20, 5)
    assert sum(route.length for route in board.routes) == 95


def test_the_world_holds_what_the_printed_board_holds():
    board = load_board("world")
    assert (len(board.cities), len(board.routes), len(board.tickets)) == (48, 130, 57 + 8)
    assert sum(route.length for route in board.routes) == 411
    assert Counter(route.sea for route in board.routes) == {False: 71, True: 59}
    assert sum(route.double for route in board.routes) == 2 * 34
    assert [route.id for route in board.routes if route.pair] == [
        *("anchorage-vancouver", "beijing-lahore", "casablanca-marseille", "dar-es-salaam-luanda", "lahore-tehran")
    ]
    assert sum(ticket.points for ticket in board.tickets if not ticket.is_tour) == 772
    assert sum(city.port for city in board.cities) == 38


def test_the_card_game_holds_what_the_printed_game_holds():
    board = load_board("card-game")
    assert (len(board.cities), len(board.routes), len(board.tickets)) == (34, 0, 46)
    assert {city.id: city.points for city in board.big_cities} == {
        "seattle": 8,
        "los-angeles": 12,
        "chicago": 12,
        "dallas": 10,
        "new-york": 15,
        "miami": 8,
    }
    assert sum(ticket.points for ticket in board.tickets) == 581


def test_twins_are_each_others(game):
    board = load_board(game).record
    for route in range(board.routes):
        twin = board.twin[route]
        assert twin == -1 or board.twin[twin] == route != twin


def test_every_ticket_can_be_completed_on_an_empty_board(game):
    board = load_board(game)
    for ticket in board.tickets:
        reached = {ticket.a}
        for _ in board.cities:
            reached |= {end for route in board.routes if {route.a, route.b} & reached for end in (route.a, route.b)}
        if board.routes:
            assert set(ticket.cities) <= reached
            assert not ticket.cards
        else:
            assert len(ticket.cards) >= 1
            assert all(ticket.cards.count(card.id) <= card.count for card in board.cards)


def test_the_decision_table_is_dense_and_every_text_is_its_own(game):
    from branchline import Game

    decisions = Game(game, 2).decisions
    assert len(decisions) == len(set(decisions.texts)) == load_board(game).record.starts[-1]
    for number, text in enumerate(decisions.texts):
        assert decisions.number(text) == number


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("routes.csv", "4,orange", "4,purple", r"europe/routes.csv, line \d+: colour 'purple' is not one of pink, blue"),
        ("routes.csv", ",1,black,", ",5,black,", r"routes.csv, line 2: length '5' is not one of 1, 2, 3, 4, 6, 8"),
        ("routes.csv", "amsterdam-essen,amsterdam", "amsterdam-essen,atlantis", "routes.csv, line 3: a 'atlantis' is not one of amsterdam"),
        (
            "routes.csv",
            "amsterdam-essen,",
            "amsterdam-bruxelles,",
            "line 3: a route's id is its two cities in alphabetical order, here amsterdam-essen",
        ),
        ("routes.csv", "1,black,,,", "1,black,yes,,", "line 2: amsterdam-bruxelles is marked double, but has one track: add the other"),
        ("routes.csv", "1,black,,,", "1,black,maybe,,", "line 2: double is 'maybe'; write 'yes' or leave it empty"),
        ("routes.csv", "1,black,,,", "1,black,,2,", "line 2: ferry is 2; it should be at most the length of the route, 1"),
        ("routes.csv", "1,black,,,", "1,black,,", "line 2: has 7 cells; the header has 8"),
        ("routes.csv", "id,a,b,length", "id,a,b,size", "line 1: has no column length: the header must have id, a, b, length, colour"),
        (
            "routes.csv",
            "amsterdam-bruxelles,amsterdam,bruxelles,1,black,,,\n",
            "",
            r"board.toml, line 44: totals.routes is stated as 101, but the files hold 100",
        ),
        ("tickets.csv", ",21,yes", ",21,", "tickets.csv, line 3: the long tickets must come first"),
        ("tickets.csv", "7,\n", "seven,\n", r"tickets.csv, line \d+: points is 'seven'; it should be a whole number"),
        ("cities.csv", "angora,Angora", "amsterdam,Angora", "cities.csv, line 3: id 'amsterdam' is already in line 2"),
        ("cities.csv", "angora,Angora", "angora,", "cities.csv, line 3: name is empty"),
        ("geography.csv", "angora,", "ankara,", "geography.csv, line 3: city 'ankara' is not one of"),
        ("cards.csv", "wild,train,,14", "wild,train,red,14", "cards.csv, line 10: the wild, and only the wild, has no colour"),
        ("cards.csv", "pink,train", "pink,ship", "cards.csv, line 2: deck 'ship' is not one of train"),
        ("cards.csv", "red,train,red,12", "red,train,red,13", "totals.cards is stated as 110, but the files hold 111"),
        ("board.toml", "trains = 45", "trains = 99", r"board.toml, line 16: pieces.trains is 99; it should be less than or equal to 60"),
        ("board.toml", "keep = 1              # EU-28\n", "", "board.toml, line 23: tickets.keep is missing: add it"),
        ("board.toml", "last_pieces = 2", "last_pieces = 2\nfirst_pieces = 2", "end.first_pieces is not a known setting"),
        ("board.toml", '"box"', '"moon"', "tickets.opening_to is 'moon'; it should be 'box', 'bottom' or 'deck'"),
        ("board.toml", "tunnels = 18", "tunnels = 18\nbridges = 2", "totals.bridges is not a known total"),
        (
            "board.toml",
            "opening_keep = 2",
            "opening_keep = 5",
            "tickets.opening_keep is 5, and at the beginning 4 tickets are offered: it should be fewer, or tickets.opening_offer more",
        ),
        ("board.toml", "hand = 4", "hand = 99", r"deck\[0\].hand is 99; it should be less than or equal to 20"),
        ("board.toml", "row = 5 ", "row = 5.0 ", r"cards.row is 5.0; it should be a whole number"),
        ("board.toml", "row = 5 ", "row = true ", r"cards.row is True; it should be a whole number"),
        ("board.toml", "8 = 21", "99 = 21", r"routes.points.99 is '99'; it should be less than or equal to"),
        ("geography.csv", "52.37,4.9", "north,4.9", "geography.csv, line 2: lat is 'north'; it should be a number, such as 24.1"),
        ("board.toml", "[totals]", "[total", "board.toml, line 41: is not valid TOML"),
        ("board.toml", "players = [2, 5]", "players = 5", "players is 5; it should be a list in square brackets"),
        ("board.toml", "players = [2, 5]", "players = [5, 2]", r"players must be the least and the most, such as \[2, 5\]"),
        ("board.toml", "players = [2, 5]", "players = [2, 9]", r"players\[1\] \(the most players\) is 9; it should be less than or equal to 5"),
    ],
)
def test_a_broken_board_names_file_line_and_reason(copy, file, old, new, reason):
    folder = copy("europe")
    replace(folder, file, old, new)
    with pytest.raises(BoardError, match=reason):
        read_board(folder)


@pytest.mark.parametrize(
    ("board", "file", "old", "new", "reason"),
    [
        (
            "world",
            "cards.csv",
            "red-double-ship,ship,red,6,2,",
            "red-double-ship,ship,red,6,3,",
            "covers is '3'; it should be less than",
        ),
        ("world", "cards.csv", "pink-ship,ship,pink,4,,yes\n", "", "totals.cards is stated as 140, but the files hold 136"),
        ("world", "cards.csv", "pink-train,train,pink,7,,", "pink-train,train,pink,7,,yes", "only one kind of card carries the harbour symbol"),
        ("world", "routes.csv", "3,gray,,,yes,", "3,red,,,yes,", "a pair route is grey"),
        ("world", "tours.csv", "casablanca al-qahira tehran", "casablanca tehran", "a tour has 3 to 6 cities"),
        ("world", "tours.csv", "casablanca al-qahira tehran", "casablanca atlantis tehran", r"cities\[1\] 'atlantis' is not one of"),
        ("world", "tours.csv", "tour-casablanca-tehran", "tour-casablanca-cairo", "here tour-casablanca-tehran"),
        ("world", "board.toml", "row = 3           # WO-3\n", "row = 2\n", "line 8: cards.row must be the sum of the decks' rows"),
        ("world", "board.toml", "supply = 60", "supply = 80", "pieces.supply is 80; it should be less than or equal to 60"),
        ("world", "board.toml", "supply = 60", "supply = 40", "it must be fewer than both together, and no fewer than either"),
        ("world", "board.toml", "harbours = 3", "harbours = 0", "harbours need ports, and ports harbours"),
        ("world", "board.toml", "harbours = 3", "harbours = 3\nstations = 3", "stations or harbours, not both"),
        ("card-game", "tickets.csv", "black green red orange", "black green red wild", r"cards\[3\] 'wild' is not one of pink, white"),
        ("card-game", "big_cities.csv", "miami,8", "key-west,8", "city 'key-west' is not one of"),
        ("card-game", "board.toml", "reformed = 0", "reformed = 1", "with yards the deck must not be reformed"),
        ("card-game", "board.toml", "[yards]", "[routes]\npoints = { 1 = 1 }\n[yards]", "a board has routes or yards, not both"),
        ("card-game", "board.toml", "last_turns = 1", "last_pieces = 2\nlast_turns = 1", "end.last_pieces ends a game with routes, and no other"),
    ],
)
def test_a_broken_board_of_another_mechanism_says_why(copy, board, file, old, new, reason):
    folder = copy(board)
    replace(folder, file, old, new)
    with pytest.raises(BoardError, match=reason):
        read_board(folder)


@pytest.mark.sample(2)
def test_no_line_left_out_or_doubled_causes_anything_but_a_clear_error(copy, game):
    """Leave out or repeat any line of any file that makes the board: the result is a board, or a BoardError."""
    folder = copy(game)
    refused = 0
    for path in sorted(path for path in folder.iterdir() if path.suffix in (".csv", ".toml")):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        for number in range(0, len(lines), 1 if SOAK else 8):
            for spoilt in (lines[:number] + lines[number + 1 :], lines[: number + 1] + lines[number:]):
                path.write_text("".join(spoilt), encoding="utf-8")
                try:
                    read_board(folder)
                except BoardError:
                    refused += 1
        path.write_text(text, encoding="utf-8")
    assert refused > (150 if SOAK else 15)


def test_a_missing_file_is_named(copy):
    folder = copy("europe")
    (folder / "tickets.csv").unlink()
    with pytest.raises(BoardError, match=r"europe/tickets.csv: cannot be read \(No such file"):
        read_board(folder)


@pytest.mark.parametrize(
    ("content", "reason"), [(b"\xff", "is not UTF-8 text"), (b"id" * 600_000, "bytes long"), (b"", "line 1: has no column id: the header must have")]
)
def test_a_file_of_nonsense_is_refused(copy, content, reason):
    folder = copy("london")
    (folder / "cities.csv").write_bytes(content)
    with pytest.raises(BoardError, match=reason):
        read_board(folder)


def test_a_board_that_is_too_large_is_refused(copy):
    folder = copy("london")
    rows = "".join(f"place-{number},Place {number}\n" for number in range(40))
    with (folder / "cities.csv").open("a") as file:
        file.write(rows)
    with pytest.raises(BoardError, match="57 cities; there is room for 48"):
        read_board(folder)


def test_a_new_board_of_known_mechanisms_is_data_alone(copy):
    """London with ferries, tunnels, stations and a longest path: no code depends on it having none."""
    folder = copy("london")
    replace(folder, "board.toml", "trains = 17", "trains = 17\nstations = 2")
    replace(folder, "board.toml", "last_turns = 1 ", "unbuilt_station = 3\nlongest_path = 5\nlast_turns = 1 ")
    replace(folder, "routes.csv", "id,a,b,length,colour,double", "id,a,b,length,colour,double,ferry,tunnel")
    lines = (folder / "routes.csv").read_text().splitlines()
    lines[1:] = [line + (",1,yes" if number == 1 else ",,") for number, line in enumerate(lines[1:], start=1)]
    (folder / "routes.csv").write_text("\n".join(lines) + "\n")
    replace(folder, "board.toml", "tickets = 20", "tickets = 20\nferries = 1\nferry_symbols = 1\ntunnels = 1")
    board = read_board(folder)
    assert (board.record.stations, board.record.longest_points, board.routes[0].tunnel, board.routes[0].ferry) == (2, 5, True, 1)


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("europe", Route("petrograd-stockholm", "petrograd", "stockholm", 8, "gray", tunnel=True)),
        ("europe", Route("amsterdam-london", "amsterdam", "london", 2, "gray", ferry=2)),
        ("europe", Route("budapest-wien.2", "budapest", "wien", 1, "white", double=True)),
        ("europe", Ticket("athina-edinburgh", "athina", "edinburgh", 21, long=True)),
        ("europe", Ticket("london-wien", "london", "wien", 10)),
        ("london", Route("covent-garden-st-pauls.1", "covent-garden", "st-pauls", 3, "gray", double=True)),
        ("london", Ticket("baker-street-tower-of-london", "baker-street", "tower-of-london", 11)),
        ("usa", Route("los-angeles-san-francisco.2", "los-angeles", "san-francisco", 3, "yellow", double=True)),
        ("usa", Ticket("chicago-los-angeles", "chicago", "los-angeles", 16)),
        ("world", Route("anchorage-vancouver", "anchorage", "vancouver", 2, "gray", pair=True, over_the_edge=True)),
        ("world", Route("anchorage-tiksi", "anchorage", "tiksi", 8, "yellow", sea=True)),
        ("world", Ticket("christchurch-marseille", "christchurch", "marseille", 23)),
        (
            "world",
            Ticket("tour-mexico-valparaiso", "mexico", "valparaiso", 15, via=("caracas", "lima"), connected=10, failed=21),
        ),
        ("card-game", Ticket("chicago-seattle", "chicago", "seattle", 15, cards=("black", "yellow", "yellow"))),
    ],
)
def test_some_facts_of_the_printed_boards(name, fact):
    board = load_board(name)
    assert fact in (board.routes if isinstance(fact, Route) else board.tickets)
