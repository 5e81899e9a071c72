"""A view in JSON, field by field, so that it can be handed to another process or another machine and become the same view there.

Fields are those of `rules/state.py`, by name. Sets of bits are hexadecimal, because not every language has whole numbers of 64 bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.errors import BranchlineError
from branchline.play.games import Game, View
from branchline.play.positions import blank
from branchline.rules.sizes import COLOURS, DECKS, KINDS, NONE, OFFER, SEATS
from branchline.rules.state import FOR_HARBOUR, NOT_ANNOUNCED, STATE
from branchline.rules.vocabulary.phases import PHASES

Fields = dict[str, Any]
BITS = np.dtype(np.uint64)


class ViewError(BranchlineError):
    """These fields are not a view of that game."""


def view_fields(view: View) -> Fields:
    """Every field of the view's record. What the seat may not know is empty in it."""
    return {name: written(view.records[name][0]) for name in STATE.names or ()}


def written(value: Any) -> Any:
    if value.dtype == BITS:
        return in_hex(value.tolist())
    return value.tolist()


def in_hex(numbers: Any) -> Any:
    return [in_hex(one) for one in numbers] if isinstance(numbers, list) else f"{numbers:x}"


def view_from_fields(game: Game, fields: Any) -> View:
    """The view that these fields describe. They come from outside: compiled code does not check what it reads, so it is checked here."""
    names = STATE.names or ()
    if not isinstance(fields, dict) or set(fields) != set(names):
        raise ViewError("the view has other fields than this version of Branchline: both sides need the same version")
    records = blank(STATE)
    for name in names:
        records[name][0] = read(name, fields[name], STATE[name])
    view = View(game, records)
    check_bounds(view)
    return view


def read(name: str, value: Any, kind: Any) -> Any:
    """A field's value, if it has the field's shape and fits its type."""
    try:
        numbers = np.array(from_hex(value) if kind.base == BITS else value, dtype=object)
        if numbers.shape != kind.shape or not all(type(one) is int for one in numbers.ravel()):
            raise ValueError
        bounds = np.iinfo(kind.base)
        if any(not bounds.min <= one <= bounds.max for one in numbers.ravel()):
            raise ValueError
        return numbers.astype(kind.base)
    except (ValueError, TypeError, OverflowError):
        raise ViewError(f"the field {name!r} of the view is not what it should be") from None


def from_hex(value: Any) -> Any:
    if isinstance(value, list):
        return [from_hex(one) for one in value]
    if not isinstance(value, str) or len(value) > 16:
        raise ValueError
    return int(value, 16)


def check_bounds(view: View) -> None:
    """Numbers by which the rules look things up must be numbers of something there is."""
    for name, (least, most) in bounds_of(view.game).items():
        values = view.records[name][0]
        if (values < least).any() or (values > most).any():
            raise ViewError(f"the field {name!r} of the view is out of bounds for {view.game.name} with {view.game.players} seats")
    if int(view.record.phase) not in PHASES:
        raise ViewError("the view is in a phase that this version of Branchline does not know")


def bounds_of(game: Game) -> dict[str, tuple[int, int]]:
    board, last = game.board, game.players - 1
    cards, tickets = len(board.cards) - 1, len(board.tickets)
    return {
        "players": (game.players, game.players),
        "options": (game.rule_options, game.rule_options),
        "viewer": (0, last),
        "seat": (0, last),
        "first_seat": (NONE, last),
        "last_turns": (NOT_ANNOUNCED, 2 * SEATS),
        "target": (NONE, max(len(board.routes), len(board.cities)) - 1),
        "paying_for": (NONE, FOR_HARBOUR),
        "pay_deck": (NONE, DECKS - 1),
        "pay_colour": (NONE, COLOURS - 1),
        "pay_from": (NONE, KINDS),
        "row": (NONE, cards),
        "queue": (NONE, tickets - 1),
        "queue_size": (0, tickets),
        "ticket_count": (0, tickets),
        "offer": (NONE, tickets - 1),
        "offer_size": (0, OFFER),
        "offer_at": (0, OFFER),
        **dict.fromkeys(
            ("hands", "known", "paid", "laid", "revealed", "deck", "deck_most", "drawn", "discards", "track", "yards", "yard_wilds"), (0, 127)
        ),
    }
