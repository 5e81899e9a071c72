"""The numbers that settings may have, from their declaration, so that a page can offer no others."""

from __future__ import annotations

from functools import cache
from typing import Any

from branchline.boards.facts import COLOURS
from branchline.boards.settings import Settings


@cache
def ranges() -> dict[str, tuple[int, int]]:
    """The least and the most of each setting that is a number, by its path: `pieces.trains`; of lists and tables by `players.*`."""
    schema = Settings.model_json_schema()
    return dict(numbers_in(schema, schema["$defs"]))


def numbers_in(part: dict[str, Any], known: dict[str, Any], path: str = "") -> list[tuple[str, tuple[int, int]]]:
    part = known[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
    if "minimum" in part and "maximum" in part:
        return [(path, (part["minimum"], part["maximum"]))]
    inside = {f"{path}.{name}".lstrip("."): one for name, one in part.get("properties", {}).items()}
    inside |= {f"{path}.*": one for one in (part.get("items"), part.get("additionalProperties")) if isinstance(one, dict)}
    found = [numbers_in(one, known, name) for name, one in inside.items()] + [numbers_in(one, known, path) for one in part.get("anyOf", ())]
    return [one for several in found for one in several]


def colours() -> tuple[str, ...]:
    """The colours that cards and routes can have."""
    return COLOURS
