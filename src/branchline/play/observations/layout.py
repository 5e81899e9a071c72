"""What is where in an observation: its fields, in the order that `observing.py` writes them.

The layout depends on a board through its sizes alone, so it is the same for any number of players; packed, it has rows only for the seats
that play. If you change it, change OBSERVATION_VERSION.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from branchline.boards import Board, load_board
from branchline.boards.folders import kept_per_board
from branchline.play.observations.compiled.observing import PHASES, PURPOSES
from branchline.play.observations.compiled.writing import HUNDREDTH, TENTH, WHOLE
from branchline.rules.sizes import OFFER

Array = np.ndarray[Any, Any]
OBSERVATION_VERSION = 2

ONE, TENTHS, HUNDREDTHS = 1, 10, 100
UNITS = {ONE: WHOLE, TENTHS: TENTH, HUNDREDTHS: HUNDREDTH}

# the most that a field counts, see `limits_of`; fields of yes and no need none
LIMITS = {
    **dict.fromkeys(("turn", "points"), "int16"),
    **dict.fromkeys(("passes", "owed", "wilds_owed"), "int8"),
    **dict.fromkeys(("hand", "known", "drawn", "deck_most", "discards", "paid", "laid", "revealed"), "cards"),
    **dict.fromkeys(("unseen", "deck_size", "discards_size"), "all cards"),
    **dict.fromkeys(("yards", "yard_wilds", "track"), "most cards"),
    **dict.fromkeys(("ticket_count", "opening_kept", "in_deck", "ticket_deck_size"), "tickets"),
    **dict.fromkeys(("offer_size", "offered", "offered_elsewhere"), "offer"),
    **dict.fromkeys(("pieces", "box"), "pieces"),
    "supply": "trains",
    "unbuilt": "buildings",
    "last_turns": "last turns",
}

# name, shape, what 1.0 stands for, which boards have it ("": all), what it is
FIELDS: tuple[tuple[str, str, int, str, str], ...] = (
    ("phase", "phases", ONE, "", "what the game is waiting for: one of the phases in `rules/state.py`"),
    ("deciding", "seats", ONE, "", "whose decision it is"),
    ("present", "seats", ONE, "", "occupied seats"),
    ("decided", "seats", ONE, "", "during simultaneous choices: who has chosen"),
    ("first", "seats", ONE, "", "who had the first turn"),
    ("turn", "", HUNDREDTHS, "", "turns begun, over all seats"),
    ("passes", "", TENTHS, "", "turns passed in a row"),
    ("last_turns_announced", "", ONE, "", "the end is announced"),
    ("last_turns", "", TENTHS, "", "turns left after that"),
    ("to_draw", "", ONE, "", "another card may be drawn after this one"),
    ("second_pass", "", ONE, "yards", "the second pass has begun"),
    ("by_hand", "", ONE, "yards", "players choose which tickets to complete"),
    ("may_draw_one", "", ONE, "yards", "a player may stop after the first card of a draw"),
    ("points", "seats", HUNDREDTHS, "", "points so far"),
    ("ticket_count", "seats", TENTHS, "", "tickets held"),
    ("opening_kept", "seats", TENTHS, "", "tickets kept at set-up"),
    ("offer_size", "seats", TENTHS, "", "tickets being offered"),
    ("pieces", "seats decks", HUNDREDTHS, "routes", "pieces left: trains and ships"),
    ("box", "seats decks", HUNDREDTHS, "supply", "pieces in the box, for exchange"),
    ("supply", "", HUNDREDTHS, "supply", "trains the viewer has chosen, while others are still choosing"),
    ("unbuilt", "seats", TENTHS, "buildings", "stations or harbours not built"),
    ("hand", "kinds", TENTHS, "", "the viewer's cards"),
    ("known", "seats kinds", TENTHS, "", "the cards in each hand that everybody knows; the first row is what others know of the viewer's hand"),
    ("unseen", "seats decks", TENTHS, "", "cards in other hands of which the viewer only knows the deck"),
    ("drawn", "kinds", TENTHS, "", "cards the viewer has drawn blind since the deck was formed"),
    ("row", "spaces kinds", ONE, "", "the face-up card in each space"),
    ("deck_size", "decks", HUNDREDTHS, "", "cards in each deck"),
    ("deck_most", "kinds", TENTHS, "", "the most cards of each kind the deck can hold; everybody knows this, because decks are formed in the open"),
    ("discards", "kinds", TENTHS, "", "cards of each kind in the discards"),
    ("discards_size", "decks", HUNDREDTHS, "", "cards in each discard pile"),
    ("paid", "kinds", TENTHS, "", "cards the viewer has paid or placed so far, in an unfinished payment or placing"),
    ("owed", "", TENTHS, "", "spaces or cards still to pay; with three single cards, how many are still to be placed"),
    ("paying_for", "purposes", ONE, "routes", "a route, a station, a tunnel's cards, a pair route, a harbour"),
    ("pay_route", "routes", ONE, "routes", "the route being paid for"),
    ("pay_city", "cities", ONE, "buildings", "the city being built in"),
    ("pay_deck", "decks", ONE, "routes", "the deck whose cards pay"),
    ("pay_colour", "colours", ONE, "routes", "the colour that may be paid; none if it is not chosen yet, or only wilds were paid"),
    ("pay_from", "kinds", ONE, "routes", "the lowest kind that may still be paid"),
    ("wilds_owed", "", TENTHS, "routes", "wilds that still must be paid"),
    ("laid", "kinds", TENTHS, "routes", "cards laid for a tunnel"),
    ("revealed", "kinds", TENTHS, "routes", "cards turned up for the tunnel"),
    ("owned", "seats routes", ONE, "routes", "routes claimed"),
    ("open", "routes", ONE, "routes", "routes the viewer may still claim: free, and not closed by a twin"),
    ("reached", "seats cities", ONE, "routes", "cities where a route of the seat ends"),
    ("built", "seats cities", ONE, "buildings", "cities with a station or harbour of the seat"),
    ("held", "seats tickets", ONE, "", "tickets held: the viewer's, and those the viewer knows others hold"),
    ("offered", "tickets", TENTHS, "", "tickets offered to the viewer: 1 for the first, 2 for the second …"),
    ("offered_next", "tickets", ONE, "", "the ticket to keep or return now"),
    ("offered_kept", "tickets", ONE, "", "offered tickets that the viewer has kept so far"),
    ("offered_elsewhere", "tickets", TENTHS, "", "tickets the viewer knows are offered to another seat: 1 for the first …"),
    ("in_deck", "tickets", HUNDREDTHS, "", "tickets whose place in the ticket deck the viewer knows: 1 for the top …"),
    ("ticket_deck_size", "", HUNDREDTHS, "", "tickets in the deck"),
    ("located", "tickets", ONE, "", "tickets whose place the viewer knows, even if that is out of the game"),
    ("returned", "tickets", ONE, "", "tickets the viewer has returned to the deck"),
    ("joined", "tickets", ONE, "routes", "all tickets whose cities the viewer's own routes join (stations not counted), whoever holds them"),
    ("completed", "seats tickets", ONE, "yards", "tickets completed and set aside"),
    ("chosen", "tickets", ONE, "yards", "tickets the viewer has chosen to complete"),
    ("yards", "seats colours", TENTHS, "yards", "cards of the row's own colour in each row of a yard"),
    ("yard_wilds", "seats colours", TENTHS, "yards", "wilds on top of each row"),
    ("track", "seats track_kinds", TENTHS, "yards", "the track pile: cards of each colour, and wilds"),
)


@dataclass(frozen=True)
class Field:
    """A part of an observation: the numbers from `offset` on, in this shape; 1.0 stands for `scale`."""

    name: str
    offset: int
    shape: tuple[int, ...]
    scale: int
    meaning: str

    @property
    def size(self) -> int:
        return prod(self.shape)

    def of(self, observations: Any) -> Any:
        """This field of one observation or an array of them, in its shape: a view, not a copy."""
        part = observations[..., self.offset : self.offset + self.size]
        return part.reshape((*part.shape[:-1], *self.shape))


def sizes_of(board: Board, players: int | None = None) -> dict[str, int]:
    """The sizes that determine the layout; with a number of players, of the packed one."""
    record = board.record
    named = {name: int(record[name]) for name in ("routes", "cities", "tickets", "kinds", "colours", "decks")}
    fixed = {"phases": PHASES, "purposes": PURPOSES}
    return {"seats": players or board.players[1], **named, "spaces": int(record.row), "track_kinds": named["colours"] + 1, **fixed}


def mechanisms_of(board: Board) -> set[str]:
    record = board.record
    there = {"routes": record.routes, "buildings": record.stations + record.harbours, "supply": record.supply, "yards": record.yards}
    return {"", *(name for name, number in there.items() if number)}


@kept_per_board
def layout_of(game: str, players: int | None = None) -> dict[str, Field]:
    """The fields of a game's observations, by name and in order; with a number of players, of packed ones."""
    return fields_of(load_board(game), players)


def fields_of(board: Board, players: int | None = None) -> dict[str, Field]:
    sizes, mechanisms = sizes_of(board, players), mechanisms_of(board)
    fields: dict[str, Field] = {}
    offset = 0
    for name, shape, scale, mechanism, meaning in FIELDS:
        if mechanism in mechanisms:
            fields[name] = Field(name, offset, tuple(sizes[word] for word in shape.split()), scale, meaning)
            offset += fields[name].size
    return fields


@kept_per_board
def size_of(game: str, players: int | None = None) -> int:
    """How many numbers an observation has."""
    return sum(field.size for field in layout_of(game, players).values())


def scales_of(game: str, players: int | None = None) -> Array:
    """What 1.0 stands for in each place: an observation times this is whole numbers."""
    return np.concatenate([np.full(field.size, field.scale, np.float32) for field in layout_of(game, players).values()])


@kept_per_board
def units_of(game: str, players: int | None = None) -> Array:
    """What a whole 1 is in each place."""
    return np.concatenate([np.full(field.size, UNITS[field.scale], np.float32) for field in layout_of(game, players).values()])


def bounds_of(game: str, players: int | None = None) -> tuple[Array, Array]:
    """The least and the greatest number that each place of an observation can hold."""
    board, fields = load_board(game), layout_of(game, players).values()
    limits = [limits_of(board, field) for field in fields]
    units = units_of(game, players)
    least, most = (
        np.concatenate([np.broadcast_to(limit[side], field.shape or 1).ravel() for field, limit in zip(fields, limits, strict=True)])
        for side in (0, 1)
    )
    return least.astype(np.float32) * units, most.astype(np.float32) * units


def limits_of(board: Board, field: Field) -> tuple[Any, Any]:
    """The same for a field, in whole numbers."""
    if field.scale == ONE:
        return 0, 1
    record, limit = board.record, LIMITS[field.name]
    if limit == "int16":
        return np.iinfo(np.int16).min if field.name == "points" else 0, np.iinfo(np.int16).max
    kinds, seats = int(record.kinds), board.players[1]
    cards = record.cards[:kinds].astype(np.int64)
    most = {
        "int8": np.iinfo(np.int8).max,
        "cards": cards,
        "all cards": cards.sum(),
        "most cards": cards.max(),
        "tickets": int(record.tickets),
        "offer": OFFER,
        "pieces": record.pieces[: int(record.decks)].astype(np.int64),
        "trains": int(record.pieces[0]),
        "buildings": int(record.stations + record.harbours),
        "last turns": int(record.last_turns) * seats + 1,  # in the turn that causes them
    }
    return 0, most[limit]
