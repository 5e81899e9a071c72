"""What has happened in a game, call by call: the rows that the rules wrote, named only when somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from branchline.boards import Board
from branchline.play.events import Event, Rows, named_events
from branchline.play.past import Past
from branchline.rules.vocabulary.fields import CARD_ROW


class Happening:
    """The events of one call into the rules. Copies of a game share it, and so its names."""

    __slots__ = ("_events", "_rows", "end")

    def __init__(self, rows: Rows, events: list[Event] | None = None) -> None:
        self._rows, self._events = rows, events
        self.end: int | None = None  # how many events there were after it, once somebody has counted

    @property
    def size(self) -> int:
        return len(self._events) if self._events is not None else sum(row[0] < CARD_ROW for row in self._rows)

    def events(self, board: Board) -> list[Event]:
        if self._events is None:
            self._events, self._rows = named_events(board, self._rows), []
        return self._events


class Remembered(Happening):
    """What a viewer has seen until now, worked out when somebody asks: most imagined games end before that."""

    __slots__ = ("_count", "_recall")

    def __init__(self, count: int, recall: Callable[[], list[Event]]) -> None:
        super().__init__([])
        self._count, self._recall = count, recall

    @property
    def size(self) -> int:
        return self._count

    def events(self, board: Board) -> list[Event]:  # noqa: ARG002  # as its base
        if self._events is None:
            self._events = self._recall()
        return self._events


Mark = tuple[list[Happening], int]


class Happenings:
    """All of them, in order. Twins share what they have in common."""

    __slots__ = ("_board", "_past")

    def __init__(self, board: Board, past: Past[Happening] | None = None) -> None:
        self._board = board
        self._past: Past[Happening] = Past() if past is None else past

    def add(self, rows: Rows) -> None:
        self._past.append(Happening(rows))

    def add_named(self, events: list[Event]) -> None:
        self._past.append(Happening([], events))

    def remember(self, count: int, recall: Callable[[], list[Event]]) -> None:
        self._past.append(Remembered(count, recall))

    @property
    def count(self) -> int:
        """How many events there are."""
        uncounted: list[Happening] = []
        end = 0
        for happening in reversed(self._past):
            if happening.end is not None:
                end = happening.end
                break
            uncounted.append(happening)
        for happening in reversed(uncounted):
            end += happening.size
            happening.end = end
        return end

    @property
    def calls(self) -> int:
        """How many calls had events; `cut` goes back to such a number."""
        return len(self._past)

    def cut(self, calls: int) -> None:
        self._past.cut(calls)

    def since(self, count: int) -> list[Event]:
        """The events after the first `count`."""
        left = self.count - count
        found: list[list[Event]] = []
        for happening in reversed(self._past):
            if left <= 0:
                break
            events = happening.events(self._board)
            found.append(events[max(len(events) - left, 0) :])
            left -= len(events)
        return [event for events in reversed(found) for event in events]

    def latest(self) -> Iterator[Event]:
        """All events, the latest first."""
        for happening in reversed(self._past):
            yield from reversed(happening.events(self._board))

    def twin(self) -> Happenings:
        return Happenings(self._board, self._past.twin())

    def mark(self) -> Mark:
        """For a view, which is made more often than asked about the past."""
        return self._past.mark()

    @staticmethod
    def at_mark(board: Board, mark: Mark) -> Happenings:
        return Happenings(board, Past.at_mark(mark))

    def copy(self) -> Happenings:
        return Happenings(self._board, self._past.copy())
