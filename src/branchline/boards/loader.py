"""Loads a board: reads its files, checks every fact and every total, and builds the record for the rules."""

from __future__ import annotations

from functools import cache
from importlib.resources.abc import Traversable

from branchline.boards.building import build_record
from branchline.boards.facts import read_big_cities, read_cards, read_cities, read_districts, read_routes, read_tickets
from branchline.boards.folders import available_boards, board_folder
from branchline.boards.model import Board, BoardError, Facts
from branchline.boards.settings import check_settings
from branchline.boards.tables import read_settings
from branchline.boards.totals import check_fit, check_sizes, check_supply, check_totals
from branchline.errors import UsageError, did_you_mean


class UnknownBoard(BoardError, UsageError):
    """There is no board of that name."""


@cache
def load_board(game: str) -> Board:
    """The board of a game, by its name; a board is read once."""
    if game not in available_boards():
        raise UnknownBoard(game, f"there is no such board; there are {', '.join(available_boards())}{did_you_mean(game, available_boards())}")
    return read_board(board_folder(game))


def read_board(folder: Traversable) -> Board:
    """Read and check a board from any folder."""
    settings = read_settings(folder, "board.toml")
    label = f"{folder.name}/board.toml"
    check_settings(label, settings)
    decks = tuple(deck["name"] for deck in settings["deck"])
    cards = read_cards(folder, decks)
    districts = read_districts(folder, settings)
    cities = read_cities(folder, districts)
    big_cities = read_big_cities(folder, cities)
    routes = read_routes(folder, cities, cards, decks, settings["routes"]["points"]) if "routes" in settings else ()
    tickets = read_tickets(folder, cities, cards, "yards" in settings)
    facts = Facts(decks, cards, cities, big_cities, routes, tickets)
    check_sizes(label, facts)
    check_fit(label, settings, facts)
    check_totals(label, settings["totals"], facts)
    records = build_record(label, settings, facts)
    check_supply(label, settings["players"][1], records[0])
    return Board(
        game=settings["game"],
        name=settings["name"],
        rules_version=settings["rules_version"],
        players=tuple(settings["players"]),
        decks=decks,
        cards=cards,
        cities=cities,
        routes=routes,
        tickets=tickets,
        districts=tuple(settings.get("districts", {}).get("points", {})),
        big_cities=big_cities,
        settings=settings,
        records=records,
    )
