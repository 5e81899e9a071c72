"""View: what one seat, or a spectator, knows about a game."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from branchline.play.calls import calls
from branchline.play.events import Event, remembered
from branchline.play.happenings import Happenings, Mark
from branchline.play.information import information_bytes, information_text
from branchline.play.positions import SEAT, VIEWER, Position, copy_of
from branchline.play.seeds import seed_number, words_of
from branchline.rules import engine
from branchline.rules.sizes import MASK_WORDS
from branchline.rules.state import SPECTATOR, STATE

if TYPE_CHECKING:
    from branchline.play.games import Game, State


class View(Position):
    """What one viewer knows about a game. Bots, messages and observations only ever get views."""

    def __init__(self, game: Game, records: Any, happened: Mark = ([], 0)) -> None:
        self.game = game
        self._take(records)
        self._happened = happened  # the game's own past: redacting all of it for every view would take longer than the rules

    @property
    def viewer(self) -> int | None:
        """The seat the view was made for, or None for a spectator."""
        viewer = self._bytes[VIEWER]
        return None if viewer == SPECTATOR else viewer

    @property
    def mask(self) -> Any:
        """The legal decisions if the viewer decides, otherwise empty: a view does not know what is legal for others."""
        if self._mask is None:
            self._mask = np.zeros(MASK_WORDS, np.uint64)
            if self._bytes[VIEWER] == self._bytes[SEAT]:
                calls().legal(self.game.board.records, self.records, self._mask)
        return self._mask

    @property
    def events(self) -> list[Event]:
        """What the viewer has seen happen, from the start of the game. Games that are not played decision by decision in Python have no events."""
        return self.events_since(0)

    @property
    def event_count(self) -> int:
        return self._unredacted().count

    def events_since(self, count: int) -> list[Event]:
        """The events after the first `count`."""
        return [remembered(event, self.viewer) for event in self._unredacted().since(count)]

    def _unredacted(self) -> Happenings:
        return Happenings.at_mark(self.game.board, self._happened)

    @property
    def information_text(self) -> str:
        """Everything the viewer knows and remembers, as text: two views have the same text if and only if they are the same to their viewer."""
        return information_text(self)

    @property
    def information_bytes(self) -> bytes:
        """The same as bytes, which are made faster."""
        return information_bytes(self)

    def chances(self) -> tuple[float, ...]:
        """Each seat's chance to win, as the viewer sees the game; they sum to 1."""
        told: tuple[float, ...] = import_module("branchline.bots.chances").chances(self)  # by name: it is in a higher layer
        return told

    def copy(self) -> View:
        """An independent copy."""
        return View(self.game, copy_of(self.records), self._happened)

    def __reduce__(self) -> Any:
        """Other processes only get what the viewer may know."""
        return _view_again, (self.game, self.records.tobytes(), self.events)

    def imagine(self, seed: int | str | None = None) -> State:
        """A complete game that is consistent with the view: what is hidden is dealt again at random."""
        from branchline.play.games import State  # which makes views

        number = seed_number(seed)
        records = copy_of(self.records)
        engine.imagine(self.game.board.records, records, *words_of(number))
        imagined = State(self.game, None, records)
        if count := self.event_count:
            imagined._happenings.remember(count, lambda: self.events)  # the viewer's past: others would remember what is hidden in it
        return imagined

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.game == other.game and self.records.tobytes() == other.records.tobytes()

    __hash__ = None  # type: ignore[assignment]  # compared by content, not kept in sets

    def __repr__(self) -> str:
        return f"<View of {self.game.name} for {'a spectator' if self.viewer is None else f'seat {self.viewer}'}, {self.phase}, seat {self.seat}>"


def _view_again(game: Game, content: bytes, events: list[Event]) -> View:
    happenings = Happenings(game.board)
    if events:
        happenings.add_named(events)
    return View(game, np.ndarray(1, STATE, bytearray(content)), happenings.mark())
