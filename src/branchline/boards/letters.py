"""How wide text is in the page's typeface, Alegreya Sans 700: `letters.json` has its letters by width, in thousandths of the type's size.

The numbers are those of the font's own table, without kerning, which would only make text narrower.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files

USUAL = 0.6  # of a letter that the typeface does not have


@cache
def widths() -> dict[str, float]:
    by_width = json.loads((files("branchline.boards") / "letters.json").read_text(encoding="utf-8"))
    return {letter: int(width) / 1000 for width, letters in by_width.items() for letter in letters}


def text_width(text: str, size: float) -> float:
    return size * sum(widths().get(letter, USUAL) for letter in text)


def in_lines(text: str, size: float, longest: int) -> tuple[str, ...]:
    """Two lines if a name is long and has a space or a hyphen, broken so that the wider line is as narrow as possible."""
    breaks = [found.end() for found in re.finditer(r"[ -]", text)]
    if len(text) < longest or not breaks:
        return (text,)
    ways = [(text[:at].rstrip(), text[at:]) for at in breaks]
    return min(ways, key=lambda way: max(text_width(line, size) for line in way))
