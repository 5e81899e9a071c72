"""A board's settings, `board.toml`: what can be set, and the check that all of it is sound."""

from __future__ import annotations

from typing import Any

from branchline.boards.checks import is_whole
from branchline.boards.model import BoardError
from branchline.rules.board import BY_BONUSES, BY_FEWER_STATIONS, BY_LONGEST_PATH, BY_TICKETS, TO_BOTTOM, TO_BOX, TO_DECK
from branchline.rules.sizes import DECKS, HARBOUR_STEPS, LENGTHS, NONE, ROW, SEATS
from branchline.rules.sizes import TIE_BREAKS as MOST_TIE_BREAKS

TIE_BREAKS = {"tickets": BY_TICKETS, "fewer stations": BY_FEWER_STATIONS, "longest path": BY_LONGEST_PATH, "bonuses": BY_BONUSES}
RETURN_TO = {"box": TO_BOX, "bottom": TO_BOTTOM, "deck": TO_DECK}
NEVER = SEATS + 1

# Settings and the record's field for each: default, least and most. A setting whose default is None must be given.
NUMBERS: tuple[tuple[str, str, str, int | None, int, int], ...] = (
    ("cards", "row", "row", None, 1, ROW),
    ("cards", "clear_row_at", "clear_row_at", ROW + 1, 1, ROW + 1),
    ("cards", "opening_wilds", "opening_wilds", 0, 0, 5),
    ("cards", "reformed", "reformed", 1, 0, 1),
    ("pieces", "supply", "supply", 0, 0, 60),
    ("pieces", "exchange", "exchange_points", 0, 0, 10),
    ("pieces", "stations", "stations", 0, 0, 3),
    ("pieces", "harbours", "harbours", 0, 0, 3),
    ("routes", "both_tracks_from", "both_tracks_from", None, 2, NEVER),
    ("tickets", "opening_long", "opening_long", 0, 0, 1),
    ("tickets", "opening_offer", "opening_offer", None, 1, 6),
    ("tickets", "opening_keep", "opening_keep", None, 1, 6),
    ("tickets", "offer", "offer", None, 1, 6),
    ("tickets", "keep", "keep", None, 0, 6),
    ("yards", "second_pass_from", "second_pass_from", NEVER, 2, NEVER),
    ("yards", "second_pass_hand", "second_pass_hand", 0, 0, 20),
    ("end", "last_pieces", "last_pieces", NONE, NONE, 60),
    ("end", "last_turns", "last_turns", None, 1, 5),
    ("end", "unbuilt_station", "unbuilt_points", 0, 0, 100),
    ("end", "unbuilt_harbour", "unbuilt_loss", 0, 0, 100),
    ("end", "longest_path", "longest_points", 0, 0, 100),
)

# Pieces of each kind, in the order of the decks: trains for the first, ships for the second.
PIECES = ("trains", "ships")
MOST_PIECES = 60  # of all kinds in use at once: a set of a seat's routes is one word (rules/network.py)

# what a board.toml may hold beside the numbers above
TEXTS = ("game", "name")
TABLES: dict[str, tuple[str, ...]] = {
    "cards": (),
    "pieces": PIECES,
    "routes": ("points",),
    "tickets": ("opening_to",),
    "yards": (),
    "end": ("tie_breaks",),
}
ROUTES, YARDS = ("routes", "pieces"), ("yards",)  # a board has the tables of one of them
OTHERS = ("rules_version", "players", "deck", "totals", "districts", "harbours")


def check_settings(label: str, settings: dict[str, Any]) -> None:
    """Raise BoardError for the first setting that is missing, unknown or out of range."""

    def require(condition: bool, reason: str) -> None:
        if not condition:
            raise BoardError(label, reason)

    for key in settings:
        require(key in TEXTS or key in TABLES or key in OTHERS, f"{key} is not a known setting")
    for key in TEXTS:
        require(isinstance(settings.get(key), str), f"{key} is missing or not a text")
    require(is_whole(settings.get("rules_version"), 1, 10**6), "rules_version is missing or not a whole number from 1")
    players: Any = settings.get("players")
    two_numbers = isinstance(players, list) and len(players) == 2 and all(is_whole(number, 2, SEATS) for number in players)
    require(two_numbers and players[0] <= players[1], f"players must be the least and the most, from 2 to {SEATS}")
    require(isinstance(settings.get("totals"), dict), "the table totals is missing")
    check_tables(label, settings)
    check_decks(label, settings)
    if "routes" in settings:
        check_points(label, "routes.points", settings["routes"].get("points"), LENGTHS - 1)
        check_pieces(label, settings)
    for table, most in (("districts", 99), ("harbours", HARBOUR_STEPS - 1)):
        if table in settings:
            points = settings[table]
            require(isinstance(points, dict) and set(points) == {"points"}, f"{table} must hold points and nothing else")
            check_points(label, f"{table}.points", points["points"], most)
    check_choices(label, settings)


def check_tables(label: str, settings: dict[str, Any]) -> None:
    known = {(table, key) for table, key, *_ in NUMBERS} | {(table, key) for table, keys in TABLES.items() for key in keys}
    absent = ROUTES if "yards" in settings and "routes" not in settings else YARDS
    for table in absent:
        if table in settings:
            raise BoardError(label, f"a board has routes or yards, not both: the table {table} is too much")
    for table in (table for table in TABLES if table not in absent):
        if not isinstance(settings.get(table), dict):
            raise BoardError(label, f"the table {table} is missing")
        for key in settings[table]:
            if (table, key) not in known:
                raise BoardError(label, f"{table}.{key} is not a known setting")
    for table, key, _, default, least, most in NUMBERS:
        value = settings[table].get(key, default) if table not in absent else least
        if not is_whole(value, least, most):
            raise BoardError(label, f"{table}.{key} is {value!r}, not a whole number from {least} to {most}")


def check_decks(label: str, settings: dict[str, Any]) -> None:
    decks = settings.get("deck")
    if not isinstance(decks, list) or not 1 <= len(decks) <= DECKS:
        raise BoardError(label, f"there must be one [[deck]] or up to {DECKS}")
    for deck in decks:
        whole = all(is_whole(deck.get(key, 0), 0, 20) for key in ("hand", "row"))
        if set(deck) - {"row"} != {"name", "hand"} or not isinstance(deck["name"], str) or not whole:
            raise BoardError(label, "a [[deck]] has a name, a hand (the number of cards dealt from it), and a row (the number laid face up)")
    if len(decks) > 1 and sum(deck.get("row", 0) for deck in decks) != settings["cards"]["row"]:
        raise BoardError(label, "where there are several decks, their rows must make up cards.row")


def check_pieces(label: str, settings: dict[str, Any]) -> None:
    pieces = settings["pieces"]
    names = PIECES[: len(settings["deck"])]
    for name in PIECES:
        if name in names and not is_whole(pieces.get(name), 1, MOST_PIECES):
            raise BoardError(label, f"pieces.{name} is {pieces.get(name)!r}, not a whole number from 1 to {MOST_PIECES}")
        if name not in names and name in pieces:
            raise BoardError(label, f"pieces.{name} are of no use without a second [[deck]]")
    total, supply = sum(pieces[name] for name in names), pieces.get("supply", 0)
    if supply and (len(names) < len(PIECES) or not max(pieces[name] for name in names) <= supply < total):
        raise BoardError(label, "pieces.supply is chosen from trains and ships: it must be fewer than both together, and no fewer than either")
    if not supply and (total > MOST_PIECES or pieces.get("exchange")):
        raise BoardError(label, f"a seat has at most {MOST_PIECES} pieces, and exchanges only where it chose some of them (pieces.supply)")
    if pieces.get("stations") and pieces.get("harbours"):
        raise BoardError(label, "a board has stations or harbours, not both")


def check_points(label: str, what: str, points: Any, most: int) -> None:
    """A table from a number to points, such as a route's length to what it is worth."""
    sound = isinstance(points, dict) and points and all(key in map(str, range(1, most + 1)) for key in points)
    if not sound or not all(is_whole(value, 0, 1000) for value in points.values()):
        raise BoardError(label, f"{what} must give points for numbers from 1 to {most}")


def check_choices(label: str, settings: dict[str, Any]) -> None:
    to = settings["tickets"].get("opening_to")
    if to not in RETURN_TO:
        raise BoardError(label, f"tickets.opening_to {to!r} is not one of {', '.join(RETURN_TO)}")
    tie_breaks = settings["end"].get("tie_breaks", [])
    if not isinstance(tie_breaks, list) or len(tie_breaks) > MOST_TIE_BREAKS or not all(name in TIE_BREAKS for name in tie_breaks):
        raise BoardError(label, f"end.tie_breaks must be a list of {', '.join(TIE_BREAKS)}")
