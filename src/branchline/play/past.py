"""What has happened: a list that grows at its end, or is cut there. Twins share what they have in common, so a twin costs the same at any length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class Past(Generic[T]):
    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def twin(self) -> Past[T]:
        """Another past, the same so far. What is added to one does not show in the other."""
        return Past.at_mark(self.mark())

    def mark(self) -> tuple[list[T], int]:
        """What has happened so far, without making anything; `at_mark` makes a past of it."""
        return self._items, self._length

    @staticmethod
    def at_mark(mark: tuple[list[T], int]) -> Past[T]:
        """The past as it was when the mark was made, whatever has happened since."""
        past: Past[T] = Past.__new__(Past)
        past._items, past._length = mark
        return past

    def copy(self) -> Past[T]:
        """Another past that shares nothing, for use in another thread."""
        return Past(self)

    def append(self, item: T) -> None:
        if len(self._items) != self._length:
            self._have_the_end()
        self._items.append(item)
        self._length += 1

    def extend(self, items: Iterable[T]) -> None:
        self._have_the_end()
        self._items.extend(items)
        self._length = len(self._items)

    def cut(self, length: int) -> None:
        """Only so much has happened."""
        self._length = min(length, self._length)

    def _have_the_end(self) -> None:
        """If a twin has already added something else there, or something was cut off, part with it."""
        if len(self._items) != self._length:
            self._items = self._items[: self._length]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return iter(self._items[: self._length])

    def __reversed__(self) -> Iterator[T]:
        return (self._items[place] for place in range(self._length - 1, -1, -1))

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            return [self._items[number] for number in range(*place.indices(self._length))]
        return self._items[range(self._length)[place]]
