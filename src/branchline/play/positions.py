"""A game in progress, by name: shared by the game itself (`State`) and by what one viewer knows about it (`View`)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from branchline.boards.model import PIECES
from branchline.play.bitsets import members
from branchline.play.calls import calls, scratch
from branchline.rules import engine
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import MASK_WORDS
from branchline.rules.state import REAL, STATE
from branchline.rules.vocabulary.phases import COMPLETING, OVER, PHASES

if TYPE_CHECKING:
    from branchline.play.games import Game


def offset_of(field: str) -> int:
    assert STATE.fields is not None
    return STATE.fields[field][1]


@cache
def places_of(names: tuple[str, ...], seat: int | None) -> list[slice]:
    """The bytes of some fields, or of a seat's parts of them, in a record."""
    assert STATE.fields is not None
    places = []
    for kind, first, *_ in (STATE.fields[name] for name in names):
        size = kind.itemsize if seat is None else kind.itemsize // kind.shape[0]
        places.append(slice(first + (seat or 0) * size, first + (seat or 0) * size + size))
    return places


# where these fields are in a record: as bytes they are read ten times as fast as through NumPy
PHASE, SEAT, PLAYERS, DECIDED, VIEWER = map(offset_of, ("phase", "seat", "players", "decided", "viewer"))


def blank(kind: Any) -> Any:
    """A record of zeros in an array of one: made of bytes, because NumPy's own zeros go field by field."""
    return np.ndarray(1, kind, bytearray(kind.itemsize))


def copy_of(records: Any) -> Any:
    """Copying bytes is much faster than NumPy's own copy, which goes field by field."""
    return np.ndarray(1, records.dtype, bytearray(records.tobytes()))


class Position:
    """A State record with its names. In a view, what the viewer may not know is empty or missing."""

    def __init__(self, game: Game, records: Any) -> None:
        self.game = game
        self._take(records)

    def _take(self, records: Any) -> None:
        """From now on, this is the position."""
        self.records = records  # an array of length one, as the rules' entry points take it
        base = records.base
        self._bytes: Any = base if type(base) is bytearray else memoryview(records.view(np.uint8))  # the same memory
        self._mask: Any = None

    @property
    def record(self) -> Any:
        """The rules' own record; fields in `rules/state.py`."""
        return self.records[0]

    def bytes_of(self, *names: str, seat: int | None = None) -> bytes:
        """Some fields, or a seat's parts of them, as they are stored: much faster than through NumPy."""
        stored = self._bytes
        return b"".join([stored[place] for place in places_of(names, seat)])

    @property
    def mask(self) -> Any:
        """The legal decisions as bits, as the rules store them."""
        if self._mask is None:
            self._mask = np.zeros(MASK_WORDS, np.uint64)
            calls().legal(self.game.board.records, self.records, self._mask)
        return self._mask

    @property
    def legal(self) -> list[int]:
        """The numbers of all legal decisions, in ascending order; empty once the game is over."""
        found = scratch.found
        return found[: calls().list_members(self.mask, found)].tolist()  # type: ignore[no-any-return]  # NumPy's lists are untyped

    @property
    def legal_texts(self) -> list[str]:
        texts = self.game.decisions.texts
        return [texts[decision] for decision in self.legal]

    @property
    def seat(self) -> int | None:
        """Whose decision it is."""
        return None if self._bytes[PHASE] == OVER else self._bytes[SEAT]

    @property
    def choosers(self) -> list[int]:
        """The seats that may decide now: several while simultaneous choices are being made."""
        if self.is_at_once:
            return [seat for seat in self.seats if not self._bytes[DECIDED] >> seat & 1]
        return [] if self.is_over else [self._bytes[SEAT]]

    @property
    def is_at_once(self) -> bool:
        """Are the seats choosing simultaneously, in any order?"""
        return self._bytes[PHASE] in calls().at_once

    @property
    def phase(self) -> str:
        return PHASES[self._bytes[PHASE]].name

    @property
    def phase_number(self) -> int:
        return int(self._bytes[PHASE])

    @property
    def is_over(self) -> bool:
        return bool(self._bytes[PHASE] == OVER)

    @property
    def seats(self) -> range:
        return range(self._bytes[PLAYERS])

    @property
    def row(self) -> list[str | None]:
        cards = self.game.board.cards
        return [cards[kind].id if kind >= 0 else None for kind in self.records["row"][0, : self.game.board.numbers["row"]].tolist()]

    def hand(self, seat: int) -> dict[str, int]:
        """Cards by kind. In a view, another seat's hand only shows what everybody knows."""
        return self.counts(self.records["hands"][0, seat])

    def hidden_cards(self, seat: int) -> int:
        """In a view: how many more cards the seat holds."""
        return sum(self.records["unseen"][0, seat].tolist())

    def counts(self, kinds: Any) -> dict[str, int]:
        return {card.id: count for card, count in zip(self.game.board.cards, kinds.tolist(), strict=False) if count}

    def routes(self, seat: int) -> list[str]:
        return [self.game.board.routes[number].id for number in members(self.records["owned"][0, seat])]

    def buildings(self, seat: int) -> list[str]:
        """Cities where the seat has a station or harbour."""
        return [self.game.board.cities[number].id for number in members(self.records["built"][0, seat])]

    def tickets(self, seat: int) -> list[str]:
        """Tickets kept. In a view, another seat's are missing (`ticket_count` has their number)."""
        return [self.game.board.tickets[number].id for number in members(self.records["tickets"][0, seat])]

    def ticket_count(self, seat: int) -> int:
        return int(self.records["ticket_count"][0, seat])

    def offer(self, seat: int) -> list[str | None]:
        """Tickets offered to the seat, in drawn order; None where a view does not know."""
        numbers = self.records["offer"][0, seat][: self.records["offer_size"][0, seat]]
        return [self.game.board.tickets[number].id if number >= 0 else None for number in numbers]

    def pieces(self, seat: int) -> dict[str, int]:
        """Pieces left to place: trains, and ships where there are any."""
        return self.by_piece(self.records["pieces"][0, seat])

    def box(self, seat: int) -> dict[str, int]:
        """Pieces that the seat did not choose and can exchange."""
        return self.by_piece(self.records["box"][0, seat])

    def by_piece(self, numbers: Any) -> dict[str, int]:
        there = self.game.board.numbers["pieces"]
        return {name: number for name, number, most in zip(PIECES, numbers.tolist(), there, strict=True) if most}

    def yard(self, seat: int) -> dict[str, dict[str, int]]:
        """The rows of a yard by colour, each with its cards by kind."""
        colours = self.game.board.colours
        rows = {}
        for colour, cards, wilds in zip(colours, self.record.yards[seat], self.record.yard_wilds[seat], strict=False):
            row = {card: int(count) for card, count in ((colour, cards), ("wild", wilds)) if count}
            if row:
                rows[colour] = row
        return rows

    def may_look_into_pile(self, seat: int) -> bool:
        """CG-7: people look into their own pile when they complete tickets with it; earlier only if the table allows it."""
        return int(self.records["viewer"][0]) in (seat, REAL) and (self.game.look_into_own_pile or bool(self.records["phase"][0] == COMPLETING))

    def track(self, seat: int) -> dict[str, int]:
        """The cards of a track pile. Everyone has seen them pass through the yard; an interface shows only how many there are (CG-8)."""
        colours = self.game.board.colours
        names = (*colours, "wild")
        return {name: int(count) for name, count in zip(names, self.records["track"][0, seat], strict=False) if count}

    def completed(self, seat: int) -> list[str]:
        """Tickets completed with cards and set aside."""
        return [self.game.board.tickets[number].id for number in members(self.records["completed"][0, seat])]

    def points(self, seat: int) -> int:
        """Points so far, before the final count."""
        return int(self.records["points"][0, seat])

    def counted(self) -> Any:
        """The final count if the game ended now, as the rules' own record. In a view only the viewer's part is right: it lacks other tickets."""
        results = blank(RESULT)
        engine.final_count(self.game.board.records, self.records, scratch.work, results)
        return results[0]

    def __str__(self) -> str:
        from branchline.play.dump import dump

        return dump(self)

    def _repr_svg_(self) -> str:
        """In a notebook: the board with its pieces, the cards, and what the viewer holds."""
        from branchline.play.drawing import picture

        return picture(self)
