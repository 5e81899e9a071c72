"""How wide a name is: Alegreya Sans 700, from the npm package @fontsource/alegreya-sans (Open Font License)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fontTools.ttLib import TTFont
from sizes import FONT_SIZE

SUBSETS = ("latin", "latin-ext", "cyrillic")


class Font:
    def __init__(self, packages: Path) -> None:
        self.advances: dict[str, float] = {}
        for subset in reversed(SUBSETS):
            file = TTFont(packages / "@fontsource" / "alegreya-sans" / "files" / f"alegreya-sans-{subset}-700-normal.woff")
            em, widths = file["head"].unitsPerEm, file["hmtx"].metrics
            self.advances |= {chr(code): widths[glyph][0] / em for code, glyph in file.getBestCmap().items()}

    def width(self, text: str) -> float:
        """Without kerning, which would only make it narrower."""
        return FONT_SIZE * sum(self.advances[letter] for letter in text)


@cache
def font(packages: Path) -> Font:
    return Font(packages)
