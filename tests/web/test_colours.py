"""The page's colours: words can be read on every background they may stand on, whatever a game brings there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

AA = 4.5  # WCAG 2.2, 1.4.3
TOKENS = (Path(__file__).parents[2] / "web/src/look/tokens.css").read_text()
LIGHT, DARK = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", body)) for body in re.findall(r":root[^{]*\{([^}]*)\}", TOKENS))
LOOKS = {"light": LIGHT, "dark": LIGHT | DARK}
WORDS = ["ink", "ink-soft", "accent", "warm", "good", "bad"]
BACKGROUNDS = ["paper", "panel", "panel-2", "accent-soft", "warm-soft", "good-soft", "bad-soft"]
FILLED = [("on-accent", "accent"), ("on-frame", "frame"), *(("panel", colour) for colour in WORDS)]


def luminance(colour: str) -> float:
    """How bright a colour is, from 0 to 1, as WCAG defines it."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, bright = sorted([luminance(one), luminance(other)])
    return (bright + 0.05) / (dark + 0.05)


def test_contrast_is_what_wcag_says() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("look", LOOKS)
def test_words_can_be_read_on_every_background(look: str) -> None:
    colours = LOOKS[look]
    pairs = [(words, background) for words in WORDS for background in BACKGROUNDS] + FILLED
    assert [pair for pair in pairs if contrast(*(colours[name] for name in pair)) < AA] == []
