"""A board's settings, `board.toml`: what can be set, and the check that all of it is sound."""

from __future__ import annotations

from typing import Any

from branchline.boards.model import BoardError
from branchline.checks import is_whole
from branchline.rules.board import BY_FEWER_STATIONS, BY_LONGEST_PATH, BY_TICKETS, TO_BOTTOM, TO_BOX
from branchline.rules.sizes import DECKS, LENGTHS, SEATS
from branchline.rules.sizes import TIE_BREAKS as MOST_TIE_BREAKS

TIE_BREAKS = {"tickets": BY_TICKETS, "fewer stations": BY_FEWER_STATIONS, "longest path": BY_LONGEST_PATH}
RETURN_TO = {"box": TO_BOX, "bottom": TO_BOTTOM}

# Settings and the record's field for each: default, least and most. A setting whose default is None must be given.
NUMBERS: tuple[tuple[str, str, str, int | None, int, int], ...] = (
    ("cards", "row", "row", None, 1, 6),
    ("cards", "clear_row_at", "clear_row_at", 7, 1, 7),
    ("pieces", "trains", "pieces", None, 1, 60),
    ("pieces", "stations", "stations", 0, 0, 3),
    ("routes", "both_tracks_from", "both_tracks_from", None, 2, 6),
    ("tickets", "opening_long", "opening_long", 0, 0, 1),
    ("tickets", "opening_offer", "opening_offer", None, 1, 5),
    ("tickets", "opening_keep", "opening_keep", None, 1, 6),
    ("tickets", "offer", "offer", None, 1, 6),
    ("tickets", "keep", "keep", None, 1, 6),
    ("end", "last_pieces", "last_pieces", None, 0, 60),
    ("end", "last_turns", "last_turns", None, 1, 5),
    ("end", "unbuilt_station", "unbuilt_points", 0, 0, 100),
    ("end", "longest_path", "longest_points", 0, 0, 100),
)

# what a board.toml may hold beside the numbers above
TEXTS = ("game", "name")
TABLES: dict[str, tuple[str, ...]] = {
    "cards": (),
    "pieces": (),
    "routes": ("points",),
    "tickets": ("opening_to",),
    "end": ("tie_breaks",),
}
OTHERS = ("rules_version", "players", "deck", "totals", "districts")


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
    check_decks(label, settings.get("deck"))
    check_points(label, "routes.points", settings["routes"].get("points"), LENGTHS - 1)
    if "districts" in settings:
        districts = settings["districts"]
        require(isinstance(districts, dict) and set(districts) == {"points"}, "districts must hold points and nothing else")
        check_points(label, "districts.points", districts["points"], 99)
    check_choices(label, settings)


def check_tables(label: str, settings: dict[str, Any]) -> None:
    known = {(table, key) for table, key, *_ in NUMBERS} | {(table, key) for table, keys in TABLES.items() for key in keys}
    for table in TABLES:
        if not isinstance(settings.get(table), dict):
            raise BoardError(label, f"the table {table} is missing")
        for key in settings[table]:
            if (table, key) not in known:
                raise BoardError(label, f"{table}.{key} is not a known setting")
    for table, key, _, default, least, most in NUMBERS:
        value = settings[table].get(key, default)
        if not is_whole(value, least, most):
            raise BoardError(label, f"{table}.{key} is {value!r}, not a whole number from {least} to {most}")


def check_decks(label: str, decks: Any) -> None:
    if not isinstance(decks, list) or not 1 <= len(decks) <= DECKS:
        raise BoardError(label, f"there must be one [[deck]] or up to {DECKS}")
    for deck in decks:
        if set(deck) != {"name", "hand"} or not isinstance(deck["name"], str) or not is_whole(deck["hand"], 0, 20):
            raise BoardError(label, "a [[deck]] has a name and a hand, the number of cards dealt from it")


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
