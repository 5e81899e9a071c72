"""A check that files, records and callers all need."""

from typing import Any


def is_whole(value: Any, least: int, most: int) -> bool:
    """Is it a whole number in a range? True and 1.0 are not."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
